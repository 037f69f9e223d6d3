package geometry

// Convex hull of points (quickhull; Barber, Dobkin and Huhdanpaa 1996) in exact
// arithmetic.
//
// Points are rounded to a grid of 2²⁹ cells across their extent; on its integers the side
// of a plane that a point lies on,
//
//	side = (b−a)×(c−a)·(p−a),  |side| < 2⁹⁰,                          (1)
//
// is computed without error in 128 bits. Guarantees:
//	1. The triangles form a closed surface that no grid point is outside of.
//	2. No triangle is without area on the grid.
//	3. The corners are given points, unchanged; each lies within 2e-9 of the
//	   extent of its grid point, and so does the hull of the true hull.

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// ErrFlat reports points that lie in a plane, so that their convex hull has no volume.
var ErrFlat = errors.New("the points are flat")

// hullGrid is the number of cells of the grid across the extent of the points.
const hullGrid = 1 << 29

// gridPoint is a point of the grid, or a difference of two.
type gridPoint [3]int64

// sub returns a − b.
func (a gridPoint) sub(b gridPoint) gridPoint {
	return gridPoint{a[0] - b[0], a[1] - b[1], a[2] - b[2]}
}

// vec returns the point as floating-point numbers.
func (a gridPoint) vec() r3.Vec { return r3.Vec{float64(a[0]), float64(a[1]), float64(a[2])} }

// cross returns a × b, exactly for differences of grid points.
func (a gridPoint) cross(b gridPoint) gridPoint {
	return gridPoint{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// sideOf returns the sign of n·d, exactly, for a cross product n (1).
func sideOf(n, d gridPoint) int {
	var hi int64
	var lo uint64
	for i := range n {
		// The signed 128-bit product is the unsigned one, corrected for negative factors.
		h, l := bits.Mul64(uint64(n[i]), uint64(d[i]))
		// Correct the unsigned product for negative factors.
		s := int64(h)
		if n[i] < 0 {
			s -= d[i]
		}
		if d[i] < 0 {
			s -= n[i]
		}
		var carry uint64
		// Sum of the three products.
		lo, carry = bits.Add64(lo, l, 0)
		hi += s + int64(carry)
	}
	switch {
	case hi < 0:
		return -1
	case hi > 0 || lo > 0:
		return 1
	}
	return 0
}

// hullFace is a triangle of the hull.
type hullFace struct {
	v [3]int32
	// face across the edge v[i] v[i+1]
	next [3]int32
	n    gridPoint
	// points in front of it that no other face has taken
	out  []int32
	dead bool
}

// hull is a convex hull that grows point by point.
type hull struct {
	p    []gridPoint
	face []hullFace
	// edges of the horizon, in order
	ring  []hullEdge
	stack []hullEdge
	gone  []int32
}

// hullEdge is an edge of a face.
type hullEdge struct{ face, edge int32 }

// convexHull returns the triangles of the hull of the points, outward, as indices of
// them. Points that are too few, flat or not finite are an error.
func convexHull(points []r3.Vec) ([][3]int32, error) {
	h, index, err := newHull(points)
	if err != nil {
		return nil, err
	}
	// Each face with points in front grows to the farthest of them.
	for f := 0; f < len(h.face); f++ {
		if !h.face[f].dead && len(h.face[f].out) > 0 {
			h.add(int32(f))
		}
	}
	return h.triangles(index), nil
}

// triangles returns the faces that are left, in the numbers of the given points.
func (h *hull) triangles(index []int32) (tris [][3]int32) {
	for _, f := range h.face {
		if !f.dead {
			tris = append(tris, [3]int32{index[f.v[0]], index[f.v[1]], index[f.v[2]]})
		}
	}
	return tris
}

// newHull spans the first tetrahedron. index maps grid points to given points.
func newHull(points []r3.Vec) (h *hull, index []int32, err error) {
	box := r3.EmptyBox()
	for i, p := range points {
		if !p.IsFinite() || max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2])) > 1e9 {
			return nil, nil, fmt.Errorf("point %d is %v m; coordinates must be finite and below 1e9 m", i, p)
		}
		box = box.Extend(p)
	}
	if len(points) < 4 {
		return nil, nil, fmt.Errorf("%d points; a solid needs at least four that are not in one plane", len(points))
	}
	// Round the points to the grid, without repetitions.
	size := box.Size()
	// The grid is a cube of the largest extent.
	extent := max(size[0], size[1], size[2])
	if !(extent >= 1e-9) {
		return nil, nil, fmt.Errorf("the %d points coincide; spread them over more than 1e-9 m", len(points))
	}
	h = &hull{}
	seen := make(map[gridPoint]bool, len(points))
	for i, p := range points {
		var g gridPoint
		for j := range g {
			g[j] = int64(math.Round((p[j] - box.Min[j]) / extent * hullGrid))
		}
		if !seen[g] {
			seen[g] = true
			h.p = append(h.p, g)
			index = append(index, int32(i))
		}
	}
	// Normals of thinner solids would be noise.
	t, thickness := h.tetrahedron()
	// Thinner solids have faces whose normals are noise.
	if thickness < 1e-6*hullGrid {
		return nil, nil, fmt.Errorf("%w: %.3g m across but %.3g m thick; give at least a millionth of thickness", ErrFlat, extent, thickness/hullGrid*extent)
	}
	// Faces of the tetrahedron and their links, and the points in front of each.
	for _, v := range [4][3]int{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}} {
		h.newFace(t[v[0]], t[v[1]], t[v[2]])
	}
	for i, next := range [4][3]int32{{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}} {
		h.face[i].next = next
	}
	for i := range h.p {
		h.assign(int32(i), 0)
	}
	return h, index, nil
}

// tetrahedron picks four points far apart and returns the least of their distances from
// the span of those before, in cells. The fourth lies behind the first three.
func (h *hull) tetrahedron() (t [4]int32, thickness float64) {
	// The point of greatest measure, the first of equals.
	farthest := func(measure func(g gridPoint) float64) (int32, float64) {
		best, d := int32(0), math.Inf(-1)
		for i, g := range h.p {
			if m := measure(g); m > d {
				best, d = int32(i), m
			}
		}
		return best, d
	}
	// A point of least x, then the farthest from it, from their line and from their
	// plane.
	t[0], _ = farthest(func(g gridPoint) float64 { return -float64(g[0]) })
	// The first two points span a line,
	o := h.p[t[0]]
	t[1], _ = farthest(func(g gridPoint) float64 { return g.sub(o).vec().Norm2() })
	// the third a triangle,
	u := h.p[t[1]].sub(o)
	ul := u.vec().Unit()
	t[2], _ = farthest(func(g gridPoint) float64 { return g.sub(o).vec().Cross(ul).Norm2() })
	// the fourth a tetrahedron.
	n := u.cross(h.p[t[2]].sub(o))
	nl := n.vec().Unit()
	t[3], thickness = farthest(func(g gridPoint) float64 { return math.Abs(g.sub(o).vec().Dot(nl)) })
	// The exact side decides about the orientation.
	switch sideOf(n, h.p[t[3]].sub(o)) {
	// All points lie in one plane.
	case 0:
		thickness = 0
	// In front: turn the base.
	case 1:
		t[1], t[2] = t[2], t[1]
	}
	return t, thickness
}

// newFace adds a triangle and returns its number.
func (h *hull) newFace(a, b, c int32) int32 {
	n := h.p[b].sub(h.p[a]).cross(h.p[c].sub(h.p[a]))
	h.face = append(h.face, hullFace{v: [3]int32{a, b, c}, n: n})
	return int32(len(h.face) - 1)
}

// sees reports whether point p is strictly in front of face f.
func (h *hull) sees(p, f int32) bool {
	// The farthest point of the face's own list; all others are assigned again.
	g := &h.face[f]
	return sideOf(g.n, h.p[p].sub(h.p[g.v[0]])) > 0
}

// assign gives point p to the first face from f on that it is in front of.
func (h *hull) assign(p, f int32) {
	for ; int(f) < len(h.face); f++ {
		if h.sees(p, f) {
			h.face[f].out = append(h.face[f].out, p)
			return
		}
	}
}

// add makes the farthest point in front of face f a corner of the hull.
func (h *hull) add(f int32) {
	g := &h.face[f]
	n := g.n.vec()
	// The farthest point in front of f.
	p, far := g.out[0], math.Inf(-1)
	for _, q := range g.out {
		if d := n.Dot(h.p[q].sub(h.p[g.v[0]]).vec()); d > far {
			p, far = q, d
		}
	}
	// A cone of new faces replaces those that the point sees.
	h.horizon(p, f)
	first := int32(len(h.face))
	count := int32(len(h.ring))
	for i, e := range h.ring {
		g := &h.face[e.face]
		// The edge runs from v[i] to v[i+1] in the face that stays.
		a := h.newFace(g.v[(e.edge+1)%3], g.v[e.edge], p)
		// Neighbours: the face that stays, and the new faces before and after in the
		// ring.
		k := int32(i)
		h.face[a].next = [3]int32{e.face, first + (k+1)%count, first + (k+count-1)%count}
		h.face[e.face].next[e.edge] = a
	}
	// Points of the faces that are gone move to new faces, or lie inside.
	for _, d := range h.gone {
		out := h.face[d].out
		h.face[d].out = nil
		for _, q := range out {
			if q != p {
				h.assign(q, first)
			}
		}
	}
}

// horizon removes the faces that p sees, from f on, and lists the edges around them, as
// edges of the faces that stay, counter-clockwise as p sees them.
func (h *hull) horizon(p, f int32) {
	h.ring, h.gone = h.ring[:0], h.gone[:0]
	h.remove(f)
	h.stack = h.stack[:0]
	// All three edges of the first face.
	for i := int32(2); i >= 0; i-- {
		h.stack = append(h.stack, hullEdge{f, i})
	}
	// Depth first, edges in the order of turning: the ring is listed in order.
	for len(h.stack) > 0 {
		e := h.stack[len(h.stack)-1]
		h.stack = h.stack[:len(h.stack)-1]
		g := h.face[e.face].next[e.edge]
		// The face across the edge is gone already.
		if h.face[g].dead {
			continue
		}
		// The same edge as an edge of the neighbour.
		i := int32(slices.Index(h.face[g].v[:], h.face[e.face].v[(e.edge+1)%3]))
		if !h.sees(p, g) {
			h.ring = append(h.ring, hullEdge{g, i})
			continue
		}
		h.remove(g)
		h.stack = append(h.stack, hullEdge{g, (i + 2) % 3}, hullEdge{g, (i + 1) % 3})
	}
}

// remove marks a face as gone.
func (h *hull) remove(f int32) {
	h.face[f].dead = true
	h.gone = append(h.gone, f)
}
