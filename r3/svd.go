package r3

import "math"

// Singular values and polar decomposition of a 3×3 matrix F:
//
//	F = U diag(s) Vᵀ,  F = R S,  R = U Vᵀ,  S = V diag(s) Vᵀ.           (1)
//
// U, V and R are rotations (determinant +1) for every F, so the sign of det F
// sits in the smallest singular value: a reflection turns up as a compression
// through zero along the direction that is thinnest already, which is what an
// inverted finite element needs in order to come back.

// SVD returns U, V with determinant +1 and s with s₀ ≥ s₁ ≥ |s₂| such that (1)
// holds; s₂ has the sign of det F. Any finite F will do, also singular ones.
// One-sided Jacobi: small singular values keep their relative accuracy. Source:
// Golub & Van Loan, Matrix Computations, 8.6.3.
func SVD(F Mat) (U Mat, s Vec, V Mat) {
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
	for sweep := 0; sweep < maxSweeps; sweep++ {
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
	s = Vec{scale * n0, scale * n1, scale * u2.Dot(a[2])}
	return FromColumns(u0, u1, u2), s, FromColumns(v[0], v[1], v[2])
}

const (
	maxSweeps    = 30    // of Jacobi; 3 to 6 are usual
	orthogonal   = 4e-16 // cosine that counts as a right angle: round-off
	tiny         = 1e-280
	polarSteps   = 12   // of Newton's iteration for R; 3 are usual
	polarLeast   = 1e-7 // det F/‖F‖³ below which the iteration leaves F to the SVD
	polarSettled = 1e-8 // change of R whose square is below round-off
	polarNear    = 0.1  // | ‖F‖² − 3 | within which scaling gains nothing
)

// orthogonalise rotates columns p and q of a until they are at a right angle,
// and v with them; it reports whether they were already.
func orthogonalise(a, v *[3]Vec, p, q int) bool {
	alpha, beta, gamma := a[p].Norm2(), a[q].Norm2(), a[p].Dot(a[q])
	if math.Abs(gamma) <= orthogonal*math.Sqrt(alpha)*math.Sqrt(beta) {
		return true
	}
	zeta := (beta - alpha) / (2 * gamma)
	t := math.Copysign(1/(math.Abs(zeta)+math.Hypot(1, zeta)), zeta)
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
// Newton's iteration X ← ½(γX + (γX)⁻ᵀ) from X = F, quadratic for det F > 0;
// what is nearly flat or inverted goes to the SVD. It starts from F and not from
// the last step's R, so that a restored state repeats its bits. Source: Higham,
// Functions of Matrices, 8.6.
func Polar(F Mat) Mat {
	n2 := F.Norm2()
	X := F
	for range polarSteps {
		C := X.Cofactor()
		det := X[0]*C[0] + X[1]*C[1] + X[2]*C[2]
		if !(det > polarLeast*n2*math.Sqrt(n2)) {
			break
		}
		gamma := 1.0
		if math.Abs(n2-3) > polarNear {
			gamma = math.Sqrt(math.Sqrt(C.Norm2()/n2) / det)
		}
		x, y := 0.5*gamma, 0.5/(gamma*det)
		change := 0.0
		n2 = 0
		for i := range X {
			next := x*X[i] + y*C[i]
			d := next - X[i]
			change += d * d
			n2 += next * next
			X[i] = next
		}
		if change < polarSettled*polarSettled {
			return X
		}
	}
	U, _, V := SVD(F)
	return U.Mul(V.T())
}
