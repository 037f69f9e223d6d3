package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// skidding throws a ball onto the ground, or slides a box on it.
func skidding(t testing.TB, lag FrictionLag) (*Stepper, *State) {
	w := newScaffold(t)
	w.material(1e6, 20, 0.4)
	w.ground(0)
	w.body("ball", w.sphere(0.05), 1, at(0, 0, 0.051), r3.Vec{}, r3.Vec{2, 0, -1}, 0)
	w.body("box", w.box(0.1, 0.1, 0.1), 1, at(0, 1, 0.05-grav/(4*5e5)), r3.Vec{}, r3.Vec{1, 0, 0}, 0)
	w.FrictionLag = lag
	return w.build()
}

func TestSweptFrictionIsCoulombsInTheStepOfAnImpact(t *testing.T) {
	const h, m, mu, d = 2e-3, 1.0, 0.4, 0.05
	for _, c := range []struct {
		lag  FrictionLag
		want float64 // friction over normal impulse
	}{{FrictionLagAuto, mu}, {FrictionLagGeometry, 0}, {FrictionLagPrevious, 0}, {FrictionLagSweep, mu}} {
		s, x := skidding(t, c.lag)
		run(t, s, x, h, 1)
		v := r3.Vec(x.V[3:6])
		gn, gt := m*(v[2]+1+grav*h), m*(2-v[0])
		if gn < 0.4 {
			t.Fatalf("no impact: %g N s", gn)
		}
		near(t, "friction", gt/gn, c.want, 1e-6)
		near(t, "spin", x.V[1]*0.4*m*d*d, gt*d, 1e-9)
	}
}

func TestLagsAgreeInSteadySliding(t *testing.T) {
	var ends []float64
	for _, lag := range []FrictionLag{FrictionLagGeometry, FrictionLagPrevious, FrictionLagSweep, FrictionLagAuto} {
		s, x := skidding(t, lag)
		run(t, s, x, 1e-3, 300)
		ends = append(ends, x.Q[7+4])
		near(t, "rolling", x.V[3], 5./7*2, 0.02)
	}
	near(t, "previous", ends[1], ends[0], 1e-5)
	near(t, "sweep", ends[2], ends[0], 1e-5)
	near(t, "auto", ends[3], ends[2], 1e-5)
	if want := 1 / (2 * 0.4 * grav); math.Abs(ends[0]-want) > 2e-3 {
		t.Errorf("slides %g m, want %g", ends[0], want)
	}
}

func TestStatesCarryWhatPreviousLagNeeds(t *testing.T) {
	s, x := skidding(t, FrictionLagPrevious)
	run(t, s, x, 1e-3, 40)
	if len(x.LaggedContacts) < 4 {
		t.Fatalf("%d lagged contacts", len(x.LaggedContacts))
	}
	copied := x.Clone()
	run(t, s, x, 1e-3, 40)
	other, _ := start(t, s.Model, 1)
	run(t, other, copied, 1e-3, 40)
	if x.Hash() != copied.Hash() {
		t.Error("a copy of the state goes another way")
	}
	lost := x.Clone()
	lost.LaggedContacts = nil
	if lost.Hash() == x.Hash() {
		t.Error("the hash does not distinguish states without lagged contacts")
	}
	if n := alloctest.PerRun(10, func() { run(t, s, x, 1e-3, 1) }); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
}

func TestLaggedContactsAreMatchedOneForOne(t *testing.T) {
	w := newScaffold(t)
	w.ground(w.material(1e6, 20, 0.4))
	w.body("box", w.box(0.1, 0.1, 0.1), 1, at(0, 0, 0.05), r3.Vec{}, r3.Vec{}, 0)
	w.FrictionLag = FrictionLagPrevious
	s, x := w.build()
	contacts := s.ContactsAt(x, 1e-3)
	if len(contacts) != 4 {
		t.Fatalf("%d contacts", len(contacts))
	}
	c := contacts[2]
	id := [2]int32{int32(c.A.Body), int32(c.B.Body)}
	near2 := LaggedContact{Body: id, Elem: c.Elem, P: [2]r3.Vec{c.Pos_W, {9, 9, 9}}, Force: 3}
	other := LaggedContact{Body: [2]int32{geometry.World, 7}, Elem: c.Elem, P: near2.P, Force: 5}
	x.LaggedContacts = []LaggedContact{other, near2}
	s.matched.match(s, x, 0.5)
	sum := 0.0
	for _, n0 := range s.matched.impulse {
		if !math.IsNaN(n0) {
			sum += n0
		}
	}
	if sum != 1.5 {
		t.Errorf("bounds %v: the one force counts %g times", s.matched.impulse, sum/1.5)
	}
}

func TestStictionOfTheReportIsThatOfTheLaw(t *testing.T) {
	for _, c := range []struct {
		law  constraints.ContactModel
		want float64
	}{
		{constraints.Lagged{StictionTolerance: 3e-4}, 3e-4},
		{constraints.Similar{StictionTolerance: 2e-4}, 2e-4},
		// of a resting ball: σ μ w_t γn, w_t = 7/2 /m
		{constraints.SAP{Beta: 1, Sigma: 1e-3}, 1e-3 * 0.4 * (2*3.5 + 0) / 2 * grav * 1e-3},
	} {
		w := newScaffold(t)
		w.ground(w.material(1e6, 20, 0.4))
		w.body("ball", w.sphere(0.05), 1, at(0, 0, 0.05), r3.Vec{}, r3.Vec{}, 0)
		w.Contact = c.law
		s, x := w.build()
		run(t, s, x, 1e-3, 500)
		near(t, "stiction", s.Report.EffectiveStiction, c.want, 1e-3*c.want)
	}
}

func TestNearestIsMeasuredAtTheBodysOwnPoint(t *testing.T) {
	s, x := skidding(t, FrictionLagGeometry)
	x.V[1] = 30 // spin about y
	s.Place(x, 1e-3)
	at := func(kind NearestKind, of Component) float64 {
		return Nearest{Body: 0, To: []int{geometry.World}, Kind: kind, Of: of}.Value(s, x)
	}
	near(t, "gap", at(Gap, 0), 1e-3, 1e-12)
	near(t, "z", at(NearestPoint, Z), 1e-3, 1e-12)
	near(t, "slip", at(SlipComponent, X), 2-30*0.05, 1e-12)
	near(t, "speed of slip", at(Slip, 0), 0.5, 1e-12)
	near(t, "parting", at(SeparationVelocity, 0), -1, 1e-12)
	near(t, "gap of two", Nearest{Body: 1, To: []int{0}, Kind: Gap}.Value(s, x), 0.9, 1e-2)
}
