package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// A finger of 50 g, 5 mm ahead of a thin wall, is pushed with 60 N: from rest it
// would go 34 mm in a step of 10 ms.
func TestWhatAnActuatorThrowsDoesNotPassWalls(t *testing.T) {
	for _, law := range []constraints.ContactModel{constraints.Lagged{}, constraints.Similar{}, constraints.SAP{Beta: 0.1}} {
		w := newScaffold(t)
		w.Contact = law
		w.material(1e7, 10, 0)
		w.Gravity = r3.Vec{}
		w.geom(geometry.World, at(0.03, 0, 0), w.box(0.002, 0.2, 0.2), 0)
		finger := w.link(rigid.LinkSpec{Name: "finger", Parent: rigid.World, X_PF: r3.PoseIdentity(),
			Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, Mass: 0.05, Inertia_B: r3.Diag(r3.Vec{1e-5, 1e-5, 1e-5})})
		w.geom(finger, r3.PoseIdentity(), w.box(0.048, 0.01, 0.01), 0)
		w.constrain(&constraints.PD{Dof: 0, Kp: 1e9, Min: -60, Max: 60, Target: motion.Constant(1)})
		s, x := w.build()
		for range 20 {
			run(t, s, x, 0.01, 1)
			if x.Q[0] > 0.0051 {
				t.Fatalf("%T: the finger is %g mm inside the wall", law, 1e3*(x.Q[0]-0.005))
			}
		}
		near(t, "rest", x.Q[0], 0.005, 2e-4)
	}
}

// A thin plate at rest is struck from behind and flies at a ball, a contact that the
// velocities at the start of the step do not predict.
func TestImpactsAreHandedOnWithinAStep(t *testing.T) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.material(1e7, 100, 0)
	w.body("hammer", w.sphere(0.1), 100, at(-0.102, 0, 0), r3.Vec{}, r3.Vec{5, 0, 0}, 0)
	w.body("plate", w.box(0.002, 0.2, 0.2), 0.01, at(0, 0, 0), r3.Vec{}, r3.Vec{}, 0)
	w.body("ball", w.sphere(0.01), 1, at(0.02, 0, 0), r3.Vec{}, r3.Vec{}, 0)
	s, x := w.build()
	for range 100 {
		run(t, s, x, 0.01, 1)
		hammer, plate, ball := s.kin.Pose(0).P[0], s.kin.Pose(1).P[0], s.kin.Pose(2).P[0]
		if plate < hammer+0.0995 || ball < plate+0.0105 {
			t.Fatalf("t = %g: hammer %g, plate %g, ball %g", x.Time, hammer, plate, ball)
		}
	}
	p, _ := momentum(s, x)
	near(t, "momentum", p[0], 500, 1e-9)
}

func TestLookingAgainChangesNothingForBodiesThatDoNotMeet(t *testing.T) {
	alone := func(beside bool) (*Stepper, *State) {
		w := newScaffold(t)
		w.material(1e6, 10, 0.5)
		w.body("ball", w.sphere(0.1), 1, at(0, 0, 1), r3.Vec{}, r3.Vec{0.1, 0, 0}, 0)
		if beside {
			w.body("fast", w.sphere(0.1), 1, at(0, 5, 0.1), r3.Vec{}, r3.Vec{0, -30, -3}, 0)
			w.geom(geometry.World, at(0, 1, 0), w.box(3, 0.01, 3), 0)
		}
		w.ground(0)
		return w.build()
	}
	s, x := alone(false)
	u, y := alone(true)
	for range 60 {
		run(t, s, x, 0.01, 1)
		run(t, u, y, 0.01, 1)
		for i := range 7 {
			if math.Abs(x.Q[i]-y.Q[i]) > 1e-9 {
				t.Fatalf("t = %g: %v, beside the other %v", x.Time, x.Q[:7], y.Q[:7])
			}
		}
	}
	if y.Q[7+5] < 1 {
		t.Errorf("the fast ball passed the wall: y = %g", y.Q[7+5])
	}
}

func TestABallAroundTwoHoldsBoth(t *testing.T) {
	for _, c := range []struct {
		c    r3.Vec
		r    float64
		d    r3.Vec
		s    float64
		want float64
	}{
		{r3.Vec{}, 1, r3.Vec{3, 0, 0}, 2, 3}, {r3.Vec{}, 5, r3.Vec{1, 0, 0}, 2, 5}, {r3.Vec{}, 0.5, r3.Vec{0, 1, 0}, 2, 2}, {r3.Vec{}, 0, r3.Vec{}, 0, 0},
	} {
		b, r := boundingBall(c.c, c.r, c.d, c.s)
		near(t, "radius", r, c.want, 1e-15)
		if b.Sub(c.c).Norm()+c.r > r+1e-15 || b.Sub(c.d).Norm()+c.s > r+1e-15 {
			t.Errorf("%v, %g does not contain %+v", b, r, c)
		}
	}
	near(t, "beside", distanceToSegment(r3.Vec{0.5, 2, 0}, r3.Vec{1, 0, 0}), 2, 0)
	near(t, "ahead", distanceToSegment(r3.Vec{4, 0, 0}, r3.Vec{1, 0, 0}), 3, 0)
	near(t, "no segment", distanceToSegment(r3.Vec{3, 0, 4}, r3.Vec{}), 5, 0)
}

// An impact runs through a row of balls within one step, with a detection for each of them: the step follows it to its
// end, and leaves no balls inside each other.
func TestChainsOfImpactsAreFollowed(t *testing.T) {
	const balls, h, gap = 12, 5e-3, 1e-3
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.material(1e8, 0, 0)
	for i := range balls {
		v := r3.Vec{}
		if i == 0 {
			v[0] = 20
		}
		w.body("ball", w.sphere(0.05), 1, at((0.1+gap)*float64(i), 0, 0), r3.Vec{}, v, 0)
	}
	s, x := w.build()
	defer s.Close()
	rounds, before := 0, s.rigid.KineticEnergy()
	for range 10 {
		run(t, s, x, h, 1)
		rounds = max(rounds, s.Report.Rounds)
		s.Place(x, h)
		for i := range balls - 1 {
			if d := s.kin.Pose(i + 1).P[0] - s.kin.Pose(i).P[0]; d < 0.098 {
				t.Errorf("balls %d and %d are %.3g mm apart at t = %g s", i, i+1, 1e3*d, x.Time)
			}
		}
		if e := s.rigid.KineticEnergy(); e > before*(1+1e-9) {
			t.Errorf("%g J of %g", e, before)
		}
	}
	if rounds < 6 {
		t.Errorf("%d rounds at most", rounds)
	}
}

// Contacts after a step are those of its problem, with where friction acts on the points of faces, also where they were
// detected again in vain.
func TestRedetectionLeavesWhereFrictionActs(t *testing.T) {
	w := newScaffold(t)
	pile(w)
	s, x := w.build()
	spread := 0
	for range 60 {
		run(t, s, x, 4e-3, 1)
		want := slices.Clone(s.contacts)
		if err := constraints.SpreadFriction(s.contact, s.Model.ContactMaterials, want); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if want[i] != s.contacts[i] {
				t.Fatalf("step %d: friction of contact %d acts at %g, the report says %g", x.Step, i, want[i].FrictionOffset_W, s.contacts[i].FrictionOffset_W)
			}
			if want[i].FrictionOffset_W != (r3.Vec{}) {
				spread++
			}
		}
	}
	if spread < 100 {
		t.Errorf("%d points of faces only", spread)
	}
}
