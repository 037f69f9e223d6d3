package study

import "math/rand/v2"

// latinHypercube draws a Latin hypercube of n points: each value has one point in each of n strata of
// equal probability,
//
//	u_ij = (π_j(i) + v_ij)/n
//
// with a random permutation π_j for each value and uniform v_ij. Source: McKay, Beckman and Conover,
// "A comparison of three methods for selecting values of input variables", 1979.
func latinHypercube(u [][]float64, r *rand.Rand) {
	n := len(u)
	for j := range u[0] {
		// a permutation by Fisher and Yates
		stratum := make([]int, n)
		for i := range stratum {
			k := int(uniform(r) * float64(i+1))
			stratum[i], stratum[k] = stratum[k], i
		}
		for i := range u {
			u[i][j] = (float64(stratum[i]) + uniform(r)) / float64(n)
		}
	}
}
