package optimal

import "math"

// boxQP solves a box-constrained quadratic program, a strictly convex one,
//
//	min ½ xᵀ H x + gᵀ x,   lo ≤ x ≤ hi                                        (6)
//
// by the projected Newton method: components at a bound whose gradient points outwards are fixed, the
// others take a Newton step of their own block of H, projected to the bounds, with Armijo's line search.
// Source: Bertsekas, Projected Newton methods for optimization problems with simple constraints,
// 1982; Tassa et al. 2014, appendix.
type boxQP struct {
	n          int       // components
	x, g, s, y []float64 // solution, gradient H x + g, step, trial
	free       []int     // components that are not fixed, ascending
	L          []float64 // Cholesky factor of their block, row-major len(free)²
}

const (
	qpIterations = 100   // bounds the Newton steps
	qpTol        = 1e-12 // of the gradient of free components, relative
	qpArmijo     = 0.1   // share of the decrease along the gradient that a step must reach
)

// newBoxQP returns memory for n components.
func newBoxQP(n int) *boxQP {
	v := func() []float64 { return make([]float64, n) }
	return &boxQP{n: n, x: v(), g: v(), s: v(), y: v(), L: make([]float64, n*n)}
}

// solve leaves the solution in x, started from its present value, and the free components with their factor. lo and hi
// are nil for none. It returns false where a block of H is not positive definite. The factor is made before the test of
// the gradient, because the caller solves with that of the last free components.
func (b *boxQP) solve(H, g, lo, hi []float64) bool {
	clampTo(b.x, lo, hi) // the bounds may have moved
	scale := 0.0
	for _, v := range g {
		scale = math.Max(scale, math.Abs(v))
	}
	for range qpIterations {
		// gradient, and what is at a bound
		b.gradient(H, g, b.x, b.g)
		b.free = b.free[:0]
		rest := 0.0
		for i, d := range b.g {
			if lo != nil && (b.x[i] <= lo[i] && d > 0 || b.x[i] >= hi[i] && d < 0) {
				continue
			}
			b.free = append(b.free, i)
			rest = math.Max(rest, math.Abs(d))
		}
		if !b.factor(H) {
			return false
		}
		if rest <= qpTol*scale || len(b.free) == 0 {
			return true
		}
		// Newton's step of the free components; the others do not move
		clear(b.s)
		for k, i := range b.free {
			b.y[k] = -b.g[i]
		}
		b.solveFree(b.y)
		for k, i := range b.free {
			b.s[i] = b.y[k]
		}
		if !b.search(H, g, lo, hi) {
			return true // no step lowers it: at round-off
		}
	}
	return true
}

// search moves x along the projected step s.
func (b *boxQP) search(H, g, lo, hi []float64) bool {
	before := b.value(H, g, b.x)
	for alpha := 1.0; alpha > 1e-12; alpha /= 2 {
		// the projection bends the way at each bound, so the slope is that of the way taken
		slope := 0.0
		for i := range b.x {
			b.y[i] = b.x[i] + alpha*b.s[i]
		}
		clampTo(b.y, lo, hi)
		for i := range b.x {
			slope += b.g[i] * (b.y[i] - b.x[i])
		}
		// Armijo's condition; a slope of 0 means that the bounds let nothing move
		if slope < 0 && b.value(H, g, b.y) <= before+qpArmijo*slope {
			copy(b.x, b.y)
			return true
		}
	}
	return false
}

// gradient writes H x + g.
func (b *boxQP) gradient(H, g, x, dst []float64) {
	for i := range dst {
		dst[i] = g[i]
		for j, h := range H[i*b.n : (i+1)*b.n] {
			dst[i] += h * x[j]
		}
	}
}

// value returns (6).
func (b *boxQP) value(H, g, x []float64) float64 {
	sum := 0.0
	for i, v := range x {
		row := 0.0
		for j, h := range H[i*b.n : (i+1)*b.n] {
			row += h * x[j]
		}
		sum += v * (0.5*row + g[i])
	}
	return sum
}

// factor writes the Cholesky factor of the free block of H; false where it has none.
func (b *boxQP) factor(H []float64) bool {
	m := len(b.free)
	for r, i := range b.free {
		for c, j := range b.free[:r+1] {
			// L_rc L_cc = H_ij − Σ_{k<c} L_rk L_ck, row by row
			v := H[i*b.n+j]
			for k := range c {
				v -= b.L[r*m+k] * b.L[c*m+k]
			}
			if r > c {
				b.L[r*m+c] = v / b.L[c*m+c]
				continue
			}
			// a pivot of the size of round-off in H_ii has no digit; negated, so that NaN fails
			if !(v > 1e-14*math.Abs(H[i*b.n+i])) {
				return false
			}
			b.L[r*m+r] = math.Sqrt(v)
		}
	}
	return true
}

// solveFree overwrites y (free components) by the inverse of the free block times it.
func (b *boxQP) solveFree(y []float64) {
	m := len(b.free)
	// L z = y, from the first row
	for r := range m {
		for c := range r {
			y[r] -= b.L[r*m+c] * y[c]
		}
		y[r] /= b.L[r*m+r]
	}
	// Lᵀ y = z, from the last
	for r := m - 1; r >= 0; r-- {
		for c := r + 1; c < m; c++ {
			y[r] -= b.L[c*m+r] * y[c]
		}
		y[r] /= b.L[r*m+r]
	}
}

// clampTo moves x within bounds; nil: none.
func clampTo(x, lo, hi []float64) {
	if lo == nil {
		return
	}
	for i := range x {
		x[i] = math.Min(math.Max(x[i], lo[i]), hi[i])
	}
}
