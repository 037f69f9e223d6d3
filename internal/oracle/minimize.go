package oracle

import "math"

// Potential is a convex function ℓ(c): Eval writes −∂ℓ/∂c and ∂²ℓ/∂c².
type Potential interface {
	Dim() int
	Eval(c, gamma, G []float64) float64
}

// Term is ℓ(J v + b).
type Term struct {
	Law Potential // ℓ
	J   []float64 // Dim×n, row-major
	B   []float64 // b (Dim)
}

// Minimize returns argmin ½(v − vStar)ᵀ A (v − vStar) + Σ ℓ(J v + b): Newton's
// method with bisection on the derivative along each direction.
func Minimize(A, vStar []float64, terms []Term) []float64 {
	n := len(vStar)
	v := append([]float64(nil), vStar...)
	best := math.Inf(1)
	for range 500 {
		g, H := Derivatives(A, vStar, terms, v)
		for i := range g {
			g[i] = -g[i]
		}
		dv := Solve(H, g)
		hi := root(func(t float64) float64 {
			x := make([]float64, n)
			for i := range x {
				x[i] = v[i] + t*dv[i]
			}
			gx, _ := Derivatives(A, vStar, terms, x)
			return Dot(gx, dv)
		})
		decrement := Dot(g, dv)
		if decrement >= best && decrement < 1e-20 || decrement <= 0 {
			break
		}
		best = min(best, decrement)
		for i := range v {
			v[i] += hi * dv[i]
		}
	}
	return v
}

// root returns where an increasing function reaches 0 in [0, 1], from above; 1 if it does
// not.
func root(f func(float64) float64) float64 {
	lo, hi := 0.0, 1.0
	if f(1) > 0 {
		for range 60 {
			if m := (lo + hi) / 2; f(m) > 0 {
				hi = m
			} else {
				lo = m
			}
		}
	}
	return hi
}

// Derivatives returns gradient and Hessian of the cost of Minimize.
func Derivatives(A, vStar []float64, terms []Term, v []float64) (g, H []float64) {
	n := len(v)
	e := make([]float64, n)
	for i := range e {
		e[i] = v[i] - vStar[i]
	}
	g = MulVec(A, e)
	H = append([]float64(nil), A...)
	for _, t := range terms {
		d := t.Law.Dim()
		c := MulVec(t.J, v)
		for i := range c {
			c[i] += t.B[i]
		}
		gamma, G := make([]float64, d), make([]float64, d*d)
		t.Law.Eval(c, gamma, G)
		for i := range n {
			for a := range d {
				g[i] -= t.J[a*n+i] * gamma[a]
				for b := range d {
					for j := range n {
						H[i*n+j] += t.J[a*n+i] * G[a*d+b] * t.J[b*n+j]
					}
				}
			}
		}
	}
	return g, H
}
