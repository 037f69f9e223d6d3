package sim

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/geometry"
)

// ErrInterrupted is the error of a step that InterruptIf ended. The state is that before the step.
var ErrInterrupted = convex.ErrInterrupted

// InterruptIf has steps and searches for equilibrium ask whether to end at once with ErrInterrupted, as a program does
// that is asked to stop within a step that takes long: between solves and Newton iterations, and while contacts are
// found and matrices are planned and factored. Where the function is true it stays so until the step has ended. It is
// called from several goroutines; nil: steps always end.
func (s *Stepper) InterruptIf(interrupted func() bool) {
	s.interrupted, s.solver.Interrupted, s.Geometry.Interrupted = interrupted, interrupted, interrupted
	if s.faces.at != nil {
		s.faces.at.Interrupted = interrupted
	}
	for _, d := range s.deformables {
		d.InterruptIf(interrupted)
	}
}

// detectionError returns why a detection of contacts ended early, with the bodies; nil where it did not.
func (s *Stepper) detectionError() error {
	err := s.Geometry.Err()
	if err == nil {
		err = s.faces.err
	}
	if err == nil {
		return nil
	}
	var many *geometry.TooManyError
	switch {
	case !errors.As(err, &many):
		return ErrInterrupted
	case many.A == many.B:
		return fmt.Errorf("%s has %w: it is crumpled, or its elements are far smaller than its thickness allows; use a shorter time.step, a stiffer material, or fewer vertices", s.BodyName(many.A), err)
	}
	return fmt.Errorf("%s and %s have %w: they are pressed into each other, or their meshes are too fine; use a shorter time.step or fewer vertices", s.BodyName(many.A), s.BodyName(many.B), err)
}
