package geometry

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// Most parts of a body that are near each other are neighbours or stay near each other
// from step to step. Pairs of boxes are therefore kept in a Verlet list, which has a skin
// of width 2 r,
//
//	dist(B_i, B_j) ≤ m + 2 r,  no common vertex                          (1)
//
// and is made again only when some box has moved out of its place in the list, apart from
// the translation of the body as a whole, by more than r: until then all pairs within m
// are in it. The contacts do not depend on when the list was made.

// hierarchy is a tree over boxes that move.
type hierarchy struct {
	boxes []r3.Box
	tree  *bvh.Tree
}

// refit moves the tree to the boxes.
func (h *hierarchy) refit() {
	if h.tree == nil {
		h.tree = bvh.Build(h.boxes)
		return
	}
	h.tree.Refit(h.boxes)
}

// neighborList is the list of pairs of boxes (1) of two hierarchies, or of one with
// itself.
type neighborList struct {
	a, b *hierarchy
	// whether two have a vertex in common
	common func(i, j int32) bool
	// the list (1)
	pairs [][2]int32

	// m + 2 r of the list, m
	margin float64
	// the boxes when the list was made
	listedBoxes [2][]r3.Box
	// centre of all boxes of a then
	center r3.Vec
	// that of the Data; nil: lists always end
	halt *halt
	// number of updates that the list has served since
	reused int
}

// skinShare is r over the mean size of the boxes. Larger values list more pairs, less
// often.
const skinShare = 0.25

// update makes the list for the margin m, unless the present one has all pairs.
func (n *neighborList) update(margin float64) {
	center := centerOf(n.a.boxes)
	moved := math.Inf(1)
	if n.listedBoxes[0] != nil {
		// Motion of the boxes besides the translation of the body.
		shift := center.Sub(n.center)
		if moved = outwardMotion(n.listedBoxes[0], n.a.boxes, shift); n.b != n.a {
			moved = max(moved, outwardMotion(n.listedBoxes[1], n.b.boxes, shift))
		}
		roundoff := 1e-12 * (center.Norm() + n.center.Norm())
		if margin+2*moved+roundoff <= n.margin {
			n.reused++
			return
		}
	}
	// A body that moves too fast for the list to be used again gets no skin.
	room := skinShare * meanSize(n.a.boxes)
	if n.reused == 0 && moved > room { // too fast for that to be of use
		room = 0
	}
	n.margin, n.center, n.reused = margin+2*room, center, 0
	n.list()
}

// list makes the list.
func (n *neighborList) list() {
	for k, h := range [2]*hierarchy{n.a, n.b} {
		h.refit()
		n.listedBoxes[k] = append(n.listedBoxes[k][:0], h.boxes...)
	}
	n.pairs = overlappingPairs(n.a, n.b, n.margin, n.halt, n.pairs[:0])
	if n.halt.ends() {
		n.pairs, n.listedBoxes[0] = n.pairs[:0], nil // not all of them
		return
	}
	n.pairs = slices.DeleteFunc(n.pairs, func(p [2]int32) bool { return n.common(p[0], p[1]) })
}

// outwardMotion returns how far any side of a box has moved outwards, besides a shift of
// all.
func outwardMotion(then, now []r3.Box, shift r3.Vec) float64 {
	most := 0.0
	for i := range now {
		a, b := &then[i], &now[i]
		most = max(most,
			a.Min[0]+shift[0]-b.Min[0], a.Min[1]+shift[1]-b.Min[1], a.Min[2]+shift[2]-b.Min[2],
			b.Max[0]-a.Max[0]-shift[0], b.Max[1]-a.Max[1]-shift[1], b.Max[2]-a.Max[2]-shift[2])
	}
	return most
}

// centerOf returns the mean of the boxes' centres.
func centerOf(boxes []r3.Box) (c r3.Vec) {
	for i := range boxes {
		c = c.Add(boxes[i].Min).Add(boxes[i].Max)
	}
	return c.Scale(0.5 / float64(max(1, len(boxes))))
}

// meanSize returns the mean of the boxes' diagonals, m.
func meanSize(boxes []r3.Box) float64 {
	s := 0.0
	for i := range boxes {
		s += boxes[i].Size().Norm()
	}
	return s / float64(max(1, len(boxes)))
}

// overlappingPairs appends the pairs of boxes that come within margin of each other; of
// one hierarchy with itself each pair once and no box with itself.
func overlappingPairs(a, b *hierarchy, margin float64, h *halt, dst [][2]int32) [][2]int32 {
	m, n := a.tree.Nodes(), b.tree.Nodes()
	if len(m) == 0 || len(n) == 0 {
		return dst
	}
	// Trees are at most 40 deep, and two nodes of each level are on the stack.
	var stack [128][2]int32
	for top, asked := 1, 0; top > 0; {
		if asked++; h != nil && asked%1024 == 0 {
			if len(dst) > h.mostPairs {
				h.note("pairs of faces that are within reach of each other", h.mostPairs)
			}
			if h.ends() {
				return dst
			}
		}
		top--
		i, j := stack[top][0], stack[top][1]
		x, y := &m[i], &n[j]
		switch {
		case !within(&x.Box, &y.Box, margin):
		case x.Leaf() && y.Leaf():
			dst = overlappingLeaves(a, b, x, y, margin, dst)
		// A node with itself: both children, and each with itself.
		case a == b && i == j:
			stack[top], stack[top+1], stack[top+2] = [2]int32{i + 1, i + 1}, [2]int32{i + 1, x.Right}, [2]int32{x.Right, x.Right}
			top += 3
		// Divide the larger node.
		case y.Leaf() || !x.Leaf() && x.Hi-x.Lo >= y.Hi-y.Lo:
			stack[top], stack[top+1] = [2]int32{i + 1, j}, [2]int32{x.Right, j}
			top += 2
		default:
			stack[top], stack[top+1] = [2]int32{i, j + 1}, [2]int32{i, y.Right}
			top += 2
		}
	}
	return dst
}

// overlappingLeaves appends the pairs of two leaves.
func overlappingLeaves(a, b *hierarchy, x, y *bvh.Node, margin float64, dst [][2]int32) [][2]int32 {
	for k, i := range a.tree.Order()[x.Lo:x.Hi] {
		from := y.Lo
		if a == b && x == y {
			// Of a leaf with itself each pair once.
			from += int32(k) + 1
		}
		for _, j := range b.tree.Order()[from:y.Hi] {
			if within(&a.boxes[i], &b.boxes[j], margin) {
				dst = append(dst, [2]int32{i, j})
			}
		}
	}
	return dst
}

// within reports whether two boxes come within margin of each other along all axes.
func within(a, b *r3.Box, margin float64) bool {
	return a.Min[0] <= b.Max[0]+margin && b.Min[0] <= a.Max[0]+margin &&
		a.Min[1] <= b.Max[1]+margin && b.Min[1] <= a.Max[1]+margin &&
		a.Min[2] <= b.Max[2]+margin && b.Min[2] <= a.Max[2]+margin
}
