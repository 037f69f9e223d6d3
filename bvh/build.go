package bvh

import (
	"math"
	"math/bits"

	"github.com/curlfree/curlfree/r3"
)

// A query visits a node as often as what is looked for meets its box, for things
// much smaller than the box in proportion to its surface. So a node's items are
// split where it costs least to look into both sides,
//
//	cost = S_left n_left + S_right n_right                                (1)
//
// (surface area heuristic, Goldsmith & Salmon 1987), among planes between equal
// bins of the items' centres along each axis (Wald 2007).

// numBins is the number of bins along an axis.
const numBins = 16

// Build returns the tree over the items' boxes, deterministically.
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
	boxes   []r3.Box
	centers []r3.Vec
	high    []int32 // scratch: items that go to the right
}

// split appends the subtree over order[lo:hi].
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
	if mid == lo { // centres that coincide
		mid = (lo + hi) / 2
	}
	b.split(lo, mid, depth+1)
	t.nodes[at].Right = int32(len(t.nodes))
	b.split(mid, hi, depth+1)
}

// bin holds the items whose centres are in one interval along an axis.
type bin struct {
	n   int
	box r3.Box
}

// partition orders the items lo to hi such that those left of the best plane come
// first, and returns where the others start; lo if all centres coincide.
func (b *building) partition(lo, hi int) int {
	items := b.t.order[lo:hi]
	around := r3.EmptyBox()
	for _, i := range items {
		around = around.Extend(b.centers[i])
	}
	size := around.Size()
	best, axis, plane := 0.0, -1, 0
	for k := range 3 {
		if !(size[k] > 0 && size[k] <= math.MaxFloat64) {
			continue
		}
		if cost, at := b.cheapest(items, k, around.Min[k], size[k]); axis < 0 || cost < best {
			best, axis, plane = cost, k, at
		}
	}
	if axis < 0 {
		return lo
	}
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

// cheapest returns the least cost (1) of the planes across an axis, and the first
// bin right of that plane. The outermost bins are never empty.
func (b *building) cheapest(items []int32, axis int, from, size float64) (cost float64, plane int) {
	var bins [numBins]bin
	for k := range bins {
		bins[k].box = nothing
	}
	for _, i := range items {
		bins[binOf(b.centers[i][axis]-from, size)].add(1, &b.boxes[i])
	}
	var right [numBins]float64
	sum := bin{box: nothing}
	for k := numBins - 1; k > 0; k-- {
		sum.add(bins[k].n, &bins[k].box)
		right[k] = sum.cost()
	}
	sum = bin{box: nothing}
	for k := 1; k < numBins; k++ {
		sum.add(bins[k-1].n, &bins[k-1].box)
		if c := sum.cost() + right[k]; plane == 0 || c < cost {
			cost, plane = c, k
		}
	}
	return cost, plane
}

// binOf returns the bin of a centre x above the lowest, of all that spread over
// size.
func binOf(x, size float64) int { return min(int(numBins*(x/size)), numBins-1) }

// add adds n items in the box.
func (b *bin) add(n int, box *r3.Box) {
	b.n += n
	grow(&b.box, box)
}

var nothing = r3.EmptyBox() // is read only

// cost returns half the surface times the number of items.
func (b *bin) cost() float64 {
	lo, hi := &b.box.Min, &b.box.Max
	x, y, z := hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2]
	return float64(b.n) * (x*y + y*z + z*x)
}
