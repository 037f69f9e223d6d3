package supernodal

// Supernodes and their amalgamation. Columns j and j+1 of L belong to one fundamental
// supernode when j+1 is the parent of j and
//
//	struct(j) = {j} ∪ struct(j+1)                                             (1)
//
// which by the number of their rows is |L_j| = |L_{j+1}| + s_j. Their dense fronts are
// small at the leaves of the tree, where calls and copies cost more than arithmetic. So a
// child c is merged into its parent p wherever the predicted time falls,
//
//	t(w_c + w_p, w_c + f_p) < t(w_c, f_c) + t(w_p, f_p)                        (2)
//
//	w, f   columns and rows of a front
//	t      frontCost
//
// although the merged front stores zeros (relaxed supernodes: Ashcraft, Grimes, "The
// influence of relaxed supernode partitions on the multifrontal method", ACM TOMS 15,
// 1989). Supernodes that Refactor does not compute never merge with those it computes.

// costs of one front, ns. Only their ratios matter, and those only for speed:
// they decide which supernodes merge, and what is worth planning for.
type costs struct {
	front  float64 // fixed: calls, loops that do not fill
	column float64 // a step of the panel
	flop   float64 // of the dense kernels
	entry  float64 // of a panel: clearing, storing
	// an entry of a contribution block: extend-add
	update float64
}

// kernelCosts are measured on one Zen 4 core.
var kernelCosts = [...]costs{
	portable: {front: 400, flop: 0.25, entry: 1, update: 2},
	avx2:     {front: 130, column: 12, flop: 0.027, entry: 0.25, update: 0.4},
	avx512:   {front: 130, column: 9, flop: 0.023, entry: 0.25, update: 0.4},
}

// frontCost predicts the time (ns) of a front of f rows and w columns.
func frontCost(w, f float64) float64 {
	m, c := f-w, &kernelCosts[active]
	return c.front + c.column*w + c.flop*frontFlops(w, f) + c.entry*f*w + c.update*0.5*m*m
}

// frontFlops counts the multiplications and additions: Σ_{k<w} (f−k)².
func frontFlops(w, f float64) float64 {
	m := f - w
	return w*m*m + m*w*w + w*w*w/3
}

// merger builds the supernodes: fundamental ones first, then merged ones.
type merger struct {
	first, last []int32 // positions of fundamental supernodes
	// columns and rows of their fronts, of survivors with what they took in
	w, f       []int32
	parent     []int32 // supernode, −1 for roots
	head, next []int32 // lists of children
	// the supernode that one was merged into, −1 for survivors
	into []int32
	// list of what a survivor consists of, in order of columns, itself last
	front, link []int32
	of          []int32 // position → fundamental supernode
	stack       []int32 // candidates for merging
	post        []int32 // new → old position
	off         []int32 // scratch of slotOffsets
}

// run makes the supernodes of s, and their order of positions in m.post.
func (m *merger) run(s *symbolic) {
	m.fundamental(s)
	n := len(m.first)
	for k := range int32(n) {
		m.relax(s, k)
	}
	m.number(s)
}

// fundamental finds the fundamental supernodes by (1).
func (m *merger) fundamental(s *symbolic) {
	n := int32(len(s.order))
	m.first, m.last, m.w, m.f = m.first[:0], m.last[:0], m.w[:0], m.f[:0]
	m.of = resize(m.of, int(n))
	// extend the run while (1) holds
	for j := int32(0); j < n; {
		k := int32(len(m.first))
		m.first, m.f = append(m.first, j), append(m.f, s.colw[j])
		w := int32(0)
		for {
			m.of[j] = k
			w += s.size[j]
			j++
			if j == n || s.parent[j-1] != j || s.colw[j-1] != s.colw[j]+s.size[j-1] || s.refactored[j-1] != s.refactored[j] {
				break
			}
		}
		m.last, m.w = append(m.last, j), append(m.w, w)
	}
	m.buildTree(s)
}

// buildTree makes the tree of fundamental supernodes, each a list of itself.
func (m *merger) buildTree(s *symbolic) {
	k := len(m.first)
	for _, p := range []*[]int32{&m.parent, &m.head, &m.next, &m.into, &m.link, &m.front} {
		*p = resize(*p, k)
	}
	fill(m.head, -1)
	fill(m.into, -1)
	fill(m.link, -1)
	for i := k - 1; i >= 0; i-- {
		m.front[i] = int32(i)
		m.parent[i] = -1
		// the parent of its last column
		if p := s.parent[m.last[i]-1]; p != -1 {
			q := m.of[p]
			m.parent[i] = q
			m.next[i], m.head[q] = m.head[q], int32(i)
		}
	}
}

// relax merges children into k where (2) holds. Children of a merged child become
// candidates in turn. Its columns go before those of k.
func (m *merger) relax(s *symbolic, k int32) {
	m.stack = m.stack[:0]
	for c := m.head[k]; c != -1; c = m.next[c] {
		m.stack = append(m.stack, c)
	}
	m.head[k] = -1
	for len(m.stack) > 0 {
		// test the last candidate by (2)
		c := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		wc, fc, wk, fk := float64(m.w[c]), float64(m.f[c]), float64(m.w[k]), float64(m.f[k])
		if s.refactored[m.first[c]] != s.refactored[m.first[k]] ||
			frontCost(wc+wk, wc+fk) >= frontCost(wc, fc)+frontCost(wk, fk) {
			// stays a child
			m.next[c], m.head[k] = m.head[k], c
			continue
		}
		m.into[c] = k
		// fronts grow by the columns of c
		m.w[k] += m.w[c]
		m.f[k] = m.w[c] + m.f[k]
		// the list of c's parts, then that of k's
		m.link[c] = m.front[k]
		m.front[k] = m.front[c]
		for g := m.head[c]; g != -1; g = m.next[g] {
			// its children are children of k now
			m.stack = append(m.stack, g)
			m.parent[g] = k
		}
	}
}

// number postorders the surviving supernodes, lists their columns in post and
// makes the supernodes of s.
func (m *merger) number(s *symbolic) {
	n := len(m.first)
	// postorder of survivors, the others as empty nodes under what they were merged into
	up := s.temp(0, n)
	for k := range n {
		if up[k] = m.parent[k]; m.into[k] != -1 {
			up[k] = m.into[k]
		}
	}
	seq := s.temp(5, n)
	postorder(seq, up, s.temp(1, n), s.temp(2, n))
	// survivors become supernodes, with the columns of what they consist of
	m.post, s.node = m.post[:0], s.node[:0]
	name := s.temp(1, n)
	for _, k := range seq {
		if m.into[k] != -1 {
			continue
		}
		name[k] = int32(len(s.node))
		t := supernode{first: int32(len(m.post)), refactored: s.refactored[m.first[k]], parent: m.parent[k]}
		// columns of all its parts
		for q := m.front[k]; q != -1; q = m.link[q] {
			for j := m.first[q]; j < m.last[q]; j++ {
				m.post = append(m.post, j)
			}
		}
		t.last = int32(len(m.post))
		s.node = append(s.node, t)
	}
	// parents by their new numbers
	for i := range s.node {
		if t := &s.node[i]; t.parent != -1 {
			p := t.parent
			for m.into[p] != -1 {
				p = m.into[p]
			}
			t.parent = name[p]
		}
	}
}

// slotOffsets returns the offset of each slot's block in a Matrix, as Matrix.Reset makes
// them.
func (m *merger) slotOffsets(g *Graph) []int32 {
	m.off = resize(m.off, len(g.Row))
	n := int32(0)
	for j, nj := range g.Size {
		for k := g.Ptr[j]; k < g.Ptr[j+1]; k++ {
			// blocks by slots, row-major
			m.off[k] = n
			n += nj * g.Size[g.Row[k]]
		}
	}
	return m.off
}
