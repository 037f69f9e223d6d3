package supernodal

import (
	"fmt"

	"github.com/curlfree/curlfree/internal/memory"
)

// The choice among fill-reducing orderings (minimum degree ordering and nested
// dissection). None is best for all graphs, and the work of an ordering is known only
// after symbolic factorization. So plans are compared by their predicted time,
//
//	cost + recost                                                        (1)
//
//	cost    of one Factor, ns
//	recost  of the Refactors that are expected to follow, ns
//
// and another ordering is tried where the work of the present one exceeds the time of
// planning by a factor that bounds how much such a try saves at most, or how seldom. In a
// free order Refactor computes class 1 and all its ancestors, mostly little in thin
// bodies. With class 1 last it computes class 1 alone, but all of it that one body
// connects fills in: good for a few nodes of a bulky body, bad for a whole face.

const (
	// expectedRefactors is the number of Newton iterations of a step besides the first.
	expectedRefactors = 3.0
	// planEdge is the time of planning per edge, ns.
	planEdge = 80.0
	// dissectAbove is the work, in plans, above which nested dissection is tried: it
	// seldom saves more than half.
	dissectAbove = 10.0
	// dissectOnce is the same for a graph that is planned only once.
	dissectOnce = 1.0
	// searchGain is the factor by which another ordering must gain more than it costs, as predicted
	// where the persistent order is at hand.
	searchGain = 3.0
)

// ordering is a way to order the nodes.
type ordering uint8

const (
	minimumDegree   ordering = iota // class 1 deferred
	class1Last                      // minimum degree, class 1 after class 0
	dissection                      // minimum degree between the separators of nested dissection
	roundDissection                 // the same with levels from one node
	partial                         // partial re-ordering of the persistent order
	orderings                       // number of them
)

// Analyze plans the factorization of matrices over a packed graph: ordering,
// supernodes, memory. The graph must not change while the plan is in use. It panics when the graph is not packed, with
// the index at fault where Ptr or Row are not what Pack wrote. Err says whether there is a plan.
func (c *Cholesky) Analyze(g *Graph) {
	g.mustBePacked("Analyze")
	defer c.recoverPlan()
	c.scratch.asker = asker{c.Interrupted}
	c.scratch.amd.asker, c.scratch.dissect.asker, c.scratch.round.asker = c.scratch.asker, c.scratch.asker, c.scratch.asker
	c.choose(g)
	c.g, c.factored, c.reusable = nil, false, false
	if c.err = c.mayGrow(); c.err != nil {
		return
	}
	c.numValues = g.numValues()
	c.g = g
	c.l, c.cb = regrow(c.l, c.s.lSize), regrow(c.cb, c.s.cbSize)
	n, k := int(c.s.start[len(c.s.order)]), len(c.s.node)
	c.diag, c.inv, c.x = resize(c.diag, n), resize(c.inv, n), resize(c.x, n)
	c.lo, c.hi, c.loss, c.failed = resize(c.lo, k), resize(c.hi, k), resize(c.loss, k), resize(c.failed, k)
	c.z = resize(c.z, c.s.zSize)
}

// askMemoryFrom is the memory from which Analyze asks whether there is as much, bytes.
const askMemoryFrom = 64e6

// mayGrow returns an error where there is no memory for the numbers of the plan.
func (c *Cholesky) mayGrow() error {
	need := 0.0
	for _, x := range []struct{ has, wants int }{{cap(c.l), c.s.lSize}, {cap(c.cb), c.s.cbSize}} {
		if x.has < x.wants {
			need += 8 * 1.25 * float64(x.wants-x.has)
		}
	}
	if need < askMemoryFrom {
		return nil
	}
	if err := memory.Need(need); err != nil {
		return fmt.Errorf("supernodal: a factor of %d numbers: %w", c.s.lSize, err)
	}
	return nil
}

// regrow is resize for numbers that are written again: what is too short is released before there is a longer one.
func regrow(s []float64, n int) []float64 {
	if cap(s) < n {
		s = nil
	}
	return resize(s, n)
}

// choose plans by the persistent order, if there is one, and tries others only where the
// work that the other edges add could pay for that.
func (c *Cholesky) choose(g *Graph) {
	if !g.hasPersistent() {
		c.search(g, dissectAbove)
		return
	}
	// the graph's plan by partial re-ordering
	c.orderPersistent(g)
	c.scratch.adjacency(g)
	c.start(g, partial)
	planning := planEdge * float64(len(g.Row))
	// the work of the other edges
	if c.s.cost-c.scratch.persistent.cost > searchGain*planning {
		c.try(g, minimumDegree)
		if c.s.cost-c.scratch.persistent.cost > dissectAbove*planning {
			c.try(g, dissection)
		}
	}
	// the work of refactorizations
	if c.s.recost > searchGain*planning {
		c.try(g, class1Last)
	}
}

// search plans by minimum degree, and by other orderings when the work they may save
// takes longer than to plan them. The cheapest plan wins.
func (c *Cholesky) search(g *Graph, dissectAbove float64) {
	c.scratch.adjacency(g)
	c.start(g, minimumDegree)
	planning := planEdge * float64(len(g.Row))
	// many refactorizations: class 1 last may save them
	if c.s.recost > planning {
		c.try(g, class1Last)
	}
	if c.s.cost+c.s.recost > dissectAbove*planning {
		c.try(g, dissection)
		c.try(g, roundDissection)
	}
}

// start plans by an ordering, and takes it.
func (c *Cholesky) start(g *Graph, by ordering) {
	c.s = &c.plans[by]
	c.s.scratch = &c.scratch
	c.s.analyze(g, by, c.Pool.Size())
}

// try plans by an ordering, and takes it if (1) is less. The plan in use keeps its memory:
// there is one for each ordering.
func (c *Cholesky) try(g *Graph, by ordering) {
	s := &c.plans[by]
	s.scratch = &c.scratch
	if s.analyze(g, by, c.Pool.Size()); s.cost+s.recost < c.s.cost+c.s.recost {
		c.s = s
	}
}
