package sim

import (
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// operate gives an input, which must be accepted.
func operate(t testing.TB, s *Stepper, x *State, in OperatorInput) {
	t.Helper()
	if err := s.Operate(x, in); err != nil {
		t.Fatal(err)
	}
}

// A ball that hangs from a drag's spring rests at m g/k below its target, where the spring carries its weight.
// With a force F below its weight it falls with g − F/m.
func TestDragsCarryWeightsAndYieldAtTheirForce(t *testing.T) {
	w := newScaffold(t)
	w.body("ball", w.sphere(0.05), 0.4, at(0, 0, 1), r3.Vec{}, r3.Vec{}, w.material(1e5, 1, 0.5))
	m := w.model()
	s, x := start(t, m, 1)
	in := DragInput{Body: "ball", Target: r3.Vec{0.1, 0, 1}, Stiffness: 80, Damping: 10, Force: 50}
	operate(t, s, x, OperatorInput{Drag: &in})
	run(t, s, x, 2e-3, 4000)
	nearVec(t, "place at rest", s.kin.Pose(0).P, r3.Vec{0.1, 0, 1 - 0.4*grav/80}, 1e-7)
	// a bounded force, straight up
	in.Target, in.Force = r3.Vec{0.1, 0, 100}, 1
	operate(t, s, x, OperatorInput{Drag: &in})
	v0 := x.V[5]
	run(t, s, x, 2e-3, 100)
	near(t, "velocity of the fall", x.V[5]-v0, -0.2*(grav-1/0.4), 1e-6)
	// let go
	operate(t, s, x, OperatorInput{Drag: &DragInput{}})
	if len(x.Operator) != 0 {
		t.Errorf("%d numbers are left of a drag that ended", len(x.Operator))
	}
	v0 = x.V[5]
	run(t, s, x, 2e-3, 100)
	near(t, "velocity of free fall", x.V[5]-v0, -0.2*grav, 1e-9)
}

// The spring at a vertex gives the deformable its force at the end of the step: momentum gains
// h (m g + k (target − x⁺) − d v⁺).
func TestDragsOfVerticesGiveTheirImpulse(t *testing.T) {
	w := newScaffold(t)
	w.soft("cube", r3.Vec{0.05, 0.05, 0.05}, [3]int{2, 2, 2}, 1e5, at(0, 0, 1), r3.Vec{}, w.material(1e5, 1, 0.5), damped(0.05))
	m := w.model()
	s, x := start(t, m, 1)
	from := r3.Vec(x.Q[3*26 : 3*26+3])
	operate(t, s, x, OperatorInput{Drag: &DragInput{Body: "cube", Vertex: 26, Target: from, Stiffness: 200, Damping: 2, Force: 50}})
	mass := m.Deformables[0].Mass()
	for range 20 {
		before, _ := momentum(s, x)
		run(t, s, x, 5e-3, 1)
		after, _ := momentum(s, x)
		force := from.Sub(r3.Vec(x.Q[3*26:])).Scale(200).AddScaled(-2, r3.Vec(x.V[3*26:])).Add(r3.Vec{0, 0, -mass * grav})
		nearVec(t, "impulse of a step", after.Sub(before), force.Scale(5e-3), 1e-8)
	}
}

// A frame under a command goes v T in the time T for which the switch is held, since it starts as it stops: ramps of
// the same slope. The joints are within the drive's error of inverse kinematics' path.
func TestTeleoperationMovesTheTool(t *testing.T) {
	s, x, hand := teleoperated(t, 1)
	run(t, s, x, 2e-3, 50)
	from := s.kin.Pose(hand)
	in := TeleopInput{Drive: "d", Linear: r3.Vec{-0.2, 0, 0.1}}
	// a command without the switch moves nothing
	operate(t, s, x, OperatorInput{Teleop: &in})
	run(t, s, x, 2e-3, 50)
	nearVec(t, "way without the switch", s.kin.Pose(hand).P, from.P, 1e-5)
	in.Hold = true
	operate(t, s, x, OperatorInput{Teleop: &in})
	run(t, s, x, 2e-3, 500)
	in.Hold = false
	operate(t, s, x, OperatorInput{Teleop: &in})
	run(t, s, x, 2e-3, 500)
	to := s.kin.Pose(hand)
	nearVec(t, "way", to.P.Sub(from.P), r3.Vec{-0.2, 0, 0.1}, 2e-4)
	nearVec(t, "turn", to.R.Mul(from.R.T()).Quat().Log(), r3.Vec{}, 2e-4)
	run(t, s, x, 2e-3, 100)
	nearVec(t, "place after it", s.kin.Pose(hand).P, to.P, 1e-5)
}

// A hand that asks for 9 m/s gets the speed of the drive, and one that lets go stops the frame within v²/2a.
func TestTeleoperationKeepsItsBounds(t *testing.T) {
	s, x, hand := teleoperated(t, 1)
	operate(t, s, x, OperatorInput{Teleop: &TeleopInput{Drive: "d", Hold: true, Linear: r3.Vec{-9, 0, 0}, Angular: r3.Vec{0, 0.3, 0}}})
	run(t, s, x, 2e-3, 200)
	before := s.kin.Pose(hand).P
	run(t, s, x, 2e-3, 100)
	p := s.kin.Pose(hand).P
	near(t, "speed", before.Sub(p).Norm()/0.2, 0.25, 1e-3)
	operate(t, s, x, OperatorInput{Teleop: &TeleopInput{Drive: "d"}})
	run(t, s, x, 2e-3, 300)
	if way := s.kin.Pose(hand).P.Sub(p).Norm(); way > 0.25*0.25/(2*2)+2e-3 {
		t.Errorf("%g m to stop", way)
	}
}

// A hand that pushes on at a limit of the joints turns back at once: the command is not ahead by more than its leash.
func TestTeleoperationTurnsBackAtLimits(t *testing.T) {
	s, x, hand := teleoperated(t, 1)
	operate(t, s, x, OperatorInput{Teleop: &TeleopInput{Drive: "d", Hold: true, Linear: r3.Vec{0.25, 0, 0}}})
	run(t, s, x, 2e-3, 2500)
	far := s.kin.Pose(hand).P
	operate(t, s, x, OperatorInput{Teleop: &TeleopInput{Drive: "d", Hold: true, Linear: r3.Vec{-0.25, 0, 0}}})
	run(t, s, x, 2e-3, 500)
	if way := far[0] - s.kin.Pose(hand).P[0]; way < 0.1 {
		t.Errorf("%g m back in 1 s: the command had run away", way)
	}
}

// teleoperated returns the arm of tests with an operator.
func teleoperated(t testing.TB, threads int) (*Stepper, *State, int) {
	b := planarArm(false)
	b.AddDrive("d", &RobotDrive{Robot: "r", Kp: kinds.Numbers{1e4}, Kd: kinds.Numbers{500}, InverseDynamics: true, Target: &Teleop{Link: "hand", Speed: 0.25}})
	m := b.MustBuild()
	s, x := start(t, m, threads)
	return s, x, m.Body("r.hand")
}

// A live value goes to what is wanted at its rate and stays there. Here it is the place of a kinematic body.
func TestLiveValuesMoveAtTheirRate(t *testing.T) {
	m := liveModel()
	s, x := start(t, m, 1)
	operate(t, s, x, OperatorInput{Set: &ValueInput{"height", 0.3}})
	run(t, s, x, 0.01, 20)
	near(t, "height on the way", s.kin.Pose(m.Body("stage")).P[2], 0.2*0.5, 1e-12)
	run(t, s, x, 0.01, 200)
	near(t, "height at the end", s.kin.Pose(m.Body("stage")).P[2], 0.3, 1e-12)
	// a load: the cart of 2 kg gains F t/m
	v0 := x.V[3]
	operate(t, s, x, OperatorInput{Set: &ValueInput{"force", 4}})
	run(t, s, x, 0.01, 1)
	near(t, "velocity of the cart", x.V[3]-v0, 4*0.01/2, 1e-9)
}

// liveModel has a stage that a live value lifts and a cart that another one pushes.
func liveModel() *Model {
	b := NewBuilder()
	b.Gravity = r3.Vec{}
	height, force := &motion.Live{Name: "height", Max: 1, Rate: 0.5}, &motion.Live{Name: "force", Min: -5, Max: 5, Rate: 1e6}
	b.AddBody("stage", BodySpec{Mass: 1, Inertia: new(r3.Identity())})
	b.AddDrive("lift", &BodyMotion{Body: "stage", Z: height})
	b.AddBody("cart", BodySpec{Mass: 2, Inertia: new(r3.Identity())})
	b.AddLoad("push", &ForceSpec{Force: r3.Vec{1, 0, 0}, Body: "cart", Axes: "world", Factor: force})
	b.AddLive(height)
	b.AddLive(force)
	return b.MustBuild()
}

// Steppers of one model with different operators do not see each other's live values, also when they step at once.
func TestOperatorsOfOneModelAreIndependent(t *testing.T) {
	m := liveModel()
	var heights [2]float64
	var wait sync.WaitGroup
	for i := range heights {
		s, x := start(t, m, 1)
		wait.Go(func() {
			if err := s.Operate(x, OperatorInput{Set: &ValueInput{"height", float64(i)}}); err != nil {
				t.Error(err)
			}
			for range 300 {
				if err := s.Step(x, 0.01); err != nil {
					t.Error(err)
				}
				s.Place(x, 0.01)
			}
			heights[i] = s.Geometry.X_WB[0].P[2]
		})
	}
	wait.Wait()
	if heights[0] != 0 || math.Abs(heights[1]-1) > 1e-12 {
		t.Errorf("heights %g, want 0 and 1", heights)
	}
}

// operatedModel has all that an operator can change beside contacts, deformables and friction.
func operatedModel(t testing.TB) *Model {
	w := newScaffold(t)
	busy(w)
	v := &motion.Live{Name: "squeeze", Min: -1, Max: 1}
	w.AddLive(v)
	w.AddLoad("squeeze", &ForceSpec{Force: r3.Vec{3, 0, 0}, Body: "low", Axes: "world", Factor: v})
	w.AddDrive("hand", &RobotDrive{Joints: []string{"arm"}, Kp: kinds.Numbers{50}, Kd: kinds.Numbers{2}, Target: &Teleop{Link: "arm", FollowSpec: FollowSpec{Follow: "rotation"}}})
	return w.model()
}

// session are inputs by the numbers of the steps before which they come.
func session(m *Model) map[int]OperatorInput {
	soft := ""
	for name := range m.Names.Deformables {
		soft = max(soft, name)
	}
	return map[int]OperatorInput{
		5:   {Drag: &DragInput{Slot: 1, Body: "ball", Target: r3.Vec{0, 0, 0.3}, Stiffness: 100, Damping: 5, Force: 30}},
		20:  {Set: &ValueInput{"squeeze", 0.7}},
		31:  {Drag: &DragInput{Body: soft, Vertex: 1, Target: r3.Vec{0.1, 0.1, 0.2}, Stiffness: 300, Damping: 2, Force: 5}},
		40:  {Teleop: &TeleopInput{Drive: "hand", Hold: true, Angular: r3.Vec{0, 0.8, 0}}},
		90:  {Drag: &DragInput{Slot: 1}},
		120: {Teleop: &TeleopInput{Drive: "hand"}},
	}
}

// operated steps from a state to step n with the inputs of a session and returns the hash after each.
func operated(t testing.TB, s *Stepper, x *State, n int) (hashes []string) {
	inputs := session(s.Model)
	for x.Step < n {
		if in, ok := inputs[x.Step]; ok {
			operate(t, s, x, in)
		}
		if err := s.Step(x, 2e-3); err != nil {
			t.Fatal(err)
		}
		hashes = append(hashes, x.Hash())
	}
	return hashes
}

// The same inputs at the same steps give the same bits: for any number of threads, again, and from a saved state in the
// midst of a drag and of a command.
func TestSessionsRepeatBitByBit(t *testing.T) {
	m := operatedModel(t)
	s, x := start(t, m, 1)
	want := operated(t, s, x, 160)
	x = m.Start.Clone()
	same(t, "rerun of one stepper", operated(t, s, x, 160), want)
	for _, threads := range []int{2, 4} {
		s, x := start(t, operatedModel(t), threads)
		same(t, "threads", operated(t, s, x, 160), want)
	}
	s, x = start(t, m, 1)
	for _, at := range []int{7, 60, 100} {
		operated(t, s, x, at)
		saved := x.Clone()
		fresh, _ := start(t, m, 1)
		same(t, "new stepper", operated(t, fresh, saved, 160), want[at:])
	}
	// and inputs matter
	s, x = start(t, m, 1)
	if trace(t, s, x, 160)[159] == want[159] {
		t.Error("the inputs change nothing")
	}
}

// Without an input a state has no numbers of an operator, and after a drag has ended it has none again; a step with
// all of them allocates nothing.
func TestOperatedStepsAllocateNothing(t *testing.T) {
	m := operatedModel(t)
	s, x := start(t, m, 2)
	operated(t, s, x, 80)
	if n := alloctest.PerRun(40, func() {
		if err := s.Step(x, 2e-3); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%g allocations a step", n)
	}
	if n := len(busyModel(t, timestep.Rule{}).Start.Operator); n != 0 {
		t.Errorf("a model without an operator has %d numbers of one", n)
	}
}

// What an input has wrong is said, and the state stays as it is.
func TestFaultyInputsAreRefused(t *testing.T) {
	m := operatedModel(t)
	s, x := start(t, m, 1)
	nan, far := math.NaN(), 1e300
	good := DragInput{Body: "ball", Stiffness: 1, Force: 1}
	drag := func(change func(d *DragInput)) OperatorInput {
		d := good
		change(&d)
		return OperatorInput{Drag: &d}
	}
	before := x.Hash()
	for want, in := range map[string]OperatorInput{
		"give one":                  {},
		"give one ":                 {Drag: &good, Set: &ValueInput{"squeeze", 0}},
		`no body is called "bal"`:   drag(func(d *DragInput) { d.Body = "bal" }),
		"world":                     drag(func(d *DragInput) { d.Body = "world" }),
		"slots go from":             drag(func(d *DragInput) { d.Slot = MaxDrags }),
		"slots go from 0":           drag(func(d *DragInput) { d.Slot = -1 }),
		"stiffness is":              drag(func(d *DragInput) { d.Stiffness = nan }),
		"damping is":                drag(func(d *DragInput) { d.Damping = -1 }),
		"force is":                  drag(func(d *DragInput) { d.Force = far }),
		"above 0":                   drag(func(d *DragInput) { d.Force = 0 }),
		"from the origin":           drag(func(d *DragInput) { d.Target[0] = far }),
		"point or target":           drag(func(d *DragInput) { d.Point[0] = nan }),
		"goes from -1 to 1":         {Set: &ValueInput{"squeeze", 2}},
		"squeeze is NaN":            {Set: &ValueInput{"squeeze", nan}},
		`no live value is called`:   {Set: &ValueInput{"squeez", 0}},
		"no drive with":             {Teleop: &TeleopInput{Drive: "hnd"}},
		"must be finite":            {Teleop: &TeleopInput{Drive: "hand", Linear: r3.Vec{nan}}},
		"a velocity of":             {Teleop: &TeleopInput{Drive: "hand", Angular: r3.Vec{far}}},
		"the gripper goes from 0 t": {Teleop: &TeleopInput{Drive: "hand", Gripper: ptr(0)}},
	} {
		if err := s.Operate(x, in); err == nil || !strings.Contains(err.Error(), strings.TrimSpace(want)) {
			t.Errorf("%+v: error %v, want %q", in, err, want)
		}
	}
	if x.Hash() != before {
		t.Error("a refused input changed the state")
	}
	// states that no run has left
	x.Operator = x.Operator[:1]
	if err := s.Step(x, 2e-3); err == nil || !strings.Contains(err.Error(), "another model") {
		t.Error(err)
	}
}
