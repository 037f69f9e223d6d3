package bvh

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// A tree that is searched once, by all of its items, need not be as good as one for many queries: BuildFast orders the
// items along the Morton curve of their centres and splits nodes where the highest bit of its codes changes, which
// halves a cell of an octree. Overlaps descends the tree against itself: two nodes whose boxes do not meet have no
// pairs.
//
// Source: Lauterbach et al., "Fast BVH construction on GPUs", 2009.

// BuildFast is Build in a third of the time, of a tree whose queries take about twice as long.
func BuildFast(boxes []r3.Box) *Tree {
	n := len(boxes)
	t := &Tree{order: make([]int32, n), boxes: make([]r3.Box, n)}
	if n == 0 {
		return t
	}
	codes := mortonCodes(boxes)
	t.nodes = make([]Node, 0, n)
	t.splitCodes(codes, 0, n, 0)
	for k, c := range codes {
		t.order[k] = c.item
	}
	t.Refit(boxes)
	return t
}

// code is an item with its place on the Morton curve.
type code struct {
	at   uint64
	item int32
}

// mortonCodes returns the items along the curve.
func mortonCodes(boxes []r3.Box) []code {
	const cells = 1 << 21 // along each axis: three times 21 bits
	around := r3.EmptyBox()
	for i := range boxes {
		grow(&around, &boxes[i])
	}
	size := around.Size()
	codes := make([]code, len(boxes))
	for i := range boxes {
		c := boxes[i].Center()
		var at uint64
		for k := range 3 {
			if x := (c[k] - around.Min[k]) / size[k]; x >= 0 && x <= 1 && size[k] <= math.MaxFloat64 { // of a flat axis NaN
				at |= spread(min(uint64(cells*x), cells-1)) << k
			}
		}
		codes[i] = code{at, int32(i)}
	}
	slices.SortFunc(codes, func(a, b code) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.item, b.item)) })
	return codes
}

// spread puts two zeros after each of the 21 bits of x.
func spread(x uint64) uint64 {
	x = (x | x<<32) & 0x1f00000000ffff
	x = (x | x<<16) & 0x1f0000ff0000ff
	x = (x | x<<8) & 0x100f00f00f00f00f
	x = (x | x<<4) & 0x10c30c30c30c30c3
	return (x | x<<2) & 0x1249249249249249
}

// splitCodes appends the subtree over codes[lo:hi].
func (t *Tree) splitCodes(codes []code, lo, hi, depth int) {
	at := len(t.nodes)
	t.nodes = append(t.nodes, Node{Lo: int32(lo), Hi: int32(hi)})
	if hi-lo <= leafSize {
		return
	}
	mid := (lo + hi) / 2
	first, differ := codes[lo].at, codes[lo].at^codes[hi-1].at
	if differ != 0 && depth+bits.Len(uint(hi-lo)) < maxDepth { // halving from here on stays above maxDepth
		bit := bits.Len64(differ) - 1
		above := (first>>bit | 1) << bit // the first code with that bit
		n, _ := slices.BinarySearchFunc(codes[lo:hi], above, func(c code, x uint64) int { return cmp.Compare(c.at, x) })
		mid = lo + n
	}
	t.splitCodes(codes, lo, mid, depth+1)
	t.nodes[at].Right = int32(len(t.nodes))
	t.splitCodes(codes, mid, hi, depth+1)
}

// Overlaps calls visit once for each two items whose boxes meet, until it returns false. It returns whether it never
// did. The order of the calls, and which item of a pair comes first, is a function of the tree.
func (t *Tree) Overlaps(visit func(i, j int32) bool) bool {
	return len(t.nodes) == 0 || t.within(0, visit)
}

// within visits the pairs of a node.
func (t *Tree) within(k int32, visit func(i, j int32) bool) bool {
	n := &t.nodes[k]
	if !n.Leaf() {
		return t.within(k+1, visit) && t.within(n.Right, visit) && t.between(k+1, n.Right, visit)
	}
	for i := n.Lo; i < n.Hi; i++ {
		for j := i + 1; j < n.Hi; j++ {
			if meets(&t.boxes[i], &t.boxes[j]) && !visit(t.order[i], t.order[j]) {
				return false
			}
		}
	}
	return true
}

// between visits the pairs of two nodes without a common item.
func (t *Tree) between(k, l int32, visit func(i, j int32) bool) bool {
	a, b := &t.nodes[k], &t.nodes[l]
	if !meets(&a.Box, &b.Box) {
		return true
	}
	switch {
	case a.Leaf() && b.Leaf():
		for i := a.Lo; i < a.Hi; i++ {
			if !meets(&t.boxes[i], &b.Box) {
				continue
			}
			for j := b.Lo; j < b.Hi; j++ {
				if meets(&t.boxes[i], &t.boxes[j]) && !visit(t.order[i], t.order[j]) {
					return false
				}
			}
		}
		return true
	case b.Leaf() || !a.Leaf() && a.Hi-a.Lo >= b.Hi-b.Lo:
		return t.between(k+1, l, visit) && t.between(a.Right, l, visit)
	}
	return t.between(k, l+1, visit) && t.between(k, b.Right, visit)
}
