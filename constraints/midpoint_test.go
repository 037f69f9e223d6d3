package constraints_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// ball is a point mass over the plane z = 0 under the midpoint rule, stepped by the product's own solver.
type ball struct {
	particle
	mass, gravity float64
	rule          timestep.Rule
	impacts       bool // impact.go acts
	dv            r3.Vec
	memory        timestep.Memory
	before        float64 // length of the step before, s
	flagged       int     // steps in which an impact raised θ
}

// newBall returns a ball of a model and pair at a height, which moves at a velocity.
func newBall(m ContactModel, pair Pair, mass, z, vz float64) *ball {
	b := &ball{mass: mass, rule: timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}}
	b.m, b.pair, b.q, b.v = m, pair, r3.Vec{0, 0, z}, r3.Vec{0, 0, vz}
	return b
}

// InverseMass implements InverseMasses.
func (b *ball) InverseMass(geometry.MaterialPoint, r3.Vec, r3.Vec) float64 { return 1 / b.mass }

// step takes a step of h (s).
func (b *ball) step(t *testing.T, h float64) {
	t.Helper()
	s := b.rule.Step(h, b.memory, b.before)
	c := geometry.Contact{A: geometry.MaterialPoint{Body: geometry.World}, B: geometry.MaterialPoint{Body: 0}, Pos_W: b.q, Normal_W: r3.Vec{0, 0, 1}, Phi: b.q[2]}
	if b.impacts {
		impact := ContactImpact(b.m, &c, &b.pair, b.v[2], 1/b.mass)
		if theta := impact.Theta(h, s.Theta, math.Inf(1)); theta > s.Theta {
			s = s.Impact(theta)
			b.flagged++
		}
	}
	p := &b.p
	p.Reset(0, h)
	node, A, v0, mom := p.AddDense(3)
	b.node = node
	copy(v0, b.v[:])
	for i := range 3 {
		A[4*i], mom[i] = b.mass/s.Theta, -s.Delta*s.ChangeRatio*b.mass*b.dv[i]/s.Theta
	}
	mom[2] -= h * b.mass * b.gravity
	p.BeginMidpoint()
	p.Theta[node] = s.Theta
	if len(b.memory.W) > 0 {
		copy(p.Lagged, b.memory.W)
		for i := range p.Slip {
			p.Slip[i] += 0.5 * math.Min(1, b.before/h) * b.dv[i]
		}
	}
	b.h = AppendContact(b.m, &c, &b.pair, b, p)
	b.s = convex.Solver{RelTol: 1e-11, AlphaMax: AlphaMax(b.m)}
	w := slices.Clone(p.V0)
	if _, err := b.s.Solve(p, w); err != nil {
		t.Fatal(err)
	}
	for i := range b.dv {
		b.dv[i] = s.Change(w[i], b.v[i], b.dv[i])
		b.v[i] += b.dv[i]
		b.q[i] += h * w[i]
		if s.Forgets {
			b.dv[i] = 0
		}
	}
	b.memory, b.before = timestep.Memory{W: w, DV: b.dv[:]}, h
}

// energy returns E + Π with the energy that the contact stores, J.
func (b *ball) energy() float64 {
	m := b.m.Facts().Normal
	stored := 0.0
	if top := m.Range(); b.q[2] < top { // the force over the gap, by Simpson's rule
		const parts = 4000
		for i := range parts + 1 {
			f, _ := m.StaticForce(b.pair.Stiffness, -(b.q[2] + (top-b.q[2])*float64(i)/parts))
			stored += f * []float64{2, 4}[i%2] * (top - b.q[2]) / (3 * parts)
			if i == 0 || i == parts {
				stored -= f * (top - b.q[2]) / (3 * parts)
			}
		}
	}
	return 0.5*b.mass*(b.v.Norm2()+b.rule.Damping*b.dv.Norm2()) + b.mass*b.gravity*b.q[2] + stored
}

// rebound returns the speed of the ball after an impact at 1 m/s on k = 1e5 N/m, where it meets the surface after a
// share of a step.
func rebound(t *testing.T, d, h, phase float64, impacts bool) (speed float64, flagged int) {
	t.Helper()
	b := newBall(Lagged{}, Pair{Stiffness: 1e5, Dissipation: d}, 0.1, (2+phase)*h, -1)
	b.impacts = impacts
	for range 3 + int(0.05/h) {
		b.step(t, h)
	}
	return b.v[2], b.flagged
}

// The rebound of a mass of 0.1 kg from k = 1e5 N/m, whose impact takes 3 ms, over the phase of the touch in a step: the
// mean and the largest.
func TestReboundUnderTheMidpointRule(t *testing.T) {
	for _, c := range []struct {
		d, h    float64
		impacts bool
		mean    float64 // measured; in closed form 0.002, 0.020, 0.197 and 1 for 500, 50, 5 and 0 s/m
		tol     float64
		most    float64
	}{
		{500, 1e-4, true, 0.005, 0.002, 0.01}, {500, 5e-4, true, 0.004, 0.002, 0.01}, {500, 2e-3, true, 0.004, 0.002, 0.01},
		{50, 1e-3, true, 0.035, 0.01, 0.06}, {50, 2e-3, true, 0.04, 0.01, 0.07}, {50, 5e-3, true, 0.025, 0.01, 0.04}, {50, 10e-3, true, 0.022, 0.01, 0.03},
		{5, 1e-3, true, 0.20, 0.01, 0.22}, {5, 2e-3, true, 0.21, 0.02, 0.24}, {5, 5e-3, true, 0.19, 0.02, 0.23}, {5, 10e-3, true, 0.20, 0.02, 0.23},
		{50, 10e-3, false, 0.42, 0.02, 0.80},
		{0, 1e-4, true, 1, 0.002, 1.000001}, {0, 2e-4, true, 1, 0.005, 1.000001},
	} {
		sum, most := 0.0, 0.0
		for i := range 16 {
			v, _ := rebound(t, c.d, c.h, (float64(i)+0.5)/16, c.impacts)
			sum, most = sum+v/16, math.Max(most, v)
		}
		if !(math.Abs(sum-c.mean) <= c.tol) || !(most <= c.most) {
			t.Errorf("d = %g s/m, %g s, impacts %v: rebound %.4f, at most %.4f, want %g ± %g and at most %g", c.d, c.h, c.impacts, sum, most, c.mean, c.tol, c.most)
		}
	}
}

// An elastic impact that steps resolve is of second order: the place of the ball after it, averaged over the phase of
// touch.
func TestResolvedContactIsOfSecondOrder(t *testing.T) {
	const T, k, m = 8e-3, 1e5, 0.1
	lasts := math.Pi * math.Sqrt(m/k)
	err := func(h float64) (sum float64) {
		for i := range 8 {
			start := 1e-3 + h*(float64(i)+0.5)/8
			b := newBall(Lagged{}, Pair{Stiffness: k}, m, start, -1)
			for range int(T/h + 0.5) {
				b.step(t, h)
			}
			sum += math.Abs(b.q[2]-(T-start-lasts)) / 8
		}
		return sum
	}
	coarse, fine := err(2e-4), err(5e-5)
	if order := math.Log2(coarse/fine) / 2; !(order >= 1.8) || !(coarse <= 1e-4) {
		t.Errorf("errors %.3g and %.3g m at 0.2 and 0.05 ms: order %.2f", coarse, fine, order)
	}
}

// Energy never rises: the mean force gives back what it took, damping, impacts and numerical damping lose. Π of the
// first step is not paid for.
func TestEnergyOfContactsNeverRises(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 0))
	models := []ContactModel{Lagged{}, Lagged{Normal: Hertz{}}, Lagged{Normal: IPC{}}, Lagged{Normal: LogBarrier{}}, Similar{}, SAP{}, SAP{DampingFromTouch: true}}
	for range 60 {
		m := models[r.IntN(len(models))]
		pair := Pair{Stiffness: math.Pow(10, 3+4*r.Float64()), Dissipation: []float64{0, 0.5, 5, 50}[r.IntN(4)], RelaxationTime: []float64{0, 1e-3, 0.1}[r.IntN(3)]}
		b := newBall(m, pair, math.Pow(10, -2+2*r.Float64()), 0.002+0.02*r.Float64(), -r.Float64())
		b.gravity, b.impacts = 9.81, r.IntN(2) == 0
		h := math.Pow(10, -3.5+1.5*r.Float64())
		b.step(t, h)
		least := b.energy()
		scale := least
		for i := range 150 {
			b.step(t, h)
			e := b.energy()
			if rise := (e - least) / scale; !(rise <= 1e-7) {
				t.Fatalf("%+v %+v, %g kg, %g s: energy rises by %g in step %d", m, pair, b.mass, h, rise, i)
			}
			least = math.Min(least, e)
		}
	}
}

// A stack's weight rests without motion: chatter of unresolved contact is damped by the share of the force at the end.
func TestRestingContactUnderTheMidpointRule(t *testing.T) {
	for _, h := range []float64{1e-3, 10e-3, 20e-3} {
		b := newBall(Lagged{}, Pair{Stiffness: 1e6}, 0.1, 0, 0)
		b.gravity, b.impacts = 9.81, true
		for range 2000 {
			b.step(t, h)
		}
		weight := b.mass * b.gravity
		if f := b.p.Impulse(b.h)[2] / h; !(math.Abs(f-weight) <= 1e-6*weight) || !(math.Abs(b.v[2]) <= 1e-6) {
			t.Errorf("%g s: carries %g of the weight, moves at %g m/s", h, f/weight, b.v[2])
		}
	}
}

// Quantities that lag are read from the velocities of the problem: n0 from the last displacement, coefficients from the
// middle of the step.
func TestLaggedQuantitiesOfTheMidpointRule(t *testing.T) {
	const k, d, phi, h = 1e5, 10.0, -1e-4, 1e-3
	pair := Pair{Stiffness: k, Dissipation: d, Friction: 0.3, StaticFriction: 0.9}
	b := newBall(Lagged{StaticFriction: true}, pair, 1, phi, 0)
	p := &b.p
	p.Reset(0, h)
	node, A, v0, _ := p.AddDense(3)
	b.node = node
	for i := range 3 {
		A[4*i] = 1
	}
	copy(v0, []float64{0, 0, 0.05})
	p.BeginMidpoint()
	if !slices.Equal(p.Lagged, p.V0) || !slices.Equal(p.Slip, p.V0) || p.Theta[0] != 0.5 {
		t.Errorf("without memory: %v, %v, %v", p.Lagged, p.Slip, p.Theta)
	}
	// a contact whose last displacement stuck sticks on, though its velocity alternates
	for _, at := range []struct{ lagged, slip, want float64 }{{1, 1, 0.3}, {1, 0, 0.9}, {0, 1, 0.9},
		{1.5 * DefaultSlidingTolerance, 1, Stribeck(0.9, 0.3, 4.5)}} { // at most three times that of the displacement
		p.Lagged[0], p.Lagged[2], p.Slip[0] = at.lagged, -0.02, at.slip
		p.ResetConstraints()
		c := geometry.Contact{A: geometry.MaterialPoint{Body: geometry.World}, B: geometry.MaterialPoint{Body: 0}, Pos_W: b.q, Normal_W: r3.Vec{0, 0, 1}, Phi: phi}
		handle := AppendContact(b.m, &c, &pair, b, p)
		n0, _ := LaggedImpulse(p, handle)
		if !(math.Abs(n0-h*k*-phi*(1+d*0.02)) <= 1e-12) {
			t.Errorf("n0 = %g N s", n0)
		}
		law := p.Constraints[handle].Law
		law.Prepare(h, []float64{1, 1, 1})
		gamma, G := make([]float64, 3), make([]float64, 9)
		law.Eval([]float64{1, 0, 0}, gamma, G)
		if mu := math.Hypot(gamma[0], gamma[1]) / n0; !(math.Abs(mu-at.want) <= 1e-3) {
			t.Errorf("last slip %g m/s, that of the middle %g m/s: coefficient %g, want %g", at.lagged, at.slip, mu, at.want)
		}
	}
	p.Reset(0, h)
	if p.Midpoint || len(p.Lagged)+len(p.Slip)+len(p.Theta) != 0 {
		t.Error("Reset keeps the rule")
	}
}

// Bodies lose (1 − 1/(2 θ)) of the work of an impulse on the change w − v0.
func TestLostWorkOfTheMidpointRule(t *testing.T) {
	b := newBall(Lagged{}, Pair{Stiffness: 1e5, Dissipation: 50}, 0.1, 2e-3, -1)
	b.impacts = true
	for range 6 {
		v0, last := b.v[2], b.flagged
		b.step(t, 1e-3)
		p := &b.p
		g, w := p.Impulse(b.h)[2], p.Velocity(b.h)[2]
		if g == 0 {
			continue
		}
		lost := LostWork(p, b.h, []float64{0, 0, w})
		if want := math.Max(0, (1-0.5/p.Theta[0])*g*(w-v0)); !(math.Abs(lost-want) <= 1e-15) {
			t.Errorf("lost %g J, want %g", lost, want)
		}
		if b.flagged > last { // without memory it is the work of the contact less the change of energy
			if want := g*w - 0.05*(b.v[2]*b.v[2]-v0*v0); !(math.Abs(lost-want) <= 1e-12) {
				t.Errorf("lost %g J, the energy says %g", lost, want)
			}
		}
	}
	if b.flagged == 0 {
		t.Error("no impact")
	}
}
