package sim

// An operator changes a run while it continues: drags bodies, moves live values, steers robots. What the operator wants
// is part of the state,
//
//	x_k, inputs → Operate → x_k with commands,   Step → x_{k+1}
//
// and stays as it is until the next input (zero-order hold). So a run depends on its inputs and the numbers of the
// steps before which they came, and not on when they came by the clock: the same inputs give the same bits.
//
// State.Operator has, in this order, for each
//
//	live value     what is wanted, the value x₁, its rate              operator_values.go
//	teleoperation  command, twist, pose, joints                        robot_target_teleop.go
//	drag           body, point, target, stiffness, damping, force      operator_drags.go
//
// of which drags are there only while a body is dragged. Without any of them it is empty, and a step does nothing.

import (
	"fmt"

	"github.com/curlfree/curlfree/kinds"
)

// OperatorInput is one input of an operator: exactly one of its fields is set. Inputs are records of what a person did,
// so that they name items as scenes do. Keys are those of files of inputs.
type OperatorInput struct {
	// Drag pulls at a body, or lets it go.
	Drag *DragInput `json:"drag,omitempty"`
	// Set changes a live value.
	Set *ValueInput `json:"set,omitempty"`
	// Teleop moves the tool frame of a robot.
	Teleop *TeleopInput `json:"teleop,omitempty"`
}

// Operate gives the input of an operator to a state: steps from it obey until another input comes. The error says
// what is wrong with the input; the state is then unchanged.
func (s *Stepper) Operate(x *State, in OperatorInput) error {
	o := actorOf[*operator](s)
	if err := o.check(x); err != nil {
		return err
	}
	// a state of a model without live values has no numbers before its first drag
	given := 0
	for _, is := range [3]bool{in.Drag != nil, in.Set != nil, in.Teleop != nil} {
		if is {
			given++
		}
	}
	switch {
	case given != 1:
		return fmt.Errorf("input: %d of drag, set and teleop are given: give one", given)
	case in.Drag != nil:
		return o.drag(s.Model, x, in.Drag)
	case in.Set != nil:
		return setValue(s.Model, x, in.Set)
	}
	return o.steerRobot(x, in.Teleop)
}

// addOperator numbers what operators change besides live values, and writes where it starts.
func addOperator(a *assembly) {
	for _, t := range teleopsOf(a.m) {
		t.offset = len(a.m.Start.Operator)
		a.m.Start.Operator = t.start(a.m.Start.Operator)
	}
}

// operator is the actor that does what State.Operator says.
type operator struct {
	size    int // of State.Operator without drags
	teleops []teleopData
}

// newOperator returns the operator of a stepper of a model.
func newOperator(m *Model) (*operator, error) {
	o := &operator{size: m.live.size()}
	for _, t := range teleopsOf(m) {
		d, err := t.data()
		if err != nil {
			return nil, err
		}
		o.size, o.teleops = o.size+t.size(), append(o.teleops, d)
	}
	return o, nil
}

// check reports a state that has not the numbers of the model's operator.
func (o *operator) check(x *State) error {
	if n := len(x.Operator) - o.size; n < 0 || n%dragNumbers != 0 || n > MaxDrags*dragNumbers {
		return fmt.Errorf("sim: state at t = %.6g s: it has %d numbers of its operator, the model %d: it was saved by a run of another model", x.Time, len(x.Operator), o.size)
	}
	if i := notFinite(x.Operator); i >= 0 {
		return fmt.Errorf("sim: state at t = %.6g s: number %d of its operator is not finite", x.Time, i)
	}
	return nil
}

// acts implements actor.
func (o *operator) acts(x *State) bool { return o.size > 0 || len(x.Operator) > 0 }

// begin implements actor: live values and robots move by a step.
func (o *operator) begin(s *Stepper, x *State, h float64) error {
	if err := o.check(x); err != nil {
		return err
	}
	advanceValues(s.Model, x, h)
	for i := range o.teleops {
		o.teleops[i].advance(x, h, s.Model)
	}
	return o.placeDrags(s, x)
}

// end implements actor: commands stay until the next input.
func (*operator) end(*Stepper, *State, float64) error { return nil }

// beginRest implements actor.
func (o *operator) beginRest(s *Stepper, x *State) error {
	if err := o.check(x); err != nil {
		return err
	}
	if len(o.teleops) > 0 {
		return fmt.Errorf("sim: equilibrium: the teleoperation of drive %q acts over time, not at rest: give the drive another target", o.teleops[0].t.drive)
	}
	return o.placeDrags(s, x)
}

// unknownOperated is the error of an input with a name that no item has.
func unknownOperated(kind, name string, known []string) error {
	return fmt.Errorf("input: no %s is called %q%s", kind, name, kinds.Suggest(name, known))
}
