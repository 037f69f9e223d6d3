package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Eigenmodes of the tangent that all isotropic hyperelastic laws share. The tangent of an energy of
// the singular values s of F = U diag(s) Vᵀ is diagonal in three twists and three flips, for i with
// (i, j, k) cyclic U (e_j e_kᵀ ∓ e_k e_jᵀ)/√2 Vᵀ, and in three stretches U diag(y) Vᵀ, with y the
// eigenvectors of the Hessian by s. Without the negative ones it is the nearest positive
// semi-definite matrix. Source: Smith, de Goes, Kim, "Analytic Eigensystems for Isotropic Distortion
// Energies", 2019.

// projectModes writes the sum of the positive modes, given the eigenvalues of twists and flips
// and the Hessian by s.
func projectModes(U, V r3.Mat, twist, flip r3.Vec, stretch r3.Mat, dPdF *[81]float64) {
	for i := range 3 {
		twist[i], flip[i] = math.Max(twist[i], 0), math.Max(flip[i], 0)
	}
	Q, w := r3.SymEigen(stretch)
	for a := range 3 {
		w[a] = math.Max(w[a], 0)
	}
	addModes(U, V, twist, flip, Q, w, dPdF)
}

// sumModes writes the sum of all modes, negative ones too.
func sumModes(U, V r3.Mat, twist, flip r3.Vec, stretch r3.Mat, dPdF *[81]float64) {
	Q, w := r3.SymEigen(stretch)
	addModes(U, V, twist, flip, Q, w, dPdF)
}

// addModes writes the sum of all modes, with the eigenvectors Q and eigenvalues w of the Hessian by s.
func addModes(U, V r3.Mat, twist, flip r3.Vec, Q r3.Mat, w r3.Vec, dPdF *[81]float64) {
	u := [3]r3.Vec{U.Col(0), U.Col(1), U.Col(2)}
	v := [3]r3.Vec{V.Col(0), V.Col(1), V.Col(2)}
	*dPdF = [81]float64{}
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		jk, kj := r3.Outer(u[j], v[k]), r3.Outer(u[k], v[j])
		addMode(dPdF, jk.Sub(kj), 0.5*twist[i])
		addMode(dPdF, jk.Add(kj), 0.5*flip[i])
	}
	for a := range 3 {
		y := Q.Col(a)
		D := r3.Outer(u[0], v[0]).Scale(y[0]).Add(r3.Outer(u[1], v[1]).Scale(y[1])).Add(r3.Outer(u[2], v[2]).Scale(y[2]))
		addMode(dPdF, D, w[a])
	}
}

// addMode adds value·D⊗D.
func addMode(dPdF *[81]float64, D r3.Mat, value float64) {
	for a, x := range D {
		x *= value
		for b, y := range D {
			dPdF[9*a+b] += x * y
		}
	}
}

// volumeTangent writes the tangent of the part of the stress along cof F: with the energy U(J) that is
// bulk = U” times cof F ⊗ cof F, and c = U' times ∂cof F/∂F.
func volumeTangent(F r3.Mat, bulk, c float64, dPdF *[81]float64) {
	C := F.Cofactor()
	for a, x := range C {
		for b, y := range C {
			dPdF[9*a+b] = bulk * x * y
		}
	}
	for i := range 3 { // c ∂cof_ij/∂F_kl = c ε_ikm ε_jln F_mn
		k, l := (i+1)%3, (i+2)%3
		for j := range 3 {
			n, o := (j+1)%3, (j+2)%3
			at := dPdF[9*(3*i+j) : 9*(3*i+j)+9]
			at[3*k+n] += c * F[3*l+o]
			at[3*k+o] -= c * F[3*l+n]
			at[3*l+n] -= c * F[3*k+o]
			at[3*l+o] += c * F[3*k+n]
		}
	}
}
