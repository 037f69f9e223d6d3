package sim

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// Flat ellipsoids, tilted by 10°, fall 3 mm onto a floor, on which they rock from rim to
// rim. They must come to rest on it: no part sinks in by more than a tenth of the
// thickness once they lie.
func TestFlatEllipsoidsStayOnTheFloor(t *testing.T) {
	floors := map[string]func(w *scaffold, mat int){
		"half-space": func(w *scaffold, mat int) { w.ground(mat) },
		"slab":       func(w *scaffold, mat int) { w.geom(geometry.World, at(0, 0, -0.01), w.box(1, 1, 0.02), mat) },
		"plate":      func(w *scaffold, mat int) { w.geom(geometry.World, at(0, 0, -0.001), w.box(1, 1, 0.002), mat) },
	}
	for name, floor := range floors {
		for _, h := range []float64{0.01, 0.005} {
			for _, semi := range []r3.Vec{{0.02, 0.016, 0.002}, {0.01, 0.008, 0.001}} {
				sunk := 0
				for i := range 10 {
					w := newScaffold(t)
					mat := w.material(1e6, 10, 0.5)
					floor(w, mat)
					y, x := math.Sincos(2 * math.Pi * float64(i) / 10)
					X := r3.Pose{R: r3.RotExp(r3.Vec{x, y, 0}.Scale(10 * math.Pi / 180)), P: r3.Vec{}}
					e := must(geometry.NewEllipsoid(semi))
					X.P[2] = 0.003 + X.R.MulVec(e.Support(X.R.TMulVec(r3.Vec{0, 0, 1})))[2]
					w.body("ellipsoid", e, 0.02, X, r3.Vec{}, r3.Vec{}, mat)
					p, s := w.build()
					run(t, p, s, h, int(0.5/h))
					deepest := 0.0
					for range int(0.2 / h) {
						run(t, p, s, h, 1)
						deepest = math.Min(deepest, lowestPoint(p))
					}
					if deepest < -0.2*semi[2] || p.kin.Pose(0).P[2] > 3*semi[0] {
						sunk++
					}
				}
				if sunk > 0 {
					t.Errorf("%s, %g ms, %g mm: %d of 10 are in the floor", name, 1e3*h, 1e3*semi[0], sunk)
				}
			}
		}
	}
}

// Ellipsoids dropped 0.46 m onto a plate of 4 mm with steps of 10 ms.
func TestDroppedEllipsoidsStayOnAPlate(t *testing.T) {
	failed := 0
	for i := range 41 {
		w := newScaffold(t)
		mat := w.material(1e6, 10, 0.5)
		w.geom(geometry.World, at(0, 0, -0.002), w.box(1, 1, 0.004), mat)
		y, x := math.Sincos(float64(i))
		X := r3.Pose{R: r3.RotExp(r3.Vec{x, y, 0}.Scale(0.1 * float64(i))), P: r3.Vec{0, 0, 0.46 + 1e-3*float64(i)}}
		w.body("ellipsoid", must(geometry.NewEllipsoid(r3.Vec{0.03, 0.02, 0.012})), 0.1, X, r3.Vec{}, r3.Vec{}, mat)
		p, s := w.build()
		run(t, p, s, 0.01, 200)
		if z := lowestPoint(p); z < -0.002 {
			failed++
			t.Logf("drop %d: %g m", i, z)
		}
	}
	if failed > 0 {
		t.Errorf("%d of 41 are in the plate or below", failed)
	}
}

// tumbling adds flat, fast-spinning bodies that meet in empty space. Their inertia is the
// same about all axes: it does not turn with them, so that contact alone can change the
// angular momentum.
func tumbling(w *scaffold) {
	w.Gravity = r3.Vec{}
	mat := w.material(1e6, 10, 0.5)
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 12 {
		at := r3.Pose{R: r3.RotExp(randomDirection(r).Scale(3 * r.Float64())), P: r3.Vec{0.06 * float64(i%3), 0.06 * float64(i/3%2), 0.06 * float64(i/6)}}
		shape := geometry.Shape(must(geometry.NewEllipsoid(r3.Vec{0.03, 0.025, 0.003})))
		if i%2 == 0 {
			shape = must(geometry.NewBox(r3.Vec{0.06, 0.05, 0.006}))
		}
		inward := r3.Vec{0.06, 0.03, 0.03}.Sub(at.P)
		b := w.body("flat", shape, 0, at, randomDirection(r).Scale(40), inward.Scale(50), mat)
		w.spec(b).Inertial = &geometry.MassProperties{Mass: 0.1, Inertia: r3.Diag(r3.Vec{2e-5, 2e-5, 2e-5})}
	}
}

// givenByContacts returns the energy that the contacts of the last step gave to bodies, J. As their
// potentials are convex, a contact gives at most what it stored at the start of the step,
// ½ k φ², and one that was open gives none.
func givenByContacts(t *testing.T, s *Stepper, k float64) float64 {
	t.Helper()
	given := 0.0
	for i, h := range s.handles {
		c := &s.contacts[i]
		work := s.Problem.Impulse(h)[2] * s.Problem.Velocity(h)[2]
		given += max(0, work)
		weight := c.Weight
		if weight == 0 { // stands for 1
			weight = 1
		}
		if stored := 0.5 * k * weight * math.Pow(min(0, c.Phi), 2); work > stored+1e-15 {
			t.Errorf("a contact gives %g J, having stored %g J", work, stored)
		}
	}
	return given
}

// Contacts that are added within a step conserve both momenta, give no more energy than
// bodies have pressed into contacts, allocate nothing and are the same for any number of
// threads.
func TestRelinearizationKeepsMomentaBitsAndMemory(t *testing.T) {
	long(t)
	w := newScaffold(t)
	tumbling(w)
	m := w.model()
	const h = 0.005
	s, x := start(t, m, 1)
	other, y := start(t, m, 3)
	p0, L0 := momentum(s, x)
	size := 0.0 // of the momenta that bodies exchange
	for i := range 12 {
		v := r3.Vec(x.V[6*i+3 : 6*i+6])
		size += 0.1 * v.Norm()
	}
	before, added := energy(s, x), 0
	first := before
	for range 20 {
		run(t, s, x, h, 1)
		added += len(s.added)
		given := givenByContacts(t, s, 0.5e6)
		p, L := momentum(s, x)
		nearVec(t, "momentum", p, p0, 1e-12*size)
		nearVec(t, "angular momentum", L, L0, 1e-12*size)
		e := energy(s, x)
		if s.Report.Parts == 0 && e > before*(1+1e-12)+given || e > first {
			t.Errorf("energy grows from %g to %g J, contacts gave %g J", before, e, given)
		}
		before = e
		run(t, other, y, h, 1)
		if x.Hash() != y.Hash() {
			t.Fatal("threads change bits")
		}
	}
	if added < 20 {
		t.Errorf("only %d contacts were added", added)
	}
	*x = *m.Start.Clone()
	if n := alloctest.PerRun(15, func() {
		if err := s.Step(x, h); err != nil {
			t.Error(err)
		}
	}); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// What a step reports as penetration is the overlap of bodies at its start. Contacts that are
// added between points that meet at the end have a gap at the start that no bodies have: they
// made a heap report 6 mm where its bodies overlap by 0.35 mm.
func TestAddedContactsAreNoPenetration(t *testing.T) {
	w := newScaffold(t)
	tumbling(w)
	s, x := w.build()
	const h = 5e-3
	added := 0
	for range 200 {
		deepest := 0.0
		for _, c := range s.ContactsAt(x, h) {
			deepest = max(deepest, -c.Phi)
		}
		run(t, s, x, h, 1)
		for i := range s.added {
			if -s.added[i].Phi > deepest {
				added++
			}
		}
		if r := &s.Report; r.Parts <= 1 && (r.Penetration != deepest || r.RelativePenetration.Depth > deepest) {
			t.Fatalf("%g m and %g m are reported, bodies overlap by %g m", r.Penetration, r.RelativePenetration.Depth, deepest)
		}
	}
	if added == 0 {
		t.Error("no added contact has a deeper gap: the test sees nothing")
	}
}
