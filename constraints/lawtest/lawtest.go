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
	Law   cliques.Law // prepared
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
	const seed = 20261121
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range samples {
		s := next(r)
		c := checker{t, r, s, fmt.Sprintf("seed %d sample %d %s", seed, i, s.Name)}
		points := append([][]float64{make([]float64, s.Law.Dim())}, s.At...)
		for range 10 {
			points = append(points, c.random())
		}
		for j, x := range points {
			c.derivatives(x)
			c.semidefinite(x)
			if s.Cone != nil {
				c.friction(x)
			}
			c.convex(x, points[(j*7+3)%len(points)])
		}
		if t.Failed() {
			return
		}
	}
}

// checker tests one sample.
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

// random returns a velocity of random direction and a size over four decades.
func (c *checker) random() []float64 {
	x := make([]float64, c.s.Law.Dim())
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
	for i := range G {
		G[i] = math.NaN()
	}
	for i := range gamma {
		gamma[i] = math.NaN()
	}
	cost = c.s.Law.Eval(x, gamma, G)
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
	const step = 1e-5
	for range 3 {
		d := stencil{x: x, u: make([]float64, len(x)), at: c.evalPoint(x)}
		xp, xm := make([]float64, len(x)), make([]float64, len(x))
		for i := range x {
			d.u[i] = c.s.Scale[i] * c.r.NormFloat64() * step
			xp[i], xm[i] = x[i]+d.u[i], x[i]-d.u[i]
			d.u[i] = (xp[i] - xm[i]) / 2
		}
		d.plus, d.minus = c.evalPoint(xp), c.evalPoint(xm)
		c.gradient(&d)
		c.hessian(&d)
	}
}

// point is ℓ, γ and G at one velocity.
type point struct {
	cost     float64
	gamma, G []float64
}

func (c *checker) evalPoint(x []float64) (p point) {
	p.cost, p.gamma, p.G = c.eval(x)
	return p
}

// stencil is a law at x, x + u and x − u.
type stencil struct {
	x, u            []float64
	at, plus, minus point
}

// jump bounds the change of entry k of G within the stencil.
func (d *stencil) jump(k int) float64 {
	return math.Abs(d.plus.G[k]-d.at.G[k]) + math.Abs(d.minus.G[k]-d.at.G[k])
}

// gradient: ℓ(x+u) − ℓ(x−u) = −2 γ·u + O(jump of G).
func (c *checker) gradient(d *stencil) {
	u, n := d.u, len(d.u)
	work, size, jump := 0.0, 0.0, 0.0
	for i := range u {
		work -= 2 * d.at.gamma[i] * u[i]
		size += math.Abs(d.at.gamma[i]*u[i]) + (math.Abs(d.plus.gamma[i])+math.Abs(d.minus.gamma[i]))*math.Abs(u[i])
		for j := range u {
			jump += math.Abs(u[i]*u[j]) * d.jump(i*n+j)
		}
	}
	curv := c.curvature(d.plus.G, u) + c.curvature(d.minus.G, u) + c.curvature(d.at.G, u)
	tol := 1e-7*size + jump + 1e-6*curv + 1e-15*(math.Abs(d.plus.cost)+math.Abs(d.minus.cost))
	if diff := d.plus.cost - d.minus.cost; !(math.Abs(diff-work) <= tol) {
		c.errorf("at %v along %v: ℓ differs by %g, −γ·2u is %g (tolerance %g)", d.x, u, diff, work, tol)
	}
}

// hessian: γ(x+u) − γ(x−u) = −2 G u + O(jump of G).
func (c *checker) hessian(d *stencil) {
	u, n := d.u, len(d.u)
	for i := range u {
		want, size, jump := 0.0, 0.0, 0.0
		for j := range u {
			want -= 2 * d.at.G[i*n+j] * u[j]
			size += math.Abs(d.at.G[i*n+j] * u[j])
			jump += 2 * d.jump(i*n+j) * math.Abs(u[j])
		}
		gp, gm := d.plus.gamma[i], d.minus.gamma[i]
		tol := 1e-6*size + jump + 1e-14*(math.Abs(gp)+math.Abs(gm))
		if !(math.Abs(gp-gm-want) <= tol) {
			c.errorf("at %v along %v: γ[%d] differs by %g, −2 G u is %g (tolerance %g)", d.x, u, i, gp-gm, want, tol)
		}
	}
}

// curvature returns |u|ᵀ|G||u|, a scale of ℓ's second differences.
func (c *checker) curvature(G, u []float64) float64 {
	s := 0.0
	for i := range u {
		for j := range u {
			s += math.Abs(u[i] * G[i*len(u)+j] * u[j])
		}
	}
	return s
}

// semidefinite tests that G is symmetric and positive semidefinite, by a factorisation with
// the largest pivot first: after a small pivot only round-off of large entries remains.
func (c *checker) semidefinite(x []float64) {
	n := len(x)
	_, _, G := c.eval(x)
	trace := 0.0
	for i := range n {
		trace += math.Abs(G[i*n+i])
		for j := range i {
			if a, b := G[i*n+j], G[j*n+i]; a != b {
				c.errorf("at %v: G[%d][%d] = %g but G[%d][%d] = %g", x, i, j, a, j, i, b)
			}
		}
	}
	L := append([]float64(nil), G...)
	for j := range n {
		pivot(L, n, j)
		d := L[j*n+j]
		if d < -1e-12*trace {
			c.errorf("at %v: a pivot of G is %g: not positive semidefinite: %v", x, d, G)
			return
		}
		if d > 1e-14*trace {
			reduce(L, n, j)
			continue
		}
		// a zero pivot has a zero column
		for i := j + 1; i < n; i++ {
			if off := L[i*n+j]; off*off > 1e-10*trace*(math.Abs(L[i*n+i])+1e-14*trace) {
				c.errorf("at %v: G has zero pivot %d beside %g: not positive semidefinite: %v", x, j, off, G)
			}
		}
	}
}

// pivot exchanges row and column j of L with those of the largest diagonal entry from there.
func pivot(L []float64, n, j int) {
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

// reduce subtracts row j of L, scaled, from the rows below.
func reduce(L []float64, n, j int) {
	for i := j + 1; i < n; i++ {
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
	gt, limit := math.Hypot(g[0], g[1]), c.s.Cone(g)
	if !(g[2] >= 0) {
		c.errorf("at %v: normal impulse %g pulls", x, g[2])
	}
	if !(gt <= limit*(1+1e-12)) {
		c.errorf("at %v: friction %g above %g", x, gt, limit)
	}
	if w := g[0]*x[0] + g[1]*x[1]; !(w <= 1e-14*gt*math.Hypot(x[0], x[1])) {
		c.errorf("at %v: friction does work %g", x, w)
	}
}

// convex tests the first-order inequality both ways, the mean, and monotony of
// the impulse on the segment from a to b.
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
	ab, ba, mono, size := 0.0, 0.0, 0.0, 0.0
	for i := range a {
		d := b[i] - a[i]
		ab -= ga[i] * d
		ba += gb[i] * d
		mono += (gb[i] - ga[i]) * d
		size += (math.Abs(ga[i]) + math.Abs(gb[i]) + math.Abs(gm[i])) * math.Abs(d)
	}
	tol := 1e-12 * (math.Abs(la) + math.Abs(lb) + math.Abs(lm) + size)
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
