package bvh

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Searches allocate nothing: the stack of a search is an array of the greatest depth that Build
// makes, and results go to memory of the caller. Boxes that touch count as meeting, so that flat
// items in a plane find each other.

// Query appends to dst the items whose boxes meet the box, touching ones included, in the
// order of the tree.
func (t *Tree) Query(box r3.Box, dst []int32) []int32 {
	if len(t.nodes) == 0 {
		return dst
	}
	// Select with the test written out: surfaces are searched for cuts with one query a triangle
	var stack [maxDepth]int32
	for top := 1; top > 0; {
		top--
		k := stack[top]
		n := &t.nodes[k]
		switch {
		case !meets(&n.Box, &box):
		case n.Leaf():
			for i := n.Lo; i < n.Hi; i++ {
				if meets(&t.boxes[i], &box) {
					dst = append(dst, t.order[i])
				}
			}
		default:
			stack[top], stack[top+1] = n.Right, k+1
			top += 2
		}
	}
	return dst
}

// meets reports whether two boxes meet, touching included.
func meets(b, c *r3.Box) bool {
	return b.Min[0] <= c.Max[0] && c.Min[0] <= b.Max[0] &&
		b.Min[1] <= c.Max[1] && c.Min[1] <= b.Max[1] &&
		b.Min[2] <= c.Max[2] && c.Min[2] <= b.Max[2]
}

// Meets reports whether the box of an item meets the box, touching included.
func (t *Tree) Meets(box r3.Box) bool {
	var first [1]int32
	return len(t.search(func(b *r3.Box) bool { return b.Overlaps(box) }, 1, first[:0])) > 0
}

// Select appends to dst the items whose boxes satisfy a predicate, in the order of the
// tree. The predicate must be monotone: if it is true for a box, it is true for every box
// that contains it.
func (t *Tree) Select(wanted func(*r3.Box) bool, dst []int32) []int32 {
	return t.search(wanted, math.MaxInt, dst)
}

// search is Select, which ends when dst has limit items.
func (t *Tree) search(wanted func(*r3.Box) bool, limit int, dst []int32) []int32 {
	if len(t.nodes) == 0 {
		return dst
	}
	// depth first, left children before right ones
	var stack [maxDepth]int32
	for top := 1; top > 0; {
		top--
		k := stack[top]
		n := &t.nodes[k]
		switch {
		case !wanted(&n.Box):
		case n.Leaf():
			for i := n.Lo; i < n.Hi; i++ {
				if !wanted(&t.boxes[i]) {
					continue
				}
				if dst = append(dst, t.order[i]); len(dst) >= limit {
					return dst
				}
			}
		default:
			stack[top], stack[top+1] = n.Right, k+1
			top += 2
		}
	}
	return dst
}

// Nearest returns the item with the least squared distance dist2(item) to p
// among those not farther than √max2, the lowest number among equals, and that
// squared distance; −1 and max2 when there is none. dist2 must not be less than
// the squared distance of p to the item's box.
//
// It is a branch-and-bound search in depth: subtrees farther than the best item so far
// are skipped, and the nearer child is searched first.
func (t *Tree) Nearest(p r3.Vec, max2 float64, dist2 func(item int32) float64) (item int32, best float64) {
	// stack of subtrees with their squared distances
	item, best = -1, max2
	if len(t.nodes) == 0 {
		return item, best
	}
	type entry struct {
		node int32
		d2   float64
	}
	var stack [maxDepth]entry
	stack[0] = entry{0, t.nodes[0].Box.Dist2(p)}
	for top := 1; top > 0; {
		top--
		e := stack[top]
		if e.d2 > best {
			continue
		}
		n := &t.nodes[e.node]
		if n.Leaf() {
			for k := n.Lo; k < n.Hi; k++ {
				if t.boxes[k].Dist2(p) > best {
					continue
				}
				i := t.order[k]
				if d := dist2(i); d < best || d == best && (item < 0 || i < item) {
					item, best = i, d
				}
			}
			continue
		}
		// The nearer child is on top of the stack.
		l, r := entry{node: e.node + 1}, entry{node: n.Right}
		l.d2, r.d2 = t.nodes[l.node].Box.Dist2(p), t.nodes[r.node].Box.Dist2(p)
		if l.d2 > r.d2 {
			l, r = r, l
		}
		stack[top], stack[top+1] = r, l
		top += 2
	}
	return item, best
}
