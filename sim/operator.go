package sim

// An operator changes a run while it goes on: drags bodies, moves live values, steers robots. What the operator wants
// is part of the state,
//
//	x_k, inputs → Operate → x_k with commands,   Step → x_{k+1}
//
// and stays as it is until the next input (zero-order hold). So a run depends on its inputs and the numbers of the steps
// before which they came, and not on when they came by the clock: the same inputs give the same bits.
//
// State.Operator has, in this order, for each
//
//	live value     what is wanted, the value x₁, its rate              operator_values.go
//	teleoperation  command, twist, pose, joints                        robot_target_teleop.go
//	drag           body, point, target, stiffness, damping, force      operator_drags.go
//
// of which drags are there only while a body is dragged. Without any of them it is empty, and a step does nothing.

import (
	"errors"
	"fmt"
	"sync"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
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
	if err := s.checkOperator(x); err != nil {
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
		return s.drag(x, in.Drag)
	case in.Set != nil:
		return s.setValue(x, in.Set)
	}
	return s.steerRobot(x, in.Teleop)
}

// operatorModel is what of a model an operator may change.
type operatorModel struct {
	values  []*motion.Live
	teleops []*teleoperation
	size    int         // of State.Operator without drags
	turn    *sync.Mutex // held while a stepper steps with the values of its state; nil: there are none
}

// AddLive declares a live value, which motions of drives or loads refer to, as one that operators change.
func (b *Builder) AddLive(l *motion.Live) {
	if b.add("live value", l.Name) {
		b.live = append(b.live, l)
	}
}

// LiveValues returns the live values of the model, in the order in which they were added.
func (m *Model) LiveValues() []*motion.Live { return m.operator.values }

// addOperator numbers what operators change, and writes where it starts.
func (a *assembly) addOperator() {
	o := &a.m.operator
	for _, l := range a.live {
		if err := l.Check(); err != nil {
			a.fail("live value", l.Name, "%w", err)
		}
		o.values = append(o.values, l)
		a.m.Start.Operator = append(a.m.Start.Operator, l.Value, l.Value, 0)
	}
	if len(o.values) > 0 {
		o.turn = new(sync.Mutex)
	}
	for _, t := range o.teleops {
		t.offset = len(a.m.Start.Operator)
		a.m.Start.Operator = t.start(a.m.Start.Operator)
	}
	o.size = len(a.m.Start.Operator)
}

// checkOperator reports a state that has not the numbers of the model's operator.
func (s *Stepper) checkOperator(x *State) error {
	o := &s.Model.operator
	if n := len(x.Operator) - o.size; n < 0 || n%dragNumbers != 0 || n > MaxDrags*dragNumbers {
		return fmt.Errorf("sim: state at t = %.6g s: it has %d numbers of its operator, the model %d: it was saved by a run of another model", x.Time, len(x.Operator), o.size)
	}
	if i := notFinite(x.Operator); i >= 0 {
		return fmt.Errorf("sim: state at t = %.6g s: number %d of its operator is not finite", x.Time, i)
	}
	return nil
}

// operatedStep takes a step as its operator wants. After an error other than ErrNotConverged the state is that
// before the step.
func (s *Stepper) operatedStep(x *State, h float64) error {
	if err := s.checkOperator(x); err != nil {
		return err
	}
	s.operator.before = append(s.operator.before[:0], x.Operator...)
	s.advanceValues(x, h)
	for i := range s.operator.teleops {
		s.operator.teleops[i].advance(x, h, s.Model)
	}
	err := s.placeDrags(x)
	if err == nil {
		err = s.ownStep(x, h)
	}
	if err != nil && !errors.Is(err, ErrNotConverged) {
		x.Operator = append(x.Operator[:0], s.operator.before...)
	}
	return err
}

// operatorData is what a stepper needs to obey an operator.
type operatorData struct {
	before   []float64 // State.Operator before a step
	teleops  []teleopData
	drags    [MaxDrags]constraints.Drag // of the step at hand
	numDrags int
	holding  bool // the stepper has the turn
}

// newOperatorData returns the working memory of the teleoperations of a model.
func newOperatorData(m *Model) (d operatorData, err error) {
	d.teleops = make([]teleopData, len(m.operator.teleops))
	for i, t := range m.operator.teleops {
		if d.teleops[i], err = t.data(); err != nil {
			return d, err
		}
	}
	return d, nil
}

// unknownOperated is the error of an input with a name that no item has.
func unknownOperated(kind, name string, known []string) error {
	return fmt.Errorf("input: no %s is called %q%s", kind, name, kinds.Suggest(name, known))
}
