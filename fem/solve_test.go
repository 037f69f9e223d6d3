package fem

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// multiply returns A x for the symmetric blocks of a clique.
func multiply(c *cliques.Clique, x []float64) []float64 {
	y := make([]float64, len(x))
	for j := range c.Pattern.N {
		for k := c.Pattern.Ptr[j]; k < c.Pattern.Ptr[j+1]; k++ {
			i := int(c.Pattern.Row[k])
			b := r3.Mat(c.A[9*k : 9*k+9])
			u := b.MulVec(r3.Vec(x[3*j : 3*j+3]))
			for n := range u {
				y[3*i+n] += u[n]
			}
			if i != j {
				u = b.TMulVec(r3.Vec(x[3*i : 3*i+3]))
				for n := range u {
					y[3*j+n] += u[n]
				}
			}
		}
	}
	return y
}

// conjugateGradients solves A x = b to round-off, preconditioned by the diagonal.
func conjugateGradients(c *cliques.Clique, b []float64) []float64 {
	n := len(b)
	x, z := make([]float64, n), make([]float64, n)
	r := append([]float64(nil), b...)
	diag := make([]float64, n)
	for j := range c.Pattern.N {
		for k := range 3 {
			diag[3*j+k] = c.A[9*int(c.Pattern.Ptr[j])+4*k]
		}
	}
	precondition := func() (rz float64) {
		for i := range z {
			z[i] = r[i] / diag[i]
			rz += r[i] * z[i]
		}
		return rz
	}
	rz := precondition()
	p := append([]float64(nil), z...)
	for first := rz; rz > 1e-28*first && !math.IsNaN(rz); {
		Ap := multiply(c, p)
		pAp := 0.0
		for i := range p {
			pAp += p[i] * Ap[i]
		}
		for i := range p {
			x[i] += rz / pAp * p[i]
			r[i] -= rz / pAp * Ap[i]
		}
		old := rz
		rz = precondition()
		for i := range p {
			p[i] = z[i] + rz/old*p[i]
		}
	}
	return x
}
