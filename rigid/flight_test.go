package rigid

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// damped steps a forest by the midpoint rule.
type damped struct{ *world }

func newDamped(m *Model, damping float64) *damped {
	w := newWorld(m)
	w.scheme = timestep.Rule{Midpoint: true, Damping: damping}
	return &damped{w}
}

// start integrates, places and computes the free motion.
func (w *damped) start(h float64) {
	w.integrate(h)
	w.Place(w.t, h, w.q, w.v)
	w.p.Reset(w.t, h)
	w.FreeMotion(w.gravity, nil, &w.p)
}

// end takes the step with the displacement velocities.
func (w *damped) end(h float64, x []float64) {
	w.Advance(h, x, w.q, w.v, w.memory)
	w.t += h
}

// solve returns the displacement velocities with impulses g (nv).
func (w *damped) solve(t testing.TB, g []float64) []float64 {
	t.Helper()
	x := append([]float64(nil), w.p.V0...)
	for _, c := range w.p.Cliques {
		var chol mat.Cholesky
		if !chol.Factorize(mat.NewSymDense(c.Size, c.A)) {
			t.Fatal("A is not positive definite")
		}
		b := mat.NewVecDense(c.Size, append([]float64(nil), w.p.P[c.Offset:c.Offset+c.Size]...))
		for k := range g {
			if k >= c.Offset && k < c.Offset+c.Size {
				b.SetVec(k-c.Offset, b.AtVec(k-c.Offset)+g[k])
			}
		}
		if err := chol.SolveVecTo(b, b); err != nil {
			t.Fatal(err)
		}
		for k := range c.Size {
			x[c.Offset+k] += b.AtVec(k)
		}
	}
	return x
}

func (w *damped) free(t testing.TB, h float64) {
	t.Helper()
	w.start(h)
	w.end(h, w.solve(t, nil))
}

// A body falls along the parabola, whatever the steps.
func TestDampedFreeFallIsTheParabola(t *testing.T) {
	for i, central := range []bool{true, false} {
		tumbling := tumbler(t, i, central)
		w := newDamped(tumbling.m, 0.05)
		copy(w.q, tumbling.q)
		copy(w.v, tumbling.v)
		w.gravity = gravity
		p0, _, c0, _ := w.state(0.01)
		mass := w.compositeInertia[0].mass
		for k := range 1000 {
			w.free(t, []float64{0.01, 0.005, 0.01, 0.002}[k%4])
		}
		_, _, c, _ := w.state(0.01)
		want := c0.AddScaled(w.t/mass, p0).AddScaled(0.5*w.t*w.t, gravity)
		if e := c.Sub(want).Norm(); !(e <= 1e-12*want.Norm()) {
			t.Errorf("central %v: %g m off the parabola, at %g m", central, e, want.Norm())
		}
	}
}

// A body in flight keeps energy and momenta to round-off, whatever its inertia and the turn of a step.
func TestDampedFlightIsExact(t *testing.T) {
	for i := range 8 {
		tumbling := tumbler(t, i, i%2 == 0)
		for _, turn := range []float64{0.05, 0.2, 0.5, 1} {
			w := newDamped(tumbling.m, 0.05)
			copy(w.q, tumbling.q)
			copy(w.v, tumbling.v)
			h := turn / r3.Vec(w.v[:3]).Norm()
			p0, L0, _, E0 := w.state(h)
			const n = 3000
			const round = 5e-15 * n
			for range n {
				w.free(t, h)
			}
			p, L, _, E := w.state(h)
			if e := math.Abs(E/E0 - 1); !(e <= round) {
				t.Errorf("body %d, %g rad a step: the energy changes by %g of it", i, turn, e)
			}
			if e := p.Sub(p0).Norm() / p0.Norm(); !(e <= round) {
				t.Errorf("body %d, %g rad a step: the momentum changes by %g of it", i, turn, e)
			}
			if e := L.Sub(L0).Norm() / L0.Norm(); !(e <= round) {
				t.Errorf("body %d, %g rad a step: the angular momentum changes by %g of it", i, turn, e)
			}
		}
	}
}

// Orientations converge with the square of the step.
func TestDampedFlightIsOfSecondOrder(t *testing.T) {
	end := func(n int) r3.Mat {
		w := newDamped(build(t, LinkSpec{Name: "b", Parent: World, Joint: Floating{}, Mass: 1, Inertia_B: r3.Diag(r3.Vec{0.01, 0.02, 0.03})}), 0.05)
		w.v[0], w.v[1], w.v[2] = 2, 5, 1
		for range n {
			w.free(t, 2/float64(n))
		}
		w.Place(0, 1, w.q, w.v)
		return w.Pose(0).R
	}
	fine := end(20000)
	off := func(n int) float64 { return end(n).Mul(fine.T()).Quat().Log().Norm() }
	a, b := off(100), off(200)
	if rate := a / b; !(rate > 3.8 && rate < 4.2) {
		t.Errorf("errors %g and %g rad: ratio %g, want 4", a, b, rate)
	}
}

// Impulses change the energy by their work along the displacement, less what the damping takes; momenta change by them
// exactly.
func TestImpulsesOnFlyingBodiesDoTheirWork(t *testing.T) {
	r := newRand(77)
	for i := range 20 {
		tumbling := tumbler(t, i, i%3 == 0)
		for _, damping := range []float64{0, 0.05} {
			w := newDamped(tumbling.m, damping)
			copy(w.q, tumbling.q)
			copy(w.v, tumbling.v)
			h := 0.1 / r3.Vec(w.v[:3]).Norm()
			for step := range 12 {
				w.start(h)
				p0, L0, c0, E0 := w.stateOf()
				g := make([]float64, 6)
				for k := range g {
					size := []float64{L0.Norm(), p0.Norm()}[k/3]
					g[k] = 0.05 * size * r.NormFloat64() * float64(step%3) // none in every third step
				}
				x := w.solve(t, g)
				c := &w.p.Cliques[0]
				for range 120 { // to convergence
					if !w.MotionAt(0, x, c.A, w.p.P[:6]) {
						t.Fatal("no single body")
					}
					x = w.solve(t, g)
				}
				mom := make([]float64, 6)
				w.MomentumAt(0, &w.gravity, x, mom)
				for k := range mom {
					if math.Abs(mom[k]-w.p.P[k]) > 1e-10 {
						t.Fatalf("body %d step %d: the momentum at the solution is %v, of the problem %v", i, step, mom, w.p.P[:6])
					}
				}
				f := w.Data.damped.flights[0]
				impulse := f.toWorld(g)
				work, lag := 0.0, spatial{f.lagW, f.lagV}
				for k := range g {
					work += g[k] * x[k]
				}
				V := f.toWorld(x)
				_, change, _ := f.end(&V)
				delta := f.theta - 0.5
				dissipated := change.w.Scale(delta).Sub(lag.w).Dot(f.I.MulVec(change.w)) + f.mass*change.v.Scale(delta).Sub(lag.v).Dot(change.v)
				w.end(h, x)
				p, L, c1, E := w.state(h)
				if e := p.Sub(p0).Sub(impulse.v).Norm(); e > 1e-12*(1+p0.Norm()) {
					t.Fatalf("body %d step %d: the momentum changes by %g N s that is not the impulse", i, step, e)
				}
				arm := f.s // of the impulse at M about the centre
				if e := L.Sub(L0).Sub(impulse.w).Add(arm.Cross(impulse.v)).Norm(); e > 1e-11*(1+L0.Norm()) {
					t.Fatalf("body %d step %d: the angular momentum changes by %g N m s that is not the impulse", i, step, e)
				}
				if e := math.Abs(E - E0 - work + dissipated); e > 1e-11*(1+E0) {
					t.Fatalf("body %d step %d, damping %g: the energy changes by %g J, of work %g J less %g J", i, step, damping, E-E0, work, dissipated)
				}
				if e := c1.Sub(c0).Sub(f.uc.Scale(h)).Norm(); e > 1e-12*(1+c0.Norm()) {
					t.Fatalf("body %d step %d: the centre moves by %g m more than its displacement velocity", i, step, e)
				}
			}
		}
	}
}

// stateOf is state of the placed state.
func (w *damped) stateOf() (p, L, c r3.Vec, E float64) {
	c = w.x_WB[0].P.AddScaled(1/w.compositeInertia[0].mass, w.compositeInertia[0].mc)
	return w.Momentum(), w.AngularMomentum(c), c, w.KineticEnergy()
}

// A step of flight takes no memory.
func TestDampedFlightAllocatesNothing(t *testing.T) {
	tumbling := tumbler(t, 1, false)
	w := newDamped(tumbling.m, 0.05)
	copy(w.q, tumbling.q)
	copy(w.v, tumbling.v)
	w.free(t, 0.01)
	x := append([]float64(nil), w.v...)
	if n := alloctest.PerRun(20, func() {
		w.start(0.01)
		w.MotionAt(0, x, w.p.Cliques[0].A, w.p.P[:6])
		w.MidPoses()
		w.EndPoses(w.t+0.01, 0.01, x, w.q)
		w.end(0.01, x)
	}); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// Rows of points are their displacements over the step at the solved motion, and points of the middle of the step are
// found back.
func TestRowsOfFlyingBodiesAreDisplacements(t *testing.T) {
	r := newRand(12)
	for i := range 20 {
		var w *damped
		if tumbling := tumbler(t, i, i%2 == 0); i%4 < 2 {
			w = newDamped(tumbling.m, 0.05)
		} else {
			s := tumbling.m.links[0]
			s.X_PF.R, s.X_BM.R = r3.Identity(), r3.Identity()
			w = newDamped(build(t, s), 0.05)
		}
		for k := range w.v {
			w.v[k] = 10 * r.NormFloat64()
		}
		const h = 0.03
		w.start(h)
		x := make([]float64, 6)
		for k := range x {
			x[k] = w.v[k] + r.NormFloat64()
		}
		if !w.MotionAt(0, x, w.p.Cliques[0].A, w.p.P[:6]) {
			t.Fatal("no single body")
		}
		link := w.m.NumLinks() - 1
		at, zero, axes := randVec(r), r3.Vec{}, r3.RotExp(randVec(r))
		p_B := w.Pose(link).InvPoint(at)
		w.p.AddConstraint(open{})
		w.PointRows(&w.p, link, &at, &axes, &zero, 1)
		got := r3.Vec{w.p.Rate(0, x), w.p.Rate(1, x), w.p.Rate(2, x)}
		half := w.MiddlePoint(link, at)
		if e := w.PlacedPoint(link, half).Sub(at).Norm(); !(e <= 1e-13) {
			t.Errorf("body %d: a point of the middle is found back %g m off", i, e)
		}
		mid := w.MidPoses()[link].Point(p_B)
		turn := h * r3.Vec(x[:3]).Norm()
		if e := mid.Sub(half).Norm(); !(e <= turn*turn/24*at.Sub(w.Data.damped.flights[0].center).Norm()+1e-13) {
			t.Errorf("body %d: a point is %g m from its mean place in the middle of the step", i, e)
		}
		want := axes.TMulVec(w.EndPoses(w.t+h, h, x, w.q)[link].Point(p_B).Sub(at)).Scale(1 / h)
		if e := got.Sub(want).Norm(); !(e <= 1e-12*(1+want.Norm())) {
			t.Errorf("body %d: a point is displaced at %v, by its rows at %v", i, want, got)
		}
		for k := range 3 {
			w.p.AddConstraint(open{})
			w.PointRow(&w.p, 0, link, at, axes.Col(k), 1)
			if e := math.Abs(w.p.Rate(0, x) - want[k]); !(e <= 1e-12*(1+want.Norm())) {
				t.Errorf("body %d: a row of a point gives %g, want %g", i, w.p.Rate(0, x), want[k])
			}
		}
	}
}

// The momentum is exact at any spin, which bounds the energy.
func TestDampedSpinIsBoundedAtAnySpeed(t *testing.T) {
	r := newRand(0)
	for i := range 100 {
		s := LinkSpec{Name: "b", Parent: World, Joint: Floating{}}
		randBody(r, &s)
		w := newDamped(build(t, s), 0.05)
		speed := math.Exp(6 * r.Float64()) // rad/s
		axis := randVec(r).Unit().Scale(speed)
		copy(w.v, axis[:])
		const h = 0.1
		_, L0, _, E0 := w.state(h)
		for k := range 300 {
			w.free(t, h)
			_, L, _, E := w.state(h)
			if e := L.Sub(L0).Norm(); !(e <= 1e-13*float64(k+10)*L0.Norm()) {
				t.Fatalf("body %d: %g rad a step: the angular momentum changes by %g of it in %d steps", i, h*speed, e/L0.Norm(), k)
			}
			if h*speed < 2 && !(math.Abs(E-E0) <= 1e-13*float64(k+10)*E0) {
				t.Fatalf("body %d: %g rad a step: the energy changes from %g to %g in %d steps", i, h*speed, E0, E, k)
			}
		}
	}
}

// Weight that is carried in part acts beside the centre of mass: its work is that of its potential, and impulses on a
// body with a rotor are exact.
func TestDampedFlightUnderCarriedWeight(t *testing.T) {
	for i := range 6 {
		tumbling := tumbler(t, i, false)
		links := append([]LinkSpec(nil), tumbling.m.links...)
		links[1].WeightCompensation = 1.7
		links[0].RotorInertia = 0.3 * float64(i%2)
		w := newDamped(build(t, links...), 0.05)
		copy(w.v, tumbling.v)
		w.gravity = gravity
		h := 0.1 / r3.Vec(w.v[:3]).Norm()
		w.Place(0, h, w.q, w.v)
		E0, scale := w.KineticEnergy()+w.PotentialEnergy(gravity), w.KineticEnergy()
		for k := range 2000 {
			w.free(t, h)
			w.Place(w.t, h, w.q, w.v)
			scale = max(scale, w.KineticEnergy())
			if e := math.Abs(w.KineticEnergy() + w.PotentialEnergy(gravity) - E0); !(e <= 1e-14*float64(k+10)*scale) {
				t.Fatalf("body %d step %d: the energy changes by %g J of %g", i, k, e, scale)
			}
		}
	}
}

// A body that a spring without damping holds at one of its points to a fixed place keeps its energy, with that of the
// spring taken at the mean of the step, to round-off where solves converge; two solves err by little.
func TestSpringsOnFlyingBodiesKeepTheEnergy(t *testing.T) {
	const k = 40.0
	for i := range 4 {
		tumbling := tumbler(t, i, i%2 == 0)
		run := func(damping float64, passes int) (worst, rise float64) {
			w := newDamped(tumbling.m, damping)
			copy(w.q, tumbling.q)
			copy(w.v, tumbling.v)
			w.gravity = gravity
			h := 0.1 / r3.Vec(w.v[:3]).Norm()
			w.Place(0, h, w.q, w.v)
			at_B, anchor := r3.Vec{0.2, -0.1, 0.3}, w.Pose(0).P
			lowest, E0, scale := math.Inf(1), 0.0, 0.0
			for n := range 120 {
				w.start(h)
				at := w.Pose(0).Point(at_B)
				x := at.Sub(anchor)
				e := w.TreeEnergy(0, w.gravity, w.p.V0[:6], w.p.P[:6])
				E := e.Total + 0.5*k*x.Norm2()
				if n == 0 {
					E0 = E
				}
				scale = max(scale, e.Kinetic+0.5*k*x.Norm2())
				worst, rise = max(worst, math.Abs(E-E0)/scale), max(rise, (E-lowest)/scale)
				if n > 1 { // Π of the first step is not paid
					lowest = min(lowest, E)
				}
				u := append([]float64(nil), w.v...)
				for pass := range passes {
					c := &w.p.Cliques[0]
					if pass > 0 {
						w.MotionAt(0, u, c.A, w.p.P[:6])
					}
					u = w.springSolve(t, h, k, at, x)
				}
				w.end(h, u)
			}
			return worst, rise
		}
		worst, _ := run(0, 30)
		if !(worst <= 4e-12) {
			t.Errorf("body %d: the energy changes by %g of it", i, worst)
		}
		_, rise := run(0.05, 30)
		if !(rise <= 1e-12) {
			t.Errorf("body %d: damped, E + Π rises by %g of it", i, rise)
		}
		two, _ := run(0, 2)
		one, _ := run(0, 1)
		t.Logf("body %d: energy changes by %.1e of it where solves converge, %.1e with two, %.1e with one", i, worst, two, one)
	}
}

// springSolve returns the displacement velocities of a body with a spring k at its point at_W, x from its anchor.
func (w *damped) springSolve(t testing.TB, h, k float64, at_W, x r3.Vec) []float64 {
	var J [3][6]float64
	zero, axes, unit := r3.Vec{}, r3.Identity(), make([]float64, 6)
	w.p.AddConstraint(open{})
	w.PointRows(&w.p, 0, &at_W, &axes, &zero, 1)
	for row := range J {
		for j := range unit {
			unit[j] = 1
			J[row][j] = w.p.Rate(row, unit)
			unit[j] = 0
		}
	}
	A := mat.NewSymDense(6, append([]float64(nil), w.p.Cliques[0].A...))
	b := mat.NewVecDense(6, append([]float64(nil), w.p.P[:6]...))
	for row := range J {
		rate := 0.0
		for j := range 6 {
			rate += J[row][j] * w.v[j]
		}
		for j := range 6 {
			b.SetVec(j, b.AtVec(j)-h*k*(x[row]+0.5*h*rate)*J[row][j])
			for l := range j + 1 {
				A.SetSym(j, l, A.At(j, l)+0.5*h*h*k*J[row][j]*J[row][l])
			}
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(A) {
		t.Fatal("A is not positive definite")
	}
	if err := chol.SolveVecTo(b, b); err != nil {
		t.Fatal(err)
	}
	u := append([]float64(nil), w.v...)
	for j := range u {
		u[j] += b.AtVec(j)
	}
	return u
}
