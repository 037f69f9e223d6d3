package rigid

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// energyError returns the largest change of the energy, J, in a run of T seconds.
func (w *damped) energyError(t testing.TB, h, T float64) (worst float64) {
	energy := func() float64 {
		w.Place(w.t, h, w.q, w.v)
		return w.KineticEnergy() + w.PotentialEnergy(w.gravity) + w.SpringEnergy()
	}
	E0 := energy()
	for range int(math.Round(T / h)) {
		w.free(t, h)
		worst = max(worst, math.Abs(energy()-E0))
	}
	return worst
}

// A pendulum of 1.6 Hz swings from 1 rad for 20 s with the energy errors of drift, kick, drift, by an independent
// implementation in Python: 2.1e-5, 5.3e-4, 2.1e-3 and 8.5e-3 of the height.
func TestDampedPendulumKeepsItsEnergy(t *testing.T) {
	for h, want := range map[float64]float64{1e-3: 2.1e-5, 5e-3: 5.3e-4, 1e-2: 2.1e-3, 2e-2: 8.5e-3} {
		w := newDamped(build(t, LinkSpec{Name: "bob", Parent: World, Joint: Revolute{Axis: yAxis}, Mass: 1, Com_B: r3.Vec{0, 0, -0.0981}}), 0.05)
		w.gravity = gravity
		w.q[0] = 1
		got := w.energyError(t, h, 20) / (9.81 * 0.0981 * (1 - math.Cos(1)))
		if !(math.Abs(got/want-1) < 0.03) {
			t.Errorf("steps of %g s: the energy errs by %g of the height, want %g", h, got, want)
		}
	}
}

// The energy error of a double pendulum falls with the square of the step.
func TestDampedDoublePendulumIsOfSecondOrder(t *testing.T) {
	swing := func(h float64) float64 {
		arm := LinkSpec{Name: "arm", Parent: World, Joint: Revolute{Axis: yAxis}, Mass: 1, Com_B: r3.Vec{0, 0, -0.3}, Inertia_B: r3.Diag(r3.Vec{0.03, 0.03, 0.03})}
		fore := arm
		fore.Parent, fore.X_PF = 0, r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, -0.6}}
		w := newDamped(build(t, arm, fore), 0.05)
		w.gravity = gravity
		w.q[0], w.q[1] = 0.8, -0.3
		return w.energyError(t, h, 3)
	}
	a, b := swing(2e-3), swing(1e-3)
	if rate := a / b; !(rate > 3.7 && rate < 4.3) {
		t.Errorf("errors %g and %g J: ratio %g, want 4", a, b, rate)
	}
}

// Momenta of floating trees are exact: those of the links change by the impulses on the base, and the centre of mass of
// a tree that nothing touches falls along the parabola.
func TestDampedFloatingTreesKeepTheirMomenta(t *testing.T) {
	for i := range 6 {
		start := floatingChain(t)
		w := newDamped(start.m, 0.05)
		w.gravity = gravity.Scale(float64(i % 2))
		r := newRand(40 + i)
		for k := range w.v {
			w.v[k] = 3 * r.NormFloat64()
		}
		p0, _, c0, _ := w.state(0.01)
		mass := w.compositeInertia[0].mass
		for k := range 300 {
			w.free(t, []float64{0.01, 0.005}[k%2])
		}
		p, _, c, _ := w.state(0.01)
		if e := p.Sub(p0).AddScaled(-mass*w.t, w.gravity).Norm(); !(e <= 1e-11*(1+p.Norm())) {
			t.Errorf("chain %d: the momentum is off by %g N s", i, e)
		}
		path := c0.AddScaled(w.t/mass, p0).AddScaled(0.5*w.t*w.t, w.gravity)
		if e := c.Sub(path).Norm(); !(e <= 1e-11*(1+path.Norm())) {
			t.Errorf("chain %d: the centre is %g m off its path", i, e)
		}
		// impulses on the base
		const h = 0.01
		for range 20 {
			w.start(h)
			p0, L0, c0, _ := w.stateOf()
			g := make([]float64, len(w.v))
			for k := range 6 {
				g[k] = 0.3 * r.NormFloat64()
			}
			turns := w.subspace[:6]
			var moment, push r3.Vec
			for k := range 3 {
				moment.IncScale(g[k], &turns[k].w)
				push.IncScale(g[3+k], &turns[3+k].v)
			}
			arm := w.Data.damped.bases[0].l
			w.end(h, w.solve(t, g))
			p, L, _, _ := w.state(h)
			if e := p.Sub(p0).Sub(push).AddScaled(-mass*h, w.gravity).Norm(); !(e <= 1e-12*(1+p.Norm())) {
				t.Fatalf("chain %d: the momentum changes by %g N s that is no impulse", i, e)
			}
			if e := L.Sub(L0).Sub(moment).Add(arm.Cross(push)).Norm(); !(e <= 1e-12*(1+L.Norm())) {
				t.Fatalf("chain %d: the angular momentum about the centre, at %v, changes by %g N m s that is no impulse", i, c0, e)
			}
		}
	}
}

// Limp chains that spin at a tenth of a radian a step keep within the bound of their energy, and keep more of it than
// by the rule of Euler.
func TestDampedSpinningChainsStayWithinTheirEnergy(t *testing.T) {
	n, seed := family(t, 10, 300)
	const h, T = 0.01, 5.0
	for name, root := range map[string]Joint{"floating": Floating{}, "on a ball": Ball{}} {
		for _, turn := range []float64{0.05, 0.2} {
			worst, euler, kept := 0.0, 0.0, 0.0
			for i := range n {
				w := randomChain(t, seed+uint64(i), root, h, turn)
				_, last, _ := w.highest(T, h)
				euler += last / float64(n)
				w = randomChain(t, seed+uint64(i), root, h, turn)
				w.scheme = timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}
				p0, L0, _, _ := w.state(h)
				most, last, bound := w.highest(T, h)
				if kept += last / float64(n); !(most <= bound) {
					t.Errorf("chain %d %s, %g rad a step: energy grows to %g of it, bound %g", seed+uint64(i), name, turn, most, bound)
				}
				p, L, _, _ := w.state(h)
				if e := p.Sub(p0).Norm() + L.Sub(L0).Norm(); root == (Floating{}) && !(e <= 1e-12*(p0.Norm()+L0.Norm())*T/h) {
					t.Errorf("chain %d, %g rad a step: momenta are off by %g", seed+uint64(i), turn, e)
				}
				worst = max(worst, most)
			}
			t.Logf("%s, %g rad a step: at most %.4f of the energy, %.4f kept in the mean, by Euler %.4f", name, turn, worst, kept, euler)
			if !(kept > euler) {
				t.Errorf("%s, %g rad a step: %g of the energy is kept in the mean, by Euler %g", name, turn, kept, euler)
			}
		}
	}
}

// A mass on a spring takes the steps of package timestep, by values of an independent implementation in Python: x, v
// and w.
func TestDampedSpringTakesTheStepsOfTheOscillator(t *testing.T) {
	const omega = 2 * math.Pi * 7.8
	w := newDamped(build(t, LinkSpec{Name: "cart", Parent: World, Joint: Prismatic{Axis: xAxis}, Mass: 1, Stiffness: omega * omega, Damping: 2 * 0.056 * omega}), 0.05)
	w.q[0] = 1
	for i, want := range [3][3]float64{
		{0.8895684864000796, -22.086302719984083, -11.043151359992041},
		{0.5920983993889315, -38.0227047511294, -29.747008701114805},
		{0.181849376654049, -44.93000952188598, -41.02490227348825},
	} {
		w.start(0.01)
		x := w.solve(t, nil)
		w.end(0.01, x)
		for k, got := range []float64{w.q[0], w.v[0], x[0]} {
			if math.Abs(got-want[k]) > 1e-12*math.Abs(want[k]) {
				t.Errorf("step %d: number %d is %.16g, want %.16g", i+1, k, got, want[k])
			}
		}
	}
}

// E + Π of springs does not rise, nor does what a tree gains of it beyond the work of impulses.
func TestDampedEnergyOfSpringsDoesNotRise(t *testing.T) {
	for _, k := range []float64{10, 1e3, 1e5} {
		cart := LinkSpec{Name: "cart", Parent: World, Joint: Prismatic{Axis: xAxis}, Mass: 1, Stiffness: k}
		second := cart
		second.Parent, second.Mass = 0, 0.3
		w := newDamped(build(t, cart, second), 0.05)
		w.q[0], w.q[1], w.v[1] = 0.1, -0.2, 1
		last := math.Inf(1)
		for i := range 300 {
			w.start(0.01)
			e := w.TreeEnergy(0, w.gravity, w.p.V0, w.p.P)
			if i > 1 && !(e.Total <= last*(1+1e-12)) {
				t.Fatalf("k = %g: E + Π rises from %.16g to %.16g J in step %d", k, last, e.Total, i)
			}
			last = e.Total
			g := []float64{0, 0}
			x := w.solve(t, g)
			w.EndPoses(w.t+0.01, 0.01, x, w.q)
			if work := w.TreeWork(0, w.p.Cliques[0].A, w.p.V0, w.p.P, x); !(math.Abs(work) <= 1e-12*e.State) {
				t.Fatalf("k = %g: without impulses work is %g J", k, work)
			}
			w.end(0.01, x)
		}
	}
}

// Impulses on a tree do the work w·g, and what it gains beyond that is of third order in the step.
func TestDampedTreesGainTheWorkOfImpulses(t *testing.T) {
	gain := func(h float64) (worst float64) {
		start := floatingChain(t)
		w := newDamped(start.m, 0)
		copy(w.v, start.v)
		w.gravity = gravity
		r := newRand(3)
		f := make([]float64, len(w.v))
		for k := range f {
			f[k] = r.NormFloat64()
		}
		for range int(math.Round(0.1 / h)) {
			w.start(h)
			g := make([]float64, len(f))
			for k := range g {
				g[k] = h * f[k]
			}
			x, c := w.solve(t, g), &w.p.Cliques[0]
			for range 2 { // with the bias at the solution
				if !w.MotionAt(0, x, c.A, w.p.P[:len(x)]) {
					t.Fatal("the bias does not change")
				}
				x = w.solve(t, g)
			}
			want := 0.0
			for k := range g {
				want += g[k] * x[k]
			}
			if work := w.TreeWork(0, c.A, w.p.V0, w.p.P, x); !(math.Abs(work-want) <= 1e-12*(1+math.Abs(want))) {
				t.Fatalf("the work is %g J, want %g", work, want)
			}
			w.EndPoses(w.t+h, h, x, w.q)
			gained, kinetic, _ := w.GainAtEnd(0, &w.gravity, c.A, w.p.V0, w.p.P, x)
			e := w.KineticEnergy() + w.PotentialEnergy(gravity)
			w.end(h, x)
			w.Place(w.t, h, w.q, w.v)
			if e := w.KineticEnergy() + w.PotentialEnergy(gravity) - e - want; !(math.Abs(e-gained) <= 1e-11*(1+kinetic)) {
				t.Fatalf("the tree gains %g J, by GainAtEnd %g", e, gained)
			}
			if !(math.Abs(w.KineticEnergy()-kinetic) <= 1e-12*(1+kinetic)) {
				t.Fatalf("the kinetic energy is %g J, by GainAtEnd %g", w.KineticEnergy(), kinetic)
			}
			worst = max(worst, math.Abs(gained))
		}
		return worst
	}
	a, b := gain(4e-3), gain(2e-3)
	if rate := a / b; !(rate > 6.5) {
		t.Errorf("gains of %g and %g J a step: ratio %g, want 8", a, b, rate)
	}
}

// A pendulum that impulses keep at rest is loaded by exactly its weight, and stays.
func TestPendulumOnImpulsesIsAtRest(t *testing.T) {
	w := newDamped(build(t, LinkSpec{Name: "bob", Parent: World, Joint: Revolute{Axis: yAxis}, Mass: 2, Com_B: r3.Vec{0.3, 0, 0}}), 0.05)
	w.gravity = gravity
	const h = 0.01
	for i := range 50 {
		w.start(h)
		g := -w.p.P[0]
		if want := -h * 2 * 9.81 * 0.3; !(math.Abs(g-want) <= 1e-14) {
			t.Fatalf("step %d: the impulse is %g N m s, want %g", i, g, want)
		}
		w.end(h, []float64{0})
		if w.q[0] != 0 || w.v[0] != 0 {
			t.Fatalf("step %d: it moves", i)
		}
	}
}

// An impact of θ_b takes the velocity of a body that stops at the surface to the rebound that it stands for.
func TestImpactsEndWithTheirRebound(t *testing.T) {
	for name, joint := range map[string]Joint{"free": Floating{}, "slider": Prismatic{Axis: zAxis}} {
		w := newDamped(build(t, LinkSpec{Name: "b", Parent: World, Joint: joint, Mass: 2, Inertia_B: r3.Diag(r3.Vec{1, 1, 1})}), 0.05)
		const h, share, rebound = 0.01, 0.3, 0.2
		k := len(w.v) - 1
		w.v[k] = -1
		w.free(t, h)
		w.integrate(h)
		w.SetImpact(0, (1-share)/(1+rebound))
		w.Place(w.t, h, w.q, w.v)
		w.p.Reset(w.t, h)
		w.FreeMotion(w.gravity, nil, &w.p)
		// the impulse with which it moves by 0.3 of the free step
		n := len(w.v)
		g := make([]float64, n)
		g[k] = w.p.Cliques[0].A[n*k+k]*(-share+1) - w.p.P[k]
		w.end(h, w.solve(t, g))
		if math.Abs(w.v[k]-rebound) > 1e-14 {
			t.Errorf("%s: it leaves with %g m/s, want %g", name, w.v[k], rebound)
		}
	}
}

// Masses on links with prescribed motion: at rest in the world on a cart that is shaken, and out along a turning slot,
// both of second order.
func TestDampedMassesOnPrescribedLinks(t *testing.T) {
	turn, err := motion.NewPiecewise([]float64{-1, 2}, []float64{-3, 6}, false)
	if err != nil {
		t.Fatal(err)
	}
	shake := motion.Sine{Amplitude: 0.3, Frequency: 2, Phase: 0.4}
	slider := LinkSpec{Name: "mass", Parent: 0, Joint: Prismatic{Axis: xAxis}, Mass: 2}
	for name, run := range map[string]func(h float64) float64{
		"cart": func(h float64) (worst float64) {
			w := newDamped(build(t, LinkSpec{Name: "cart", Parent: World, Joint: Prescribed{Translation: [3]motion.Motion{shake}}}, slider), 0.05)
			start, speed := shake.At(0)
			w.v[0] = -speed
			for range int(math.Round(0.9 / h)) {
				w.free(t, h)
				now, _ := shake.At(w.t)
				worst = max(worst, math.Abs(w.q[0]+now-start))
			}
			return worst
		},
		"turntable": func(h float64) float64 {
			w := newDamped(build(t, LinkSpec{Name: "table", Parent: World, Joint: Prescribed{Axis: zAxis, Angle: turn}}, slider), 0.05)
			w.q[0] = 0.1
			for range int(math.Round(0.8 / h)) {
				w.free(t, h)
			}
			return math.Abs(w.q[0] - 0.1*math.Cosh(3*0.8))
		},
	} {
		a, b := run(4e-3), run(2e-3)
		if rate := a / b; !(rate > 3.5 && rate < 4.5) {
			t.Errorf("%s: errors %g and %g m, ratio %g, want 4", name, a, b, rate)
		}
	}
}

// Rows of points of trees are their displacements over the step but for an error of second order; points of the middle
// are found back.
func TestDampedRowsOfTreesAreDisplacements(t *testing.T) {
	r := newRand(15)
	for i := range 30 {
		m, q, v := randForest(t, r, 6, everything)
		m.Follow(q, v)
		d := &damped{newWorld(m)}
		d.scheme = timestep.Rule{Midpoint: true, Damping: 0.05}
		for k := range m.links { // unit quaternions
			if nv := m.nv[k]; nv > 0 {
				m.links[k].Joint.Zero(q[m.q0[k]:])
			}
		}
		copy(d.q, q)
		m.Displace(d.q, v)
		copy(d.v, v)
		off := func(h float64) (worst float64) {
			d.start(h)
			for link := range m.links {
				p_B, axes, zero := r3.Vec{0.1, 0.2, -0.3}, r3.Identity(), r3.Vec{}
				at := d.Pose(link).Point(p_B)
				if e := d.PlacedPoint(link, d.MiddlePoint(link, at)).Sub(at).Norm(); !(e <= 1e-13) {
					t.Errorf("forest %d: a point of the middle is found back %g m off", i, e)
				}
				d.p.AddConstraint(open{})
				d.PointRows(&d.p, link, &at, &axes, &zero, 1)
				got := r3.Vec{d.p.Rate(0, v), d.p.Rate(1, v), d.p.Rate(2, v)}
				want := d.EndPoses(d.t+h, h, v, d.q)[link].Point(p_B).Sub(at).Scale(1 / h)
				worst = max(worst, got.Sub(want).Norm())
			}
			return worst
		}
		a, b := off(2e-3), off(1e-3)
		if !(b <= 0.3*a+1e-11) {
			t.Errorf("forest %d: rows err by %g and %g m/s at steps of 2 and 1 ms, want a quarter", i, a, b)
		}
	}
}

// Steps of trees allocate nothing, and end with the same bits from the same state and memory.
func TestDampedStepsOfTreesRepeat(t *testing.T) {
	run := func(w *world, n int) {
		for range n {
			w.hop(0.01)
		}
	}
	begin := func() *world {
		w := randomChain(t, 7, Floating{}, 0.01, 0.1)
		w.scheme = timestep.Rule{Midpoint: true, Damping: 0.05}
		return w
	}
	a, b := begin(), begin()
	run(a, 40)
	run(b, 20)
	c := begin()
	copy(c.q, b.q)
	copy(c.v, b.v)
	c.t, c.last, c.memory, c.least, c.recent = b.t, b.last, b.memory, slices.Clone(b.least), slices.Clone(b.recent)
	run(c, 20)
	if !slices.Equal(a.q, c.q) || !slices.Equal(a.v, c.v) {
		t.Error("a run that continues from the middle ends elsewhere")
	}
	w := &damped{a}
	x := slices.Clone(a.v)
	if n := alloctest.PerRun(20, func() {
		w.start(0.01)
		w.MidPoses()
		w.EndPoses(w.t+0.01, 0.01, x, w.q)
		w.end(0.01, x)
	}); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}
