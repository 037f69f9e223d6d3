package convex

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Resume solves the problem of the last Solve or Resume again, after parameters of some of its
// laws have changed, such as the bounds of lagged friction, or with another RelTol. changed
// lists the constraints of these laws. On entry v is the solution of the last solve, from
// which the iteration starts, on return that of this one. Cliques, Jacobians and biases must be
// the same: islands, the plan of the factorization, the factors of A and those parts of the
// factor of H that no constraint touches are used again, and islands none of whose laws has
// changed keep their solution where it meets the tolerance. It follows a solve without error,
// or with a *NotConvergedError; results and errors are those of Solve.
func (s *Solver) Resume(p *cliques.Problem, v []float64, changed []cliques.Handle) (Stats, error) {
	if s.Condition { // its computation overwrites the factors
		return s.Solve(p, v)
	}
	s.connect(p, v)
	s.search.lastIterations = s.lastResumed
	condition := s.stats.Condition
	s.stats = Stats{Condition: condition, Worst: -1}
	stats, err := s.finish(s.resume(changed))
	s.lastResumed = stats.Iterations
	return stats, err
}

// Island returns the number of the island of a constraint in the last solve of p, from 0 up and
// below Stats.Islands; −1 for a constraint that touches no node.
func (s *Solver) Island(p *cliques.Problem, h cliques.Handle) int {
	blocks := p.Blocks(h)
	if len(blocks) == 0 {
		return -1
	}
	t := &s.partition
	return int(-2 - t.label[t.root(t.nodeClique[blocks[0].Node])])
}

// resume runs the parts that depend on the laws.
func (s *Solver) resume(changed []cliques.Handle) error {
	for i := range s.partition.islands {
		s.partition.islands[i].reopen()
	}
	for _, h := range changed {
		if is := s.partition.islandOfConstraint(int(h)); is != nil {
			is.stage = lawsChanged
			s.blocks.prepareLaw(is, int32(h))
		}
	}
	if err := s.laws.evaluateFixed(); err != nil {
		return err
	}
	if err := s.newton.solveAll(s.pool()); err != nil {
		return err
	}
	if len(s.partition.islands) > 0 {
		s.report()
	}
	return nil
}

// stage describes how much of an island is known at its iterate when a solve begins.
type stage uint8

const (
	nothingKnown stage = iota // the iterate is a guess
	lawsChanged               // solved under other laws
	lawsKept                  // solved under the same laws, perhaps to another tolerance
)

// reopen lets a solved island continue from its solution, under the same laws.
func (is *island) reopen() {
	// counts are those of the present solve
	is.iterations, is.evaluations, is.factorizations, is.continuation = 0, 0, 0, 0
	is.history, is.maxLambda = is.history[:0], 0
	// full steps that lowered nothing, and stages of continuation, were those of the last solve
	is.alpha, is.leastExcess, is.capRatio, is.finer = 0, math.Inf(1), 0, false
	// the floor of round-off is below no tolerance
	is.done = is.criterion == RoundOff
	is.stage = lawsKept
}

// enter evaluates an island at the iterate, so far as that is not known.
func (n *newton) enter(is *island) error {
	switch is.stage {
	case lawsKept:
		n.compare(is)
		return nil
	case lawsChanged:
		is.done = false
	default: // regularization first
		n.blocks.prepareLaws(is)
	}
	// c and q, then γ and G
	n.refresh(is)
	if err := n.evaluate(is); err != nil {
		return err
	}
	n.balance(is)
	return nil
}
