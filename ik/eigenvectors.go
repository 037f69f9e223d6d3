package ik

// Eigenvectors of small symmetric matrices, without allocation.

import (
	"math"
)

// eigenvectors turns a symmetric n×n matrix H into the diagonal of its eigenvalues, with eigenvectors in the columns of
// E, by Jacobi's rotations.
func eigenvectors(H, E []float64, n int) {
	clear(E)
	for i := range n {
		E[i*n+i] = 1
	}
	const sweeps = 60
	for range sweeps {
		off, all := 0.0, 0.0
		for i := range n {
			for j := range n {
				if all += H[i*n+j] * H[i*n+j]; i != j {
					off += H[i*n+j] * H[i*n+j]
				}
			}
		}
		if off <= 1e-36*all {
			return
		}
		for p := range n {
			for r := p + 1; r < n; r++ {
				if H[p*n+r] == 0 {
					continue
				}
				theta := (H[r*n+r] - H[p*n+p]) / (2 * H[p*n+r])
				t := math.Copysign(1, theta) / (math.Abs(theta) + math.Hypot(theta, 1))
				c := 1 / math.Hypot(t, 1)
				rotate(H, E, n, p, r, c, t*c)
			}
		}
	}
}

// rotate applies Gᵀ H G and E G with the rotation G in the plane of the columns p and r.
func rotate(H, E []float64, n, p, r int, c, s float64) {
	for k := range n {
		a, b := H[k*n+p], H[k*n+r]
		H[k*n+p], H[k*n+r] = c*a-s*b, s*a+c*b
		a, b = E[k*n+p], E[k*n+r]
		E[k*n+p], E[k*n+r] = c*a-s*b, s*a+c*b
	}
	for k := range n {
		a, b := H[p*n+k], H[r*n+k]
		H[p*n+k], H[r*n+k] = c*a-s*b, s*a+c*b
	}
}
