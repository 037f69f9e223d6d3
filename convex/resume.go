package convex

import "github.com/curlfree/curlfree/cliques"

// Resume solves the problem of the last Solve or Resume again, after parameters of its laws
// have changed, such as the bounds of lagged friction. On entry v holds the solution of the
// last solve, from which the iteration starts, on return that of this one. Cliques, Jacobians
// and biases must be the same: islands, the plan of the factorization, the factors of A and
// those parts of the factor of H that no constraint touches are used again. It follows a
// solve without error, or with a *NotConvergedError; results and errors are those of Solve.
// RelTol may differ from that of the last solve.
func (s *Solver) Resume(p *cliques.Problem, v []float64) (Stats, error) {
	if s.Condition { // its computation overwrites the factors
		return s.Solve(p, v)
	}
	s.connect(p, v)
	s.search.lastIterations = s.lastResumed
	condition := s.stats.Condition
	s.stats = Stats{Condition: condition, Worst: -1}
	for i := range s.partition.islands {
		s.partition.islands[i].restart()
	}
	stats, err := s.finish(s.resume())
	s.lastResumed = stats.Iterations
	return stats, err
}

// resume runs the parts that depend on the laws.
func (s *Solver) resume() error {
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

// restart makes an island as new, but for its place in the problem and in the matrices.
func (is *island) restart() {
	old := *is
	is.reset()
	is.clique0, is.clique1, is.cons0, is.cons1 = old.clique0, old.clique1, old.cons0, old.cons1
	is.small, is.column0, is.column1, is.val0, is.val1 = old.small, old.column0, old.column1, old.val0, old.val1
	is.a, is.h = old.a, old.h
}
