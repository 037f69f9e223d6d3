package sim

import (
	"math"
	"time"
)

// RestProgress is how far the search for a state at rest is.
type RestProgress struct {
	// PseudoSteps is the number of pseudo-steps begun, Iterations that of Newton iterations of the solver, those of all
	// parts of the step.
	PseudoSteps, Iterations int
	// Residual is that of the forces at the last state known, relative to those that act; at Goal the state is at rest.
	Residual, Goal float64
	// Left is the time that is left if the residual continues to fall as it has in the last pseudo-steps; 0: it does
	// not fall steadily, so that nothing is known.
	Left time.Duration
}

const (
	steadyFalls = 3   // pseudo-steps in which the residual has to fall, before the time that is left is estimated
	steadyFall  = 0.5 // by which it has to fall in each
)

// WatchRest has Equilibrium call f at every pseudo-step and after every Newton iteration of large islands, as a program
// does that shows progress within states that take long. nil: nothing is called.
func (s *Stepper) WatchRest(f func(RestProgress)) {
	s.watch.call = f
	s.solver.Iterated = nil
	if f != nil {
		s.solver.Iterated = s.watch.iterated
	}
}

// restWatch follows the residual of a search.
type restWatch struct {
	call  func(RestProgress)
	runs  bool // a search runs
	now   RestProgress
	falls int     // pseudo-steps in turn in which the residual has fallen
	slow  float64 // the least of these falls
	since time.Time
	took  time.Duration // mean over these
}

// begin starts a step, of which all parts are one search.
func (w *restWatch) begin() { w.runs, w.now, w.falls = true, RestProgress{Goal: restTol}, 0 }

// end ends a search: iterations of steps in time are no part of one.
func (w *restWatch) end() { w.runs = false }

// pseudoStep takes the residual at the begin of a pseudo-step, after so many Newton iterations.
func (w *restWatch) pseudoStep(residual float64, iterations int) {
	if w.call == nil {
		return
	}
	now := time.Now()
	fall := residual / w.now.Residual
	if w.now.PseudoSteps++; w.now.PseudoSteps == 1 || !(fall < steadyFall) {
		w.falls, w.slow = 0, 0
		w.since = now
	} else {
		w.falls++
		w.slow = math.Max(w.slow, fall)
		w.took = now.Sub(w.since) / time.Duration(w.falls)
	}
	w.now.Residual, w.now.Left, w.now.Iterations = residual, 0, iterations
	if w.falls >= steadyFalls && residual > restTol {
		steps := math.Ceil(math.Log(restTol/residual) / math.Log(w.slow))
		w.now.Left = time.Duration(1+steps) * w.took // the last pseudo-step finds that the state is stable
	}
	w.call(w.now)
}

// iterated counts a Newton iteration.
func (w *restWatch) iterated() {
	if !w.runs {
		return
	}
	w.now.Iterations++
	w.call(w.now)
}
