package rigid

// Factorization of the matrix A (n×n) of an articulated tree from the tips to the root.
// Where the articulated body algorithm (ABA) propagates articulated body inertias from link
// to link, this program factors the joint-space matrix, because the convex problem needs
// it:
//
//	M = Lᵀ D L,  D_k = M_kk − Σ_{j>k} L_jk² D_j                          (1)
//
// L lower triangular with a unit diagonal. L_ki is zero where i does not carry k, and stays
// zero: no fill-in. D_k is the articulated body inertia along dof k: the inertia felt there
// when the joints of all carried links are free. Source: Featherstone, Rigid Body Dynamics
// Algorithms, 6.5 and 8.5.

// eliminate overwrites the lower triangle of M (n×n) by L, and its diagonal by 1/D.
func eliminate(M []float64, n int) {
	for k := n - 1; k >= 0; k-- {
		row := M[k*n : k*n+k+1]
		row[k] = 1 / row[k]
		for i := k - 1; i >= 0; i-- {
			if row[i] == 0 {
				continue
			}
			s := row[i] * row[k]
			above := M[i*n : i*n+i+1]
			for j := range above {
				above[j] -= s * row[j] // (1)
			}
			row[i] = s
		}
	}
}

// solve writes x = M⁻¹ b, L and 1/D as eliminate left them.
func solve(LD []float64, b, x []float64) {
	n := len(x)
	// Lᵀ y = b from the tips, then D z = y and L x = z from the root
	copy(x, b)
	for k := n - 1; k > 0; k-- {
		for i, l := range LD[k*n : k*n+k] {
			x[i] -= l * x[k]
		}
	}
	for k := range x {
		s := x[k] * LD[k*n+k]
		for i, l := range LD[k*n : k*n+k] {
			s -= l * x[i]
		}
		x[k] = s
	}
}
