package convex

import "github.com/curlfree/curlfree/workers"

// Newton's method (4) on a group of islands. A group is one small island, or all large
// islands, which share a factorization; each island has its own line search and its own
// test, and is left alone once it has converged. One round is:
//
//	test        residual (2) against its tolerance, before anything is factored: a good
//	            guess costs no factorization
//	direction   H Δv = −∇ℓ
//	search      α
//	move        v ← v + α Δv, A (v − v*) ← A (v − v*) + α A Δv, c ← c + α J Δv
//
// The increments of the last line save two products with A and J. They are computed
// afresh from v every refreshEvery rounds, against drift by round-off.

// newton is the iteration, with the parts that it needs; convergence has the iterate, the
// laws and the islands.
type newton struct {
	*convergence
	blocks       *blockFactors
	direction    *direction
	search       *lineSearch
	continuation *continuation
	maxIter      int
	interrupted  func() bool // nil: never
	iterated     func()      // of large islands; nil: nothing is called
}

// solveAll solves the islands: small ones each by itself, on the pool, large ones
// together, with the pool at work inside of their factorization.
func (n *newton) solveAll(pool *workers.Pool) error {
	pool.Run(len(n.small), (*smallIslands)(n))
	// the first error in order of islands, whatever the order of threads
	for _, is := range n.small {
		if is.err != nil {
			return is.err
		}
	}
	return n.solve(n.large)
}

// smallIslands is the task of the pool: item i solves small island i.
type smallIslands newton

// Do implements workers.Task.
func (t *smallIslands) Do(_, i int) {
	n := (*newton)(t)
	n.small[i].err = n.solve(n.small[i : i+1])
}

// solve evaluates the islands of a group at the guess, then iterates.
func (n *newton) solve(group []*island) error {
	for _, is := range group {
		if err := n.enter(is); err != nil {
			return err
		}
	}
	return n.run(group)
}

// run iterates until every island of a group has met a criterion.
func (n *newton) run(group []*island) error {
	for m := 0; ; m++ {
		if n.interrupted != nil && n.interrupted() {
			return ErrInterrupted
		}
		// which islands continue?
		open := false
		for _, is := range group {
			if err := n.check(is, m); err != nil {
				return err
			}
			open = open || !is.done
		}
		if !open {
			return nil
		}
		// one factorization for the group
		if err := n.direction.compute(group); err != nil {
			return err
		}
		for _, is := range group {
			if is.done {
				continue
			}
			if err := n.search.run(is); err != nil {
				return err
			}
			n.updateDuals(is)
			n.move(is)
			is.iterations++
			if is.isCapped() {
				is.continuation++
			}
		}
		if n.iterated != nil && !group[0].small {
			n.iterated()
		}
	}
}

// check decides before round m whether an island has converged, has failed, or continues
// to the next stage of continuation.
func (n *newton) check(is *island, m int) error {
	// An island that is done may still have stages of continuation ahead.
	if is.done {
		return n.continuation.advance(is)
	}
	if m > 0 {
		// afresh, against drift
		if m%refreshEvery == 0 {
			n.refresh(is)
			if err := n.evaluate(is); err != nil {
				return err
			}
		}
		n.balance(is)
	}
	if !n.isOptimal(is) { // the next direction needs all of G
		if err := n.complete(is); err != nil {
			return err
		}
	}
	if err := n.test(is); err != nil {
		return err
	}
	// steps of continuation have their own bound
	if !is.done && is.iterations-is.continuation >= n.maxIter {
		is.done, is.criterion = true, Failed
	}
	err := n.continuation.advance(is)
	is.history = append(is.history, is.excess)
	return err
}
