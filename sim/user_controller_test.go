package sim

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// feedback is a controller made of a function.
type feedback func(c *Control) error

func (f feedback) Control(c *Control) error { return f(c) }

// cartModel is a cart of 2 kg on a slide along x, without weight, with a drive and a signal of its place.
func cartModel(drive Drive, controllers ...func() Controller) *Model {
	b := NewBuilder()
	b.Gravity = r3.Vec{}
	b.AddBody("cart", BodySpec{
		Mass: 2, Inertia: new(r3.Identity()),
		Joint: &JointSpec{Name: "slide", Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}},
	})
	b.AddDrive("motor", drive)
	b.AddSignal("x", &PositionSpec{Component: "x", Body: "cart"})
	b.AddSignal("effort", &DriveEffortSpec{Drive: "motor"})
	for _, c := range controllers {
		b.AddController("hold", c)
	}
	return b.MustBuild()
}

// stepTimes steps a model from its start and returns the state.
func stepTimes(t *testing.T, m *Model, n int, h float64) *State {
	t.Helper()
	s, err := NewStepper(m, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	x := m.Start.Clone()
	for range n {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// Sampled feedback u_k = −k q_k − d v_k moves a mass by v⁺ = v + h u_k/m, q⁺ = q + h v⁺: the
// controller reads the state at the start of each step, and its effort acts over the whole step.
func TestEffortsOfControllersActInTheNextStep(t *testing.T) {
	const mass, k, d, h = 2, 30.0, 5.0, 0.01
	calls := 0
	m := cartModel(&JointDrive{Joint: "slide"}, func() Controller {
		return feedback(func(c *Control) error {
			calls++
			q, v := c.Joint("slide")
			if x := c.Signal("x"); x != q {
				t.Errorf("signal %g, joint %g", x, q)
			}
			c.SetEffort("motor", -k*q-d*v)
			return nil
		})
	})
	m.Start.Q[0] = 0.3
	s := mustStepper(t, m)
	x := m.Start.Clone()
	q, v := 0.3, 0.0
	for i := range 200 {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		v += h * (-k*q - d*v) / mass
		q += h * v
		if math.Abs(x.Q[0]-q) > 1e-12 || math.Abs(x.V[0]-v) > 1e-12 {
			t.Fatalf("step %d: %g, %g; want %g, %g", i, x.Q[0], x.V[0], q, v)
		}
	}
	// before the first step, and after each
	if calls != 201 {
		t.Errorf("%d calls in 200 steps", calls)
	}
}

// mustStepper returns a stepper of a model on one thread, which the end of the test closes.
func mustStepper(t *testing.T, m *Model) *Stepper {
	t.Helper()
	s, err := NewStepper(m, Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// A controller that commands what a motion prescribes gives the bits of a drive with this motion.
func TestCommandedTargetsAreThoseOfMotions(t *testing.T) {
	const h = 0.002
	sine := motion.Sine{Amplitude: 0.1, Frequency: 2}
	own := stepTimes(t, cartModel(&JointDrive{Joint: "slide", Kp: 400, Kd: 20, Target: sine}), 300, h)
	commanded := stepTimes(t, cartModel(&JointDrive{Joint: "slide", Kp: 400, Kd: 20}, func() Controller {
		return feedback(func(c *Control) error {
			q, v := sine.At(c.Time() + h) // drives track targets at the end of the step
			c.SetTarget("motor", q, v)
			return nil
		})
	}), 300, h)
	if own.Q[0] != commanded.Q[0] || own.V[0] != commanded.V[0] {
		t.Errorf("%v %v, commanded %v %v", own.Q, own.V, commanded.Q, commanded.V)
	}
	// a drive that is released continues by its own
	released := stepTimes(t, cartModel(&JointDrive{Joint: "slide", Kp: 400, Kd: 20, Target: sine}, func() Controller {
		return feedback(func(c *Control) error {
			c.SetTarget("motor", 5, 0)
			c.SetEffort("motor", 100)
			c.Release("motor")
			return nil
		})
	}), 300, h)
	if own.Q[0] != released.Q[0] || own.V[0] != released.V[0] {
		t.Errorf("%v %v, released %v %v", own.Q, own.V, released.Q, released.V)
	}
}

// Joints of robots obey commands as those of single drives do: by the same numbers, with and without
// compensated weight, coupled and not.
func TestCommandsMoveJointsOfRobots(t *testing.T) {
	const h = 0.002
	build := func(commanded, inertial, gravity bool) *Model {
		b := NewBuilder()
		b.AddBody("r.arm", BodySpec{
			Mass: 1, Inertia: new(r3.Diag(r3.Vec{0.1, 0.1, 0.1})), Com_B: &r3.Vec{0.2, 0, 0},
			Joint: &JointSpec{Name: "r.hinge", Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}},
		})
		drive := &RobotDrive{Robot: "r", Kp: []float64{300}, Kd: []float64{20}, GravityCompensation: gravity}
		if inertial {
			drive.Gains = "acceleration"
		}
		if !commanded {
			drive.Target = &JointSines{Amplitude: []float64{0.4}, Frequency: 1}
		}
		b.AddDrive("robot", drive)
		if commanded {
			b.AddController("sine", func() Controller {
				return feedback(func(c *Control) error {
					w := 2 * math.Pi
					at := c.Time() + h
					c.SetTarget("robot.hinge", 0.4*math.Sin(w*at), 0.4*w*math.Cos(w*at))
					c.SetEffort("robot.hinge", 0)
					return nil
				})
			})
		}
		return b.MustBuild()
	}
	for _, inertial := range []bool{false, true} {
		for _, gravity := range []bool{false, true} {
			own, commanded := stepTimes(t, build(false, inertial, gravity), 200, h), stepTimes(t, build(true, inertial, gravity), 200, h)
			if math.Abs(own.Q[0]-commanded.Q[0]) > 1e-9 || math.Abs(own.Q[0]) < 0.01 {
				t.Errorf("inertial %v, gravity %v: %g, commanded %g", inertial, gravity, own.Q[0], commanded.Q[0])
			}
		}
	}
}

// integrator is a controller with memory: the integral of the error of position.
type integrator struct {
	sum float64
	log *[]float64
}

func (c *integrator) Control(at *Control) error {
	q, v := at.Joint("slide")
	c.sum += at.H * (0.1 - q)
	at.SetEffort("motor", 200*(0.1-q)-30*v+100*c.sum)
	*c.log = append(*c.log, at.Signal("effort"))
	return nil
}

func (c *integrator) AppendBinary(b []byte) ([]byte, error) {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(c.sum)), nil
}

func (c *integrator) UnmarshalBinary(b []byte) error {
	if len(b) != 8 {
		return errors.New("its memory is one number of 8 bytes")
	}
	c.sum = math.Float64frombits(binary.LittleEndian.Uint64(b))
	return nil
}

// A run continues from a saved state with the same bits, by another stepper, memory and commands
// included; two states that one stepper steps in turn do not mix.
func TestControllersContinueFromSavedStates(t *testing.T) {
	var log []float64
	m := cartModel(&JointDrive{Joint: "slide"}, func() Controller { return &integrator{log: &log} })
	want := stepTimes(t, m, 100, 0.01)
	first := stepTimes(t, m, 40, 0.01).Clone()
	s := mustStepper(t, m)
	other := m.Start.Clone()
	for range 60 {
		for _, x := range []*State{first, other} {
			if err := s.Step(x, 0.01); err != nil {
				t.Fatal(err)
			}
		}
	}
	if first.Hash() != want.Hash() || first.Q[0] != want.Q[0] {
		t.Errorf("%v, resumed %v", want, first)
	}
	if half := stepTimes(t, m, 60, 0.01); half.Hash() != other.Hash() {
		t.Errorf("%v, in turn %v", half, other)
	}
	// the clone is deep: memory of one does not change that of the other
	if c := want.Clone(); &c.Controllers[0].Data[0] == &want.Controllers[0].Data[0] {
		t.Error("a clone shares its memory")
	}
	// forces of the step before are known to the controller, which reads the effort it commanded
	if log[1] == 0 || math.Abs(log[1]-200*0.1-100*0.1*0.01) > 1e-9 {
		t.Errorf("efforts %v", log[:3])
	}
}

// Faults of a controller stop the step with its name and leave the state as it was.
func TestFaultsOfControllersAreNamed(t *testing.T) {
	for want, f := range map[string]func(c *Control) error{
		`no drive that takes commands is called "moter": did you mean "motor"`: func(c *Control) error { c.SetEffort("moter", 1); return nil },
		`no signal is called "y"`:                    func(c *Control) error { c.Signal("y"); return nil },
		`no joint with one degree of freedom`:        func(c *Control) error { c.Joint("hinge"); return nil },
		`the effort is NaN: it must be finite`:       func(c *Control) error { c.SetEffort("motor", math.NaN()); return nil },
		`the target is +Inf: it must be finite`:      func(c *Control) error { c.SetTarget("motor", math.Inf(1), 0); return nil },
		`call SetTarget or SetEffort for this drive`: func(c *Control) error { c.SetInput("motor", 1); return nil },
		`the camera is dark`:                         func(c *Control) error { return errors.New("the camera is dark") },
	} {
		late := 3 // the fault comes at the start, or after some steps
		for at := range late {
			n := 0
			m := cartModel(&JointDrive{Joint: "slide", Kd: 1, FeedForward: motion.Constant(3)}, func() Controller {
				return feedback(func(c *Control) error {
					if n++; n <= at {
						return nil
					}
					return f(c)
				})
			})
			s, x := mustStepper(t, m), m.Start.Clone()
			var err error
			before := x.Clone()
			for range late {
				before.copyFrom(x)
				if err = s.Step(x, 0.01); err != nil {
					break
				}
			}
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `controller "hold"`) {
				t.Errorf("%v, want %s", err, want)
			}
			if x.Hash() != before.Hash() {
				t.Errorf("%s: the state changed", want)
			}
		}
	}
}

// States of models with other controllers are refused by name.
func TestStatesWithoutMemoryAreRefused(t *testing.T) {
	var log []float64
	with := cartModel(&JointDrive{Joint: "slide"}, func() Controller { return &integrator{log: &log} })
	without := cartModel(&JointDrive{Joint: "slide"})
	plain := stepTimes(t, without, 3, 0.01)
	if err := mustStepper(t, with).Step(plain, 0.01); err == nil || !strings.Contains(err.Error(), `no memory of controller "hold"`) {
		t.Error(err)
	}
	controlled := stepTimes(t, with, 3, 0.01)
	if err := mustStepper(t, without).Step(controlled, 0.01); err == nil || !strings.Contains(err.Error(), `memory of controller "hold", which the model has not`) {
		t.Error(err)
	}
	controlled.Controllers[0].Data = controlled.Controllers[0].Data[:3]
	if err := mustStepper(t, with).Step(controlled, 0.01); err == nil || !strings.Contains(err.Error(), "its memory cannot be restored") {
		t.Error(err)
	}
}

// Derivatives and equilibria are refused where a program decides.
func TestControllersHaveNoDerivative(t *testing.T) {
	m := cartModel(&JointDrive{Joint: "slide", Kp: 1}, func() Controller { return feedback(func(*Control) error { return nil }) })
	s := mustStepper(t, m)
	if _, err := s.Linearize(m.Start.Clone(), 0.01); !errors.Is(err, ErrNotDifferentiable) || !strings.Contains(err.Error(), `"hold"`) {
		t.Error(err)
	}
	if err := s.Equilibrium(m.Start.Clone(), 0.01); err == nil || !strings.Contains(err.Error(), `"hold"`) {
		t.Error(err)
	}
}

// Steps with a controller allocate nothing once the lists have their length.
func TestControlledStepsAllocateNothing(t *testing.T) {
	log := make([]float64, 0, 1000)
	m := cartModel(&JointDrive{Joint: "slide"}, func() Controller { return &integrator{log: &log} })
	s, x := mustStepper(t, m), m.Start.Clone()
	step := func() {
		if err := s.Step(x, 0.01); err != nil {
			t.Fatal(err)
		}
	}
	step()
	if n := alloctest.PerRun(50, step); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}
