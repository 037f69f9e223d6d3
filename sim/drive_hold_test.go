package sim

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// cup is a fixed gripper over a box of a mass, which stands on nothing.
func cup(mass float64, d *HoldDrive) *Builder {
	b := NewBuilder()
	b.AddBody("cup", BodySpec{Fixed: true, Pose: at(0, 0, 1), Mass: 1, Com_B: &r3.Vec{}, Inertia: &r3.Mat{1, 0, 0, 0, 1, 0, 0, 0, 1}})
	b.AddBody("box", BodySpec{Pose: at(0, 0, 0.9), Mass: mass, Com_B: &r3.Vec{}, Inertia: &r3.Mat{0.01 * mass, 0, 0, 0, 0.01 * mass, 0, 0, 0, 0.01 * mass}})
	d.Body, d.Object = "cup", "box"
	b.AddDrive("d", d)
	return b
}

// A suction cup holds what weighs less than its force, for good, and lets go of what weighs more, after the one step in
// which it carries it.
func TestSuctionHoldsBelowItsForceAndLetsGoAbove(t *testing.T) {
	seed, n := shots(t, 20)
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		mass, share := logUniform(rng, 0.01, 10), 0.9+0.2*rng.Float64()
		h := logUniform(rng, 1e-3, 2e-2)
		m := cup(mass, &HoldDrive{Force: mass * 9.81 / share}).MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, h, 1)
		near(t, "force", Effort{m.Names.Drives["d"]}.Value(s, x), mass*9.81, 1e-5*mass*9.81) // the tolerance of the solver
		run(t, s, x, h, 49)
		if share < 1 {
			near(t, "held at", x.Q[6], 0.9, 1e-6)
			continue
		}
		// 49 steps of free fall, of symplectic Euler
		near(t, "fallen", 0.9-x.Q[6], 9.81*h*h*49*50/2, 1e-6)
	}
}

// A load of exactly the force, or moment, is not above it: it is held at any step, whatever the last digits of the
// solver are.
func TestHoldsTransmitExactlyTheirForce(t *testing.T) {
	seed, n := shots(t, 20)
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		mass, h := logUniform(rng, 0.01, 10), logUniform(rng, 1e-3, 2e-2)
		d := &HoldDrive{Force: mass * 9.81}
		if i%2 == 1 {
			d = &HoldDrive{Moment: mass * 9.81 * 0.2, Point: r3.Vec{0.2, 0, 0}}
		}
		m := cup(mass, d).MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, h, 100)
		near(t, "held at", x.Q[6], 0.9, 1e-6)
	}
}

// A stepper that took steps of another run begins a new one as a new stepper does: what pressed there presses no more.
func TestHoldsBeginARunOpen(t *testing.T) {
	b := NewBuilder()
	box := []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{0.1, 0.1, 0.1}))}}
	b.AddBody("floor", BodySpec{Fixed: true, Pose: r3.PoseIdentity(), Shapes: []ShapeSpec{{Shape: geometry.HalfSpace{}}}})
	b.AddBody("box", BodySpec{Pose: at(0, 0, 0.049), Mass: 1, Shapes: box})
	b.AddDrive("d", &HoldDrive{Body: "floor", Object: "box", Contact: true})
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 1e-3, 10)
	if x.Holds[0] != holdHolds {
		t.Fatal("the floor does not hold the box")
	}
	again, fresh := m.Start.Clone(), m.Start.Clone()
	again.Q[6], fresh.Q[6] = 0.3, 0.3 // in the air
	run(t, s, again, 1e-3, 1)
	s2, _ := start(t, m, 1)
	run(t, s2, fresh, 1e-3, 1)
	if again.Hash() != fresh.Hash() || again.Holds[0] != holdOpen {
		t.Errorf("the box in the air is held: %v, by a new stepper %v", again.Holds, fresh.Holds)
	}
}

// Robots take holds into account: a part that is held weighs nothing for the controller, and a hold that closes a loop
// of the robot is a weld while it holds.
func TestRobotsIncludeTheirHolds(t *testing.T) {
	b := mimicArm(0.3)
	bear(b, "j_one")
	b.AddBody("part", BodySpec{Pose: at(1, 0, 1.2), Mass: 0.5, Com_B: &r3.Vec{}, Inertia: &r3.Mat{0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01}})
	b.AddDrive("h", &HoldDrive{Body: "r.two", Object: "part"})
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 5e-3, 1)
	c1, c2 := math.Cos(0.3), math.Cos(0.54)
	near(t, "arm", Effort{m.Names.Drives["d.j_one"]}.Value(s, x), 9.81*(2*0.25*c1+0.5*c1+0.2*c2+0.8*0.2*c2), 1e-6)

	for _, on := range []float64{1, 0} {
		b = parallelogram("", 0.3)
		addLink(b, "stub", "r.rocker", aboutMinusY, at(0.3, 0, 0), 0.2, r3.Vec{0.02, 0, 0})
		b.AddDrive("h", &HoldDrive{Body: "r.rod", Object: "r.stub", Point: r3.Vec{0, 0, -0.2}, On: motion.Constant(on)})
		bear(b, "j_crank")
		m = b.MustBuild()
		s, x = start(t, m, 1)
		run(t, s, x, 5e-3, 1)
		want := 9.81 * math.Cos(0.3) * (0.15 + 0.3 + 0.15 + 0.2*0.3)
		if on == 0 { // what hangs on the crank alone
			want = 9.81 * math.Cos(0.3) * (0.15 + 0.3)
		}
		near(t, "crank", Effort{m.Names.Drives["d.j_crank"]}.Value(s, x), want, 1e-5)
	}
}

// The moment of a load beside the cup breaks it likewise.
func TestHoldsBreakAboveTheirMoment(t *testing.T) {
	for _, moment := range []float64{0.99, 1.01} {
		m := cup(1, &HoldDrive{Moment: moment * 9.81 * 0.2, Point: r3.Vec{0.2, 0, 0}}).MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 5e-3, 100)
		if held := x.Q[6] > 0.89; held != (moment > 1) {
			t.Errorf("%g of the moment of the load: held %t", moment, held)
		}
	}
}

// A hold is switched by time: it lets go when its motion says so, and takes hold again of a body where that is then;
// one that broke holds again once it was off.
func TestHoldsAreSwitchedByTime(t *testing.T) {
	const h = 0.0078125
	m := cup(1, &HoldDrive{On: &motion.Piecewise{Times: []float64{0, 0.24, 0.25, 0.49, 0.5}, Values: []float64{1, 1, 0, 0, 1}}}).MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, h, 32) // 0.25 s
	near(t, "held", x.Q[6], 0.9, 1e-7)
	run(t, s, x, h, 32)
	if d := 0.9 - x.Q[6]; d < 0.2 {
		t.Errorf("fell by %g m in a quarter of a second", d)
	}
	run(t, s, x, h, 2)
	z := x.Q[6]
	run(t, s, x, h, 60)
	near(t, "held again", x.Q[6], z, 2e-3)
	if v := math.Abs(x.V[5]); v > 1e-6 {
		t.Errorf("it still moves at %g m/s", v)
	}
}

// A signal switches a hold: it lets go below a height. A restored state continues with the same bits, and so does
// another number of threads.
func TestHoldsAreSwitchedBySignalsAndRestored(t *testing.T) {
	above := 0.5
	b := cup(1, &HoldDrive{Signal: "z", Above: &above})
	b.bodyOf["cup"].spec.Fixed = false
	b.AddDrive("lift", &BodyMotion{Body: "cup", Z: &motion.Piecewise{Times: []float64{0, 1}, Values: []float64{0, -1}}})
	b.AddSignal("z", &PositionSpec{Component: "z", Body: "cup"})
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	s, x := start(t, m, 1)
	run(t, s, x, 1e-2, 40)
	y := x.Clone()
	near(t, "carried", x.Q[len(x.Q)-1], 0.5, 1e-4)
	run(t, s, x, 1e-2, 30)
	if fall := -0.1 - x.Q[len(x.Q)-1] + 0.3; fall < 0.01 && x.V[len(x.V)-1] > -1.1 {
		t.Errorf("the box did not fall: z %g, velocity %g", x.Q[len(x.Q)-1], x.V[len(x.V)-1])
	}
	s2, _ := start(t, m, 2)
	run(t, s2, y, 1e-2, 30)
	if x.Hash() != y.Hash() {
		t.Error("a restored state continued with other bits")
	}
}

// A cup that is pressed on a box takes hold at contact, lifts it, and carries it while what pulls, its weight and
// inertia, is below the force.
func TestHoldsTakeHoldAtContact(t *testing.T) {
	for _, force := range []float64{14, 6} {
		b := NewBuilder()
		box := func(size float64) []ShapeSpec {
			return []ShapeSpec{{Shape: must(geometry.NewBox(r3.Vec{size, size, size}))}}
		}
		b.AddBody("floor", BodySpec{Fixed: true, Pose: r3.PoseIdentity(), Shapes: []ShapeSpec{{Shape: geometry.HalfSpace{}}}})
		b.AddBody("box", BodySpec{Pose: at(0, 0, 0.05), Mass: 1, Shapes: box(0.1)})
		b.AddBody("cup", BodySpec{Pose: at(0, 0, 0.125), Mass: 1, Shapes: box(0.04)})
		// down by 5.1 mm, 0.1 mm into the box, then up
		b.AddDrive("lift", &BodyMotion{Body: "cup", Z: &motion.Piecewise{Times: []float64{0, 0.2, 0.4, 1}, Values: []float64{0, -0.0051, -0.0051, 0.1}, Smooth: true}})
		b.AddDrive("d", &HoldDrive{Body: "cup", Object: "box", Contact: true, Force: force, Axis: r3.Vec{0, 0, -1}})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 2e-3, 600)
		z := s.kin.Pose(m.Names.Bodies["box"]).P[2]
		if lifted := z > 0.1; lifted != (force > 10) {
			t.Errorf("force %g N: the box of 9.81 N is at %g m", force, z)
		}
	}
}

func TestFaultyHoldsAreRefused(t *testing.T) {
	x := 1.0
	for _, c := range []struct {
		d    HoldDrive
		want string
	}{
		{HoldDrive{Signal: "nothing", Above: &x}, `signal: unknown signal "nothing"`},
		{HoldDrive{Above: &x}, "name it by signal"},
		{HoldDrive{Signal: "s"}, "give above or below"},
		{HoldDrive{Force: -1}, "must not be negative"},
	} {
		if _, err := cup(1, &c.d).Build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q in it", err, c.want)
		}
	}
	s, y := start(t, cup(1, &HoldDrive{}).MustBuild(), 1)
	if _, err := s.Linearize(y, 1e-2); !errors.Is(err, ErrNotDifferentiable) || !strings.Contains(err.Error(), `drive "d" holds and lets go`) {
		t.Errorf("derivative: %v", err)
	}
	if err := s.Equilibrium(y, 1e-2); err == nil || !strings.Contains(err.Error(), `drive "d" holds and lets go`) {
		t.Errorf("equilibrium: %v", err)
	}
}
