package rigid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/curlfree/curlfree/r3"
)

// randomChain returns an unactuated chain of three to eight bricks on hinges and balls, with a root
// that floats or is another ball, and whose fastest link turns by an angle (rad) in a step of h.
func randomChain(t testing.TB, seed uint64, root Joint, h, turn float64) *world {
	r := rand.New(rand.NewPCG(seed, 6))
	links := randomLinks(r, root)
	return spinning(t, r, h, turn, links...)
}

func randomLinks(r *rand.Rand, root Joint) (links []LinkSpec) {
	for i := range 3 + r.IntN(6) {
		size := r3.Vec{0.05 + 0.3*r.Float64(), 0.05 + 0.3*r.Float64(), 0.1 + 0.4*r.Float64()}
		var joint Joint = Ball{}
		if r.IntN(2) == 0 {
			joint = Revolute{Axis: r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Unit()}
		}
		end := r3.Vec{0.1 * r.NormFloat64(), 0.1 * r.NormFloat64(), 0.2}
		com := r3.Vec{0.05 * r.NormFloat64(), 0.05 * r.NormFloat64(), 0.5 * size[2]}
		if i == 0 {
			joint, end = root, r3.Vec{}
		}
		links = append(links, brick(fmt.Sprint("link ", i), i-1, joint, math.Exp(r.NormFloat64()), size, end, com))
	}
	return links
}

// spinning returns links whose joints have random velocities, the fastest link turns by an angle (rad) in a step of h.
func spinning(t testing.TB, r *rand.Rand, h, turn float64, links ...LinkSpec) *world {
	w := newWorld(build(t, links...))
	for k := range w.v {
		w.v[k] = r.NormFloat64()
	}
	w.Place(0, h, w.q, w.v)
	fastest := 0.0
	for i := range links {
		fastest = math.Max(fastest, w.vel[i].w.Norm())
	}
	for k := range w.v {
		w.v[k] *= turn / (h * fastest)
	}
	return w
}

// hop takes a step without constraints of a world of one tree, whose energy keeps within that
// of the steps before.
func (w *world) hop(h float64) {
	w.integrate(h)
	w.Place(w.t, h, w.q, w.v)
	w.p.Reset(w.t, h)
	if len(w.least) == 0 {
		w.least, w.recent = []float64{math.Inf(1)}, []float64{0}
	}
	w.LimitEnergy(w.least, w.recent)
	w.FreeMotion(w.gravity, nil, &w.p)
	c := &w.p.Cliques[0]
	e := w.TreeEnergy(0, w.gravity, w.p.V0, w.p.P)
	w.recent[0] = math.Max(e.Kinetic, w.recent[0]*(1-1./1024))
	w.least[0] = math.Min(w.least[0], math.Max(e.Total, e.State))
	dv := make([]float64, c.Size)
	eliminate(c.A, c.Size)
	solve(c.A, w.p.P, dv)
	for k, x := range dv {
		w.p.V0[k] += x
	}
	w.Advance(h, w.p.V0, w.q, w.v, w.memory)
	w.t += h
}

// highest returns the largest kinetic energy in T seconds and the last, relative to that at the
// start, both infinite once it exceeds ten times that; and the bound of energy_limit.go: the
// reference R of the first step and a tenth of the kinetic energy, K ≤ R + K/10, each to the square of the
// angle (rad) that the fastest link turns in a step, by which the two energies of a step differ.
func (w *world) highest(T, h float64) (most, last, bound float64) {
	fastest := 0.0
	defer func() { bound *= 1 + h*h*fastest*fastest }()
	w.Place(w.t, h, w.q, w.v)
	e0 := w.KineticEnergy()
	for w.t < T-h/2 {
		w.hop(h)
		if bound == 0 {
			bound = w.least[0] / e0 / 0.9
		}
		w.Place(w.t, h, w.q, w.v)
		for i := range w.vel {
			fastest = math.Max(fastest, w.vel[i].w.Norm())
		}
		last = w.KineticEnergy() / e0
		if !(last < 10) {
			return math.Inf(1), math.Inf(1), bound
		}
		most = math.Max(most, last)
	}
	return most, last, bound
}

// family returns n and a fixed seed, or many and a fresh seed with CURLFREE_LONG=1.
func family(t *testing.T, n, many int) (int, uint64) {
	if os.Getenv("CURLFREE_LONG") == "" {
		return n, 1
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("%d from seed %d", many, seed)
	return many, seed
}

// Unactuated chains that spin at a tenth of a radian a step keep within the bound of their energy for
// 20 s, where a quarter of them diverged. CURLFREE_LONG=1 takes 1,000.
func TestSpinningChainsStayWithinTheirEnergy(t *testing.T) {
	n, seed := family(t, 30, 1000)
	const h = 0.01
	for name, root := range map[string]Joint{"floating": Floating{}, "on a ball": Ball{}} {
		for _, turn := range []float64{0.05, 0.1, 0.2} {
			worst, kept := 0.0, 0.0
			for i := range n {
				most, last, bound := randomChain(t, seed+uint64(i), root, h, turn).highest(20, h)
				if kept += last / float64(n); !(most <= bound) {
					t.Errorf("chain %d %s, %g rad a step: energy grows to %g of it, bound %g", seed+uint64(i), name, turn, most, bound)
				}
				worst = math.Max(worst, most)
			}
			t.Logf("%s, %g rad a step: at most %.3f of the energy, %.2f kept in the mean", name, turn, worst, kept)
		}
	}
}

// The momenta of a floating chain whose shape is slowed down are constant to round-off all the
// same, and s is continuous: where it sets in, v* does not jump.
func TestLimitedChainsKeepTheirMomenta(t *testing.T) {
	const h = 0.01
	limited := 0
	for seed := range uint64(10) {
		w := randomChain(t, seed, Floating{}, h, 0.2)
		p0, L0, _, _ := w.state(h)
		for k := range 500 {
			w.hop(h)
			p, L, _, _ := w.state(h)
			if e := p.Sub(p0).Norm() + L.Sub(L0).Norm(); !(e <= 1e-13*(p0.Norm()+L0.Norm())*float64(k+10)) {
				t.Fatalf("chain %d step %d: momenta are off by %g", seed, k, e)
			}
		}
		// limits from far above the energy of the step to below it
		w.Place(w.t, h, w.q, w.v)
		at := func(R float64) float64 {
			w.p.Reset(w.t, h)
			w.LimitEnergy([]float64{R}, []float64{0})
			w.FreeMotion(w.gravity, nil, &w.p)
			return w.p.P[len(w.p.P)-1]
		}
		// s falls between the references at which it sets in and beyond which it stays
		E := w.KineticEnergy()
		free, least := at(10*E), at(-10*E)
		if free == least {
			continue
		}
		limited++
		bisect := func(above func(p float64) bool) float64 {
			lo, hi := -10*E, 10*E
			for range 60 {
				if mid := (lo + hi) / 2; above(at(mid)) {
					hi = mid
				} else {
					lo = mid
				}
			}
			return hi
		}
		high := bisect(func(p float64) bool { return p == free })
		low := bisect(func(p float64) bool { return p != least })
		jump, last := 0.0, free
		const n = 500
		for i := range n + 1 {
			p := at(high + (low-high)*float64(i)/n)
			jump, last = math.Max(jump, math.Abs(p-last)), p
		}
		if jump > 0.05*math.Abs(least-free) {
			t.Errorf("chain %d: p jumps by %g of a change of %g in all", seed, jump, math.Abs(least-free))
		}
	}
	if limited == 0 {
		t.Error("no chain was limited: nothing was tested")
	}
}

// v* is a smooth function of the velocities, at any number of iterations: on a line of them
// from rest to 40 rad/s the second differences of v* are those of a smooth curve.
func TestFreeMotionIsSmoothInTheVelocity(t *testing.T) {
	const h, n = 0.01, 4000
	r := newRand(5)
	var links []LinkSpec
	for i := range 6 {
		s := brick("link", i-1, Revolute{Axis: randVec(r).Unit()}, 1, r3.Vec{0.05, 0.06, 0.3}, r3.Vec{0, 0, 0.3}, r3.Vec{0, 0, 0.15})
		links = append(links, s)
	}
	w := newWorld(build(t, links...))
	w.gravity = gravity
	dir := make([]float64, len(w.v))
	for k := range w.q {
		w.q[k], dir[k] = r.NormFloat64(), r.NormFloat64()
	}
	var a, b []float64
	slope, jump := 0.0, 0.0
	for i := range n {
		for k, x := range dir {
			w.v[k] = x * 20 * float64(i) / n
		}
		c := w.gain(t, h, nil)
		if i > 1 {
			for k := range c {
				slope = math.Max(slope, math.Abs(c[k]-b[k]))
				jump = math.Max(jump, math.Abs(c[k]-2*b[k]+a[k]))
			}
		}
		a, b = b, c
	}
	if jump > 0.02*slope {
		t.Errorf("v* changes by up to %g from point to point, and that change by %g", slope, jump)
	}
}
