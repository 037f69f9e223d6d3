package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// pressing puts a compliant cube of 0.1 m and 1 kg on rigid ground.
func pressing(t testing.TB, law constraints.ContactModel) *scaffold {
	w := newScaffold(t)
	w.Contact = law
	w.material(1e6, 10, 0.5)
	w.mat(0).HydroelasticModulus = 1e6
	w.contactMaterial(constraints.ContactMaterial{Stiffness: 1e6, Friction: 0.5, StaticFriction: 0.5})
	w.ground(1)
	w.body("cube", w.box(0.1, 0.1, 0.1), 1, at(0, 0, 0.05), r3.Vec{}, r3.Vec{}, 0)
	w.spec(0).Shapes[0].ResolutionHint = 0.03
	w.HydroelasticMargin = ptr(1e-4)
	return w
}

func laws() []constraints.ContactModel {
	return []constraints.ContactModel{constraints.Lagged{}, constraints.Similar{}, constraints.SAP{Beta: 1}, constraints.Lagged{Sigma: 1e-3}}
}

// The pressure of a box pressed in by δ is E δ/h with the half height h but near
// its rims, so that it sinks by a little more than m g h/(E S).
func TestPressedCubeSinksByItsField(t *testing.T) {
	for _, law := range laws() {
		s, x := pressing(t, law).build()
		run(t, s, x, 2e-3, 1000)
		sunk := 0.05 - x.Q[6]
		if want := grav * 0.05 / (1e6 * 0.01); sunk < want || sunk > 1.1*want {
			t.Errorf("%T: sinks by %g m, want a little above %g", law, sunk, want)
		}
		near(t, "weight", ContactForce{On: 0, Of: Z}.Value(s, x), grav, 1e-6)
		near(t, "moment", ContactForce{On: 0, Kind: Moment, Of: Norm}.Value(s, x), 0, 1e-9)
		near(t, "moment aside", ContactForce{On: 0, Kind: Moment, Of: Y, About_B: r3.Vec{0.2, 0, 0}, InBodyAxes: true}.Value(s, x), 0.2*grav, 1e-6)
		near(t, "speed", Speed{}.Value(s, x), 0, 1e-6)
	}
}

func TestPressedCubeSlidesByCoulomb(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	w.setV(0, 0, 0, 0, 1, 0, 0)
	s, x := w.build()
	run(t, s, x, 1e-3, 1000)
	near(t, "way", x.Q[4], 1/(2*0.5*grav), 1e-3)
}

func TestRunningSurfacesCarryWhatPressesOnThem(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	w.mat(1).SurfaceVelocity_B = r3.Vec{0, 0.3, 0}
	s, x := w.build()
	run(t, s, x, 1e-3, 500)
	near(t, "speed", x.V[4], 0.3, 1e-4)
}

func TestContactSurfacesGiveTheSameBitsAndAllocateNothing(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	s, x := w.build()
	run(t, s, x, 1e-3, 100)
	y := x.Clone()
	run(t, s, x, 1e-3, 100)
	other, _ := start(t, s.Model, 1)
	run(t, other, y, 1e-3, 100)
	if x.Hash() != y.Hash() {
		t.Error("another stepper goes another way")
	}
	if n := alloctest.PerRun(10, func() { run(t, s, x, 1e-3, 1) }); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// Laws of contact surfaces have the optional methods that the solver uses: without them steps would be
// the same, but slower. A cost that is missing shows that it was spared.
func TestSolversUseGradientsAndContinuationOfSurfaceLaws(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	w.FrictionLag = FrictionLagGeometry // one solve a step: a second one often is right at once
	w.setV(0, 0, 0, 0, 1, 0, 0)
	s, x := w.build()
	spared := 0
	for range 50 {
		run(t, s, x, 1e-3, 1)
		if math.IsNaN(s.Report.Solver.Cost) {
			spared++
		}
	}
	if spared < 40 {
		t.Errorf("spared in %d steps of 50", spared)
	}
	if len(s.Problem.Constraints) == 0 {
		t.Error("no contact")
	}
	for i := range s.Problem.Constraints {
		law := s.Problem.Constraints[i].Law
		_, spares := law.(convex.GradientOnly)
		if _, softens := law.(convex.ContinuationLaw); !spares || !softens {
			t.Errorf("%T: its impulse alone %v, capped %v", law, spares, softens)
		}
	}
}

func TestContactSurfacesDoNotDependOnWorkers(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	for i := range 4 {
		more := w.body("more", w.box(0.1, 0.1, 0.1), 1, at(0.01*float64(i), 0.02, 0.15+0.1*float64(i)), r3.Vec{}, r3.Vec{0.3, 0, 0}, 0)
		w.spec(more).Shapes[0].ResolutionHint = 0.03
	}
	m := w.model()
	var first string
	for _, n := range []int{1, 2, 4} {
		s, x := start(t, m, n)
		run(t, s, x, 1e-3, 60)
		if first == "" {
			first = x.Hash()
		}
		if x.Hash() != first {
			t.Errorf("%d threads go another way", n)
		}
	}
}

// Without gravity contacts are detected at smaller gaps than the margin of pressure
// fields: contact surfaces in the margin are found all the same, with or without a second
// detection.
func TestMarginsAreFoundHoweverShortTheStep(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	w.Gravity = r3.Vec{}
	w.setQ(0, 1, 0, 0, 0, 0, 0, 0.05+9e-5)
	w.setV(0, 0, 0, 0, 0, 0, -0.5)
	s, x := w.build()
	if contacts := s.ContactsAt(x, 1e-5); len(contacts) != 0 || len(s.Geometry.HydroelasticContacts()) != 1 {
		t.Fatalf("%d contacts and %d contact surfaces within the margin", len(contacts), len(s.Geometry.HydroelasticContacts()))
	}
	run(t, s, x, 1e-5, 600)
	if x.V[5] < -1e-3 {
		t.Errorf("still falls at %g m/s", x.V[5])
	}
}

func TestSweptContactSurfacesObeyCoulombAtOnce(t *testing.T) {
	w := pressing(t, constraints.Lagged{})
	w.FrictionLag = FrictionLagSweep
	w.setV(0, 0, 0, 0, 2, 0, -1)
	s, x := w.build()
	run(t, s, x, 1e-3, 1)
	gn, gt := 1*(x.V[5]+1+grav*1e-3), 2-x.V[3]
	if gn < 0.1 {
		t.Fatalf("no impact: %g", gn)
	}
	near(t, "friction", gt/gn, 0.5, 1e-3)
}

// A ball of 50 m/s goes 0.5 m in a step of 10 ms; the plate is 2 mm thick.
func TestPressureDoesNotLetBulletsThroughPlates(t *testing.T) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.material(1e7, 20, 0.3)
	w.mat(0).HydroelasticModulus = 1e8
	w.geom(geometry.World, at(0, 0, 0), w.box(0.002, 0.4, 0.4), 0)
	w.body("ball", w.sphere(0.01), 0.01, at(-0.3, 0.03, 0.01), r3.Vec{}, r3.Vec{50, 0, 0}, 0)
	w.HydroelasticMargin = ptr(1e-4)
	s, x := w.build()
	for range 50 {
		run(t, s, x, 0.01, 1)
		if x.Q[4] > -0.01+1e-3 || math.IsNaN(x.Q[4]) {
			t.Fatalf("t = %g: the ball is at %g", x.Time, x.Q[4])
		}
	}
}
