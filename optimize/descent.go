package optimize

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Descent within bounds l ≤ z ≤ u along derivatives g of the cost F. Unknowns are counted in their spans, so that a
// step of 1 is a large one of each. Method bfgs is the projected quasi-Newton method: with a matrix B ≈ ∂²F/∂z² and the
// free unknowns f, those that no bound stops against −g,
//
//	B_ff d_f = −g_f,   z' = min(u, max(l, z + α d)),   F(z') ≤ F(z) + 1e-4 gᵀ(z' − z)            (7)
//	s = z' − z,  y = g' − g:   B ← B − B s sᵀB/(sᵀB s) + y yᵀ/(yᵀs)                            (8)
//
// with α = 1, 1/2, 1/4, … Trial steps cost a run, derivatives several: each accepted step takes one of them. Source:
// Nocedal and Wright, "Numerical Optimization", 2006, sections 6.1 and 16.7; Bertsekas, "Projected Newton methods",
// 1982.
//
// Method adam takes the mean of derivatives over steps before, for costs whose derivatives are noisy:
//
//	m ← 0.9 m + 0.1 g,  v ← 0.999 v + 0.001 g²,  z ← z − a/√k (m/(1 − 0.9ᵏ))/(√(v/(1 − 0.999ᵏ)) + ε)       (9)
//
// and its result is the least cost on the way. Source: Kingma and Ba, "Adam", 2015, algorithm 1 and theorem 4.1.

const (
	firstMove   = 0.1  // the first step of bfgs, in spans: the length of g says nothing yet
	longestMove = 0.5  // the longest one
	armijo      = 1e-4 // part of the predicted decrease that a step must reach (7)
	halvings    = 10   // of α
	adamMove    = 0.1  // a of (9), in spans
)

// descent is a search with derivatives.
type descent struct {
	p            *parameters
	spans        []float64 // of y
	lower, upper []float64 // of z
	z, g         []float64 // where it is, and the derivative there
	cost         float64   // there
	slope        slope     // computes costs and derivatives
	// curvature is B of (8), by z; only its free part is used in a step.
	curvature *mat.SymDense
	measured  bool // whether curvature is more than a guess
}

// newDescent begins a search at the start of the file.
func (p *parameters) newDescent() (*descent, error) {
	n := len(p.y)
	d := &descent{p: p, g: make([]float64, n), slope: slope{p: p}, curvature: mat.NewSymDense(n, nil)}
	// bounds of y, in spans
	d.lower, d.upper = p.bounds()
	for i, y := range p.y {
		w := p.t.unknown(i).span()
		d.spans, d.z = append(d.spans, w), append(d.z, y/w)
		d.lower[i] /= w
		d.upper[i] /= w
	}
	// a start without a cost or a derivative is a mistake, and so is a derivative that runs do not confirm
	var err error
	if d.cost, err = d.slope.cost(p.y); err != nil {
		return nil, err
	}
	if err := d.differentiate(); err != nil {
		return nil, err
	}
	return d, d.slope.check(p.y, d.spans)
}

// y returns the unknowns (3) at z.
func (d *descent) y(z []float64) []float64 {
	// z counts in spans
	y := make([]float64, len(z))
	for i := range z {
		y[i] = z[i] * d.spans[i]
	}
	return y
}

// differentiate writes the derivative at z.
func (d *descent) differentiate() error {
	// by the chain rule
	if err := d.slope.gradient(d.y(d.z), d.g); err != nil {
		return err
	}
	for i := range d.g {
		d.g[i] *= d.spans[i]
	}
	return nil
}

// bfgs searches by (7) and (8).
func (p *parameters) bfgs() error {
	d, err := p.newDescent()
	if err != nil {
		return err
	}
	// where the last step began, and the derivative there, for (8)
	before, old := make([]float64, len(d.z)), make([]float64, len(d.z))
	for more := true; more && len(p.s.Iterations) < p.iterations; {
		move := d.direction()
		// what the linear model predicts, no more than the sum of both terms of a quadratic one
		if d.promise(move) <= p.decrease*math.Abs(d.cost) {
			p.s.Converged = true
			break
		}
		z, cost := d.search(move)
		// no cost falls along this direction: the curvature may be at fault, the derivative is
		// tried alone
		if z == nil && d.measured {
			d.measured = false // once more along the derivative
			continue
		}
		// along the derivative there is nothing to gain either: rounding or a kink of the cost
		if p.s.Stalled = z == nil; p.s.Stalled {
			break
		}
		copy(before, d.z)
		copy(old, d.g)
		decrease := d.cost - cost
		d.z, d.cost = z, cost
		// a false answer ends the search before its own criteria do
		more = p.row(cost, decrease, d.y(z))
		// the derivative at the end would not be used
		if p.s.Converged = decrease <= p.decrease*math.Abs(cost); p.s.Converged || !more {
			break
		}
		if err := d.differentiate(); err != nil {
			return err
		}
		d.learn(before, old)
	}
	d.finish()
	return nil
}

// held reports whether a bound stops unknown i against −g.
func (d *descent) held(i int) bool {
	return d.z[i] <= d.lower[i] && d.g[i] > 0 || d.z[i] >= d.upper[i] && d.g[i] < 0
}

// direction returns d of (7), zero for unknowns that a bound stops.
func (d *descent) direction() []float64 {
	// the free unknowns alone
	var free []int
	norm := 0.0
	for i := range d.z {
		if !d.held(i) {
			free = append(free, i)
			norm = math.Hypot(norm, d.g[i])
		}
	}
	move := make([]float64, len(d.z))
	// every unknown is at a bound, or has no effect: no move lowers the cost, and bfgs has converged
	if norm == 0 {
		return move
	}
	// without curvature a step of a length that hardly leaves the range
	for _, i := range free {
		move[i] = -firstMove * d.g[i] / norm
	}
	if !d.measured {
		return move
	}
	// positive definite, as (8) keeps it
	B, g := mat.NewSymDense(len(free), nil), mat.NewVecDense(len(free), nil)
	for a, i := range free {
		g.SetVec(a, -d.g[i])
		for b, j := range free[:a+1] {
			B.SetSym(a, b, d.curvature.At(i, j))
		}
	}
	var factor mat.Cholesky
	var x mat.VecDense
	// a factorization that fails leaves the step along the derivative
	if !factor.Factorize(B) || factor.SolveVecTo(&x, g) != nil {
		return move
	}
	// far steps leave the region where derivatives are valid
	scale := 1.0
	for a := range free {
		scale = max(scale, math.Abs(x.AtVec(a))/longestMove)
	}
	for a, i := range free {
		move[i] = x.AtVec(a) / scale
	}
	return move
}

// promise returns the decrease that the derivative predicts for the whole move within the bounds.
func (d *descent) promise(move []float64) (sum float64) {
	// the move as the bounds cut it, not as the model wants it
	for i, z := range d.at(move, 1) {
		sum -= d.g[i] * (z - d.z[i])
	}
	return sum
}

// at returns z' of (7).
func (d *descent) at(move []float64, alpha float64) []float64 {
	// bounds are met, not crossed
	z := make([]float64, len(d.z))
	for i := range z {
		z[i] = min(d.upper[i], max(d.lower[i], d.z[i]+alpha*move[i]))
	}
	return z
}

// search returns the first z' that fulfils (7), and its cost; nil: there is none.
func (d *descent) search(move []float64) ([]float64, float64) {
	// the whole step comes first: it is what the curvature aims at
	alpha := 1.0
	for range halvings {
		z := d.at(move, alpha)
		promise := 0.0
		for i := range z {
			promise -= d.g[i] * (z[i] - d.z[i])
		}
		// a run that fails is a step that goes too far
		cost, err := d.slope.cost(d.y(z))
		if err == nil && promise > 0 && cost <= d.cost-armijo*promise {
			return z, cost
		}
		alpha /= 2
	}
	return nil, 0
}

// learn updates the curvature by (8) after a step from before, where the derivative was old.
func (d *descent) learn(before, old []float64) {
	n := len(d.z)
	// s and y of (8): the step and the change of the derivative
	s, y := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		s.SetVec(i, d.z[i]-before[i])
		y.SetVec(i, d.g[i]-old[i])
	}
	// a cost that is concave along the step keeps the matrix, which has to stay positive definite
	sy := mat.Dot(s, y)
	if sy <= 1e-8*mat.Norm(s, 2)*mat.Norm(y, 2) {
		return
	}
	// the first guess has the size of the curvature that was found
	if !d.measured {
		d.measured = true
		for i := range n {
			for j := range i {
				d.curvature.SetSym(i, j, 0)
			}
			d.curvature.SetSym(i, i, mat.Dot(y, y)/sy)
		}
	}
	// both ranks keep B positive definite as long as s·y > 0
	var Bs mat.VecDense
	Bs.MulVec(d.curvature, s)
	d.curvature.SymRankOne(d.curvature, -1/mat.Dot(s, &Bs), &Bs)
	d.curvature.SymRankOne(d.curvature, 1/sy, y)
}

// adam searches by (9).
func (p *parameters) adam() error {
	d, err := p.newDescent()
	if err != nil {
		return err
	}
	n := len(d.z)
	// running means of the derivative and of its square
	mean, square := make([]float64, n), make([]float64, n)
	// the cost may rise on the way: the best point is kept
	best, least, last := append([]float64(nil), d.z...), d.cost, 0
	for k := 1; k <= p.iterations; k++ {
		for i, g := range d.g {
			mean[i], square[i] = 0.9*mean[i]+0.1*g, 0.999*square[i]+0.001*g*g
			// means start at 0: the powers take the bias of the first steps out
			step := mean[i] / (1 - math.Pow(0.9, float64(k))) / (math.Sqrt(square[i]/(1-math.Pow(0.999, float64(k)))) + 1e-300)
			d.z[i] = min(d.upper[i], max(d.lower[i], d.z[i]-adamMove/math.Sqrt(float64(k))*step))
		}
		cost, err := d.slope.cost(d.y(d.z))
		if err != nil {
			// the search names where its best point is
			return fmt.Errorf("method adam: %w; the best of %d points has the cost %g at %v: start there with a smaller range", err, k, least, d.y(best))
		}
		decrease := d.cost - cost
		// a decrease that counts, or a standstill that ends the search
		if cost < least-p.decrease*math.Abs(least) {
			last = k
		}
		if d.cost = cost; cost < least {
			copy(best, d.z)
			least = cost
		}
		p.s.Converged = k-last >= standstill
		if !p.row(cost, decrease, d.y(d.z)) || p.s.Converged || k == p.iterations {
			break
		}
		if err := d.differentiate(); err != nil {
			return err
		}
	}
	// the last point may be worse than an earlier one
	d.z, d.cost = best, least
	d.finish()
	return nil
}

// finish writes the result.
func (d *descent) finish() {
	// the search ends where z is, with the cost there
	p, s := d.p, d.p.s
	p.y, s.Cost = d.y(d.z), d.cost
	s.Runs, s.Gradients, s.Refused = int(d.slope.runs.Load()), d.slope.count, d.slope.refused
	// these methods give no intervals
	for range p.y {
		s.Low, s.High = append(s.Low, math.NaN()), append(s.High, math.NaN())
	}
}
