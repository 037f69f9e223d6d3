package study

import "math/rand/v2"

// monteCarlo draws independent points (simple random sampling): means over them have the error σ/√n.
// Points of a shorter sample of the same seed are the first of a longer one.
func monteCarlo(u [][]float64, r *rand.Rand) {
	for i := range u {
		for j := range u[i] {
			u[i][j] = uniform(r)
		}
	}
}
