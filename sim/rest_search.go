package sim

// The search for a state at rest: pseudo-steps of equilibrium.go, each of which is judged at its end, with the length
// of the next.

import (
	"errors"
	"math"
	"time"

	"github.com/curlfree/curlfree/convex"
)

// restSearch is one search.
type restSearch struct {
	s   *Stepper
	x   *State
	end float64 // the time that is fixed, s

	size        float64 // of the bodies, m
	step        float64 // the pseudo-step, s
	most, bound float64 // of pseudo-steps: for all of them, and from one that was taken back, s
	follows     bool    // forces that follow the bodies act: they have no potential

	taken  int // pseudo-steps before the search, of the same report
	solver convex.Stats
	// failure is why the last pseudo-step was too long; nil: joints moved too far
	failure error

	pending bool // the last displacement has to be judged
	astray  int  // pseudo-steps since the potential has risen
	// slow reports that |F| falls slowly, and fell is |F| of the state before, N
	slow bool
	fell float64
	// least is the least |F| so far, N; stalls and hopeless are pseudo-steps in which it did not fall, without inertia
	// and at all
	least            float64
	stalls, hopeless int
	// pseudo-steps in turn whose matrix was not positive definite, and of the search
	shorter, shortened int
}

// findRest takes pseudo-steps until the state is at rest.
func (s *Stepper) findRest(x *State, h float64) error {
	r, err := s.beginSearch(x, h)
	if err != nil {
		return err
	}
	for n := 1; n <= maxRestSteps && r.step > leastStep; n++ {
		if rests, err := r.pseudoStep(n); rests || err != nil {
			return err
		}
	}
	if r.step <= leastStep && r.failure != nil {
		return s.noShorterStep(r.failure)
	}
	if why := s.unheld(true); why != "" && s.rest.relative() > 1e-3 && s.jointsMoved(r.step) > 0 {
		return errors.New(why)
	}
	return s.noBalance()
}

// beginSearch moves what is prescribed to its place after h, holds the time there, and returns a search from the state.
func (s *Stepper) beginSearch(x *State, h float64) (*restSearch, error) {
	e := &s.rest
	r := &restSearch{s: s, x: x, end: x.Time + h, most: longestStep, bound: math.Inf(1), fell: math.Inf(1), least: math.Inf(1)}
	e.loose, e.nudges = 0, 0
	e.moved, e.earlier = e.moved[:0], e.earlier[:0]
	e.faster.reset()
	e.held.start()
	s.Place(x, h)
	e.anchor.set(s)
	if s.hasMotions() {
		clear(x.V)
		x.EnergyReference = x.EnergyReference[:0]
		x.Memory.Clear()
		if err := s.takeParts(x, h); err != nil && !errors.Is(err, ErrNotConverged) {
			return nil, err
		}
	}
	// time stands still
	e.holds = true
	if s.rigid != nil {
		s.rigid.Hold = true
	}
	if r.size, r.step = s.extent(x), RestStep; s.allHeld() {
		r.step = restHeld
	}
	r.follows, r.taken = s.hasFollowers(), s.Report.PseudoSteps
	s.Report.restart()
	r.solver = s.Report.Solver
	return r, nil
}

// pseudoStep judges the last displacement, and takes the next one from the state that is accepted.
func (r *restSearch) pseudoStep(n int) (rests bool, err error) {
	s, e := r.s, &r.s.rest
	s.Report.Solver = r.solver
	e.project = false
	if err := r.evaluate(); err != nil {
		if !r.pending {
			return false, err
		}
		r.failure = err
		r.takeBack()
		return false, nil
	}
	s.Report.PseudoSteps, s.Report.RestResidual = r.taken+n, e.relative()
	s.watch.pseudoStep(s.Report.RestResidual, s.Report.Solver.Iterations)
	if n == 1 {
		e.fall.begin(e.now.total)
	}
	if kept, err := r.accept(); !kept || err != nil {
		return false, err
	}
	balanced := r.isBalanced()
	if again, err := r.holdContacts(balanced); again || err != nil {
		return false, err
	}
	done := balanced && (e.residual <= restKnown*e.roundoff || r.isLong() || r.bound < inertiaStep)
	if !r.pending {
		e.saved.copyFrom(r.x)
	}
	if again, err := r.solve(); again || err != nil {
		return false, err
	}
	s.accelerate(r.step, r.pending, r.slow)
	way := s.keepDisplacement(r.step, r.pending)
	if r.pending && way > r.size {
		r.takeBack()
		return false, nil
	}
	if n > 8 {
		if why := s.unheld(way > restFar*math.Max(1, r.size)); why != "" {
			return false, errors.New(why)
		}
	}
	if done {
		r.finish()
		return true, nil
	}
	clock := stopwatch{stages: &s.Report.Stages, start: time.Now()}
	s.advance(r.x, r.step)
	r.x.Time = r.end
	clock.lap(Advance)
	r.pending = true
	return false, nil
}

// evaluate makes the problem of the pseudo-step at the state.
func (r *restSearch) evaluate() error { return r.s.evaluateRest(r.x, r.end, r.step) }

// takeBack goes back to the last state that was accepted, to leave it by a shorter pseudo-step.
func (r *restSearch) takeBack() {
	r.x.copyFrom(&r.s.rest.saved)
	r.pending, r.astray = false, 0
	r.step *= restShort
}

// isLong reports whether inertia does not slow the pseudo-step.
func (r *restSearch) isLong() bool { return r.step >= math.Min(inertiaStep, r.most) }

// isSmall reports whether |F| is small against all forces that act, or known no better.
func (r *restSearch) isSmall() bool {
	e := &r.s.rest
	return e.residual <= math.Max(restFloor*(e.scale+e.inner), e.roundoff)
}

// accept judges the last displacement, and evaluates the state for a next pseudo-step of another length. It returns
// false where the displacement was taken back.
func (r *restSearch) accept() (kept bool, err error) {
	if !r.pending {
		return true, nil
	}
	step, kept := r.judge()
	if kept && step != r.step {
		r.step = step
		err = r.evaluate()
	}
	return kept, err
}

// judge takes the last displacement back, and returns false, or returns the length of the next pseudo-step by ρ of (2).
func (r *restSearch) judge() (step float64, kept bool) {
	e := &r.s.rest
	ratio, small := e.ratio(), r.isSmall()
	watch := ratio < restReject && !small && r.astray < restAstray
	step = r.step
	switch {
	case watch:
		r.astray++
	case !(ratio >= restReject) && !small:
		r.bound = 0.5 * r.step
		r.takeBack()
		return 0, false
	default:
		r.pending, r.astray = false, 0
		e.fall.add(ratio*e.likely(), e.worked, e.now.total, e.moved)
		step = r.nextStep(ratio, small)
	}
	tail := e.residual < restTail*e.scale
	if tail || r.follows {
		r.bound *= restRelax
	} else {
		r.bound *= restGrowth
	}
	if !watch {
		r.slow = tail && !small && e.residual > restSlow*r.fell
		r.fell = e.residual
	}
	return step, true
}

// nextStep returns the length of the pseudo-step after a displacement that is accepted.
func (r *restSearch) nextStep(ratio float64, small bool) (step float64) {
	e := &r.s.rest
	step = r.step
	switch {
	case ratio < restPoor && !small:
		step, r.bound = r.step/2, r.step
	case e.turnsBack() && e.residual > 2*r.fell && !small: // a force without potential
		r.bound = restShort * r.step
		step = r.bound
	case ratio >= restGood || small && !(ratio < restPoor):
		step = math.Max(r.step, math.Min(restGrowth*r.step, math.Min(r.bound, r.most)))
	}
	if r.bound < inertiaStep && r.slow && e.residual < restSlow*r.fell {
		step = math.Min(step, r.step) // the acceleration has its length
	}
	return step
}

// isBalanced reports whether the state is one of (3), and counts pseudo-steps in which |F| did not fall.
func (r *restSearch) isBalanced() bool {
	e := &r.s.rest
	if e.residual < restFalls*r.least {
		r.least, r.stalls, r.hopeless = math.Min(r.least, e.residual), 0, 0
	} else {
		r.hopeless++
		if r.isLong() || r.bound < inertiaStep {
			r.stalls++
		}
	}
	return e.residual <= math.Max(restKnown*e.roundoff, restTol*e.scale) || r.stalls >= restStalls && r.isSmall()
}

// holdContacts holds the contacts where |F| does not fall, and finds them again where their state has moved away.
// again: the search continues with others.
func (r *restSearch) holdContacts(balanced bool) (again bool, err error) {
	s, e := r.s, &r.s.rest
	if balanced && e.held.on { // is that the state of contacts that are detected here?
		e.held.moved = e.held.distance(r.x)
		if !(e.held.moved > restMoved*r.size) || e.held.rounds >= restSettled && e.held.moved <= restMovedMost*r.size {
			return false, nil
		}
		if e.held.rounds >= restRounds {
			return false, s.contactsMove(r.x)
		}
		e.held.release(s)
		r.least, r.stalls = math.Inf(1), 0
		r.pending, r.astray = false, 0
		e.faster.reset()
		if err := r.evaluate(); err != nil {
			return false, err
		}
		e.held.hold(s, r.x)
		return true, nil
	}
	mayHold := !e.held.on && !r.pending && len(s.contacts) > 0 && len(s.surfaces) == 0
	if mayHold && r.hopeless >= restHeldStalls && (e.residual < restTail*e.scale || r.hopeless >= 3*restHeldStalls) {
		r.hopeless = 0
		e.held.hold(s, r.x)
		e.faster.reset()
		r.bound = math.Inf(1)
		r.step = math.Max(r.step, math.Min(inertiaStep, r.most))
		return true, nil
	}
	return false, nil
}

// solve solves the pseudo-step. again: it was too long, or the state is another one.
func (r *restSearch) solve() (again bool, err error) {
	s := r.s
	err = s.solveRest(r.x, r.step)
	var indefinite *convex.IndefiniteError
	if errors.As(err, &indefinite) || err == nil && s.Report.Solver.Regularization > 0 && len(s.deformables) > 0 {
		var fatal error
		if again, err, fatal = r.leaveSaddle(); again || fatal != nil {
			return again, fatal
		}
	}
	r.shorter = 0
	if s.Report.Solver.Iterations == r.solver.Iterations { // no constraint touches a body: the matrix was factored once
		s.Report.Solver.Iterations++
	}
	r.solver = s.Report.Solver
	if errors.Is(err, ErrInterrupted) {
		return false, err
	}
	if err != nil || s.jointsMoved(r.step) > restTurn { // too long a step
		r.failure = err
		r.takeBack()
		return true, nil
	}
	return false, nil
}

// leaveSaddle continues where the matrix of a pseudo-step is not positive definite: by a shorter one, or with projected
// tangents, and out of a state of balance that is not stable. again: the search continues from another state or length.
// failed is the error of the solve.
func (r *restSearch) leaveSaddle() (again bool, failed, err error) {
	s, e := r.s, &r.s.rest
	// work that did not help counts, too
	if s.Report.Solver.Iterations == r.solver.Iterations {
		s.Report.Solver.Iterations++
	}
	now := &s.Report.Solver
	r.solver.Iterations, r.solver.LineSearch, r.solver.Continuation = now.Iterations, now.LineSearch, now.Continuation
	if longest := s.longestFree(); r.step > longest { // round-off of a matrix whose rigid motions have inertia alone
		r.takeBack()
		r.most, r.step = longest, longest
		return true, nil, nil
	}
	near := r.isSmall()
	if !near && !r.pending && !r.follows && r.shorter < restShorter && r.shortened < restShortened { // a slow mode of the body
		r.shorter++
		r.shortened++
		r.step *= restShort
		r.bound = 2 * r.step
		return true, nil, nil
	}
	e.project = true
	if r.follows {
		for _, d := range s.deformables {
			d.HoldTangent()
		}
	}
	if err := r.evaluate(); err != nil {
		return false, nil, err
	}
	stable := false
	if near && r.follows {
		failed = s.solveRest(r.x, r.step)
		stable = failed == nil && e.followers.stable()
	}
	if near && !stable && e.nudges < restNudges {
		if err := s.nudge(r.x, r.step, r.size); err != nil {
			return false, nil, err
		}
		r.least, r.stalls, r.shorter = math.Inf(1), 0, 0
		return true, nil, nil
	}
	if !stable { // a state to which displacements out of it return is at rest
		failed = s.solveRest(r.x, r.step)
	}
	return false, failed, nil
}

// finish keeps the results of a search that has found a state at rest.
func (r *restSearch) finish() {
	s, e := r.s, &r.s.rest
	free := len(s.contacts)+len(s.surfaces) == 0
	e.unstable = e.unstable || !r.follows && (e.nudges > 0 || e.fall.grows() || free && e.fall.steep())
	if e.residual > restTol*e.scale { // round-off
		s.Report.RestResidual = e.residual / (e.scale + e.inner)
	}
	s.Report.RestMoved = e.held.moved
	s.Report.summarize(s)
	s.addReactions(r.step)
	s.keepLaggedContacts(r.x)
}

// likely returns the decrease of the potential that the model of the last pseudo-step has, J.
func (e *equilibrium) likely() float64 { return 0.5 * (e.worked + e.foretold) }

// ratio returns ρ of (2) for the state at hand.
func (e *equilibrium) ratio() float64 {
	foretold := e.likely()
	gain := e.before.energy - e.now.energy
	if foretold < restExact*math.Abs(e.now.energy) { // differences of energies are round-off
		gain = 0
		for i, d := range e.moved {
			gain += 0.5 * (e.before.total[i] + e.now.total[i]) * d
		}
	} else {
		for i, d := range e.moved {
			gain += 0.5 * (e.before.total[i] - e.before.elastic[i] + e.now.total[i] - e.now.elastic[i]) * d
		}
	}
	// what forces that follow the bodies foretell may be none or negative: the error of the model is compared with that
	// of the convex problem
	return 1 + (gain-foretold)/(foretold-e.excess)
}

// accelerate replaces the displacement of the pseudo-step of h that was solved by that of rest_acceleration.go where
// the last ones were slow. further: it continues from one that has not been accepted.
func (s *Stepper) accelerate(h float64, further, slow bool) {
	a := &s.rest.faster
	if further {
		a.reset()
		return
	}
	d := append(s.rest.solved[:0], s.vNext...)
	for i := range d {
		d[i] *= h
	}
	s.rest.solved = d
	a.add(h, d, s.rest.moved)
	if !slow || a.count == 0 {
		return
	}
	a.apply(d)
	for i := range d {
		s.vNext[i] = d[i] / h
	}
}

// turnsBack reports whether the last displacement is against the one before.
func (e *equilibrium) turnsBack() bool {
	dot := 0.0
	if len(e.earlier) == len(e.moved) {
		for i, d := range e.moved {
			dot += d * e.earlier[i]
		}
	}
	return dot < 0
}
