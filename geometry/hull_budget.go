package geometry

// Hulls of at most a given number of corners: quickhull (hull.go) that takes the farthest point
// of all next, and stops early. Scanned parts have hulls of ten thousands of corners that differ
// by micrometres from one of some hundred.

import (
	queue "container/heap" // tests have a heap of their own
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// NewConvexWithin returns a convex hull of the points (m) simplified to at most the given
// number of corners, 4 or more, and the largest distance of a point outside of it, m: 0 where
// the exact hull has no more corners. Points that are not finite, or lie in one plane, are an
// error.
func NewConvexWithin(points []r3.Vec, corners int) (c *Convex, lost float64, err error) {
	h, index, err := newHull(points)
	if err != nil {
		return nil, 0, fmt.Errorf("geometry: convex: %w", err)
	}
	h.growFarthest(corners)
	c = newConvex(points, h.triangles(index))
	// Points that are left in front of faces are outside.
	for f := range h.face {
		if h.face[f].dead {
			continue
		}
		for _, p := range h.face[f].out {
			phi, _ := c.SignedDistance(points[index[p]])
			lost = max(lost, phi)
		}
	}
	return c, lost, nil
}

// growFarthest adds the point that is farthest in front of any face until the hull has the given
// number of corners or all points.
func (h *hull) growFarthest(corners int) {
	var q hullQueue
	push := func(from int) {
		for f := from; f < len(h.face); f++ {
			if d := h.height(int32(f)); d > 0 {
				queue.Push(&q, hullHeight{int32(f), d})
			}
		}
	}
	push(0)
	// A hull of n corners has 2 n − 4 triangles.
	triangles := 4
	for len(q) > 0 && (triangles+4)/2 < corners {
		f := queue.Pop(&q).(hullHeight).face
		if h.face[f].dead {
			continue // replaced since it was pushed
		}
		first := len(h.face)
		h.add(f)
		triangles += len(h.face) - first - len(h.gone)
		push(first)
	}
}

// height returns how far points stick out of a face, in cells; 0 where none does.
func (h *hull) height(f int32) float64 {
	g := &h.face[f]
	n := g.n.vec()
	far := 0.0
	for _, p := range g.out {
		far = max(far, n.Dot(h.p[p].sub(h.p[g.v[0]]).vec()))
	}
	// Exact signs put them in front, rounding here may not.
	if far == 0 && len(g.out) > 0 {
		return math.SmallestNonzeroFloat64
	}
	return far / n.Norm()
}

// hullHeight is a face and how far points stick out of it.
type hullHeight struct {
	face int32
	d    float64
}

// hullQueue is a heap, highest first; of equals the older face.
type hullQueue []hullHeight

// Len implements heap.Interface.
func (q hullQueue) Len() int { return len(q) }

// Less implements heap.Interface.
func (q hullQueue) Less(i, j int) bool {
	return q[i].d > q[j].d || q[i].d == q[j].d && q[i].face < q[j].face
}

// Swap implements heap.Interface.
func (q hullQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push implements heap.Interface.
func (q *hullQueue) Push(x any) { *q = append(*q, x.(hullHeight)) }

// Pop implements heap.Interface.
func (q *hullQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
