package geometry

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// Most parts of a body that are near each other are neighbours or stay near each
// other from step to step. Pairs of boxes are therefore listed with room to move,
//
//	dist(B_i, B_j) ≤ m + 2 r,  no common vertex                          (1)
//
// and listed again only when some box has left its place then, shifted as the body
// as a whole was, by more than r: until then what comes within m is among them.
// What is found does not depend on when they were listed.

// hierarchy is a tree over boxes that move.
type hierarchy struct {
	boxes []r3.Box
	tree  *bvh.Tree
}

func (h *hierarchy) refit() {
	if h.tree == nil {
		h.tree = bvh.Build(h.boxes)
		return
	}
	h.tree.Refit(h.boxes)
}

// neighbourhood remembers pairs of boxes of two hierarchies, or of one with itself.
type neighborList struct {
	a, b   *hierarchy
	common func(i, j int32) bool // whether two have a vertex in common
	pairs  [][2]int32            // (1)

	margin      float64     // they are listed for: m + 2 r
	listedBoxes [2][]r3.Box // the boxes when they were
	center      r3.Vec      // of all boxes of a then
	reused      int         // times that they were enough since
}

// roomShare is the room to move over the mean size of the boxes. More: more pairs
// to look at in each step, listed more seldom.
const skinShare = 0.25

// update lists pairs for the margin m, if those listed are not enough.
func (n *neighborList) update(margin float64) {
	center := centerOf(n.a.boxes)
	moved := math.Inf(1)
	if n.listedBoxes[0] != nil {
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
	room := skinShare * meanSize(n.a.boxes)
	if n.reused == 0 && moved > room { // too fast for that to be of use
		room = 0
	}
	n.margin, n.center, n.reused = margin+2*room, center, 0
	n.list()
}

// list lists the pairs.
func (n *neighborList) list() {
	for k, h := range [2]*hierarchy{n.a, n.b} {
		h.refit()
		n.listedBoxes[k] = append(n.listedBoxes[k][:0], h.boxes...)
	}
	n.pairs = overlappingPairs(n.a, n.b, n.margin, n.pairs[:0])
	n.pairs = slices.DeleteFunc(n.pairs, func(p [2]int32) bool { return n.common(p[0], p[1]) })
}

// outgrown returns how far any side of a box has moved outwards; a shift of all
// does not count.
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

// meanSize returns the mean of the boxes' diagonals.
func meanSize(boxes []r3.Box) float64 {
	s := 0.0
	for i := range boxes {
		s += boxes[i].Size().Norm()
	}
	return s / float64(max(1, len(boxes)))
}

// meeting appends the pairs of boxes that come within margin of each other, of one
// hierarchy with itself each pair once and none with itself.
func overlappingPairs(a, b *hierarchy, margin float64, dst [][2]int32) [][2]int32 {
	m, n := a.tree.Nodes(), b.tree.Nodes()
	if len(m) == 0 || len(n) == 0 {
		return dst
	}
	var stack [128][2]int32 // trees are at most 40 deep: two of each level are on it
	for top := 1; top > 0; {
		top--
		i, j := stack[top][0], stack[top][1]
		x, y := &m[i], &n[j]
		switch {
		case !within(&x.Box, &y.Box, margin):
		case x.Leaf() && y.Leaf():
			dst = overlappingLeaves(a, b, x, y, margin, dst)
		case a == b && i == j:
			stack[top], stack[top+1], stack[top+2] = [2]int32{i + 1, i + 1}, [2]int32{i + 1, x.Right}, [2]int32{x.Right, x.Right}
			top += 3
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

func overlappingLeaves(a, b *hierarchy, x, y *bvh.Node, margin float64, dst [][2]int32) [][2]int32 {
	for k, i := range a.tree.Order()[x.Lo:x.Hi] {
		from := y.Lo
		if a == b && x == y {
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

// within reports whether two boxes come within margin of each other along all
// axes.
func within(a, b *r3.Box, margin float64) bool {
	return a.Min[0] <= b.Max[0]+margin && b.Min[0] <= a.Max[0]+margin &&
		a.Min[1] <= b.Max[1]+margin && b.Min[1] <= a.Max[1]+margin &&
		a.Min[2] <= b.Max[2]+margin && b.Min[2] <= a.Max[2]+margin
}
