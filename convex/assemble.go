package convex

import (
	"curlfree/cliques"
	"curlfree/r3"
	"curlfree/supernodal"
)

func handle(i int) cliques.Handle { return cliques.Handle(i) }

// analyze builds the graph of the problem and, when it is not exactly the last
// one, orders and plans the factorization anew.
func (s *Solver) analyze() {
	p := s.p
	if s.spare == nil {
		s.spare, s.graph = new(supernodal.Graph), new(supernodal.Graph)
	}
	s.touched = resize(s.touched, len(p.NodeSize))
	clear(s.touched)
	for i := range p.Constraints {
		for _, b := range p.Blocks(handle(i)) {
			s.touched[b.Node] = 1
		}
	}
	g := s.spare
	g.Reset()
	for i, n := range p.NodeSize {
		g.AddNode(n, s.touched[i])
	}
	for k := range p.Cliques {
		c := &p.Cliques[k]
		if c.Pattern == nil {
			continue
		}
		for j := range c.Nodes {
			for _, i := range c.Pattern.Row[c.Pattern.Ptr[j]:c.Pattern.Ptr[j+1]] {
				g.AddEdge(int(c.First)+int(i), int(c.First)+j)
			}
		}
	}
	g.Base()
	for i := range p.Constraints {
		blocks := p.Blocks(handle(i))
		for a := range blocks {
			for b := range a {
				g.AddEdge(int(blocks[a].Node), int(blocks[b].Node))
			}
		}
	}
	g.Pack()
	if s.graph.Ptr == nil || s.workers != s.Pool.Size() || !g.Equal(s.graph) {
		s.graph, s.spare = g, s.graph
		s.chol.Pool, s.workers = s.Pool, s.Pool.Size()
		s.chol.Analyze(s.graph)
		s.a.Reset(s.graph)
		s.h.Reset(s.graph)
		s.stats.Reanalyzed = true
	}
	s.findPairs()
}

// findPairs looks up where J_aᵀ G J_b of each constraint goes.
func (s *Solver) findPairs() {
	p := s.p
	s.pairs = s.pairs[:0]
	s.pairOff = resize(s.pairOff, len(p.Constraints)+1)
	for i := range p.Constraints {
		s.pairOff[i] = int32(len(s.pairs))
		blocks := p.Blocks(handle(i))
		for a := range blocks {
			for b := 0; b <= a; b++ {
				s.pairs = append(s.pairs, s.a.Off[s.graph.Slot(int(blocks[a].Node), int(blocks[b].Node))])
			}
		}
	}
	s.pairOff[len(p.Constraints)] = int32(len(s.pairs))
}

// loadA copies the cliques into the matrix and takes D from its diagonal.
func (s *Solver) loadA() {
	p, g := s.p, s.graph
	s.a.Clear()
	for k := range p.Cliques {
		c := &p.Cliques[k]
		if c.Pattern == nil {
			copy(s.a.Val[s.a.Off[g.Ptr[c.First]]:], c.A)
			continue
		}
		for j := range c.Nodes {
			slot := g.Ptr[int(c.First)+j]
			for e := c.Pattern.Ptr[j]; e < c.Pattern.Ptr[j+1]; e++ {
				for i := int32(c.First) + c.Pattern.Row[e]; g.Row[slot] != i; {
					slot++ // the graph's column has these rows and more
				}
				copy(s.a.Val[s.a.Off[slot]:s.a.Off[slot]+9], c.A[9*e:])
			}
		}
	}
	s.diagonal(s.d, &s.a)
	for i, x := range s.d {
		s.d[i] = inverseSqrt(x)
	}
}

// diagonal writes the diagonal of m.
func (s *Solver) diagonal(dst []float64, m *supernodal.Matrix) {
	for node, n := range s.p.NodeSize {
		b := m.Val[m.Off[s.graph.Ptr[node]]:]
		for i := range n {
			dst[s.p.NodeOffset[node]+i] = b[i*n+i]
		}
	}
}

// assembleH writes (3) for the islands still open: their blocks that
// constraints touch start from A again. λ diag(A) is added to the touched nodes,
// whose part of H is all that can have lost definiteness.
func (s *Solver) assembleH() {
	for k := range s.islands {
		is := &s.islands[k]
		if is.done {
			continue
		}
		s.assembleIsland(is)
	}
}

func (s *Solver) assembleIsland(is *island) {
	s.resetH(is)
	for _, i := range s.consSeq[is.cons0:is.cons1] {
		s.addHessian(int(i))
	}
	if is.lambda > 0 {
		s.touchedDiagonal(is, func(a, h *float64) { *h += is.lambda * *a })
	}
}

// resetH makes H of an island A.
func (s *Solver) resetH(is *island) {
	for _, i := range s.consSeq[is.cons0:is.cons1] {
		s.resetPairs(int(i))
	}
}

// touchedDiagonal calls f for the diagonal entries of A and H of an island's
// touched nodes.
func (s *Solver) touchedDiagonal(is *island, f func(a, h *float64)) {
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &s.p.Cliques[k]
		for node := int(c.First); node < int(c.First)+c.Nodes; node++ {
			if s.touched[node] == 0 {
				continue
			}
			n := s.p.NodeSize[node]
			at := int(s.a.Off[s.graph.Ptr[node]])
			for i := range n {
				f(&s.a.Val[at+i*n+i], &s.h.Val[at+i*n+i])
			}
		}
	}
}

func (s *Solver) resetPairs(i int) {
	k := s.pairOff[i]
	blocks := s.p.Blocks(handle(i))
	for a := range blocks {
		for b := 0; b <= a; b++ {
			at := s.pairs[k]
			n := int32(s.p.NodeSize[blocks[a].Node] * s.p.NodeSize[blocks[b].Node])
			copy(s.h.Val[at:at+n], s.a.Val[at:at+n])
			k++
		}
	}
}

// addHessian adds JᵀG J of one constraint to h.
func (s *Solver) addHessian(i int) {
	p := s.p
	c, blocks := &p.Constraints[i], p.Blocks(handle(i))
	G := s.g[s.gOff[i]:s.gOff[i+1]]
	if allZero(G) {
		return
	}
	d, k := c.Dim, s.pairOff[i]
	for a := range blocks {
		A := &blocks[a]
		na := p.NodeSize[A.Node]
		s.gj = resize(s.gj, d*na)
		mulGJ(s.gj, G, A.J, d, na)
		for b := 0; b <= a; b++ {
			B := &blocks[b]
			nb := p.NodeSize[B.Node]
			dst := s.h.Val[s.pairs[k]:]
			k++
			if A.Node >= B.Node { // (G J_a)ᵀ J_b
				addTMul(dst[:na*nb], s.gj, B.J, d, na, nb)
			} else {
				addTMul(dst[:na*nb], B.J, s.gj, d, nb, na)
			}
		}
	}
}

func allZero(x []float64) bool {
	for _, v := range x {
		if v != 0 {
			return false
		}
	}
	return true
}

// mulGJ writes G J for G (d×d) and J (d×n).
func mulGJ(dst, G, J []float64, d, n int) {
	if d == 3 && n == 3 {
		*(*r3.Mat)(dst) = r3.Mat(G).Mul(r3.Mat(J))
		return
	}
	for r := range d {
		row := dst[r*n : (r+1)*n]
		clear(row)
		for q, g := range G[r*d : (r+1)*d] {
			if g == 0 {
				continue
			}
			for j, x := range J[q*n : (q+1)*n] {
				row[j] += g * x
			}
		}
	}
}

// addTMul adds XᵀY to dst (m×n) for X (d×m) and Y (d×n).
func addTMul(dst, X, Y []float64, d, m, n int) {
	if d == 3 && n == 3 { // contacts: one row of dst from the columns of X
		y := (*[9]float64)(Y)
		for i := range m {
			a, b, c := X[i], X[m+i], X[2*m+i]
			row := (*[3]float64)(dst[3*i:])
			row[0] += a*y[0] + b*y[3] + c*y[6]
			row[1] += a*y[1] + b*y[4] + c*y[7]
			row[2] += a*y[2] + b*y[5] + c*y[8]
		}
		return
	}
	if d == 3 {
		y0, y1, y2 := Y[:n], Y[n:2*n], Y[2*n:3*n]
		for i := range m {
			a, b, c := X[i], X[m+i], X[2*m+i]
			row := dst[i*n : (i+1)*n]
			for j := range row {
				row[j] += a*y0[j] + b*y1[j] + c*y2[j]
			}
		}
		return
	}
	for r := range d {
		y := Y[r*n : (r+1)*n]
		for i, x := range X[r*m : (r+1)*m] {
			if x == 0 {
				continue
			}
			row := dst[i*n : (i+1)*n]
			for j, z := range y {
				row[j] += x * z
			}
		}
	}
}
