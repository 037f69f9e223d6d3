package supernodal

import "fmt"

// Matrix has the blocks of the lower triangle of a symmetric matrix over a
// packed graph, each row-major. It refers to the graph, which must not change
// while it is used. Write blocks through Block, or, where the slots are known, by Off:
//
//	slot := g.Slot(i, j)                   // once, after Pack
//	copy(m.Val[m.Off[slot]:], block)       // at every assembly
type Matrix struct {
	Val []float64 // values of all blocks, in the order of slots
	Off []int32   // (slots+1): the block of slot k is Val[Off[k]:Off[k+1]]
	g   *Graph
}

// Reset shapes the matrix for a packed graph, with all values zero. It panics when the
// graph is not packed, or the values are more than 2³¹.
func (m *Matrix) Reset(g *Graph) {
	g.mustBePacked("Reset")
	m.g = g
	m.Off = resize(m.Off, len(g.Row)+1)
	n := 0
	// blocks in order of slots
	for j, nj := range g.Size {
		for k := g.Ptr[j]; k < g.Ptr[j+1]; k++ {
			m.Off[k] = int32(n)
			n += int(nj) * int(g.Size[g.Row[k]])
		}
	}
	// offsets have 32 bits
	if n > 1<<31-1 {
		panic(fmt.Sprintf("supernodal: matrix of %d values is too large", n))
	}
	m.Off[len(g.Row)] = int32(n)
	m.Val = resize(m.Val, n)
	clear(m.Val)
}

// Block returns the block of rows of node i and columns of node j ≤ i (row-major,
// Size[i]×Size[j]) to read or write; of a diagonal block both triangles must be
// written. It panics when i or j is not a node, when j > i, when the graph has no such
// edge, and before Reset.
func (m *Matrix) Block(i, j int) []float64 {
	if m.g == nil {
		panic("supernodal: Block: the matrix has no graph: call Reset before")
	}
	k := -1
	// Slot takes either triangle; blocks are those of the lower one
	if i >= j {
		k = m.g.Slot(i, j)
	}
	if k < 0 {
		panic(fmt.Sprintf("supernodal: Block: nodes %d and %d have no block in the lower triangle: give the larger node first, and join them with AddEdge", i, j))
	}
	return m.Val[m.Off[k]:m.Off[k+1]]
}
