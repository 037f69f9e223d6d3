package bvh

import (
	"math"
	"math/bits"

	"github.com/curlfree/curlfree/r3"
)

// Surface area heuristic (SAH) of bounding volume hierarchies. A query visits a node when
// its object meets the node's box; for objects much smaller than the box the probability
// of that is in proportion to the box's surface S. So the items of a node are split where
// the expected number of tests is least,
//
//	cost = S_left n_left + S_right n_right                                (1)
//
// among the 15 planes between equal bins of the items' centres along each axis, in time
// linear in the number of items a level.
//
// Sources: Goldsmith, Salmon, "Automatic creation of object hierarchies for ray
// tracing", 1987; Wald, "On fast construction of SAH-based bounding volume hierarchies",
// 2007 (bins).

// numBins is the number of bins along an axis.
const numBins = 16

// Build returns the tree over the items' boxes: item i is in boxes[i]. The tree is a
// function of the boxes and their order. Time: O(n log n).
func Build(boxes []r3.Box) *Tree {
	t := &Tree{order: make([]int32, len(boxes)), boxes: make([]r3.Box, len(boxes))}
	b := building{t: t, boxes: boxes, centers: make([]r3.Vec, len(boxes)), high: make([]int32, 0, len(boxes))}
	for i, box := range boxes {
		t.order[i], b.centers[i] = int32(i), box.Center()
	}
	if len(boxes) > 0 {
		t.nodes = make([]Node, 0, len(boxes))
		b.split(0, len(boxes), 0)
	}
	t.Refit(boxes)
	return t
}

// building is a tree being built.
type building struct {
	t       *Tree
	boxes   []r3.Box // of the items
	centers []r3.Vec // of the boxes
	high    []int32  // scratch: items that go to the right
	bins    [3][numBins]bin
}

// split appends the subtree over order[lo:hi]. Items whose centres coincide, and those at
// great depth, are halved by number.
func (b *building) split(lo, hi, depth int) {
	t := b.t
	at := len(t.nodes)
	t.nodes = append(t.nodes, Node{Lo: int32(lo), Hi: int32(hi)})
	if hi-lo <= leafSize {
		return
	}
	mid := lo
	if depth+bits.Len(uint(hi-lo)) < maxDepth { // halving from here on stays above maxDepth
		mid = b.partition(lo, hi)
	}
	if mid == lo {
		mid = (lo + hi) / 2
	}
	b.split(lo, mid, depth+1)
	t.nodes[at].Right = int32(len(t.nodes))
	b.split(mid, hi, depth+1)
}

// bin has the items whose centres are in one interval along an axis.
type bin struct {
	n   int    // number of items
	box r3.Box // around their boxes
}

// partition orders the items lo to hi such that those left of the best plane come
// first, and returns where the others start; lo if all centres coincide.
func (b *building) partition(lo, hi int) int {
	// bounds of the centres
	items := b.t.order[lo:hi]
	around := r3.EmptyBox()
	for _, i := range items {
		for k, x := range b.centers[i] {
			switch { // not by Box.Extend, which takes three times as long
			case x < around.Min[k]:
				around.Min[k], around.Max[k] = x, max(x, around.Max[k])
			case x > around.Max[k]:
				around.Max[k] = x
			case x != x: // of a box without bounds: the axis has no planes
				around.Min[k], around.Max[k] = x, x
			}
		}
	}
	size := around.Size()
	// best plane of all axes along which centres differ
	best, axis, plane := 0.0, -1, 0
	b.fill(items, &around.Min, &size)
	for k := range 3 {
		if !hasPlanes(size[k]) {
			continue
		}
		if cost, at := cheapest(&b.bins[k]); axis < 0 || cost < best {
			best, axis, plane = cost, k, at
		}
	}
	if axis < 0 {
		return lo
	}
	// stable partition
	n := 0
	b.high = b.high[:0]
	for _, i := range items {
		if binOf(b.centers[i][axis]-around.Min[axis], size[axis]) < plane {
			items[n] = i
			n++
		} else {
			b.high = append(b.high, i)
		}
	}
	copy(items[n:], b.high)
	return lo + n
}

// hasPlanes reports whether centres differ along an axis on which they spread over size, and are finite.
func hasPlanes(size float64) bool { return size > 0 && size <= math.MaxFloat64 }

// fill sorts the items into the bins of all axes; from and size are the range of the centres: the outermost bins
// have items. Items are read once for all axes, since they are anywhere in memory.
func (b *building) fill(items []int32, from, size *r3.Vec) {
	for axis := range b.bins {
		for k := range b.bins[axis] {
			b.bins[axis][k] = bin{box: emptyBox}
		}
	}
	for _, i := range items {
		center, box := &b.centers[i], &b.boxes[i]
		for axis := range b.bins {
			if hasPlanes(size[axis]) {
				b.bins[axis][binOf(center[axis]-from[axis], size[axis])].add(1, box)
			}
		}
	}
}

// cheapest returns the least cost (1) of the planes across an axis, and the first
// bin right of that plane.
func cheapest(bins *[numBins]bin) (cost float64, plane int) {
	// costs of right sides, then of both
	var right [numBins]float64
	sum := bin{box: emptyBox}
	for k := numBins - 1; k > 0; k-- {
		sum.add(bins[k].n, &bins[k].box)
		right[k] = sum.cost()
	}
	sum = bin{box: emptyBox}
	for k := 1; k < numBins; k++ {
		sum.add(bins[k-1].n, &bins[k-1].box)
		if c := sum.cost() + right[k]; plane == 0 || c < cost {
			cost, plane = c, k
		}
	}
	return cost, plane
}

// binOf returns the bin of a centre that is x above the lowest, where centres spread over
// size.
func binOf(x, size float64) int { return min(int(numBins*(x/size)), numBins-1) }

// add adds n items that lie in the box.
func (b *bin) add(n int, box *r3.Box) {
	b.n += n
	grow(&b.box, box)
}

// emptyBox is read only.
var emptyBox = r3.EmptyBox()

// cost returns half the surface of the box times the number of items: a term of (1), up to
// a factor that all planes have in common. The empty box has no items.
func (b *bin) cost() float64 {
	lo, hi := &b.box.Min, &b.box.Max
	x, y, z := hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2]
	return float64(b.n) * (x*y + y*z + z*x)
}
