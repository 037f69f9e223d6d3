package supernodal

import "slices"

// What lasts of a pattern is ordered once. Contact adds few edges to those of
// elements, and in the tree of the base they concern only the nodes they join and
// what follows these. All other subtrees keep their order, so that minimum degree
// has only the rest to order, in the graph that is left when they are eliminated.
// The result is a function of base and graph, whatever was met before.

// base is what remains of a graph from one pattern to the next: see Graph.MarkPersistent.
type base struct {
	hi, lo   []int32 // edges as added
	nodes    int
	ptr, row []int32 // the same, packed
}

// MarkPersistent says that the edges added so far are persistent, as those of elements that join the
// vertices of a body, and those that follow come and go, as contacts do. All
// nodes must have been added. Analyze finds a good order for the base once, and
// keeps it for all graphs that share it. Without a call nothing lasts.
func (g *Graph) MarkPersistent() {
	b := &g.base
	if b.nodes = len(g.Size); len(b.ptr) != b.nodes+1 || !slices.Equal(b.hi, g.hi) || !slices.Equal(b.lo, g.lo) {
		b.hi, b.lo = append(b.hi[:0], g.hi...), append(b.lo[:0], g.lo...)
		b.ptr, b.row = g.pack(b.ptr, b.row)
	}
	g.hi, g.lo = g.hi[:0], g.lo[:0]
}

// hasBase reports whether something lasts.
func (g *Graph) hasBase() bool { return g.base.nodes > 0 && len(g.base.row) > g.base.nodes }

func (g *Graph) sameBase(h *Graph) bool {
	if g.hasBase() != h.hasBase() {
		return false
	}
	return !g.hasBase() || slices.Equal(g.base.ptr, h.base.ptr) && slices.Equal(g.base.row, h.base.row)
}

// baseOrder is a good order of a base with its tree.
type baseOrder struct {
	graph  Graph   // the base by itself
	degree []int32 // number of neighbours of each node
	class  []uint8 // that ordered each node: of dissection, or 0
	nodes  []int32 // in order of elimination
	of     []int32 // supernode of each node
	front  []supernode
	below  []int32 // nodes below each supernode
	cost   float64 // predicted for one Factor of the base alone, ns

	// what is left of one graph on the base
	open  []bool  // supernodes that are
	label []int32 // of their nodes, −1 elsewhere
	rest  []int32 // their nodes, by label
	left  quotient
	order []int32
}

// orderBase finds the order of a graph's base, unless it is that of the last graph.
func (c *Cholesky) orderBase(g *Graph) {
	b := &c.scratch.base
	h := &b.graph
	if slices.Equal(h.Size, g.Size) && slices.Equal(h.Ptr, g.base.ptr) && slices.Equal(h.Row, g.base.row) {
		return
	}
	n := len(g.Size)
	h.Size, h.Class = append(h.Size[:0], g.Size...), resize(h.Class, n)
	h.Ptr, h.Row = append(h.Ptr[:0], g.base.ptr...), append(h.Row[:0], g.base.row...)
	clear(h.Class)
	c.search(h, dissectOnce)
	b.cost = c.s.cost
	b.nodes, b.below = append(b.nodes[:0], c.s.order...), b.below[:0]
	b.front = append(b.front[:0], c.s.node...)
	for _, p := range c.s.below {
		b.below = append(b.below, c.s.order[p])
	}
	b.of, b.degree, b.class = resize(b.of, n), resize(b.degree, n), resize(b.class, n)
	fill(b.of, -1)
	for k, t := range b.front {
		for _, x := range b.nodes[t.first:t.last] {
			b.of[x] = int32(k)
		}
	}
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
		if d == 0 { // may come to join what is far apart
			b.class[x] = last
		}
	}
}

// degree returns the number of a node's neighbours.
func (s *scratch) degree(x int) int32 { return s.adjPtr[x+1] - s.adjPtr[x] }

// onBase appends the nodes of a graph on the base to dst: subtrees without new
// edges as they were, then the rest.
func (s *scratch) onBase(dst []int32, class []uint8) []int32 {
	b := &s.base
	b.openUp(s)
	for k, t := range b.front {
		if !b.open[k] {
			dst = append(dst, b.nodes[t.first:t.last]...)
		}
	}
	b.reduce(s, class)
	b.order = s.amd.order(b.order[:0], b.left)
	for _, i := range b.order {
		dst = append(dst, b.rest[i])
	}
	return dst
}

// openUp opens the supernodes with new edges and all that follow them, and labels
// their nodes.
func (b *baseOrder) openUp(s *scratch) {
	b.open, b.label, b.rest = resize(b.open, len(b.front)), resize(b.label, len(b.of)), b.rest[:0]
	clear(b.open)
	for x, k := range b.of {
		if s.degree(x) == b.degree[x] {
			continue
		}
		for ; k != -1 && !b.open[k]; k = b.front[k].parent {
			b.open[k] = true
		}
	}
	for x, k := range b.of {
		if b.label[x] = -1; k != -1 && b.open[k] {
			b.label[x] = int32(len(b.rest))
			b.rest = append(b.rest, int32(x))
		}
	}
}

// reduce builds the quotient graph that is left: the open nodes, each with the
// subtrees that it lies below and with its neighbours.
func (b *baseOrder) reduce(s *scratch, class []uint8) {
	q := &b.left
	q.size, q.class, q.late = q.size[:0], q.class[:0], q.late[:0]
	q.elements = resize(q.elements, len(b.rest))
	clear(q.elements)
	for _, x := range b.rest {
		q.size, q.late, q.class = append(q.size, b.graph.Size[x]), append(q.late, class[x]), append(q.class, b.class[x])
	}
	subtrees := s.temp(0, len(b.front))[:0]
	for k := range b.front {
		t := &b.front[k]
		if b.open[k] || t.parent == -1 || !b.open[t.parent] {
			continue
		}
		subtrees = append(subtrees, int32(k))
		for _, x := range b.below[t.below0:t.below1] {
			q.elements[b.label[x]]++
		}
	}
	q.ptr, q.adj = q.ptr[:0], q.adj[:0]
	for i, x := range b.rest {
		q.ptr = append(q.ptr, int32(len(q.adj)))
		n := int(q.elements[i])
		q.adj = slices.Grow(q.adj, n)[:len(q.adj)+n]
		for _, y := range s.adj[s.adjPtr[x]:s.adjPtr[x+1]] {
			if j := b.label[y]; j >= 0 {
				q.adj = append(q.adj, j)
			}
		}
	}
	at := s.temp(1, len(b.rest))
	copy(at, q.ptr)
	for _, k := range subtrees {
		q.ptr = append(q.ptr, int32(len(q.adj)))
		t := &b.front[k]
		e := int32(len(q.size))
		q.size, q.class, q.late = append(q.size, 0), append(q.class, 0), append(q.late, 0)
		for _, x := range b.below[t.below0:t.below1] {
			i := b.label[x]
			q.adj = append(q.adj, i)
			q.adj[at[i]] = e
			at[i]++
		}
	}
	q.ptr = append(q.ptr, int32(len(q.adj)))
}
