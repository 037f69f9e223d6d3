package supernodal

// etree writes the parent of each position in the elimination tree of the graph
// eliminated in the given order, −1 for roots:
//
//	parent(j) = min{i > j : L_ij ≠ 0}
//
// Position k becomes the parent of the root of every tree in which an earlier neighbour
// of k lies. ancestor has shortcuts to the
// roots. Source: Liu, "The role of elimination trees in sparse factorization", 1990;
// Davis 2006, section 4.1.
func etree(parent, ancestor []int32, order, pos, ptr, adj []int32) {
	for k, x := range order {
		parent[k], ancestor[k] = -1, -1
		for _, y := range adj[ptr[x]:ptr[x+1]] {
			for i := pos[y]; i != -1 && i < int32(k); { // up to the root
				up := ancestor[i]
				ancestor[i] = int32(k)
				if up == -1 {
					parent[i] = int32(k)
				}
				i = up
			}
		}
	}
}

// postorder writes the nodes of a forest so that each follows its descendants,
// children in ascending order: subtrees are contiguous, which supernodes, stacks of
// contribution blocks and tasks rely on. head and next are scratch of the same length.
// (Davis 2006, section 4.3.)
func postorder(post, parent, head, next []int32) {
	n := len(parent)
	fill(head, -1)
	root := int32(-1)
	// lists of children in ascending order, and of roots
	for j := int32(n) - 1; j >= 0; j-- {
		if p := parent[j]; p == -1 {
			next[j], root = root, j
		} else {
			next[j], head[p] = head[p], j
		}
	}
	k := 0
	for ; root != -1; root = next[root] {
		j := root
		// to a leaf, then up
		for {
			for head[j] != -1 { // down to the first leaf, consuming child lists
				c := head[j]
				head[j] = next[c]
				next[c] = j // way back
				j = c
			}
			post[k] = j
			k++
			if j == root {
				break
			}
			j = next[j]
		}
	}
}

// columnWeights writes the rows in each block column of the factor, the
// diagonal block included, for a postordered elimination tree, in time almost linear in
// the entries of H. Row i of L has the nodes of a subtree of the tree, whose leaves are
// the entries j of H's row that are not descendants of another. So every row adds its
// size at the leaves and takes it off at the least common ancestor of two successive
// leaves, where their branches join; the sums over subtrees are the weights,
//
//	|L_j| = Σ over the subtree of j of δ                                      (1)
//
// Source: Gilbert, Ng, Peyton, "An efficient algorithm to compute row and column counts
// for sparse Cholesky factorization", 1994; Davis 2006, sections 4.4 and 4.5.
func (s *symbolic) columnWeights(ptr, adj []int32) {
	n := len(s.order)
	first := s.firstDescendants(s.temp(0, n))
	t := rowTrees{s.temp(1, n), s.temp(2, n), s.temp(3, n)}
	fill(t.maxFirst, -1)
	fill(t.prevLeaf, -1)
	for k := range int32(n) {
		t.ancestor[k] = k
	}
	// every position is the root of its own tree so far
	for j := range int32(n) { // a row begins below its diagonal block
		if p := s.parent[j]; p != -1 {
			s.colw[p] -= s.size[p]
		}
	}
	for j := range int32(n) {
		x := s.order[j]
		for _, y := range adj[ptr[x]:ptr[x+1]] {
			i := s.pos[y]
			// above, or j is no leaf of row i's subtree
			if i <= j || first[j] <= t.maxFirst[i] {
				continue
			}
			t.maxFirst[i] = first[j]
			s.colw[j] += s.size[i]
			// counted twice from the common ancestor on
			if q := t.join(i, j); q != -1 {
				s.colw[q] -= s.size[i]
			}
		}
		if p := s.parent[j]; p != -1 {
			t.ancestor[j] = p
		}
	}
	for j := range int32(n) { // (1)
		if p := s.parent[j]; p != -1 {
			s.colw[p] += s.colw[j]
		}
	}
}

// firstDescendants writes the first descendant of each position in postorder, and makes
// the weight of each leaf of the tree its own size, of others 0.
func (s *symbolic) firstDescendants(first []int32) []int32 {
	fill(first, -1)
	s.colw = resize(s.colw, len(first))
	for k := range int32(len(first)) {
		s.colw[k] = 0
		if first[k] == -1 {
			s.colw[k] = s.size[k]
		}
		for j := k; j != -1 && first[j] == -1; j = s.parent[j] {
			first[j] = k
		}
	}
	return first
}

// rowTrees is the state of the subtrees of rows.
type rowTrees struct {
	maxFirst []int32 // largest first descendant among the leaves of each row so far
	prevLeaf []int32 // last leaf of each row, −1 before the first
	ancestor []int32 // shortcut towards the root of the tree built so far
}

// join makes j the last leaf of row i and returns the least common ancestor of it and the
// leaf before, −1 for the first leaf. It is the root of the tree built so far that contains
// the leaf before.
func (t *rowTrees) join(i, j int32) int32 {
	prev := t.prevLeaf[i]
	t.prevLeaf[i] = j
	if prev == -1 {
		return -1
	}
	q := prev
	for q != t.ancestor[q] {
		q = t.ancestor[q]
	}
	for x := prev; x != q; { // path compression
		x, t.ancestor[x] = t.ancestor[x], q
	}
	return q
}
