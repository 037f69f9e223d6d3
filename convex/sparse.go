package convex

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/supernodal"
)

// sparse is the matrix of all that is not a small island: deformables, touched or
// not, and large islands, factored together by supernodes. The first factorization,
// of A where deformables are free, else of the first Hessian, gives what the Hessians
// of all iterations share; further ones refactor only what constraints touch.
type sparse struct {
	graph, spare *supernodal.Graph // last and next
	workers      int               // that the last plan is for
	a, h         supernodal.Matrix
	chol         supernodal.Cholesky
	cliques      []int32   // in order of the graph; with deformables all, lest the plan change with every contact
	apart        []bool    // of these, in a small island or free, so that nothing is asked of the graph
	node         []int32   // of the problem, of each of the graph
	place        []int32   // in the graph, of each node of the problem in it
	shared       bool      // some entries stay in all iterations, those of deformables
	factored     bool      // they are
	x            []float64 // right-hand side in order of the graph
}

// analyze builds the graph of deformables and large islands and, when it is not
// exactly the last one, orders and plans the factorization anew.
func (s *Solver) analyze() {
	p, m := s.p, &s.sparse
	m.cliques, m.apart, m.shared = m.cliques[:0], m.apart[:0], false
	m.factored = false
	for k := range p.Cliques {
		m.shared = m.shared || p.Cliques[k].Pattern != nil
	}
	for k := range p.Cliques {
		apart := p.Cliques[k].Pattern == nil && (s.label[k] == -1 || s.islands[s.islandOf(int32(k))].small)
		if m.shared || !apart {
			m.cliques, m.apart = append(m.cliques, int32(k)), append(m.apart, apart)
		}
	}
	if len(m.cliques) == 0 {
		return
	}
	if m.spare == nil {
		m.spare, m.graph = new(supernodal.Graph), new(supernodal.Graph)
	}
	g := m.spare
	g.Reset()
	m.node, m.place = m.node[:0], resize(m.place, len(p.NodeSize))
	n := 0
	for i, k := range m.cliques {
		c := &p.Cliques[k]
		n += c.Size
		for node := int(c.First); node < int(c.First)+c.Nodes; node++ {
			class := s.touched[node]
			if m.apart[i] {
				class = 0
			}
			m.place[node] = int32(g.AddNode(p.NodeSize[node], class))
			m.node = append(m.node, int32(node))
		}
	}
	for _, k := range m.cliques {
		c := &p.Cliques[k]
		if c.Pattern == nil {
			continue
		}
		first := int(m.place[c.First])
		for j := range c.Nodes {
			for _, i := range c.Pattern.Row[c.Pattern.Ptr[j]:c.Pattern.Ptr[j+1]] {
				g.AddEdge(first+int(i), first+j)
			}
		}
	}
	g.MarkPersistent()
	m.x = resize(m.x, n)
	for _, is := range s.large {
		for _, i := range s.consSeq[is.cons0:is.cons1] {
			blocks := p.Blocks(handle(int(i)))
			for a := range blocks {
				for b := range a {
					g.AddEdge(int(m.place[blocks[a].Node]), int(m.place[blocks[b].Node]))
				}
			}
		}
	}
	g.Pack()
	if m.graph.Ptr == nil || m.workers != s.Pool.Size() || !g.Equal(m.graph) {
		m.graph, m.spare = g, m.graph
		m.chol.Pool, m.workers = s.Pool, s.Pool.Size()
		m.chol.Analyze(m.graph)
		m.a.Reset(m.graph)
		m.h.Reset(m.graph)
		s.stats.Reanalyzed = true
	}
	for i, k := range m.cliques {
		c := &p.Cliques[k]
		for node := int(c.First); node < int(c.First)+c.Nodes && !m.apart[i]; node++ {
			s.diagAt[node] = m.a.Off[m.graph.Ptr[m.place[node]]]
		}
	}
	for _, is := range s.large {
		is.a, is.h = m.a.Val, m.h.Val
		s.findPairs(is)
	}
}

// findPairs looks up where J_aᵀ G J_b of the constraints of a large island go.
func (s *Solver) findPairs(is *island) {
	p, m := s.p, &s.sparse
	for _, i := range s.consSeq[is.cons0:is.cons1] {
		s.pairOff[i] = int32(len(s.pairs))
		blocks := p.Blocks(handle(int(i)))
		for a := range blocks {
			x := m.place[blocks[a].Node]
			for b := range a + 1 {
				y := m.place[blocks[b].Node]
				at := m.a.Off[m.graph.Slot(int(x), int(y))]
				if x < y {
					at = ^at
				}
				s.pairs = append(s.pairs, at)
			}
		}
	}
}

// loadSparse copies the cliques into the matrix; what constraints alone couple stays
// zero in A.
func (s *Solver) loadSparse() {
	m := &s.sparse
	g := m.graph
	for _, k := range m.cliques {
		c := &s.p.Cliques[k]
		first := m.place[c.First]
		if c.Pattern == nil {
			copy(m.a.Val[m.a.Off[g.Ptr[first]]:], c.A)
			continue
		}
		for j := range c.Nodes {
			slot := g.Ptr[int(first)+j]
			for e := c.Pattern.Ptr[j]; e < c.Pattern.Ptr[j+1]; e++ {
				for i := first + c.Pattern.Row[e]; g.Row[slot] != i; {
					slot++ // the graph's column has these rows and more
				}
				copy(m.a.Val[m.a.Off[slot]:m.a.Off[slot]+9], c.A[9*e:])
			}
		}
	}
	copy(m.h.Val, m.a.Val)
}

// factorSparse factors H of the large islands; on failure it returns the node of
// the problem whose pivot fails.
func (s *Solver) factorSparse() (node int, ok bool) {
	m := &s.sparse
	var err error
	if m.factored {
		err = m.chol.Refactor(&m.h)
	} else {
		err = m.chol.Factor(&m.h)
		m.factored = m.shared && err == nil
	}
	if err != nil {
		return int(m.node[err.(*supernodal.PivotError).Node]), false
	}
	return 0, true
}

// factorShared factors A and with it what all Hessians share.
func (s *Solver) factorShared() error {
	m := &s.sparse
	if err := m.chol.Factor(&m.a); err != nil {
		e := err.(*supernodal.PivotError)
		return &IndefiniteError{cliques.Node(m.node[e.Node]), e.Row}
	}
	m.factored = true
	return nil
}

// solveSparse overwrites x of deformables and large islands by the matrix' inverse
// times it.
func (s *Solver) solveSparse(x []float64) {
	m := &s.sparse
	clear(m.x)
	at := 0
	for i, k := range m.cliques {
		c := &s.p.Cliques[k]
		if !m.apart[i] {
			copy(m.x[at:], x[c.Offset:c.Offset+c.Size])
		}
		at += c.Size
	}
	m.chol.Solve(m.x)
	at = 0
	for i, k := range m.cliques {
		c := &s.p.Cliques[k]
		if !m.apart[i] {
			copy(x[c.Offset:c.Offset+c.Size], m.x[at:])
		}
		at += c.Size
	}
}

func handle(i int) cliques.Handle { return cliques.Handle(i) }
