package sim

// Actors change a step from outside the equations of motion, by what the state has of them: an operator, holds,
// controllers. A step is
//
//	begin of each actor, in their order      x → x, and what acts in the step
//	the step of the bodies                   x → x⁺
//	end of each actor, the last one first    x⁺ → x⁺ with what acts in the next step
//
// after which the state is that before where any of them fails.

import (
	"errors"
	"slices"
)

// actor is an actor in a stepper.
type actor interface {
	// acts reports whether it acts in steps from a state, or the state says so. Others are left out.
	acts(x *State) bool
	// begin reads the state before a step of h seconds.
	begin(s *Stepper, x *State, h float64) error
	// end reads and changes the state at the end of the step. Bodies are placed where it places them.
	end(s *Stepper, x *State, h float64) error
	// beginRest is begin of a search for the state at rest. Actors that act over time alone return an error.
	beginRest(s *Stepper, x *State) error
}

// actorOf returns the actor of a type, nil where a stepper has none.
func actorOf[T actor](s *Stepper) (none T) {
	for _, a := range s.actors {
		if t, ok := a.(T); ok {
			return t
		}
	}
	return none
}

// planner plans efforts of drives in a step from the placed bodies, before their free motion, which may expect the
// efforts.
type planner interface {
	plan(s *Stepper, x *State)
}

// plan plans efforts of drives.
func (s *Stepper) plan(x *State) {
	if s.planner != nil {
		s.planner.plan(s, x)
	}
}

// actedStep takes a step under the actors that act.
func (s *Stepper) actedStep(x *State, h float64) error {
	s.drags, s.acting = s.drags[:0], s.acting[:0]
	for _, a := range s.actors {
		if a.acts(x) {
			s.acting = append(s.acting, a)
		}
	}
	if len(s.acting) == 0 {
		return s.takeParts(x, h)
	}
	s.before.copyFrom(x)
	unconverged, err := s.actAndStep(x, h)
	if err != nil {
		x.copyFrom(&s.before)
		s.resetReport()
		return err
	}
	return unconverged
}

// actAndStep is actedStep under some actors, which leaves the state changed where it fails.
func (s *Stepper) actAndStep(x *State, h float64) (unconverged, err error) {
	for _, a := range s.acting {
		if err := a.begin(s, x, h); err != nil {
			return nil, err
		}
	}
	if err := s.takeParts(x, h); errors.Is(err, ErrNotConverged) {
		unconverged = err
	} else if err != nil {
		return nil, err
	}
	for _, a := range slices.Backward(s.acting) {
		if err := a.end(s, x, h); err != nil {
			return nil, err
		}
	}
	return unconverged, nil
}
