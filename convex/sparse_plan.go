package convex

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/supernodal"
)

// The graph of the sparse matrix has a node for each vertex and for each dense clique.
//
//	edges     persistent: vertices of one element; others: nodes of one constraint
//	class 1   varying nodes: their entries change from iteration to iteration
//	class 0   the others: their entries are those of A and of quadratic constraints
//
// Planning, that is ordering and symbolic factorization, takes as long as some numeric
// factorizations. A graph that equals the last one exactly keeps its plan, which is the
// case while contacts stay on the same nodes.

// analyze builds the graph of deformables and large islands and plans its factorization
// when it is not that of the last plan; it reports whether it planned.
func (m *sparse) analyze() (planned bool) {
	m.selectCliques()
	m.factored, m.err = false, nil
	if len(m.cliques) == 0 {
		return false
	}
	if m.next == nil {
		m.next, m.graph = new(supernodal.Graph), new(supernodal.Graph)
	}
	// the graph of this step, in the memory of the one before last
	g := m.next
	g.Reset()
	m.x = resize(m.x, m.addNodes(g))
	m.addElements(g)
	g.MarkPersistent()
	m.addConstraints(g)
	g.Pack()
	// Comparing graphs exactly is cheap next to planning, and makes plans a function of
	// the problem alone.
	if m.graph.Ptr == nil || m.threads != m.pool.Size() || !g.Equal(m.graph) {
		m.graph, m.next = g, m.graph
		m.chol.Pool, m.threads = m.pool, m.pool.Size()
		m.chol.Analyze(m.graph)
		if m.ended(m.chol.Err()) {
			m.graph.Reset()
			return true
		}
		m.a.Reset(m.graph)
		m.h.Reset(m.graph)
		planned = true
	}
	// places of blocks: they are looked up again, because constraints change
	m.findDiagonals()
	for _, is := range m.large {
		is.a, is.h = m.a.Val, m.h.Val
		m.findPairs(is)
	}
	return planned
}

// selectCliques lists the cliques of the matrix.
func (m *sparse) selectCliques() {
	p := m.p
	m.cliques, m.decoupled, m.hasDeformables = m.cliques[:0], m.decoupled[:0], false
	// a deformable in the problem brings in all cliques
	for k := range p.Cliques {
		m.hasDeformables = m.hasDeformables || p.Cliques[k].Pattern != nil
	}
	for k := range p.Cliques {
		// a dense clique that is solved elsewhere
		decoupled := p.Cliques[k].Pattern == nil && (m.label[k] == -1 || m.islandOf(int32(k)).small)
		if m.hasDeformables || !decoupled {
			m.cliques, m.decoupled = append(m.cliques, int32(k)), append(m.decoupled, decoupled)
		}
	}
}

// addNodes adds the nodes of the cliques to the graph and returns their rows.
func (m *sparse) addNodes(g *supernodal.Graph) (rows int) {
	p := m.p
	m.node, m.place, m.hasQuadratic = m.node[:0], resize(m.place, len(p.NodeSize)), false
	for i, k := range m.cliques {
		c := &p.Cliques[k]
		rows += c.Size
		for node := int(c.First); node < int(c.First)+c.Nodes; node++ {
			// entries of decoupled cliques stay those of A
			class := uint8(0)
			if !m.decoupled[i] {
				class = m.varying[node]
				m.hasQuadratic = m.hasQuadratic || class != m.touched[node]
			}
			m.place[node] = int32(g.AddNode(p.NodeSize[node], class))
			m.node = append(m.node, int32(node))
		}
	}
	return rows
}

// addElements adds the edges of deformables.
func (m *sparse) addElements(g *supernodal.Graph) {
	for _, k := range m.cliques {
		c := &m.p.Cliques[k]
		if c.Pattern == nil {
			continue
		}
		// a deformable's nodes are consecutive
		first := int(m.place[c.First])
		for j := range c.Nodes {
			for _, i := range c.Pattern.Row[c.Pattern.Ptr[j]:c.Pattern.Ptr[j+1]] {
				g.AddEdge(first+int(i), first+j)
			}
		}
	}
}

// addConstraints adds an edge for each pair of nodes that a constraint of a large island
// couples.
func (m *sparse) addConstraints(g *supernodal.Graph) {
	for _, is := range m.large {
		var last []cliques.Block
		for _, i := range m.constraintsOf(is) {
			blocks := m.p.Blocks(handle(int(i)))
			if sameNodes(blocks, last) {
				continue
			}
			last = blocks
			for a := range blocks {
				// each pair once; repeated edges are allowed
				for b := range a {
					g.AddEdge(int(m.place[blocks[a].Node]), int(m.place[blocks[b].Node]))
				}
			}
		}
	}
}

// findDiagonals looks up the diagonal blocks of the nodes, see hessian.
func (m *sparse) findDiagonals() {
	for i, k := range m.cliques {
		c := &m.p.Cliques[k]
		for node := int(c.First); node < int(c.First)+c.Nodes && !m.decoupled[i]; node++ {
			m.hessian.diagAt[node] = m.a.Off[m.graph.Ptr[m.place[node]]]
		}
	}
}

// findPairs looks up the blocks of H of a large island's constraints, see hessian.
func (m *sparse) findPairs(is *island) {
	h := m.hessian
	is.changed0 = len(h.changed)
	var last []cliques.Block
	first := int32(len(h.pairs))
	for _, i := range m.constraintsOf(is) {
		blocks := m.p.Blocks(handle(int(i)))
		if sameNodes(blocks, last) {
			h.pairOff[i] = first
			continue
		}
		first, last = int32(len(h.pairs)), blocks
		h.pairOff[i] = first
		for a := range blocks {
			x := m.place[blocks[a].Node]
			for b := range a + 1 {
				y := m.place[blocks[b].Node]
				slot := m.graph.Slot(int(x), int(y))
				at := m.a.Off[slot]
				h.changed = append(h.changed, span{at, m.a.Off[slot+1]})
				// The lower triangle has block (y, x): J_a takes the columns.
				if x < y {
					at = ^at
				}
				h.pairs = append(h.pairs, at)
			}
		}
	}
	is.changed1 = len(h.changed)
}

// sameNodes reports whether two constraints have blocks on the same nodes in the same order, as
// most contacts of a pair of rigid bodies have.
func sameNodes(a, b []cliques.Block) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Node != b[i].Node {
			return false
		}
	}
	return true
}
