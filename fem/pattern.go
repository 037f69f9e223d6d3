package fem

import (
	"cmp"
	"slices"
)

// block holds the constant parts of a 3×3 block of A, and the place of the tets that
// contribute to it.
type block struct {
	mass  float64 // of the consistent mass matrix, times I, kg
	dot   float64 // Σ V ∇N_a·∇N_b, m: μ times it, times I, is part of K for any R
	first int32   // pairs[first:next block's first]
}

// pair is the contribution of one tet to one block: slots 4·tet + a of its row
// and column vertex.
type pair struct{ row, col int32 }

// buildPattern builds the sparsity pattern of A, the constant parts of its blocks and the
// lists of contributions. Each block is summed over its tets in their order, so that any
// number of workers gives the same bits.
func (m *Model) buildPattern() {
	type entry struct {
		col, row int32 // nodes
		pair     pair
	}
	entries := make([]entry, 0, 10*len(m.elements))
	for t := range m.elements {
		e := &m.elements[t]
		for a, va := range e.verts {
			for b, vb := range e.verts {
				if row, col := m.node[va], m.node[vb]; col >= 0 && row >= col {
					entries = append(entries, entry{col, row, pair{int32(4*t + a), int32(4*t + b)}})
				}
			}
		}
	}
	slices.SortStableFunc(entries, func(x, y entry) int {
		return cmp.Or(cmp.Compare(x.col, y.col), cmp.Compare(x.row, y.row))
	})

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
		m.addConstant(&m.blocks[len(m.blocks)-1], n.pair)
	}
	m.blocks = append(m.blocks, block{first: int32(len(entries))})
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
