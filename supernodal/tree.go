package supernodal

// etree writes the parent of each position in the elimination tree of the graph
// eliminated in the given order, −1 for roots (Liu 1990; Davis 2006, §4.1).
// parent(j) = min{i > j : L_ij ≠ 0}.
func etree(parent, ancestor []int32, order, pos, ptr, adj []int32) {
	for k, x := range order {
		parent[k], ancestor[k] = -1, -1
		for _, y := range adj[ptr[x]:ptr[x+1]] {
			for i := pos[y]; i != -1 && i < int32(k); {
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
// children in ascending order. head and next are scratch of the same length.
func postorder(post, parent, head, next []int32) {
	n := len(parent)
	fill(head, -1)
	root := int32(-1)
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
// diagonal block included, for a postordered elimination tree: every row i adds
// its size at the leaves of its row subtree and takes it off where branches join
// (Gilbert, Ng, Peyton 1994; Davis 2006, §4.4-4.5).
func (s *symbolic) columnWeights(ptr, adj []int32) {
	n := len(s.order)
	first, maxFirst, prevLeaf, ancestor := s.temp(0, n), s.temp(1, n), s.temp(2, n), s.temp(3, n)
	fill(first, -1)
	fill(maxFirst, -1)
	fill(prevLeaf, -1)
	s.colw = resize(s.colw, n)
	for k := range int32(n) {
		ancestor[k] = k
		s.colw[k] = 0
		if first[k] == -1 {
			s.colw[k] = s.size[k]
		}
		for j := k; j != -1 && first[j] == -1; j = s.parent[j] {
			first[j] = k
		}
	}
	for j := range int32(n) {
		if p := s.parent[j]; p != -1 {
			s.colw[p] -= s.size[p]
		}
	}
	for j := range int32(n) {
		x := s.order[j]
		for _, y := range adj[ptr[x]:ptr[x+1]] {
			i := s.pos[y]
			if i <= j || first[j] <= maxFirst[i] {
				continue
			}
			maxFirst[i] = first[j] // j is a leaf of row i's subtree
			prev := prevLeaf[i]
			prevLeaf[i] = j
			s.colw[j] += s.size[i]
			if prev == -1 {
				continue
			}
			q := prev // least common ancestor of the last two leaves
			for q != ancestor[q] {
				q = ancestor[q]
			}
			for t := prev; t != q; {
				t, ancestor[t] = ancestor[t], q
			}
			s.colw[q] -= s.size[i]
		}
		if p := s.parent[j]; p != -1 {
			ancestor[j] = p
		}
	}
	for j := range int32(n) {
		if p := s.parent[j]; p != -1 {
			s.colw[p] += s.colw[j]
		}
	}
}
