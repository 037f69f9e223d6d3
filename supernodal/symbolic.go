package supernodal

import "slices"

// symbolic is the symbolic factorization (plan): the order of the nodes, the tree of
// supernodes, and the memory layout. It is a pure function of the graph.
//
// A position is a node's place in the order of elimination. A supernode is a run
// of positions with (nearly) the same column structure; its front is a dense
// lower trapezoid of f rows, of which the first w are its own columns (the panel,
// f×w, kept as part of L) and the rest the contribution block ((f−w)², handed to
// the parent).
//
//	          w        f − w
//	      ┌─────────┬─────────┐
//	   w  │ L11     │         │      panel: both blocks on the left, of the columns
//	      ├─────────┼─────────┤      [first, last)
//	f − w │ L21     │ U       │      contribution block U; rows: below
//	      └─────────┴─────────┘
//
// Planning goes through these steps:
//
//	order       amd, dissector, persistentOrder
//	tree        elimination tree, parent(j) = min{i > j : L_ij ≠ 0}, in postorder
//	weights     rows of each column of L, without L itself
//	supernodes  merger
//	structure   struct(s) = (rows of H in s ∪ ⋃ struct(c)) below s, c the children    (1)
//	maps        where blocks of the matrix and of the children go in each front
//	plan        memory and tasks
type symbolic struct {
	// position → node; nodes of size 0 have none
	order []int32
	pos   []int32 // node → position, −1 for size 0
	size  []int32 // rows of positions
	// (positions+1) first row of a position in the permuted matrix
	start []int32

	node  []supernode // in postorder
	child []int32     // children of all supernodes, ascending
	// positions of the rows under the diagonal block, ascending
	below    []int32
	runs     []run
	scatters []scatter

	lSize int // floats of all panels
	zSize int // rows of all fronts
	// floats of contribution blocks: those kept, then a pair of stacks for each worker
	cbSize  int
	cbKeep  int // floats of those kept
	cbStack int // floats of a pair of stacks
	// multiplications and additions of one Factor
	flops float64
	cost  float64 // predicted for one Factor, ns
	// predicted for the Refactors expected to follow, ns
	recost float64

	// whole subtrees, for workers, large ones first
	tasks   []task
	top     []int32 // all other supernodes, ascending
	workers int     // that the memory is for

	*scratch
}

// scratch is the memory that only planning needs; plans of one graph share it, and their
// adjacency.
type scratch struct {
	asker
	// both triangles without the diagonal and nodes of size 0
	adjPtr, adj []int32
	adjSlot     []int32 // slot of each edge
	parent      []int32 // elimination tree of positions
	colw        []int32 // rows in each column of L
	// of positions: class 1, or an ancestor of such
	refactored []bool
	persistent persistentOrder
	amd        amd
	dissect    dissector
	round      dissector
	merge      merger
	none       []uint8 // zeros: no class, nothing deferred
	marker     []int32 // of positions, see mark and maps
	seq        []int32 // supernodes of one task
	falling    []int32 // supernodes by falling work
	tmp        [6][]int32
}

// supernode is one front. Ranges refer to the arrays of symbolic.
type supernode struct {
	first, last    int32 // positions [first, last)
	w, f           int32 // columns; rows of the front
	parent         int32 // −1 for roots
	child0, child1 int32 // range of child
	below0, below1 int32 // range of below
	// range of runs: its contribution block in the parent's front
	run0, run1 int32
	// the first run in the parent's contribution block
	runSplit   int32
	scatter0   int32 // range of scatters
	scatter1   int32
	refactored bool // Refactor computes it
	// the contribution block outlives the postorder's stack
	keep bool
	// offset of the part of a right-hand side that belongs to its front
	z int
	// offsets of panel and contribution block, this among those kept or in a worker's
	// stacks
	l, cb int
	// first supernode of its subtree, which ends with it
	subtreeFirst      int32
	work, subtreeWork float64 // predicted time, ns
}

// run reports that n rows of a contribution block from src on lie from dst on in
// the parent's front; no run crosses from the parent's columns to its rows below.
type run struct{ src, dst, n int32 }

// scatter places a block of the matrix in a panel: element (r, c) is
// Val[val + r·rs + c·cs] and goes to dst + r + c·f.
type scatter struct {
	val, dst   int32
	rows, cols int16
	rs, cs     int16
}

// temp returns scratch number k with length n.
func (s *scratch) temp(k, n int) []int32 {
	s.tmp[k] = resize(s.tmp[k], n)
	return s.tmp[k]
}

// analyze plans for the graph whose adjacency is in scratch.
func (s *symbolic) analyze(g *Graph, by ordering, workers int) {
	s.ask()
	s.orderNodes(g, by)
	s.ask()
	n := len(s.order)
	s.pos = resize(s.pos, g.Nodes())
	fill(s.pos, -1)
	s.renumber(g)
	// tree and postorder
	s.parent = resize(s.parent, n)
	etree(s.parent, s.temp(0, n), s.order, s.pos, s.adjPtr, s.adj)
	post := s.temp(0, n)
	postorder(post, s.parent, s.temp(1, n), s.temp(2, n))
	s.permute(g, post)
	// supernodes
	s.columnWeights(s.adjPtr, s.adj)
	s.ask()
	s.merge.run(s)
	s.ask()
	s.permuteOrder(g, s.merge.post)
	s.structure()
	s.maps(g)
	s.plan(workers)
}

// orderNodes finds an order of elimination.
func (s *symbolic) orderNodes(g *Graph, by ordering) {
	s.none = resize(s.none, g.Nodes())
	clear(s.none)
	q := quotient{size: g.Size, class: s.none, deferred: s.none, ptr: s.adjPtr, adj: s.adj}
	switch by {
	case minimumDegree:
		q.deferred = g.Class
	case class1Last:
		q.class = g.Class
	case dissection:
		q.class = s.dissect.run(g.Size, s.adjPtr, s.adj)
	case roundDissection:
		s.round.round = true
		q.class = s.round.run(g.Size, s.adjPtr, s.adj)
	}
	if by == partial {
		s.order = s.reorder(s.order[:0], g.Class)
	} else {
		s.order = s.amd.order(s.order[:0], q)
	}
}

// adjacency expands the packed lower triangle to both triangles with the slot of
// each edge, leaving out the diagonal and nodes of size 0. Neighbours ascend.
func (s *scratch) adjacency(g *Graph) {
	n := g.Nodes()
	s.adjPtr = resize(s.adjPtr, n+1)
	clear(s.adjPtr)
	// degrees, then starts
	edges := 0
	for j := range n {
		for _, i := range g.Row[g.Ptr[j]+1 : g.Ptr[j+1]] {
			if g.Size[i] > 0 && g.Size[j] > 0 {
				s.adjPtr[i]++
				s.adjPtr[j]++
				edges++
			}
		}
	}
	total := int32(0)
	for i := range n {
		s.adjPtr[i], total = total, total+s.adjPtr[i]
	}
	s.adjPtr[n] = total
	// neighbours
	s.adj, s.adjSlot = resize(s.adj, 2*edges), resize(s.adjSlot, 2*edges)
	at := s.temp(0, n)
	copy(at, s.adjPtr)
	for j := range int32(n) {
		for k := g.Ptr[j] + 1; k < g.Ptr[j+1]; k++ {
			i := g.Row[k]
			if g.Size[i] > 0 && g.Size[j] > 0 {
				// j and i are neighbours of each other, by the same slot
				s.adj[at[i]], s.adjSlot[at[i]] = j, k
				s.adj[at[j]], s.adjSlot[at[j]] = i, k
				at[i]++
				at[j]++
			}
		}
	}
}

// renumber derives pos, size and start from order; pos of nodes of size 0 stays −1.
func (s *symbolic) renumber(g *Graph) {
	n := len(s.order)
	s.size, s.start = resize(s.size, n), resize(s.start, n+1)
	row := int32(0)
	for k, x := range s.order {
		s.pos[x], s.size[k], s.start[k] = int32(k), g.Size[x], row
		row += g.Size[x]
	}
	s.start[n] = row
}

// permuteOrder applies the permutation post (new → old position) to the order.
func (s *symbolic) permuteOrder(g *Graph, post []int32) {
	old := s.temp(3, len(s.order))
	copy(old, s.order)
	for k, p := range post {
		s.order[k] = old[p]
	}
	s.renumber(g)
}

// permute applies post to the order and the elimination tree and marks the positions
// that Refactor computes: class 1 and all their ancestors, since L_j depends on the
// entries of the subtree of j.
func (s *symbolic) permute(g *Graph, post []int32) {
	n := len(s.order)
	s.permuteOrder(g, post)
	old, inv := s.temp(3, n), s.temp(4, n)
	copy(old, s.parent)
	// inverse permutation
	for k, p := range post {
		inv[p] = int32(k)
	}
	// tree in new numbers; class 1
	s.refactored = resize(s.refactored, n)
	for k, p := range post {
		s.parent[k] = -1
		if q := old[p]; q != -1 {
			s.parent[k] = inv[q]
		}
		s.refactored[k] = g.Class[s.order[k]] != 0
	}
	for k, p := range s.parent { // and their ancestors
		if p != -1 && s.refactored[k] {
			s.refactored[p] = true
		}
	}
}

// structure finds the rows below each supernode by (1).
func (s *symbolic) structure() {
	s.child, s.below = s.child[:0], s.below[:0]
	n := len(s.node)
	// lists of children
	head, next := s.temp(0, n), s.temp(1, n)
	fill(head, -1)
	for k := n - 1; k >= 0; k-- {
		if p := s.node[k].parent; p != -1 {
			next[k], head[p] = head[p], int32(k)
		}
	}
	// marker: the last supernode that a row was appended for
	s.marker = resize(s.marker, len(s.order))
	fill(s.marker, -1)
	for k := range int32(n) {
		t := &s.node[k]
		// rows of the matrix, then of the children
		t.below0, t.child0 = int32(len(s.below)), int32(len(s.child))
		t.subtreeFirst = k
		s.markMatrix(t, k)
		for c := head[k]; c != -1; c = next[c] {
			if len(s.child) == int(t.child0) {
				// the first child's subtree comes first
				t.subtreeFirst = s.node[c].subtreeFirst
			}
			s.child = append(s.child, c)
			for _, r := range s.below[s.node[c].below0:s.node[c].below1] {
				s.mark(r, t.last, k)
			}
		}
		t.below1, t.child1 = int32(len(s.below)), int32(len(s.child))
		s.measure(t)
	}
}

// markMatrix appends the rows of the matrix below supernode k.
func (s *symbolic) markMatrix(t *supernode, k int32) {
	for q := t.first; q < t.last; q++ {
		x := s.order[q]
		for _, y := range s.adj[s.adjPtr[x]:s.adjPtr[x+1]] {
			s.mark(s.pos[y], t.last, k)
		}
	}
}

// mark appends row r of supernode k once if it lies below.
func (s *symbolic) mark(r, last, k int32) {
	if r >= last && s.marker[r] != k {
		s.marker[r] = k
		s.below = append(s.below, r)
	}
}

// measure sorts the rows of a supernode and counts its columns and rows.
func (s *symbolic) measure(t *supernode) {
	rows := s.below[t.below0:t.below1]
	slices.Sort(rows)
	t.w = s.start[t.last] - s.start[t.first]
	t.f = t.w
	for _, r := range rows {
		t.f += s.size[r]
	}
}

// maps precomputes where children's contribution blocks and the matrix' blocks
// go in each front ("relative indices" of multifrontal codes), so that the numeric
// factorization looks nothing up.
func (s *symbolic) maps(g *Graph) {
	s.runs, s.scatters = s.runs[:0], s.scatters[:0]
	off := s.merge.slotOffsets(g)
	at := s.marker // row of the front of each position
	for k := range s.node {
		// rows of the front: own columns, then those below
		t := &s.node[k]
		for q := t.first; q < t.last; q++ {
			at[q] = s.start[q] - s.start[t.first]
		}
		row := t.w
		for _, r := range s.below[t.below0:t.below1] {
			at[r] = row
			row += s.size[r]
		}
		// children, then the matrix
		for _, c := range s.child[t.child0:t.child1] {
			s.childRuns(&s.node[c], t.w, at)
		}
		t.scatter0 = int32(len(s.scatters))
		for q := t.first; q < t.last; q++ {
			s.columnScatters(g, t, q, off, at)
		}
		t.scatter1 = int32(len(s.scatters))
	}
}

// columnScatters appends the blocks of the matrix in the columns of position q: the
// diagonal block and those of later positions. A block is stored by its nodes' numbers,
// and needed by their positions: where these are in reverse order it is transposed.
func (s *symbolic) columnScatters(g *Graph, t *supernode, q int32, off, at []int32) {
	x := s.order[q]
	n, col := s.size[q], at[q]*t.f
	// diagonal block: the lower triangle is what counts
	s.scatters = append(s.scatters, scatter{off[g.Ptr[x]], col + at[q], int16(n), int16(n), 1, int16(n)})
	for e := s.adjPtr[x]; e < s.adjPtr[x+1]; e++ {
		y := s.adj[e]
		p := s.pos[y]
		// in an earlier column
		if p < q {
			continue
		}
		b := scatter{off[s.adjSlot[e]], col + at[p], int16(s.size[p]), int16(n), 1, int16(s.size[p])}
		if y > x { // stored as (y, x): rows are the front's rows
			b.rs, b.cs = int16(n), 1
		}
		s.scatters = append(s.scatters, b)
	}
}

// childRuns appends the runs of a child's contribution block in a front of w columns; at
// is the row of the front of each position. Rows that are neighbours in both are one run.
func (s *symbolic) childRuns(c *supernode, w int32, at []int32) {
	c.run0 = int32(len(s.runs))
	src := int32(0)
	for _, r := range s.below[c.below0:c.below1] {
		n, dst := s.size[r], at[r]
		if m := len(s.runs) - 1; m >= int(c.run0) && s.runs[m].dst+s.runs[m].n == dst && dst != w {
			s.runs[m].n += n // continues the last one
		} else {
			s.runs = append(s.runs, run{src, dst, n})
		}
		src += n
	}
	c.run1 = int32(len(s.runs))
	c.runSplit = c.run1
	for c.runSplit > c.run0 && s.runs[c.runSplit-1].dst >= w {
		c.runSplit--
	}
}
