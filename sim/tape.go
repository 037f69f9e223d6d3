package sim

// A step that is to be differentiated is noted as it is taken: the tape has what the loop of loop.go did, in order,
// with the solutions y_1 … y_K of its K solves. Played at another state x and other solutions, it gives the problem of
// solve j as a function of them,
//
//	r_j(x, y_1 … y_{j−1}, v) = 0   at v = y_j                                                  (1)
//
// with the same decisions: which terms were linearized about which solution, and which bodies or contacts of them.

import "github.com/curlfree/curlfree/convex"

// tapeEvent is what the loop of a step did.
type tapeEvent struct {
	what tapeAction
	term int // of measured and linearized
	// entries of tape.chosen that were linearized, of a term that has a choice
	from, to int
}

type tapeAction uint8

const (
	constrained tapeAction = iota
	solved
	measured
	linearized
	boundsKept
	boundsReset
)

// tape is what the loop of a step did.
type tape struct {
	events []tapeEvent
	chosen []int
	y      [][]float64 // solutions, n each
	moved  [numTerms]bool
	left   [numTerms]bool
}

// reset empties the tape.
func (t *tape) reset() {
	t.events, t.chosen, t.y = t.events[:0], t.chosen[:0], t.y[:0]
	t.moved, t.left = [numTerms]bool{}, [numTerms]bool{}
}

// repeats reports whether the step was solved again for another term than the given ones.
func (t *tape) repeats(but ...int) bool {
	moved := t.moved
	for _, i := range but {
		moved[i] = false
	}
	return moved != [numTerms]bool{}
}

// noteMeasure adds the measurement of a term that others or later ones follow from: of those that coverage predicted,
// of bounds that a sweep moves, and of deformables. Those of other terms count where they are linearized.
func (s *Stepper) noteMeasure(term int) {
	if term == coverageTerm || term == frictionTerm || term == deformablesTerm {
		s.note(measured, term)
	}
}

// note adds an event.
func (s *Stepper) note(what tapeAction, term int) {
	if t := s.tape; t != nil {
		t.events = append(t.events, tapeEvent{what: what, term: term})
	}
}

// noteSolution adds the solution of a solve.
func (s *Stepper) noteSolution() {
	if t := s.tape; t != nil {
		t.y = push(t.y, s.vNext)
		s.note(solved, 0)
	}
}

// chooser is a term that is linearized in parts: of its pairs of bodies, deformables or trees.
type chooser interface {
	term
	// choose returns those that are off, valid until the next call.
	choose(s *Stepper) []int
	// linearizeChosen makes them those of the solved velocities.
	linearizeChosen(s *Stepper, chosen []int) change
}

// linearizeTerm linearizes a term at the solution.
func (s *Stepper) linearizeTerm(i int) change {
	t, c := s.tape, s.terms[i]
	if t == nil {
		return c.linearize(s)
	}
	if i == gapsTerm || i == pathsTerm || i == facesTerm || i == loopsTerm {
		s.note(measured, i)
	}
	e := tapeEvent{what: linearized, term: i, from: len(t.chosen)}
	by := change(0)
	if parts, ok := c.(chooser); ok {
		t.chosen = append(t.chosen, parts.choose(s)...)
		by = parts.linearizeChosen(s, t.chosen[e.from:])
	} else {
		by = c.linearize(s)
	}
	e.to = len(t.chosen)
	t.events = append(t.events, e)
	t.moved[i] = t.moved[i] || by != 0
	return by
}

// play makes the problem of solve j of a tape, from 0, for a step of h from x with the solutions y before. each is
// called with the problems before it, too, unless nil, and evaluates the laws at their solutions.
func (s *Stepper) play(t *tape, x *State, h float64, y [][]float64, j int, g *convex.Solver, each func(k int) error) error {
	s.Place(x, h)
	s.collide(h)
	s.beginMotion(x, h)
	s.checkEnergy(x)
	s.beginTerms()
	s.beginIterate(x, h)
	k := 0
	for i := range t.events {
		e := &t.events[i]
		switch e.what {
		case constrained:
			if err := s.constrain(x, h); err != nil {
				return err
			}
		case solved:
			if k == j && each == nil {
				return nil
			}
			evaluate := each
			if each == nil {
				evaluate = func(k int) error { return g.Impulses(&s.Problem, y[k]) }
			}
			if err := evaluate(k); err != nil || k == j {
				return err
			}
			s.iterateFrom(x, h, y[k])
			s.lag.current = false
			k++
		case measured:
			s.terms[e.term].measure(s)
		case linearized:
			if c, ok := s.terms[e.term].(chooser); ok {
				c.linearizeChosen(s, t.chosen[e.from:e.to])
			} else {
				s.terms[e.term].linearize(s)
			}
		case boundsKept:
			s.keepBounds()
		case boundsReset:
			s.lag.reset()
		}
	}
	return nil
}
