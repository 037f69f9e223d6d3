package supernodal

import "slices"

// The persistent part of the sparsity pattern (persistent pattern) is ordered once. The
// edges of a deformable's elements stay for its life, while contact adds and removes a
// few. In the tree of supernodes of the persistent part, a new edge changes the fronts
// of the nodes it joins and of their ancestors, and no other: an elimination of a
// subtree without new edges is what it was. So an order for a graph with new edges
// (partial re-ordering) is
//
//  1. the unaffected subtrees, in their order,
//  2. the affected nodes, by minimum degree in the quotient graph that is left when the
//     subtrees are eliminated: each subtree is an element of it.
//
// Contact of a finger with an object affects a few branches of the tree up to the root: a
// small part of the nodes, so that planning takes a fraction of that of the whole graph.
// The result is a function of the persistent part and the graph, not of the graphs
// before: runs that are resumed repeat their bits.

// persistent is the part of a graph that stays from one pattern to the next, see
// Graph.MarkPersistent.
type persistent struct {
	hi, lo []int32 // edges as added
	// of the graph when it was marked, 0 when nothing is persistent
	nodes    int
	ptr, row []int32 // the edges, packed
}

// MarkPersistent declares the edges added so far as persistent, such as those of finite
// elements, and those added later as temporary, such as those of contacts. All nodes
// must have been added. Analyze computes a fill-reducing order of the persistent part
// once, and keeps it for all graphs that share this part. Without a call no edge is
// persistent.
func (g *Graph) MarkPersistent() {
	b := &g.persistent
	b.nodes = len(g.Size)
	// the same edges in the same order need no packing
	if len(b.ptr) != b.nodes+1 || !slices.Equal(b.hi, g.hi) || !slices.Equal(b.lo, g.lo) {
		b.hi, b.lo = append(b.hi[:0], g.hi...), append(b.lo[:0], g.lo...)
		b.ptr, b.row = g.pack(b.ptr, b.row)
	}
	g.hi, g.lo = g.hi[:0], g.lo[:0]
}

// hasPersistent reports whether there are persistent edges.
func (g *Graph) hasPersistent() bool {
	return g.persistent.nodes > 0 && len(g.persistent.row) > g.persistent.nodes
}

// samePersistent reports whether two graphs have the same persistent edges.
func (g *Graph) samePersistent(h *Graph) bool {
	if g.hasPersistent() != h.hasPersistent() {
		return false
	}
	// both have none, or the same
	return !g.hasPersistent() || slices.Equal(g.persistent.ptr, h.persistent.ptr) && slices.Equal(g.persistent.row, h.persistent.row)
}

// persistentOrder is a good order of the persistent part of a graph, with its tree of
// supernodes.
type persistentOrder struct {
	graph  Graph   // the persistent part by itself
	degree []int32 // number of neighbours of each node in it
	// separator class that ordered each node, see dissector; 0 without
	class []uint8
	nodes []int32 // in order of elimination
	// supernode of each node, −1 for nodes of size 0
	of    []int32
	front []supernode // of the persistent part
	below []int32     // nodes below each supernode
	// predicted for one Factor of the persistent part alone, ns
	cost float64

	// for one graph:
	// supernodes whose front has new edges, and their ancestors
	affected []bool
	// number of each affected node, −1 for others
	label   []int32
	relabel []int32 // affected node of each number
	// graph of the affected nodes after elimination of the others
	left quotient
	// supernodes that are the elements of it: roots of unaffected subtrees
	elements []int32
	order    []int32 // of the affected nodes, by number
}

// orderPersistent finds the order of a graph's persistent part, unless it is that of the
// graph before.
func (c *Cholesky) orderPersistent(g *Graph) {
	b := &c.scratch.persistent
	h := &b.graph
	if slices.Equal(h.Size, g.Size) && slices.Equal(h.Ptr, g.persistent.ptr) && slices.Equal(h.Row, g.persistent.row) {
		return
	}
	// plan it as a graph by itself, all in class 0
	n := len(g.Size)
	h.Size, h.Class = append(h.Size[:0], g.Size...), resize(h.Class, n)
	h.Ptr, h.Row = append(h.Ptr[:0], g.persistent.ptr...), append(h.Row[:0], g.persistent.row...)
	clear(h.Class)
	c.search(h, dissectOnce)
	// the cheapest plan gives the order
	b.keepTree(c.s)
	// neighbours and classes of its nodes
	b.degree, b.class = resize(b.degree, n), resize(b.class, n)
	for x := range n {
		b.degree[x] = c.scratch.degree(x)
	}
	switch c.s {
	case &c.plans[dissection]:
		copy(b.class, c.scratch.dissect.class)
	case &c.plans[roundDissection]:
		copy(b.class, c.scratch.round.class)
	default:
		clear(b.class)
	}
	last := slices.Max(b.class)
	for x, d := range b.degree {
		if d == 0 { // a rigid body, say: contacts may join distant nodes through it
			b.class[x] = last
		}
	}
}

// keepTree copies order and tree from a plan of the persistent part.
func (b *persistentOrder) keepTree(s *symbolic) {
	b.cost = s.cost
	b.nodes, b.below = append(b.nodes[:0], s.order...), b.below[:0]
	b.front = append(b.front[:0], s.node...)
	for _, p := range s.below {
		b.below = append(b.below, s.order[p])
	}
	b.of = resize(b.of, len(b.graph.Size))
	fill(b.of, -1)
	for k, t := range b.front {
		for _, x := range b.nodes[t.first:t.last] {
			b.of[x] = int32(k)
		}
	}
}

// degree returns the number of a node's neighbours.
func (s *scratch) degree(x int) int32 { return s.adjPtr[x+1] - s.adjPtr[x] }

// reorder appends the nodes of a graph to dst, by its persistent order: unaffected
// subtrees as they were, then the affected nodes. class is that of the graph's nodes.
func (s *scratch) reorder(dst []int32, class []uint8) []int32 {
	b := &s.persistent
	b.findAffected(s)
	for k, t := range b.front {
		if !b.affected[k] {
			dst = append(dst, b.nodes[t.first:t.last]...)
		}
	}
	b.reduce(s, class)
	b.order = s.amd.order(b.order[:0], b.left)
	for _, i := range b.order {
		dst = append(dst, b.relabel[i])
	}
	return dst
}

// findAffected marks the supernodes with new edges and all their ancestors, and numbers
// their nodes.
func (b *persistentOrder) findAffected(s *scratch) {
	b.affected, b.label, b.relabel = resize(b.affected, len(b.front)), resize(b.label, len(b.of)), b.relabel[:0]
	clear(b.affected)
	for x, k := range b.of {
		// edges are only added: a node without a new one has its degree
		if s.degree(x) == b.degree[x] {
			continue
		}
		// its front, and all fronts above
		for ; k != -1 && !b.affected[k]; k = b.front[k].parent {
			b.affected[k] = true
		}
	}
	for x, k := range b.of {
		if b.label[x] = -1; k != -1 && b.affected[k] {
			b.label[x] = int32(len(b.relabel))
			b.relabel = append(b.relabel, int32(x))
		}
	}
}

// reduce builds the quotient graph that is left: the affected nodes, each with the
// subtrees whose roots have it below and with its affected neighbours.
func (b *persistentOrder) reduce(s *scratch, class []uint8) {
	q := &b.left
	q.size, q.class, q.deferred = q.size[:0], q.class[:0], q.deferred[:0]
	q.elements = resize(q.elements, len(b.relabel))
	clear(q.elements)
	// affected nodes are the variables; class 1 is deferred, separators keep their class
	for _, x := range b.relabel {
		q.size, q.deferred, q.class = append(q.size, b.graph.Size[x]), append(q.deferred, class[x]), append(q.class, b.class[x])
	}
	b.findElements()
	// lists of variables: room for elements, then neighbours
	q.ptr, q.adj = q.ptr[:0], q.adj[:0]
	for i, x := range b.relabel {
		q.ptr = append(q.ptr, int32(len(q.adj)))
		// elements first
		n := int(q.elements[i])
		q.adj = slices.Grow(q.adj, n)[:len(q.adj)+n]
		for _, y := range s.adj[s.adjPtr[x]:s.adjPtr[x+1]] {
			if j := b.label[y]; j >= 0 {
				q.adj = append(q.adj, j)
			}
		}
	}
	b.linkElements(s.temp(1, len(b.relabel)))
}

// findElements lists the roots of unaffected subtrees under affected supernodes, and
// counts those at each affected node.
func (b *persistentOrder) findElements() {
	b.elements = b.elements[:0]
	for k := range b.front {
		// the root of an unaffected subtree, with an affected parent
		t := &b.front[k]
		if b.affected[k] || t.parent == -1 || !b.affected[t.parent] {
			continue
		}
		b.elements = append(b.elements, int32(k))
		for _, x := range b.below[t.below0:t.below1] {
			b.left.elements[b.label[x]]++
		}
	}
}

// linkElements appends the elements as nodes of size 0, with the variables below them,
// and enters each in the lists of these. at is scratch.
func (b *persistentOrder) linkElements(at []int32) {
	q := &b.left
	copy(at, q.ptr)
	for _, k := range b.elements {
		q.ptr = append(q.ptr, int32(len(q.adj)))
		t := &b.front[k]
		e := int32(len(q.size))
		q.size, q.class, q.deferred = append(q.size, 0), append(q.class, 0), append(q.deferred, 0)
		for _, x := range b.below[t.below0:t.below1] {
			i := b.label[x]
			q.adj = append(q.adj, i)
			// in the room that reduce has left
			q.adj[at[i]] = e
			at[i]++
		}
	}
	q.ptr = append(q.ptr, int32(len(q.adj)))
}
