package sim

// Feedback in Go. A Controller is called once before the first step and once after each step, reads
// state, signals and contacts there, and commands drives of the model for the next step: sampled
// feedback with a zero-order hold. Commands and memory are part of the State, so that a run continues
// from a restored state with the same bits:
//
//	x_k = (q, v, commands, memory) → step of h → q⁺, v⁺, forces → Control → commands⁺, memory⁺
//
// The controller is called at the end of a step, where forces are known, and not at the start of the
// next one: a restored state has no forces.

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
)

// Controller is a feedback controller in discrete time. One with memory implements
// encoding.BinaryAppender and encoding.BinaryUnmarshaler besides, which save and restore the
// memory. What Control does may depend on its argument and on that memory only, or reruns
// differ.
type Controller interface {
	// Control reads the state at the end of a step, or at the start of the run, and commands
	// drives for the next step. An error stops the step, whose state is then unchanged.
	Control(c *Control) error
}

// NamedController is a Controller of a model.
type NamedController struct {
	// Name is the name under which it was added.
	Name string
	// New makes one. Every stepper has its own, because steppers of a model may run at once.
	New func() Controller
}

// ControllerMemory is the memory of a controller between two steps.
type ControllerMemory struct {
	// Controller is the name of the controller.
	Controller string
	// Data is what its AppendBinary wrote; empty for a controller without memory.
	Data []byte
}

// Control is what a Controller reads and commands at a state. Items are named as in the Builder.
// Faults, such as a name that does not exist, stop the step with an error.
type Control struct {
	// Stepper has the poses of bodies (Geometry) and the Report of the step that led to the state.
	// It must not be stepped.
	Stepper *Stepper
	// State is the state, which must not be changed.
	State *State
	// H is the length of the step that led to the state and, at the start, of the first one, s.
	H float64

	errs []error
}

// Time returns the time of the state, s.
func (c *Control) Time() float64 { return c.State.Time }

// Signal returns the value of a signal at the state. Signals of steps, such as forces, are 0
// before the first step.
func (c *Control) Signal(name string) float64 {
	i, ok := c.Stepper.Model.Names.Signals[name]
	if !ok {
		c.unknown("signal", name, c.Stepper.Model.Names.Signals)
		return 0
	}
	return c.Stepper.Model.Signals[i].Signal.Value(c.Stepper, c.State)
}

// Joint returns the position (m or rad) and velocity (m/s or rad/s) of a joint with one degree of
// freedom.
func (c *Control) Joint(name string) (q, v float64) {
	dof, ok := c.Stepper.Model.Names.Joints[name]
	if !ok {
		c.unknown("joint with one degree of freedom", name, c.Stepper.Model.Names.Joints)
		return 0, 0
	}
	return c.Stepper.rigid.Dof(dof)
}

// Contacts returns the contacts of the step that led to the state, with their forces. The slice is
// valid during the call of Control.
func (c *Control) Contacts() []ContactReport { return c.Stepper.contactsOf(c.State) }

// SetTarget commands the position (m or rad) and velocity (m/s or rad/s) that the drive of a joint,
// such as one of a robot (DRIVE.JOINT), tracks from now on, in place of its own target.
func (c *Control) SetTarget(drive string, position, velocity float64) {
	if d := c.find(drive, constraints.TargetCommand); d != nil && c.finite(drive, "target", position) && c.finite(drive, "target velocity", velocity) {
		d.Given, d.Position, d.Velocity = d.Given|constraints.TargetCommand, position, velocity
	}
}

// SetEffort commands the feed-forward effort (N m or N) of the drive of a joint from now on. It replaces its
// feed_forward, and adds to the gravity and inertia that the drive of a robot compensates. Gains and bounds stay.
func (c *Control) SetEffort(drive string, effort float64) {
	c.setInput(drive, constraints.EffortCommand, "effort", effort)
}

// SetInput commands the control input u of an actuator of a robot file from now on. Its control range
// does not bound u.
func (c *Control) SetInput(actuator string, u float64) {
	c.setInput(actuator, constraints.ControlCommand, "input", u)
}

// setInput commands the input of a drive that takes it by one of some commands.
func (c *Control) setInput(drive string, by constraints.Commands, what string, u float64) {
	if d := c.find(drive, by); d != nil && c.finite(drive, what, u) {
		d.Given, d.Input = d.Given|by, u
	}
}

// Release gives a drive its own target, feed forward or input again.
func (c *Control) Release(drive string) {
	if d := c.find(drive, constraints.TargetCommand|constraints.InputCommands); d != nil {
		d.Given = 0
	}
}

// setters are the methods of Control for commands that a drive takes.
var setters = []struct {
	takes constraints.Commands
	name  string
}{{constraints.TargetCommand, "SetTarget"}, {constraints.EffortCommand, "SetEffort"}, {constraints.ControlCommand, "SetInput"}}

// find returns the command to a drive that takes one of some commands; nil with an error where there is none.
func (c *Control) find(drive string, some constraints.Commands) *constraints.Command {
	commands := &c.Stepper.commanded
	i, err := c.Stepper.Model.commandedDrive(drive)
	if err != nil {
		c.errs = append(c.errs, err)
		return nil
	}
	k, _ := slices.BinarySearch(commands.drives, i)
	takes := commands.actuations[k].Takes
	if takes&some != 0 {
		return &commands.of[k]
	}
	var names []string
	for _, m := range setters {
		if takes&m.takes != 0 {
			names = append(names, m.name)
		}
	}
	c.errs = append(c.errs, fmt.Errorf("drive %q: call %s for this drive", drive, strings.Join(names, " or ")))
	return nil
}

// finite notes an error for a command that is no number.
func (c *Control) finite(drive, what string, x float64) bool {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		c.errs = append(c.errs, fmt.Errorf("drive %q: the %s is %g: it must be finite", drive, what, x))
		return false
	}
	return true
}

// unknown notes an error for a name that no item has.
func (c *Control) unknown(kind, name string, of map[string]int) {
	c.errs = append(c.errs, fmt.Errorf("no %s is called %q%s", kind, name, kinds.Suggest(name, slices.Sorted(maps.Keys(of)))))
}

// controllers is the actor that calls the controllers of the model.
type controllers struct {
	list []Controller
	at   Control // argument of their calls
}

// newControllers returns the controllers of a stepper.
func newControllers(m *Model) *controllers {
	c := &controllers{list: make([]Controller, len(m.Controllers))}
	for i := range c.list {
		c.list[i] = m.Controllers[i].New()
	}
	return c
}

// acts implements actor.
func (c *controllers) acts(x *State) bool { return len(c.list) > 0 || len(x.Controllers) > 0 }

// begin implements actor: commands are those of the state, and at the start of a run those that controllers give there.
func (c *controllers) begin(s *Stepper, x *State, h float64) error {
	if err := s.checkControllers(x); err != nil {
		return err
	}
	s.commanded.restore(x)
	if len(x.Controllers) > 0 {
		return nil
	}
	return c.end(s, x, h)
}

// end implements actor: it calls all controllers at the state, and keeps their commands and memory in it.
func (c *controllers) end(s *Stepper, x *State, h float64) error {
	s.Place(x, h)
	first := len(x.Controllers) == 0
	if first {
		x.Controllers = make([]ControllerMemory, len(c.list))
	}
	at := &c.at
	for i := range c.list {
		named, memory := s.Model.Controllers[i].Name, &x.Controllers[i]
		if first { // one that ran before may remember that
			c.list[i] = s.Model.Controllers[i].New()
		}
		controller := c.list[i]
		*at = Control{Stepper: s, State: x, H: h, errs: at.errs[:0]}
		if m, ok := controller.(encoding.BinaryUnmarshaler); ok && !first {
			if err := m.UnmarshalBinary(memory.Data); err != nil {
				return fmt.Errorf("sim: controller %q at t = %.6g s: its memory cannot be restored: %w", named, x.Time, err)
			}
		}
		err := controller.Control(at)
		// joining makes a list, which a step without faults must not
		if len(at.errs) > 0 {
			err = errors.Join(append(at.errs, err)...)
		}
		if err != nil {
			return fmt.Errorf("sim: controller %q at t = %.6g s: %w", named, x.Time, err)
		}
		memory.Controller, memory.Data = named, memory.Data[:0]
		if m, ok := controller.(encoding.BinaryAppender); ok {
			var err error
			if memory.Data, err = m.AppendBinary(memory.Data); err != nil {
				return fmt.Errorf("sim: controller %q at t = %.6g s: its memory cannot be saved: %w", named, x.Time, err)
			}
		}
	}
	s.commanded.keep(x)
	return nil
}

// beginRest implements actor.
func (c *controllers) beginRest(s *Stepper, _ *State) error {
	if len(c.list) > 0 {
		return fmt.Errorf("sim: equilibrium: controller %q acts over time, not at rest: build the model without it", s.Model.Controllers[0].Name)
	}
	return nil
}

// checkControllers reports a state that lacks the memory of a controller of the model.
func (s *Stepper) checkControllers(x *State) error {
	for i, c := range s.Model.Controllers {
		if len(x.Controllers) == 0 && x.Step == 0 {
			return nil // the start of a run
		}
		if i >= len(x.Controllers) || x.Controllers[i].Controller != c.Name {
			return fmt.Errorf("sim: state at t = %.6g s: it has no memory of controller %q: it was saved by a run without this controller; start from Model.Start", x.Time, c.Name)
		}
	}
	if n := len(s.Model.Controllers); len(x.Controllers) > n {
		return fmt.Errorf("sim: state at t = %.6g s: it has the memory of controller %q, which the model has not: add it", x.Time, x.Controllers[n].Controller)
	}
	if have, want := len(x.Commands), numCommands*len(s.commanded.drives); have != want {
		return fmt.Errorf("sim: state at t = %.6g s: it has %d commands of drives, the model %d: it was saved by a run of another model", x.Time, have, want)
	}
	return nil
}
