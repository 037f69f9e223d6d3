package sim

import "github.com/curlfree/curlfree/constraints"

// NewStepper returns a stepper for the model, with its buffers sized and its threads
// started; the error gives the reason why the model cannot be stepped. Close ends
// the threads; those of a stepper that is no longer reachable end by themselves.
func NewStepper(m *Model, opt Options) (*Stepper, error) {
	s, err := newStepper(m, opt)
	if err != nil {
		return nil, err
	}
	operator, err := newOperator(m)
	if err != nil {
		s.Close()
		return nil, err
	}
	// an operator acts first; controllers see what came of it, and holds what came of these
	s.actors = []actor{operator, newHolds(m), newControllers(m)}
	if list := robotsOf(m); len(list) > 0 {
		s.planner = newRobots(s, list)
	}
	s.drags = make([]constraints.Drag, 0, MaxDrags)
	return s, nil
}
