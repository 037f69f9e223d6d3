package fem

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// corotated returns a bar of a kind of elements with a corotated law, without damping of its own.
func corotated(t testing.TB, mesh *meshes.Tet, e Elements, youngs float64) *midWorld {
	t.Helper()
	law, err := NewCorotational(youngs, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	return newMidWorld(mustModel(t, Spec{Mesh: mesh, Law: law, Density: 1000, Elements: e}))
}

// A free bar of a corotated law turns five times, by 0.05 to 0.5 rad a step, with at most two passes a step: energy and
// what the damping stores never rise, and with what it takes they add up; angular momentum drifts at second order.
func TestMidpointSpinKeepsEnergy(t *testing.T) {
	const h = 5e-3
	everyBar(t, func(t *testing.T, mesh *meshes.Tet, e Elements) {
		for _, c := range []struct{ angle, sum, drift, passes float64 }{
			{0.05, 1e-4, 3e-4, 1.2},
			{0.2, 1e-3, 3e-3, 1.5},
			{0.5, 1e-2, 1e-2, 1.8},
		} {
			w := corotated(t, mesh, e, 1e6)
			w.most = 2
			w.turn(r3.Vec{0, 0, c.angle / h})
			about := w.d.CenterOfMass()
			e0, L0 := w.energy(), w.d.AngularMomentum(about, w.v)
			steps := int(10 * math.Pi / c.angle)
			rise, sum, drift := 0.0, 0.0, 0.0
			for range steps {
				before := w.energy()
				w.step(h, r3.Vec{})
				rise = math.Max(rise, (w.energy()+w.ledger.End)/e0-1)
				sum += (w.energy() - before + w.ledger.End - w.ledger.Start + w.ledger.Numerical) / e0
				drift = math.Max(drift, w.d.AngularMomentum(about, w.v).Sub(L0).Norm()/L0.Norm())
			}
			passes := float64(w.total) / float64(steps)
			t.Logf("%g rad a step: E + Π rises by %.1e, the ledger leaves %.1e of E over, L drifts by %.1e, %.2f passes; E is %.4f", c.angle, rise, sum, drift, passes, w.energy()/e0)
			if rise > 1e-6 || math.Abs(sum) > c.sum || drift > c.drift || passes > c.passes {
				t.Errorf("%g rad a step: E + Π rises by %g, the ledger leaves %g of E over (want %g), L drifts by %g (want %g), %g passes (want %g)", c.angle, rise, sum, c.sum, drift, c.drift, passes, c.passes)
			}
		}
	})
}

// Positions of a bar that tumbles, bends and falls converge at second order, once steps resolve its modes.
func TestMidpointConvergesAtSecondOrder(t *testing.T) {
	const end = 0.02
	everyBar(t, func(t *testing.T, mesh *meshes.Tet, e Elements) {
		run := func(n int) *midWorld {
			w := corotated(t, mesh, e, 3e5)
			w.turn(r3.Vec{3, -5, 10})
			for i := 0; i < len(w.x); i += 3 {
				s := (w.x[i] - 0.15) / 0.15
				w.v[i+2] += 0.5 * (s*s - 1./3)
			}
			for range n {
				w.step(end/float64(n), r3.Vec{0, 0, -9.81})
			}
			return w
		}
		fine := run(512)
		var errs []float64
		for _, n := range []int{32, 64, 128} {
			w := run(n)
			worst := 0.0
			for i := range w.x {
				worst = math.Max(worst, math.Abs(w.x[i]-fine.x[i]))
			}
			errs = append(errs, worst)
		}
		t.Logf("errors of positions %.2e m", errs)
		if order := math.Log2(errs[0]/errs[2]) / 2; order < 1.8 {
			t.Errorf("errors %.3g m: order %g", errs, order)
		}
	})
}

// A bar without damping that is struck at random, so that it tumbles, bends and flies, never has more energy than the
// blows gave it, for stiffnesses and steps from resolved to far from that. Blows turn it by up to half a radian a step;
// beyond, passes do not bound the energy, and steps have to be divided.
func TestMidpointBlowsGiveTheirWork(t *testing.T) {
	g := r3.Vec{0, 0, -9.81}
	everyBar(t, func(t *testing.T, mesh *meshes.Tet, e Elements) {
		r := rand.New(rand.NewSource(7))
		worst := 0.0
		for range 8 - len(mesh.Verts)/10 {
			w := corotated(t, mesh, e, math.Pow(10, 5+2*r.Float64()))
			h := 0.02 * math.Pow(2, -4*r.Float64())
			blow := make([]float64, w.d.model.Dofs())
			w.push = func(P []float64) {
				for i := range P {
					P[i] += blow[i]
				}
			}
			total := func() float64 { return w.energy() + w.d.PotentialEnergy(g) }
			start, work, scale, least := total(), 0.0, 0.0, math.Inf(1)
			for i := range 60 {
				clear(blow)
				if i%6 == 0 { // a blow to a vertex, that would move the whole bar at 0.1 m/s
					v := r.Intn(w.d.model.NumVerts())
					for k := range 3 {
						blow[3*v+k] = 0.1 * w.d.model.mass * r.NormFloat64()
					}
				}
				w.step(h, g)
				for i := range blow {
					work += blow[i] * w.next[i]
				}
				E := total() + w.ledger.End - start - work
				scale = math.Max(scale, w.energy())
				least = math.Min(least, E)
				worst = math.Max(worst, (E-least)/scale)
			}
		}
		t.Logf("greatest rise %.1e of the energy", worst)
		if worst > 1e-3 {
			t.Errorf("E + Π − W rises by %g of the energy", worst)
		}
	})
}

// Eight tets at once are those alone, in further passes and in the test of linearizations, and (3) of midpoint_error.go
// is above the differences that it bounds.
func TestMidpointTetsSideBySideAreTetsAlone(t *testing.T) {
	if !haveKernels {
		t.Skip("this machine or build has no vector kernels")
	}
	for _, turn := range []float64{0, 30} {
		w := corotated(t, boxMesh(r3.Vec{0.2, 0.1, 0.1}, 5, 3, 3), Tet4, 1e5)
		w.most = 3
		w.shake(2, 0.001, 0.5)
		w.turn(r3.Vec{0, turn, 5})
		w.step(0.01, r3.Vec{})
		f := &w.d.free
		w.d.Integrate(w.rule.Step(0.01, w.memory, w.before))
		w.p.Reset(0, 0.01)
		w.d.Linearize(0.01, r3.Vec{}, w.x, w.v, nil, &w.p)
		for range 3 {
			w.solve()
			w.d.LinearizationError(w.next, true, nil, &w.p)
			bounds, lanes := f.strains.run(nil, true), f.strains.run(nil, false)
			var alone strainErrors
			f.strains.bounds = false
			f.strains.strainErrorsOf(0, len(w.d.model.elements), &alone)
			if d := math.Abs(lanes.shift-alone.shift) + math.Abs(lanes.strain-alone.strain); d > 1e-13 || math.Abs(lanes.energy-alone.energy) > 1e-11*alone.energy {
				t.Errorf("errors %+v of lanes, %+v alone", lanes, alone)
			}
			bound := bounds.bound * math.Sqrt(1+3*w.d.model.volumeShare())
			if math.Sqrt(alone.shift) > bound || math.Sqrt(alone.shift) < 1e-3*bound {
				t.Errorf("pass %d: the largest difference %g is bounded by %g", f.pass, math.Sqrt(alone.shift), bound)
			}
			w.d.Relinearize(w.next, nil, &w.p)
			force, vectors := append([]padded(nil), f.force...), append([]padded(nil), f.w...)
			scale := 0.0
			for i := range w.d.model.elements {
				f.elements.tet(i)
			}
			for i := range force {
				scale = math.Max(scale, f.force[i].vec().Norm())
			}
			for i := range force {
				if d := force[i].vec().Sub(*f.force[i].vec()).Norm(); d > 1e-11*scale {
					t.Fatalf("pass %d: force %d is off by %g of %g N", f.pass, i, d, scale)
				}
				if d := vectors[i].vec().Sub(*f.w[i].vec()).Norm(); d > 1e-11 {
					t.Fatalf("pass %d: vector %d is off by %g", f.pass, i, d)
				}
			}
		}
	}
}

// A body that turns by more than a right angle in a step stays whole and gains no energy.
func TestMidpointUnresolvedSpinGainsNothing(t *testing.T) {
	for _, youngs := range []float64{1e5, 1e7} {
		w := corotated(t, boxMesh(r3.Vec{0.1, 0.1, 0.05}, 2, 2, 1), Tet4, youngs)
		w.turn(r3.Vec{0, 0, 150})
		e0 := w.energy()
		for range 100 {
			w.step(0.01, r3.Vec{})
			if e := w.energy(); e > 1.001*e0 {
				t.Fatalf("E = %g: the energy is %g of %g J", youngs, e, e0)
			}
		}
		t.Logf("E = %g: %d passes, energy %g", youngs, w.total, w.energy()/e0)
	}
}

// Velocities of the end and Unstrain agree with Advance.
func TestMidpointVelocitiesOfTheEnd(t *testing.T) {
	w := corotated(t, boxMesh(r3.Vec{0.2, 0.1, 0.1}, 2, 1, 1), Tet4, 1e5)
	w.shake(2, 0.001, 1)
	w.turn(r3.Vec{0, 40, 5})
	for range 2 {
		w.step(0.01, r3.Vec{})
	}
	w.d.Integrate(w.rule.Step(0.01, w.memory, w.before))
	w.p.Reset(0, 0.01)
	w.d.Linearize(0.01, r3.Vec{}, w.x, w.v, nil, &w.p)
	w.solve()
	w.d.LinearizationError(w.next, true, nil, &w.p)
	w.d.Relinearize(w.next, nil, &w.p)
	w.d.Unstrain(w.next)
	end := make([]float64, len(w.next))
	w.d.EndVelocities(w.next, end)
	rise := w.d.EnergyRise(w.next, 0, nil, &w.p)
	l, before := w.d.Ledger(w.next, &w.p), w.energy()
	next := timestep.Memory{W: make([]float64, len(w.x)), DV: make([]float64, len(w.x))}
	w.d.Advance(0.01, w.next, w.x, w.v, next)
	w.d.Place(w.x)
	for i := range end {
		if math.Abs(end[i]-w.v[i]) > 1e-14*math.Max(1, math.Abs(end[i])) {
			t.Fatalf("velocity %d at the end is %g, want %g", i, w.v[i], end[i])
		}
	}
	for i, y := range w.d.free.frames {
		if d := y.Sub(w.d.Positions()[i]).Norm(); d > 1e-14 {
			t.Fatalf("Unstrain leads vertex %d to %g m off the linearization", i, d)
		}
	}
	if want := w.energy() - before + l.End - l.Start; math.Abs(rise-want) > 1e-12*before {
		t.Errorf("the energy rises by %g J, want %g", rise, want)
	}
}
