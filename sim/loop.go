package sim

// The loop of a step: sequential convex programming over its terms (term.go).
//
//	1  all terms are those of the velocities at the start
//	2  constrain, if rows changed; solve, or resume the last solve, if only laws did
//	3  friction, if laws are all that changed: off → linearize it, solve it again coarsely: 2
//	   passed after a coarse solve → to the full tolerance: 2
//	4  contacts, deformables and loops at the end of the step: off → linearize them: 2
//	5  friction, if it was not yet measured here: off → 3
//	6  error of the step, energies and joints: off → divide the step
//	7  accept
//
// Steps 3 and 4 leave the loop after maxRounds rounds of 4, or where defects fall too slowly: the step is divided
// (division.go), and in its smallest parts defects are reported, or refused. Most steps are accepted after one solve:
// the terms then show by bounds that they are met.
//
// In problems of rigid bodies alone friction and contacts change together: friction is due in every round, and steps 4
// in rounds 1, 2, 4, 8, … and whenever friction passes. Where deformables are in contact a factorization costs more
// than it saves.

import (
	"errors"
	"math"
)

// maxRounds bounds the solves of a step whose terms, but for friction, are linearized again: two or three are usual,
// ten in impacts that turn a stiff body by a radian.
const maxRounds = 64

// mostStuck is the number of rounds in a row after which a defect that does not fall fast enough divides the step.
const mostStuck = 2

// exactRelTol is the tolerance of the solver from which down no solve is coarse: the step is then a smooth function of
// its start, by the solutions of all solves, to about that tolerance.
const exactRelTol = 1e-8

// stepLoop is the state of the loop.
type stepLoop struct {
	solves  int    // of the step
	rounds  int    // those of which more than laws changed
	change  change // of the problem since the last solve
	coarse  bool   // the next solve, or the last one, is coarse
	defects [numTerms]defect
	former  [numTerms]float64 // ratios in the round before
	left    [numTerms]bool    // defects that are taken as they are
	stuck   [numTerms]int     // rounds in a row in which they fell too slowly
}

// The terms of a step, in the order in which they are called.
const (
	frictionTerm = iota
	coverageTerm
	gapsTerm
	pathsTerm
	restitutionTerm
	facesTerm
	deformablesTerm
	motionsTerm
	loopsTerm
	accuracyTerm
	deformableEnergyTerm
	treeEnergyTerm
	fieldEnergyTerm
	jointStepsTerm
	numTerms
)

// newTerms makes the terms of a stepper that has its bodies in place.
func (s *Stepper) newTerms() {
	s.lag = newFrictionBounds(s.Model)
	s.gaps, s.faces, s.curved = newGaps(s.Geometry), newFaces(s), newCurvedLoops(s)
	s.terms = [numTerms]term{
		s.lag, &s.coverage, s.gaps, &s.paths, &s.rebounds, s.faces, &s.softness, &s.motions, s.curved,
		&s.accuracy, &s.deformableEnergy, &s.treeEnergy, &s.fieldEnergy, &s.jointSteps,
	}
}

// termKinds are the kinds of the terms.
var termKinds = [numTerms]*termKind{
	&frictionKind, &coverageKind, &gapsKind, &pathsKind, &restitutionKind, &facesKind, &deformablesKind, &motionsKind, &loopsKind,
	&accuracyKind, &deformableEnergyKind, &treeEnergyKind, &fieldEnergyKind, &jointStepsKind,
}

// decision is what follows a solve.
type decision uint8

const (
	again decision = iota
	accept
	divide
)

// beginTerms makes all terms those of the start of the step.
func (s *Stepper) beginTerms() {
	s.loop = stepLoop{}
	s.added = s.added[:0]
	for _, t := range s.terms {
		t.begin(s)
	}
}

// converge constrains and solves, until the terms of the step agree with the solution. lacks is what the problem does
// not have yet. It returns false where the step has to be divided.
func (s *Stepper) converge(x *State, h float64, lacks change, clock *stopwatch) (whole bool, err error) {
	l := &s.loop
	s.beginTerms()
	for l.change = lacks; ; {
		if s.interrupted != nil && s.interrupted() {
			return true, ErrInterrupted
		}
		if l.change&newRows != 0 {
			if err := s.constrain(x, h); err != nil {
				return true, err
			}
			s.note(constrained, 0)
			clock.lap(Constrain)
		}
		if l.rounds == 0 && !s.rest.holds {
			s.convergeFreeMotions()
			clock.lap(FreeMotion)
		}
		resumes := l.change&(newRows|newMatrix) == 0
		if l.solves++; !resumes {
			l.rounds++
		}
		if l.solves == 1 {
			s.guessVelocities()
		}
		err := s.minimize(resumes)
		// failures of later problems may come from a linearization that went too far
		if (err != nil || s.Report.Err != nil) && (l.rounds > 1 || s.parts.control != nil) && s.mayDivide() && !errors.Is(err, ErrInterrupted) {
			return false, nil
		}
		if err != nil {
			return true, err
		}
		s.noteSolution()
		clock.lap(Solve)
		next, err := s.decide(resumes, clock)
		if err != nil || next != again {
			return next != divide, err
		}
	}
}

// guessVelocities sets the velocities at which the first solve of a step starts where they are not those of its start.
func (s *Stepper) guessVelocities() {
	switch {
	case len(s.guess) > 0:
		copy(s.vNext, s.guess)
	case s.Problem.Midpoint:
		// velocities of what rests alternate about those of displacements
		copy(s.vNext, s.Problem.Lagged)
	}
}

// decide measures the terms that are due after a solve, and linearizes those that are off. resumed: only laws were
// others in that solve.
func (s *Stepper) decide(resumed bool, clock *stopwatch) (decision, error) {
	l := &s.loop
	l.change = 0
	merged := s.mergesTerms()
	known := merged || resumed // friction is measured here
	moved := known && s.followFriction()
	if !moved && !merged && s.toFullTolerance() {
		return again, nil
	}
	if !moved || merged && l.solves&(l.solves-1) == 0 {
		s.keepBounds()
		s.note(boundsKept, 0)
		if next, err := s.relinearize(clock); next == divide || err != nil {
			return next, err
		}
	}
	if l.change == 0 && !known {
		moved = s.followFriction()
	}
	if l.change != 0 {
		// friction that moves on needs no exact solution, but the last one that its updates allow
		l.coarse = moved && s.lag.source == FrictionLagAuto && !s.lag.isLast() && s.relTol() > exactRelTol
		return again, nil
	}
	if s.toFullTolerance() {
		return again, nil
	}
	next, err := s.judge()
	clock.lap(Collide)
	return next, err
}

// mergesTerms reports whether bounds of friction and contacts change in the same rounds.
func (s *Stepper) mergesTerms() bool { return len(s.deformables) == 0 && !s.rest.holds }

// followFriction moves bounds of friction that are off, and reports whether there are any.
func (s *Stepper) followFriction() bool {
	if !(s.measure(frictionTerm).ratio > 1) || s.lag.isLast() {
		return false
	}
	s.loop.change |= s.linearizeTerm(frictionTerm)
	return true
}

// toFullTolerance has a problem that was solved coarsely solved again.
func (s *Stepper) toFullTolerance() bool {
	l := &s.loop
	if !l.coarse || s.Report.Err != nil {
		return false
	}
	l.change, l.coarse = l.change|newLaws, false
	return true
}

// relinearize linearizes contacts, deformables and loops that are off.
func (s *Stepper) relinearize(clock *stopwatch) (decision, error) {
	l := &s.loop
	last := l.rounds >= maxRounds
	for i := coverageTerm; i <= loopsTerm; i++ {
		if s.rest.holds && i > coverageTerm { // what turns and strains there is that of the state itself
			break
		}
		// contacts that were found again are not those of the solution: the terms that compare them wait
		if i <= facesTerm && s.coverage.found {
			continue
		}
		d := s.measure(i)
		if err := s.detectionError(); err != nil && i <= facesTerm {
			if s.mayDivide() && !errors.Is(err, ErrInterrupted) {
				return divide, nil // half the motion meets fewer
			}
			return accept, err
		}
		if i == facesTerm {
			clock.lap(Collide)
		}
		if d.ratio > 1 {
			if next, err := s.repair(i, d, last); next == divide || err != nil {
				return next, err
			}
		}
	}
	s.coverage.found = false
	clock.lap(FreeMotion)
	if l.change == 0 {
		return accept, nil
	}
	if l.change&newRows != 0 {
		s.lag.reset()
		s.note(boundsReset, 0)
	}
	return again, nil
}

// repair linearizes a term that is off, or divides the step or leaves the defect where that is hopeless or the last
// round is over.
func (s *Stepper) repair(i int, d defect, last bool) (decision, error) {
	hopeless := last || s.isHopeless(i)
	switch {
	case (hopeless || d.divide) && s.mayDivide():
		return divide, nil
	case hopeless:
		return accept, s.leave(i, d)
	}
	by := s.linearizeTerm(i)
	s.loop.change |= by
	switch {
	case by == 0 && d.divide: // nothing that it adds would help
		return accept, s.leave(i, d)
	case by == 0: // it holds at the solution
		s.loop.defects[i] = defect{}
	}
	return again, nil
}

// isHopeless reports whether the defect of a term, if it continues to change as it has in the last rounds, is above its
// tolerance after the last round. Contacts that bodies meet one after the other do not count.
func (s *Stepper) isHopeless(i int) bool {
	l := &s.loop
	if i < facesTerm {
		return false
	}
	now, before := l.defects[i].ratio, &l.former[i]
	if rate := now / *before; *before > 0 && now*math.Pow(rate, float64(maxRounds-l.rounds)) > 1 {
		l.stuck[i]++
	} else {
		l.stuck[i] = 0
	}
	*before = now
	return l.stuck[i] >= mostStuck
}

// judge measures the terms that only divide a step, and leaves friction and loops that yield as they are.
func (s *Stepper) judge() (decision, error) {
	if d := s.loop.defects[frictionTerm]; d.ratio > 1 {
		if err := s.leave(frictionTerm, d); err != nil {
			return accept, err
		}
	}
	if s.rest.holds {
		return accept, nil
	}
	if s.loop.left[facesTerm] {
		s.faces.noteGains(s)
	}
	if d := s.curved.opened(s); d.ratio > 1 {
		s.loop.defects[loopsTerm] = d
		if err := s.leave(loopsTerm, d); err != nil {
			return accept, err
		}
	}
	for i := accuracyTerm; i < numTerms; i++ {
		d := s.measure(i)
		if !(d.ratio > 1) {
			continue
		}
		if s.mayDivide() {
			return divide, nil
		}
		if err := s.leave(i, d); err != nil {
			return accept, err
		}
	}
	return accept, nil
}

// leave takes a smallest part of a step with a defect above its tolerance, which the report has, or returns why it
// fails.
func (s *Stepper) leave(i int, d defect) error {
	if !s.loop.left[i] {
		s.loop.left[i] = true
		s.Report.Defects[i].Left++
	}
	if s.tape != nil {
		s.tape.left[i] = true
	}
	return s.terms[i].leave(s, d)
}

// measure measures a term, and keeps the result.
func (s *Stepper) measure(i int) defect {
	d := s.terms[i].measure(s)
	s.noteMeasure(i)
	s.loop.defects[i] = d
	return d
}
