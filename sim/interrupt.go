package sim

import "github.com/curlfree/curlfree/convex"

// ErrInterrupted is the error of a step that InterruptIf ended. The state is that before the step.
var ErrInterrupted = convex.ErrInterrupted

// InterruptIf has steps and searches for equilibrium ask, between solves and Newton iterations, whether to end at once with ErrInterrupted, as a program does
// that is asked to stop within a step that takes long. The function is called from several goroutines; nil: steps always end.
func (s *Stepper) InterruptIf(interrupted func() bool) {
	s.interrupted, s.solver.Interrupted = interrupted, interrupted
}
