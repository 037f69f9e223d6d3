package convex

import "github.com/curlfree/curlfree/cliques"

// Islands are the connected components of the graph whose nodes are cliques and whose
// edges are constraints: the problem (1) separates over them. They are found by union
// and find with path halving, the smaller label winning, so that the root of an island
// is its first clique and islands are numbered in order of their first cliques,
// whatever the order of constraints. Cliques that no constraint touches, and
// constraints without Jacobian blocks, belong to none.
//
// Islands make steps cheaper in three ways: one that converges early is left alone, a
// light one is not measured by the momenta of a heavy one, and small ones are solved by
// different threads.

// partition is the problem cut into islands.
type partition struct {
	p *cliques.Problem

	// touched is 1 for nodes that constraints touch (a participating node), else 0.
	touched []uint8
	// varying is 1 for nodes that a constraint touches whose Hessian may change from iteration to
	// iteration, see Quadratic, else 0.
	varying []uint8
	// nodeClique is the clique of each node.
	nodeClique []int32
	// label is, of a clique: −1 when no constraint touches it; while islands are joined,
	// a clique further up in its tree; afterwards, of a root, −2 − the island's number.
	label []int32

	islands []island
	small   []*island // those that direct eliminates
	large   []*island // those that sparse factors

	cliqueSeq []int32 // cliques by island, ascending in each
	consSeq   []int32 // constraints by island, ascending in each
}

// cliquesOf returns the cliques of an island, ascending.
func (t *partition) cliquesOf(is *island) []int32 { return t.cliqueSeq[is.clique0:is.clique1] }

// constraintsOf returns the constraints of an island, ascending.
func (t *partition) constraintsOf(is *island) []int32 { return t.consSeq[is.cons0:is.cons1] }

// find cuts the problem into islands.
func (t *partition) find() {
	t.findTouched()
	t.join()
	t.number()
	t.list()
}

// findTouched marks the nodes that constraints touch.
func (t *partition) findTouched() {
	t.touched, t.varying = resize(t.touched, len(t.p.NodeSize)), resize(t.varying, len(t.p.NodeSize))
	clear(t.touched)
	clear(t.varying)
	// a node with a Jacobian block takes part, whatever the block's values
	for i := range t.p.Constraints {
		varies := uint8(1)
		if isQuadratic(t.p.Constraints[i].Law) {
			varies = 0
		}
		for _, b := range t.p.Blocks(handle(i)) {
			t.touched[b.Node] = 1
			t.varying[b.Node] |= varies
		}
	}
}

// join labels touched cliques such that those of one island have one root.
func (t *partition) join() {
	p := t.p
	t.nodeClique = resize(t.nodeClique, len(p.NodeSize))
	t.label = resize(t.label, len(p.Cliques))
	// each touched clique is a set of its own
	for k := range p.Cliques {
		c := &p.Cliques[k]
		t.label[k] = -1
		for i := range c.Nodes {
			t.nodeClique[int(c.First)+i] = int32(k)
			if t.touched[int(c.First)+i] != 0 {
				t.label[k] = int32(k)
			}
		}
	}
	// each constraint joins the sets of its nodes
	for i := range p.Constraints {
		blocks := p.Blocks(handle(i))
		for b := 1; b < len(blocks); b++ {
			x, y := t.root(t.nodeClique[blocks[0].Node]), t.root(t.nodeClique[blocks[b].Node])
			t.label[max(x, y)] = min(x, y)
		}
	}
}

// number makes an island for every root, in ascending order, in the memory of former
// ones.
func (t *partition) number() {
	t.islands = t.islands[:0]
	for k := range t.p.Cliques {
		if t.label[k] == -1 || t.root(int32(k)) != int32(k) {
			continue
		}
		// a former island's history and scratch are used again
		if n := len(t.islands); n < cap(t.islands) {
			t.islands = t.islands[:n+1]
		} else {
			t.islands = append(t.islands, island{})
		}
		t.islands[len(t.islands)-1].reset()
		t.label[k] = int32(-1 - len(t.islands))
	}
}

// list sorts cliques and constraints by island: two counting sorts, with the islands'
// ranges as counters.
func (t *partition) list() {
	p := t.p
	t.cliqueSeq, t.consSeq = resize(t.cliqueSeq, len(p.Cliques)), resize(t.consSeq, len(p.Constraints))
	// numbers of cliques and constraints, in the ends of the ranges
	for k := range p.Cliques {
		if t.label[k] != -1 {
			t.islandOf(int32(k)).clique1++
		}
	}
	for i := range p.Constraints {
		if is := t.islandOfConstraint(i); is != nil {
			is.cons1++
		}
	}
	// starts of the ranges
	var nk, nc int32
	for i := range t.islands {
		is := &t.islands[i]
		is.clique0, nk = nk, nk+is.clique1
		is.cons0, nc = nc, nc+is.cons1
		is.clique1, is.cons1 = is.clique0, is.cons0
	}
	// each to its place
	for k := range p.Cliques {
		if t.label[k] != -1 {
			is := t.islandOf(int32(k))
			t.cliqueSeq[is.clique1] = int32(k)
			is.clique1++
		}
	}
	for i := range p.Constraints {
		if is := t.islandOfConstraint(i); is != nil {
			t.consSeq[is.cons1] = int32(i)
			is.cons1++
		}
	}
}

// root follows labels to the smallest clique of the set, and halves the path.
func (t *partition) root(k int32) int32 {
	for t.label[k] >= 0 && t.label[k] != k {
		// point to the grandparent (path halving)
		if up := t.label[k]; t.label[up] >= 0 {
			t.label[k] = t.label[up]
		}
		k = t.label[k]
	}
	return k
}

// islandOf returns the island of a touched clique, once roots are numbered.
func (t *partition) islandOf(k int32) *island { return &t.islands[-2-t.label[t.root(k)]] }

// islandOfConstraint returns the island of a constraint; nil when it touches no node.
func (t *partition) islandOfConstraint(i int) *island {
	blocks := t.p.Blocks(handle(i))
	if len(blocks) == 0 {
		return nil
	}
	return t.islandOf(t.nodeClique[blocks[0].Node])
}

// handle names constraint i.
func handle(i int) cliques.Handle { return cliques.Handle(i) }
