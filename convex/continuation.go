package convex

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Continuation. Costs of contact have narrow curved valleys, along which Newton
// steps shrink and creep, and kinks far narrower than a step. An island that takes
// many steps is solved with the laws that make these capped, coarsely, then less and
// less capped, each time from where the last ended, and at last as they are: some
// iterations for every decade, instead of its square root and more.

// ContinuationLaw is a Law that can be capped for a while, which makes it known to the
// solver as one that continuation serves.
type ContinuationLaw interface {
	cliques.Law
	// CapSlope caps what in G makes Newton's method creep at ratio/w, w the Delassus
	// diagonal, until it is called again; +Inf gives the law back. It returns
	// whether the cap changes the law. Prepare comes before.
	CapSlope(ratio float64) bool
}

// soften caps the laws of an island and returns whether any is capped.
func (s *Solver) soften(is *island, ratio float64) bool {
	softened := false
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		if l, ok := s.p.Constraints[k].Law.(ContinuationLaw); ok && l.CapSlope(ratio) {
			softened = true
		}
	}
	return softened
}

// stage takes an island on to the next stage of continuation when it is time for
// it. At the first one the iterate is kept, lest a detour that does not arrive
// make it worse.
func (s *Solver) stage(is *island) error {
	if !is.done && is.ratio == 0 && is.iterations >= manySteps {
		for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
			c := &s.p.Cliques[k]
			copy(s.kept[c.Offset:c.Offset+c.Size], s.v[c.Offset:])
		}
		is.kept = is.cost
		is.ratio = firstRatio
		if !s.soften(is, is.ratio) { // no such laws, or not stiff
			is.ratio = math.Inf(1)
			s.soften(is, is.ratio)
			return nil
		}
		if err := s.restart(is); err != nil {
			return err
		}
	}
	for {
		late := is.continuation >= stagesShare*s.maxIter()
		if !is.softened() || !is.done && !late || is.criterion == Failed {
			break
		}
		is.ratio *= ratioGrow
		if late {
			is.ratio = math.Inf(1)
		}
		if !s.soften(is, is.ratio) {
			is.ratio = math.Inf(1)
		}
		is.done = false
		if err := s.restart(is); err != nil {
			return err
		}
	}
	if is.done && is.criterion == Failed && is.ratio != 0 {
		return s.restore(is)
	}
	return nil
}

// softened says whether the laws are not the problem's.
func (is *island) softened() bool { return is.ratio > 0 && !math.IsInf(is.ratio, 1) }

// restart evaluates an island under changed laws.
func (s *Solver) restart(is *island) error {
	is.least, is.alpha = math.Inf(1), 0
	s.refresh(is)
	if err := s.evaluate(is); err != nil {
		return err
	}
	s.residual(is)
	s.test(is)
	return nil
}

// restore gives a failed island its laws back, and what it had before continuation
// where that was better.
func (s *Solver) restore(is *island) error {
	is.ratio = 0
	s.soften(is, math.Inf(1))
	s.refresh(is)
	if err := s.evaluate(is); err != nil {
		return err
	}
	if !(is.cost <= is.kept) {
		s.swap(is, s.kept)
		s.refresh(is)
		if err := s.evaluate(is); err != nil {
			return err
		}
	}
	s.residual(is)
	return nil
}

// swap exchanges v and x on an island.
func (s *Solver) swap(is *island, x []float64) {
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &s.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			s.v[i], x[i] = x[i], s.v[i]
		}
	}
}
