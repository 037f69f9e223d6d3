package bvh

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Search item by item. The box of an item in its own tree grows when it is rotated into the
// frame of another tree, and boxes of slender items grow most. So pairs of slender items,
// surface triangles, say, are found by searching one tree for each item of the other, by a
// probe: a tight box around the item in the frame of the searched tree, and two parallel
// planes that the item lies between.

// Probe is the region of a search: the part of a box between two planes,
//
//	lo ≤ n·x ≤ hi                                                           (3)
//
// The planes matter for triangles that are oblique to the axes, whose box is nearly empty.
type Probe struct {
	// Box bounds the region in the frame of the tree that is searched.
	Box r3.Box

	// unit normal of the planes, and its absolute values
	n, abs    r3.Vec
	mid, half float64 // lo + hi and hi − lo
}

// Clear empties the box and removes the planes.
func (p *Probe) Clear() { *p = Probe{Box: r3.EmptyBox()} }

// Extend makes the box contain the point x.
func (p *Probe) Extend(x *r3.Vec) {
	for k, c := range x {
		if c < p.Box.Min[k] {
			p.Box.Min[k] = c
		}
		if c > p.Box.Max[k] {
			p.Box.Max[k] = c
		}
	}
}

// Between sets the planes (3): their unit normal n and their positions along it, lo ≤ hi.
func (p *Probe) Between(n *r3.Vec, lo, hi float64) {
	p.n, p.abs = *n, r3.Vec{math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2])}
	p.mid, p.half = lo+hi, hi-lo
}

// Inflate moves all sides and both planes outwards by a distance.
func (p *Probe) Inflate(by float64) {
	for k := range 3 {
		p.Box.Min[k] -= by
		p.Box.Max[k] += by
	}
	p.half += 2 * by
}

// Meets reports whether a box overlaps the probe's box and the slab between its
// planes: along n, the distance of the centres of box and slab is at most the sum
// of their half widths.
func (p *Probe) Meets(b *r3.Box) bool {
	if !meet(&p.Box, b) {
		return false
	}
	// interval of the box along n, in sums and differences of its ends
	mid := p.n[0]*(b.Min[0]+b.Max[0]) + p.n[1]*(b.Min[1]+b.Max[1]) + p.n[2]*(b.Min[2]+b.Max[2])
	half := p.abs[0]*(b.Max[0]-b.Min[0]) + p.abs[1]*(b.Max[1]-b.Min[1]) + p.abs[2]*(b.Max[2]-b.Min[2])
	return math.Abs(mid-p.mid) <= half+p.half
}

// meet reports whether two closed boxes overlap.
func meet(a, b *r3.Box) bool {
	return a.Min[0] <= b.Max[0] && a.Max[0] >= b.Min[0] &&
		a.Min[1] <= b.Max[1] && a.Max[1] >= b.Min[1] &&
		a.Min[2] <= b.Max[2] && a.Max[2] >= b.Min[2]
}

// Prober computes the probes of a search: one for each item of a tree, in the frame of
// the tree that is searched.
type Prober interface {
	// Probe returns the probe of an item; it is valid until the next call.
	Probe(item int32) *Probe
	// Meets reports whether an item of the searched tree, in the given box, may meet the
	// last probe. It is called for the items of leaves whose boxes meet the probe. It
	// may be a finer test than that of the boxes, such as one of triangles.
	Meets(item int32, box *r3.Box) bool
}

// Probe appends to dst the pairs (item of t, item of u) of which the one meets the
// probe of the other, all pairs of one item of u together. Probes are computed only of
// those items of u whose boxes, placed by X_TU, come within margin of boxes of t.
func (t *Tree) Probe(u *Tree, X_TU r3.Pose, margin float64, items Prober, dst [][2]int32) [][2]int32 {
	if len(t.nodes) == 0 || len(u.nodes) == 0 {
		return dst
	}
	// boxes of u are placed in T by their bounds there
	place := newSeparation(&X_TU, margin)
	var box r3.Box
	// descend u, with the lowest node of t that contains all items near its node
	var stack [maxDepth]struct{ node, from int32 }
	for top := 1; top > 0; {
		top--
		e := stack[top]
		n := &u.nodes[e.node]
		place.around(&n.Box, &box)
		from := t.narrow(e.from, &box)
		switch {
		case from < 0:
		case n.Leaf():
			for _, j := range u.order[n.Lo:n.Hi] {
				dst = t.find(from, j, items, dst)
			}
		default:
			stack[top].node, stack[top].from = n.Right, from
			stack[top+1].node, stack[top+1].from = e.node+1, from
			top += 2
		}
	}
	return dst
}

// narrow returns the lowest node from k down that contains all items whose boxes meet the
// given one; −1 if there are none.
func (t *Tree) narrow(k int32, box *r3.Box) int32 {
	if !meet(box, &t.nodes[k].Box) {
		return -1
	}
	for !t.nodes[k].Leaf() {
		right := t.nodes[k].Right
		l, r := meet(box, &t.nodes[k+1].Box), meet(box, &t.nodes[right].Box)
		switch {
		case l && r:
			return k
		case l:
			k++
		case r:
			k = right
		default:
			return -1
		}
	}
	return k
}

// find appends the items below a node that meet item j, with its probe computed once: the
// boxes of nodes by Probe.Meets, items by Prober.Meets.
func (t *Tree) find(from, j int32, items Prober, dst [][2]int32) [][2]int32 {
	// the stack of nodes whose boxes are to be tested
	p := items.Probe(j)
	var stack [maxDepth]int32
	stack[0] = from
	for top := 1; top > 0; {
		top--
		k := stack[top]
		n := &t.nodes[k]
		switch {
		case !p.Meets(&n.Box):
		case n.Leaf():
			for i := n.Lo; i < n.Hi; i++ {
				if items.Meets(t.order[i], &t.boxes[i]) {
					dst = append(dst, [2]int32{t.order[i], j})
				}
			}
		default:
			stack[top], stack[top+1] = n.Right, k+1
			top += 2
		}
	}
	return dst
}
