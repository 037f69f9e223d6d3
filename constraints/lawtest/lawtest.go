// Package lawtest checks that a law ℓ(v_c) of the convex problem keeps its contract: at random
// velocities and at those where it switches branches, along random directions u,
//
//	ℓ(v + u) − ℓ(v − u) = −2 γ·u,   γ = −∂ℓ/∂v                             (1)
//	γ(v + u) − γ(v − u) = −2 G u,   G = ∂²ℓ/∂v² = Gᵀ ⪰ 0                   (2)
//	ℓ(b) − ℓ(a) ≥ −γ(a)·(b − a)                                            (3)
//	(γ(b) − γ(a))·(b − a) ≤ 0                                              (4)
//
// up to round-off and to jumps of G. Contact laws besides push only, stay in their friction
// cone and take energy. Outputs are preset to NaN, which Eval must overwrite.
package lawtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/cliques"
)

// Sample is a prepared law with the scales of its velocities.
type Sample struct {
	Law   cliques.Law // prepared: h and the Delassus diagonal are in it
	Scale []float64   // typical velocities (Dim)
	At    [][]float64 // velocities to test besides random ones: where branches switch
	Name  string      // of the sample, for messages

	// Cone returns the largest |γ_t| that γ allows; nil for laws that are no
	// contact. Contact laws have equations (t1, t2, n).
	Cone func(gamma []float64) float64
}

// Check tests samples that next draws, with a seed that failures print.
func Check(t testing.TB, samples int, next func(r *rand.Rand) Sample) {
	t.Helper()
	// a fixed seed repeats failures; the sample's number in messages says which draw it was
	const seed = 20261121
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range samples {
		s := next(r)
		c := checker{t, r, s, fmt.Sprintf("seed %d sample %d %s", seed, i, s.Name)}
		// the origin is where stiction, limits and gaps switch, most of all
		points := append([][]float64{make([]float64, s.Law.Dim())}, s.At...)
		for range 10 {
			points = append(points, c.random())
		}
		// each point is paired with another one, near or far, for the inequalities of convexity
		for j, x := range points {
			c.derivatives(x)
			c.semidefinite(x)
			if s.Cone != nil {
				c.friction(x)
			}
			c.convex(x, points[(j*7+3)%len(points)])
		}
		// one broken sample prints enough: the following ones would repeat it
		if t.Failed() {
			return
		}
	}
}

// checker tests one sample; its name in messages finds the draw again.
type checker struct {
	t    testing.TB
	r    *rand.Rand
	s    Sample
	name string
}

// errorf fails the test with the name of the sample.
func (c *checker) errorf(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("%s: "+format, append([]any{c.name}, args...)...)
}

// random returns a velocity of random direction and a size over two decades: laws have regions of
// stick, slip and separation, whose borders lie at speeds that differ by powers of ten.
func (c *checker) random() []float64 {
	x := make([]float64, c.s.Law.Dim())
	// from 0.03 to 3 times the scale, with the tails of a normal distribution on both sides
	f := math.Pow(10, 2*c.r.Float64()-2) * 3
	for i := range x {
		x[i] = c.s.Scale[i] * c.r.NormFloat64() * f
	}
	return x
}

// eval returns ℓ, γ, G, with outputs preset to garbage that Eval must overwrite.
func (c *checker) eval(x []float64) (cost float64, gamma, G []float64) {
	n := len(x)
	gamma, G = make([]float64, n), make([]float64, n*n)
	// NaN spreads through every sum that a forgotten entry would enter
	for i := range G {
		G[i] = math.NaN()
	}
	for i := range gamma {
		gamma[i] = math.NaN()
	}
	cost = c.s.Law.Eval(x, gamma, G)
	// x − x is 0 for numbers, and NaN for infinities and NaN
	finite := cost - cost
	for _, g := range gamma {
		finite += g - g
	}
	for _, g := range G {
		finite += g - g
	}
	if finite != 0 {
		c.errorf("at %v: ℓ %v γ %v G %v, want finite numbers", x, cost, gamma, G)
	}
	return cost, gamma, G
}

// derivatives compares γ·u and G u with central differences along random directions u.
// Where G jumps within the stencil, differences may err by as much as it jumps.
func (c *checker) derivatives(x []float64) {
	// the truncation error, of the second order, and round-off are about 1e-10 of the values each
	const step = 1e-5
	for range 3 {
		d := stencil{x: x, u: make([]float64, len(x)), at: c.evalPoint(x)}
		xp, xm := make([]float64, len(x)), make([]float64, len(x))
		for i := range x {
			d.u[i] = c.s.Scale[i] * c.r.NormFloat64() * step
			xp[i], xm[i] = x[i]+d.u[i], x[i]-d.u[i]
			// what was really stepped, after rounding
			d.u[i] = (xp[i] - xm[i]) / 2
		}
		// both sides serve ℓ and γ alike
		d.plus, d.minus = c.evalPoint(xp), c.evalPoint(xm)
		c.gradient(&d)
		c.hessian(&d)
	}
}

// point is ℓ, γ and G at one velocity.
// Eval returns all three at once, and each of the checks needs more than one of them.
type point struct {
	cost     float64
	gamma, G []float64
}

// evalPoint is eval as one value.
func (c *checker) evalPoint(x []float64) (p point) {
	p.cost, p.gamma, p.G = c.eval(x)
	return p
}

// stencil is a law at x, x + u and x − u.
type stencil struct {
	x, u            []float64
	at, plus, minus point // at x, x + u and x − u
}

// jump bounds the change of entry k of G within the stencil.
func (d *stencil) jump(k int) float64 {
	return math.Abs(d.plus.G[k]-d.at.G[k]) + math.Abs(d.minus.G[k]-d.at.G[k])
}

// gradient: ℓ(x+u) − ℓ(x−u) = −2 γ·u + O(jump of G).
func (c *checker) gradient(d *stencil) {
	u, n := d.u, len(d.u)
	// work is the right side of (1), size what its terms would sum to without cancelling: the scale of
	// round-off
	work, size, jump, rounding := 0.0, 0.0, 0.0, 0.0
	for i := range u {
		rounding += math.Abs(d.at.gamma[i] * d.x[i]) // of the velocity, where a law has an impulse far from rest
		work -= 2 * d.at.gamma[i] * u[i]
		size += math.Abs(d.at.gamma[i]*u[i]) + (math.Abs(d.plus.gamma[i])+math.Abs(d.minus.gamma[i]))*math.Abs(u[i])
		for j := range u {
			jump += math.Abs(u[i]*u[j]) * d.jump(i*n+j)
		}
	}
	// stiff laws have third derivatives in proportion to their curvature, which differences see
	curv := c.curvature(d.plus.G, u) + c.curvature(d.minus.G, u) + c.curvature(d.at.G, u)
	// the last term is the round-off of ℓ itself, which may be large where it changes little
	tol := 1e-7*size + jump + 1e-6*curv + 1e-15*(math.Abs(d.plus.cost)+math.Abs(d.minus.cost)) + 0x1p-51*rounding
	// a negated ≤, so that NaN fails
	if diff := d.plus.cost - d.minus.cost; !(math.Abs(diff-work) <= tol) {
		c.errorf("at %v along %v: ℓ differs by %g, −γ·2u is %g (tolerance %g)", d.x, u, diff, work, tol)
	}
}

// hessian: γ(x+u) − γ(x−u) = −2 G u + O(jump of G), row by row, so that a message names the entry.
// A wrong Hessian keeps the solution and costs iterations: nothing else would find it.
func (c *checker) hessian(d *stencil) {
	u, n := d.u, len(d.u)
	for i := range u {
		// row i of (2): want is the linear prediction
		want, size, jump := 0.0, 0.0, 0.0
		for j := range u {
			want -= 2 * d.at.G[i*n+j] * u[j]
			size += math.Abs(d.at.G[i*n+j] * u[j])
			jump += 2 * d.jump(i*n+j) * math.Abs(u[j])
		}
		// impulses are large where a barrier is steep: their round-off counts beside that of G u
		gp, gm := d.plus.gamma[i], d.minus.gamma[i]
		tol := 1e-6*size + jump + 1e-14*(math.Abs(gp)+math.Abs(gm))
		if !(math.Abs(gp-gm-want) <= tol) {
			c.errorf("at %v along %v: γ[%d] differs by %g, −2 G u is %g (tolerance %g)", d.x, u, i, gp-gm, want, tol)
		}
	}
}

// curvature returns |u|ᵀ|G||u|, a scale of ℓ's second differences.
func (c *checker) curvature(G, u []float64) float64 {
	// absolute values: cancelling terms still make third derivatives
	s := 0.0
	for i := range u {
		for j := range u {
			s += math.Abs(u[i] * G[i*len(u)+j] * u[j])
		}
	}
	return s
}

// semidefinite tests that G is symmetric and positive semidefinite, by a factorization with
// the largest pivot first: after a small pivot only round-off of large entries remains.
func (c *checker) semidefinite(x []float64) {
	n := len(x)
	_, _, G := c.eval(x)
	// the trace bounds all entries of a semidefinite matrix, so that it is the scale of round-off
	trace := 0.0
	for i := range n {
		trace += math.Abs(G[i*n+i])
		for j := range i {
			// equal bits: laws write both halves, and the solver reads only one
			if a, b := G[i*n+j], G[j*n+i]; a != b {
				c.errorf("at %v: G[%d][%d] = %g but G[%d][%d] = %g", x, i, j, a, j, i, b)
			}
		}
	}
	// Cholesky without roots and with pivots; it needs no tolerance that depends on the order of rows
	L := append([]float64(nil), G...)
	for j := range n {
		pivot(L, n, j)
		d := L[j*n+j]
		// round-off of differences may leave a pivot a little below zero, where the law is flat
		if d < -1e-12*trace {
			c.errorf("at %v: a pivot of G is %g: not positive semidefinite: %v", x, d, G)
			return
		}
		// a pivot that counts; of smaller ones only the column beside them is judged
		if d > 1e-14*trace {
			reduce(L, n, j)
			continue
		}
		// a zero pivot has a zero column
		for i := j + 1; i < n; i++ {
			// of a semidefinite matrix off² ≤ L_jj L_ii, here with L_jj at its round-off
			if off := L[i*n+j]; off*off > 1e-10*trace*(math.Abs(L[i*n+i])+1e-14*trace) {
				c.errorf("at %v: G has zero pivot %d beside %g: not positive semidefinite: %v", x, j, off, G)
			}
		}
	}
}

// pivot exchanges row and column j of L with those of the largest diagonal entry from there.
func pivot(L []float64, n, j int) {
	// the matrix that is left after j pivots is a Schur complement: symmetric, so rows and columns go
	// together
	big := j
	for i := j + 1; i < n; i++ {
		if L[i*n+i] > L[big*n+big] {
			big = i
		}
	}
	for k := range n {
		L[j*n+k], L[big*n+k] = L[big*n+k], L[j*n+k]
	}
	for k := range n {
		L[k*n+j], L[k*n+big] = L[k*n+big], L[k*n+j]
	}
}

// reduce subtracts row j of L, scaled, from the rows below: the Schur complement of the pivot.
func reduce(L []float64, n, j int) {
	for i := j + 1; i < n; i++ {
		// only the lower right part is used later, and the column stays as it is
		f := L[i*n+j] / L[j*n+j]
		for k := j + 1; k < n; k++ {
			L[i*n+k] -= f * L[j*n+k]
		}
	}
}

// friction tests that the normal impulse pushes, that friction stays in its cone, and that it
// takes energy.
func (c *checker) friction(x []float64) {
	_, g, _ := c.eval(x)
	// (t1, t2, n): the tangential impulse, and its bound by the sample's cone
	gt, limit := math.Hypot(g[0], g[1]), c.s.Cone(g)
	// contact pushes only, also where the bodies separate fast
	if !(g[2] >= 0) {
		c.errorf("at %v: normal impulse %g pulls", x, g[2])
	}
	// 1e-12 is the round-off of the projection on the cone
	if !(gt <= limit*(1+1e-12)) {
		c.errorf("at %v: friction %g above %g", x, gt, limit)
	}
	// power γ_t·v_t: friction opposes slip, to the round-off of a product of its size
	if w := g[0]*x[0] + g[1]*x[1]; !(w <= 1e-14*gt*math.Hypot(x[0], x[1])) {
		c.errorf("at %v: friction does work %g", x, w)
	}
}

// convex tests the first-order inequality both ways, the mean, and monotony of
// the impulse on the segment from a to b. The mean is Jensen's inequality, at any point between:
// it finds jumps of ℓ, to which tangents are blind, and laws of pieces may hide there. Three
// evaluations serve all.
func (c *checker) convex(a, b []float64) {
	n := len(a)
	mid := make([]float64, n)
	t := c.r.Float64()
	for i := range mid {
		mid[i] = a[i] + t*(b[i]-a[i])
	}
	la, ga, _ := c.eval(a)
	lb, gb, _ := c.eval(b)
	lm, gm, _ := c.eval(mid)
	// ab and ba are the slopes at the ends times b − a, mono the left side of (4)
	ab, ba, mono, size := 0.0, 0.0, 0.0, 0.0
	for i := range a {
		d := b[i] - a[i]
		ab -= ga[i] * d
		ba += gb[i] * d
		mono += (gb[i] - ga[i]) * d
		size += (math.Abs(ga[i]) + math.Abs(gb[i]) + math.Abs(gm[i])) * math.Abs(d)
	}
	// the inequalities are satisfied exactly in real numbers: what is allowed is round-off of the sums
	tol := 1e-12 * (math.Abs(la) + math.Abs(lb) + math.Abs(lm) + size)
	// (3) from both ends
	if lb-la < ab-tol || la-lb < ba-tol {
		c.errorf("ℓ is below its tangent between %v and %v", a, b)
	}
	if lm > (1-t)*la+t*lb+tol {
		c.errorf("ℓ is above its chord between %v and %v", a, b)
	}
	if mono > tol {
		c.errorf("γ is not monotone between %v and %v", a, b)
	}
}
