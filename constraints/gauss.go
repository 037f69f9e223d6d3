package constraints

import "math"

// gauss is a rule of Gauss and Legendre on (−1, 1): nodes and weights.
type gauss struct{ x, w []float64 }

var gauss3, gauss20 = newGauss(3), newGauss(20)

// newGauss returns the rule of n nodes: roots of the Legendre polynomial of degree n, by Newton's method.
func newGauss(n int) (q gauss) {
	for i := range n {
		x, slope := math.Cos(math.Pi*(float64(i)+0.75)/(float64(n)+0.5)), 0.0
		for range 50 {
			last, p := 1.0, x
			for k := 2; k <= n; k++ {
				last, p = p, (float64(2*k-1)*x*p-float64(k-1)*last)/float64(k)
			}
			slope = float64(n) * (x*p - last) / (x*x - 1)
			x -= p / slope
		}
		q.x, q.w = append(q.x, x), append(q.w, 2/((1-x*x)*slope*slope))
	}
	return q
}
