package supernodal

import (
	"fmt"
	"math"
	"slices"
)

// Graph is the sparsity pattern of a symmetric block matrix. Its nodes are
// the block rows in order of AddNode; its edges the off-diagonal blocks that may be
// nonzero. The zero value is empty; Reset keeps memory.
//
// After Pack, Ptr and Row are the lower triangle by block columns: rows
// Row[Ptr[j]:Ptr[j+1]] of column j ascend and start with j. An index into Row
// is the slot of a block.
type Graph struct {
	// Size is the number of rows of each node, ≥ 0.
	Size []int32
	// Class is 1 for nodes whose entries change when Refactor is called, else 0.
	Class []uint8
	// Ptr is the start of each block column in Row (nodes+1). Pack writes it.
	Ptr []int32
	// Row are the block rows of all columns. Pack writes it.
	Row []int32

	// persistent is the part of the pattern that every step has, packed once.
	persistent persistent

	// hi and lo are the edges as added, hi > lo, without those of the persistent part
	// once MarkPersistent is called; hi2 and lo2 are scratch, the same by rows.
	hi, lo   []int32
	hi2, lo2 []int32
	count    []int32
	ptr, row []int32 // the edges that are not persistent, packed
}

// Reset empties the graph.
func (g *Graph) Reset() {
	g.Size, g.Class = g.Size[:0], g.Class[:0]
	g.Ptr, g.Row = g.Ptr[:0], g.Row[:0]
	g.hi, g.lo = g.hi[:0], g.lo[:0]
	g.persistent.nodes = 0
}

// AddNode appends a block row of the given size (0 to 32767 rows) and class (0 or 1) and
// returns its index. It panics for other sizes and classes, and after MarkPersistent.
func (g *Graph) AddNode(size int, class uint8) int {
	if class > 1 {
		panic(fmt.Sprintf("supernodal: AddNode: node %d of class %d: there are classes 0 and 1", len(g.Size), class))
	}
	// a node added later would shift the blocks that their slots refer to
	// the persistent edges are packed for the nodes that there were
	if g.persistent.nodes > 0 {
		panic(fmt.Sprintf("supernodal: AddNode: node %d after MarkPersistent: add all nodes before it", len(g.Size)))
	}
	if size < 0 || size > math.MaxInt16 {
		panic(fmt.Sprintf("supernodal: AddNode: node %d has %d rows: a block may have 0 to %d", len(g.Size), size, math.MaxInt16))
	}
	g.Size, g.Class = append(g.Size, int32(size)), append(g.Class, class)
	return len(g.Size) - 1
}

// AddEdge makes the block of nodes i and j part of the pattern; repeated edges
// and edges to itself are allowed. It panics when a node has not been added.
func (g *Graph) AddEdge(i, j int) {
	if i < j {
		i, j = j, i
	}
	if j < 0 || i >= len(g.Size) {
		g.badNode("AddEdge", i, j)
	}
	if i != j {
		g.hi, g.lo = append(g.hi, int32(i)), append(g.lo, int32(j))
	}
}

// badNode panics with the first of two nodes that is not one of the graph, and what to do.
func (g *Graph) badNode(method string, i, j int) {
	if i >= 0 && i < len(g.Size) {
		i = j
	}
	panic(fmt.Sprintf("supernodal: %s: node %d of a graph of %d nodes: add it with AddNode before", method, i, len(g.Size)))
}

// mustBePacked panics unless Ptr and Row are those of a packed graph, as Pack writes them: with the column and the
// index at fault where a caller wrote to them, since everything later takes them as indices without asking.
func (g *Graph) mustBePacked(method string) {
	n := len(g.Size)
	if len(g.Ptr) != n+1 {
		panic("supernodal: " + method + ": the graph is not packed: call Pack after the last AddNode and AddEdge")
	}
	if len(g.Class) != n {
		panic(fmt.Sprintf("supernodal: %s: classes of %d nodes in a graph of %d nodes: add nodes with AddNode", method, len(g.Class), n))
	}
	if g.Ptr[0] != 0 || int(g.Ptr[n]) != len(g.Row) {
		panic(fmt.Sprintf("supernodal: %s: Ptr goes from %d to %d for %d blocks: let Pack write it", method, g.Ptr[0], g.Ptr[n], len(g.Row)))
	}
	for j := range n {
		lo, hi := g.Ptr[j], g.Ptr[j+1]
		if lo < 0 || lo >= hi || int(hi) > len(g.Row) {
			panic(fmt.Sprintf("supernodal: %s: column %d has the blocks %d to %d of %d: let Pack write Ptr", method, j, lo, hi, len(g.Row)))
		}
		if g.Row[lo] != int32(j) {
			panic(fmt.Sprintf("supernodal: %s: column %d begins with row %d, not with its diagonal block: let Pack write Row", method, j, g.Row[lo]))
		}
		for k := lo + 1; k < hi; k++ {
			if i := g.Row[k]; int(i) >= n {
				panic(fmt.Sprintf("supernodal: %s: column %d has row %d of a graph of %d nodes: let Pack write Row", method, j, i, n))
			} else if i <= g.Row[k-1] {
				panic(fmt.Sprintf("supernodal: %s: rows %d and %d of column %d do not ascend: let Pack write Row", method, g.Row[k-1], i, j))
			}
		}
	}
}

// numValues returns the number of values of a matrix over the packed graph.
func (g *Graph) numValues() (n int) {
	for j, size := range g.Size {
		for _, i := range g.Row[g.Ptr[j]:g.Ptr[j+1]] {
			n += int(size) * int(g.Size[i])
		}
	}
	return n
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return len(g.Size) }

// Pack sorts the edges into Ptr and Row, in time linear in their number. Edges and nodes
// added afterwards need another Pack. The result does not depend on the order in which
// edges were added.
func (g *Graph) Pack() {
	if g.persistent.nodes != len(g.Size) { // nothing is persistent
		g.persistent.nodes = 0
		g.Ptr, g.Row = g.pack(g.Ptr, g.Row)
		return
	}
	g.ptr, g.row = g.pack(g.ptr, g.row)
	// merge the sorted columns of both parts
	g.Ptr, g.Row = g.Ptr[:0], g.Row[:0]
	b := &g.persistent
	for j := range g.Size {
		g.Ptr = append(g.Ptr, int32(len(g.Row)))
		x, y := b.row[b.ptr[j]:b.ptr[j+1]], g.row[g.ptr[j]+1:g.ptr[j+1]]
		for len(y) > 0 && len(x) > 0 {
			switch {
			case x[0] < y[0]:
				g.Row = append(g.Row, x[0])
				x = x[1:]
			case x[0] > y[0]:
				g.Row = append(g.Row, y[0])
				y = y[1:]
			default: // in both: taken from y next
				x = x[1:]
			}
		}
		g.Row = append(append(g.Row, x...), y...)
	}
	g.Ptr = append(g.Ptr, int32(len(g.Row)))
}

// pack sorts hi and lo by columns and rows, two stable counting sorts, and writes them
// without duplicates. The order of hi and lo is changed.
func (g *Graph) pack(ptr, row []int32) ([]int32, []int32) {
	n, m := len(g.Size), len(g.hi)
	g.hi2, g.lo2 = resize(g.hi2, m), resize(g.lo2, m)
	g.count = resize(g.count, n+1)
	// by rows
	g.offsets(g.hi)
	for k, i := range g.hi {
		p := g.count[i]
		g.count[i]++
		g.hi2[p], g.lo2[p] = i, g.lo[k]
	}
	// by columns: in each, rows ascend
	g.offsets(g.lo2)
	for k, j := range g.lo2 {
		p := g.count[j]
		g.count[j]++
		g.hi[p], g.lo[p] = g.hi2[k], j
	}
	// the diagonal first, then each row once
	ptr, row = ptr[:0], row[:0]
	k := 0
	for j := range n {
		ptr = append(ptr, int32(len(row)))
		last := int32(j)
		row = append(row, last)
		for ; k < m && g.lo[k] == int32(j); k++ {
			if g.hi[k] != last {
				last = g.hi[k]
				row = append(row, last)
			}
		}
	}
	return append(ptr, int32(len(row))), row
}

// offsets writes to count the place of the first of each key, for a counting sort.
func (g *Graph) offsets(keys []int32) {
	clear(g.count)
	for _, k := range keys {
		g.count[k+1]++
	}
	for i := 1; i < len(g.count); i++ {
		g.count[i] += g.count[i-1]
	}
}

// Equal reports whether two packed graphs have the same nodes, classes, edges and
// persistent part, so that an analysis of one is valid for the other.
func (g *Graph) Equal(h *Graph) bool {
	return slices.Equal(g.Size, h.Size) && slices.Equal(g.Class, h.Class) &&
		slices.Equal(g.Ptr, h.Ptr) && slices.Equal(g.Row, h.Row) && g.samePersistent(h)
}

// Slot returns the slot of block (i, j) of the packed graph, either triangle,
// −1 when the pattern has no such block, in time logarithmic in the rows of a column. It panics when i or j is not a
// node of the packed graph.
func (g *Graph) Slot(i, j int) int {
	if i < j {
		i, j = j, i
	}
	if j < 0 || i >= len(g.Ptr)-1 {
		if len(g.Ptr) != len(g.Size)+1 {
			panic("supernodal: Slot: the graph is not packed: call Pack after the last AddNode and AddEdge")
		}
		g.badNode("Slot", i, j)
	}
	// bisection in column j
	lo, hi := int(g.Ptr[j]), int(g.Ptr[j+1])
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if g.Row[m] < int32(i) {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo < int(g.Ptr[j+1]) && g.Row[lo] == int32(i) {
		return lo
	}
	return -1
}

// resize returns s with length n, its contents undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// fill sets all of s to x.
func fill(s []int32, x int32) {
	for i := range s {
		s[i] = x
	}
}
