package convex

import "errors"

// ErrInterrupted is the error of a solve that Solver.Interrupted ended. Velocities are those of some iteration.
var ErrInterrupted = errors.New("convex: the solve was interrupted")
