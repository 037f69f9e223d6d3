package fem

// The blocks of A over the nodes of a body, the lower triangle by columns. An element adds to the
// block of each pair (a, b) of its nodes, with shape functions N,
//
//	M_ab = ∫ ρ N_a N_b dV I,   K_ab.                                       (1)
//
// The consistent mass, and of linear tets a part of the stiffness, are constant and summed once.

import (
	"cmp"
	"slices"
)

// block has the constant parts of a 3×3 block of A, and the place of the elements that
// contribute to it.
type block struct {
	// mass times the identity is the block of the consistent mass matrix, kg.
	mass float64
	// dot is Σ V ∇N_a·∇N_b of linear tets, m; μ times it, times the identity, is part of K for any R, (2) of
	// element_tet4.go.
	dot float64
	// first is the block's first contribution in pairs; the next block's first ends them.
	first int32
}

// pair is the contribution of one element to one block: the slot of its row node, and that of its block, see
// elementSet.slots; of linear tets, the slot of its column node in place of the block's.
type pair struct{ row, col int32 }

// buildPattern builds the sparsity pattern of A, the constant parts of its blocks and the
// lists of contributions. Each block is summed over its tets in their order, so that any
// number of workers gives the same bits.
func (m *Model) buildPattern() {
	entries := m.entries()
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
		b := &m.blocks[len(m.blocks)-1]
		b.mass, b.dot = b.mass+n.mass, b.dot+n.dot
	}
	// the end of the last block's contributions
	m.blocks = append(m.blocks, block{first: int32(len(entries))})
}

// entry is a contribution and the nodes of its block.
type entry struct {
	col, row  int32 // nodes
	pair      pair
	mass, dot float64 // parts of the block's
}

// entries lists the contributions of elements to the lower triangle of A, by element.
func (m *Model) entries() []entry {
	_, blocks := m.set.slots()
	list := make([]entry, 0, blocks*m.set.len())
	for i := range m.set.len() {
		verts := m.set.nodesOf(i)
		for a, va := range verts {
			for b, vb := range verts[:a+1] {
				row, col, r, c := m.node[va], m.node[vb], a, b
				if row < 0 || col < 0 {
					continue
				}
				if row < col {
					row, col, r, c = col, row, b, a
				}
				p, dot := m.set.contribute(i, r, c)
				list = append(list, entry{col, row, p, m.set.massOf(i, a, b), dot})
			}
		}
	}
	return list
}
