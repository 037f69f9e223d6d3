package r3

import "math"

// The singular value decomposition (SVD) and the polar decomposition of a 3×3 matrix F:
//
//	F = U diag(s) Vᵀ,  F = R S,  R = U Vᵀ,  S = V diag(s) Vᵀ.           (1)
//
// U, V and R are rotations (determinant +1) for every F, so the sign of det F
// is in the smallest singular value: a reflection becomes a compression through zero
// along the direction that is thinnest already, by which an inverted finite element finds
// back to its shape (Irving, Teran, Fedkiw, "Invertible finite elements for robust
// simulation of large deformation", 2004).

// SVD returns U, V with determinant +1 and s with s₀ ≥ s₁ ≥ |s₂| such that (1)
// is true; s₂ has the sign of det F. Any finite F will do, also singular ones.
//
// One-sided Jacobi: rotations V of the columns of F make them orthogonal, F V = U diag(s).
// Small singular values keep their relative accuracy. Source: Golub, Van Loan, Matrix
// Computations, section 8.6.3.
func SVD(F Mat) (U Mat, s Vec, V Mat) {
	// scaled, so that no square overflows
	scale := 0.0
	for _, x := range F {
		scale = math.Max(scale, math.Abs(x))
	}
	if scale == 0 || math.IsInf(scale, 0) || math.IsNaN(scale) {
		return Identity(), Vec{scale, scale, scale}, Identity()
	}
	a := [3]Vec{F.Col(0), F.Col(1), F.Col(2)}
	v := [3]Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	for j := range a {
		a[j] = Vec{a[j][0] / scale, a[j][1] / scale, a[j][2] / scale}
	}
	for range maxSweeps {
		done := orthogonalise(&a, &v, 0, 1)
		done = orthogonalise(&a, &v, 0, 2) && done
		done = orthogonalise(&a, &v, 1, 2) && done
		if done {
			break
		}
	}
	sortColumns(&a, &v)
	if v[0].Cross(v[1]).Dot(v[2]) < 0 {
		v[2], a[2] = v[2].Neg(), a[2].Neg()
	}

	// U from the columns U diag(s), completed where they vanish.
	n0, n1 := a[0].Norm(), a[1].Norm()
	u0 := a[0].Scale(1 / n0)
	u1, _ := Basis(u0)
	if n1 > tiny {
		u1 = a[1].Scale(1 / n1)
	}
	u1 = u1.AddScaled(-u0.Dot(u1), u0).Unit()
	u2 := u0.Cross(u1)
	n2 := u2.Dot(a[2])
	n2 = math.Copysign(math.Min(math.Abs(n2), n1), n2)
	s = Vec{scale * n0, scale * n1, scale * n2}
	return FromColumns(u0, u1, u2), s, FromColumns(v[0], v[1], v[2])
}

const (
	// maxSweeps bounds the sweeps of Jacobi; 3 to 6 are usual.
	maxSweeps = 30
	// orthogonal is the cosine that counts as a right angle: round-off.
	orthogonal = 4e-16
	// tiny is a σ₁/σ₀ whose square underflows: F has rank one.
	tiny = 1e-150
	// polarSteps bounds the steps of Newton's iteration for R; 3 are usual.
	polarSteps = 12
	// polarLeast is the det F/‖F‖³ below which F is left to the SVD.
	polarLeast = 1e-7
	// polarConverged is a change of R whose square is below round-off.
	polarConverged = 1e-8
	// polarNear is the | ‖F‖² − 3 | within which scaling saves no step.
	polarNear = 0.1
)

// orthogonalise rotates columns p and q of a such that they are at a right angle,
// and v with them; it reports whether they were already.
func orthogonalise(a, v *[3]Vec, p, q int) bool {
	alpha, beta, gamma := a[p].Norm2(), a[q].Norm2(), a[p].Dot(a[q])
	if math.Abs(gamma) <= orthogonal*math.Sqrt(alpha)*math.Sqrt(beta) {
		return true
	}
	zeta := (beta - alpha) / (2 * gamma)
	t := math.Copysign(1/(math.Abs(zeta)+math.Sqrt(1+zeta*zeta)), zeta)
	c := 1 / math.Sqrt(1+t*t)
	s := c * t
	a[p], a[q] = a[p].Scale(c).AddScaled(-s, a[q]), a[q].Scale(c).AddScaled(s, a[p])
	v[p], v[q] = v[p].Scale(c).AddScaled(-s, v[q]), v[q].Scale(c).AddScaled(s, v[p])
	return false
}

// sortColumns orders a by falling length, v with it.
func sortColumns(a, v *[3]Vec) {
	for _, pq := range [3][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if p, q := pq[0], pq[1]; a[p].Norm2() < a[q].Norm2() {
			a[p], a[q], v[p], v[q] = a[q], a[p], v[q], v[p]
		}
	}
}

// Polar returns the rotation R nearest to F (1). It is a function of F alone
// and works for every finite F; only where the two smallest singular values of
// an inverted or singular F coincide is the choice of R arbitrary.
//
// Newton's iteration with scaling,
//
//	X ← ½ (γ X + (γ X)⁻ᵀ),   γ² = ‖X⁻¹‖/‖X‖,   from X = F                     (2)
//
// converges quadratically for det F > 0; an F that is nearly flat or inverted goes to the
// SVD. It starts from F and not from the last step's R, so that a restored state repeats
// its bits. Source: Higham, Functions of Matrices, section 8.6.
func Polar(F Mat) Mat {
	// Scalars, not Mats: arrays are kept in memory, and every element of every step
	// passes here.
	x0, x1, x2, x3, x4, x5, x6, x7, x8 := F[0], F[1], F[2], F[3], F[4], F[5], F[6], F[7], F[8]
	n2 := F.Norm2()
	for range polarSteps {
		c0, c1, c2 := x4*x8-x5*x7, x5*x6-x3*x8, x3*x7-x4*x6 // det X·X⁻ᵀ
		c3, c4, c5 := x2*x7-x1*x8, x0*x8-x2*x6, x1*x6-x0*x7
		c6, c7, c8 := x1*x5-x2*x4, x2*x3-x0*x5, x0*x4-x1*x3
		det := x0*c0 + x1*c1 + x2*c2
		if !(det > polarLeast*n2*math.Sqrt(n2)) {
			break
		}
		gamma := 1.0
		if math.Abs(n2-3) > polarNear {
			m2 := c0*c0 + c1*c1 + c2*c2 + c3*c3 + c4*c4 + c5*c5 + c6*c6 + c7*c7 + c8*c8
			gamma = math.Sqrt(math.Sqrt(m2/n2) / det)
		}
		a, b := 0.5*gamma, 0.5/(gamma*det)
		c0, c1, c2 = a*x0+b*c0, a*x1+b*c1, a*x2+b*c2
		c3, c4, c5 = a*x3+b*c3, a*x4+b*c4, a*x5+b*c5
		c6, c7, c8 = a*x6+b*c6, a*x7+b*c7, a*x8+b*c8
		x0, x1, x2, x3, x4, x5, x6, x7, x8 = c0-x0, c1-x1, c2-x2, c3-x3, c4-x4, c5-x5, c6-x6, c7-x7, c8-x8
		change := x0*x0 + x1*x1 + x2*x2 + x3*x3 + x4*x4 + x5*x5 + x6*x6 + x7*x7 + x8*x8
		x0, x1, x2, x3, x4, x5, x6, x7, x8 = c0, c1, c2, c3, c4, c5, c6, c7, c8
		n2 = x0*x0 + x1*x1 + x2*x2 + x3*x3 + x4*x4 + x5*x5 + x6*x6 + x7*x7 + x8*x8
		if change < polarConverged*polarConverged {
			return Mat{x0, x1, x2, x3, x4, x5, x6, x7, x8}
		}
	}
	U, _, V := SVD(F)
	return U.Mul(V.T())
}
