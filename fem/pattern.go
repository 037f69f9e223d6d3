package fem

// The blocks of A over the nodes of a body, the lower triangle by columns. A tet adds to the
// block of each pair (a, b) of its vertices, with shape functions N and volume V,
//
//	M_ab = ρ V/20 (1 + δ_ab) I                                             (1)
//	K_ab = … + μ V (∇N_a·∇N_b) I                                           (2)
//
// of which (1), the consistent mass, and the last term (2) of the stiffness, see (4) of
// free.go, are constant and summed once.
// Source: Zienkiewicz and Taylor, The Finite Element Method, volume 1, 6.3.

import (
	"cmp"
	"slices"
)

// block holds the constant parts of a 3×3 block of A, and the place of the elements that
// contribute to it.
type block struct {
	// mass times the identity is the block of the consistent mass matrix, kg.
	mass float64
	// dot is Σ V ∇N_a·∇N_b, m; μ times it, times the identity, is part of K for any R.
	dot float64
	// first is the block's first contribution in pairs; the next block's first ends them.
	first int32
}

// pair is the contribution of one element to one block. Of a tet: slots 4·tet + a of its row
// and column vertex. Of the elements of a set: the slot of its row vertex, and that of its block,
// see elementSet.slots.
type pair struct{ row, col int32 }

// buildPattern builds the sparsity pattern of A, the constant parts of its blocks and the
// lists of contributions. Each block is summed over its tets in their order, so that any
// number of workers gives the same bits.
func (m *Model) buildPattern() {
	entries := m.tetEntries()
	if m.set != nil {
		entries = m.setEntries()
	}
	// by columns, then rows; a stable sort keeps the order of elements within a block
	slices.SortStableFunc(entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.col, y.col), cmp.Compare(x.row, y.row))
	})

	// compress equal entries to one block each
	m.pattern.N = len(m.vertex)
	m.pattern.Ptr = make([]int32, m.pattern.N+1)
	m.pairs = make([]pair, len(entries))
	for i, n := range entries {
		if i == 0 || entries[i-1].col != n.col || entries[i-1].row != n.row {
			m.pattern.Row = append(m.pattern.Row, n.row)
			m.pattern.Ptr[n.col+1] = int32(len(m.pattern.Row))
			m.blocks = append(m.blocks, block{first: int32(i)})
		}
		m.pairs[i] = n.pair
		if b := &m.blocks[len(m.blocks)-1]; m.set != nil {
			b.mass += n.mass
		} else {
			m.addConstant(b, n.pair)
		}
	}
	// the end of the last block's contributions
	m.blocks = append(m.blocks, block{first: int32(len(entries))})
}

// entry is a contribution and the nodes of its block.
type entry struct {
	col, row int32 // nodes
	pair     pair
	mass     float64 // of the consistent mass, kg; 0 for tets, which have it by their volume
}

// tetEntries lists the contributions of tets by tet.
func (m *Model) tetEntries() []entry {
	// one entry for each pair of free vertices of a tet, in the lower triangle
	entries := make([]entry, 0, 10*len(m.elements))
	for t := range m.elements {
		e := &m.elements[t]
		for a, va := range e.verts {
			for b, vb := range e.verts {
				if row, col := m.node[va], m.node[vb]; col >= 0 && row >= col {
					entries = append(entries, entry{col: col, row: row, pair: pair{int32(4*t + a), int32(4*t + b)}})
				}
			}
		}
	}
	return entries
}

// addConstant adds a tet's share of the mass, ρV/20 (1 + δ_ab), and of V ∇N_a·∇N_b.
func (m *Model) addConstant(b *block, p pair) {
	e := &m.elements[p.row/4]
	share := m.spec.Density * e.volume / 20
	if p.row == p.col {
		share *= 2
	}
	b.mass += share
	b.dot += e.volume * e.shape(int(p.row%4)).Dot(e.shape(int(p.col%4)))
}
