package surfaces

// Triangulation of polygons in space: faces of OBJ and VTK files, and holes.
// Convex polygons become a fan; others are cut by ear clipping (G. H. Meisters,
// Polygons Have Ears, 1975) in their mean plane, in a time of O(n²) for n corners.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// AppendPolygon appends triangles that cover a polygon with the same
// orientation: a fan, or halves of halves, when it is convex, else ears cut in its mean plane. A
// polygon without an area gives degenerate triangles, which repair drops.
func AppendPolygon(tris [][3]int32, verts []r3.Vec, loop []int32) [][3]int32 {
	// triangles, and the fans of quads, are most of what files have
	if len(loop) == 3 {
		return append(tris, [3]int32(loop))
	}
	n := Newell(verts, loop)
	if convex(verts, loop, n) {
		if len(loop) > longestFan {
			return appendHalves(tris, loop)
		}
		for k := 2; k < len(loop); k++ {
			tris = append(tris, [3]int32{loop[0], loop[k-1], loop[k]})
		}
		return tris
	}
	return append(tris, CutEars(verts, loop, n)...)
}

// longestFan is the number of corners up to which a convex polygon becomes a fan. Boxes of the slivers
// of a fan all overlap, so that a search for cuts among them takes a time that grows with its square.
const longestFan = 64

// appendHalves covers a convex polygon by the triangle of its first, middle and last corner, and
// its two sides likewise.
func appendHalves(tris [][3]int32, loop []int32) [][3]int32 {
	if len(loop) < 3 {
		return tris
	}
	k := len(loop) / 2
	tris = append(tris, [3]int32{loop[0], loop[k], loop[len(loop)-1]})
	return appendHalves(appendHalves(tris, loop[:k+1]), loop[k:])
}

// Newell returns the normal of the mean plane of a loop (Newell's method), m²;
// its length is twice the area of the projection on that plane.
func Newell(verts []r3.Vec, loop []int32) r3.Vec {
	var n r3.Vec
	o := verts[loop[0]]
	for k := 2; k < len(loop); k++ {
		n = n.Add(verts[loop[k-1]].Sub(o).Cross(verts[loop[k]].Sub(o)))
	}
	return n
}

// convex reports whether, seen along n, no corner is reflex and the fan of the
// first corner has no triangle that is turned over.
func convex(verts []r3.Vec, loop []int32, n r3.Vec) bool {
	m := len(loop)
	for k := range loop {
		if turn(verts, loop[k], loop[(k+1)%m], loop[(k+2)%m], n) < 0 {
			return false
		}
		if k >= 2 && turn(verts, loop[0], loop[k-1], loop[k], n) < 0 {
			return false
		}
	}
	return true
}

// turn is positive when a, b, c turn left, seen against n.
func turn(verts []r3.Vec, a, b, c int32, n r3.Vec) float64 {
	return verts[b].Sub(verts[a]).Cross(verts[c].Sub(verts[b])).Dot(n)
}

// CutEars triangulates a simple loop that is nearly planar, in the plane of n.
// An ear is a corner that sticks out and whose triangle contains no other
// corner; of all ears the one with the roundest triangle is cut first. When
// round-off leaves no ear, the least reflex corner is cut, so that the result
// always closes the loop.
func CutEars(verts []r3.Vec, loop []int32, n r3.Vec) [][3]int32 {
	e := earCutter{verts: verts, n: n, left: slices.Clone(loop), round: make([]float64, len(loop)), ear: make([]bool, len(loop))}
	e.project()
	tris := make([][3]int32, 0, len(loop)-2)
	// Reflex corners first: ears depend on them.
	for k := range loop {
		e.round[k] = e.roundness(k)
	}
	for k := range loop {
		e.ear[k] = e.isEar(k)
	}
	// every cut takes one corner, so that this ends
	for len(e.left) > 3 {
		k := e.best()
		tris = append(tris, e.at(k))
		e.cut(k)
	}
	return append(tris, [3]int32(e.left))
}

// earCutter is a loop of which ears are cut. A cut changes the triangles of the two corners beside it
// and of no other: a triangle that contains a corner contains a reflex one, and corners only become less reflex.
type earCutter struct {
	verts []r3.Vec
	n     r3.Vec
	left  []int32   // corners that are left
	flat  []vec2    // where they are in the plane
	round []float64 // roundness of their triangles; not positive: reflex
	ear   []bool    // which of them are ears
}

// project finds where corners are in the plane of n, seen against it.
func (e *earCutter) project() {
	// any direction that is not near the normal spans the plane with it
	x := r3.Vec{1, 0, 0}
	if math.Abs(e.n[0]) > 0.9*e.n.Norm() {
		x = r3.Vec{0, 1, 0}
	}
	y := e.n.Unit().Cross(x).Unit()
	x = y.Cross(e.n.Unit())
	// relative to a corner, so that distant polygons lose no digits
	o := e.verts[e.left[0]]
	e.flat = make([]vec2, len(e.left))
	for k, v := range e.left {
		p := e.verts[v].Sub(o)
		e.flat[k] = vec2{p.Dot(x), p.Dot(y)}
	}
}

// at returns the triangle of corner k with its neighbours.
func (e *earCutter) at(k int) [3]int32 {
	m := len(e.left)
	return [3]int32{e.left[(k+m-1)%m], e.left[k], e.left[(k+1)%m]}
}

// roundness is that of the triangle of corner k.
func (e *earCutter) roundness(k int) float64 {
	t := e.at(k)
	return roundness(e.verts[t[0]], e.verts[t[1]], e.verts[t[2]], e.n)
}

// isEar reports whether corner k sticks out and no reflex corner lies in its triangle.
func (e *earCutter) isEar(k int) bool {
	if e.round[k] <= 0 {
		return false
	}
	t, m := e.at(k), len(e.left)
	a, b, c := e.flat[(k+m-1)%m], e.flat[k], e.flat[(k+1)%m]
	left := func(a, b, p vec2) bool { return (b[0]-a[0])*(p[1]-a[1]) >= (b[1]-a[1])*(p[0]-a[0]) }
	// a corner that sticks out is never the only one in a triangle: reflex ones suffice
	for i, v := range e.left {
		if e.round[i] > 0 || v == t[0] || v == t[1] || v == t[2] {
			continue
		}
		if p := e.flat[i]; left(a, b, p) && left(b, c, p) && left(c, a, p) {
			return false
		}
	}
	return true
}

// best returns the corner to cut: ears before others, then by roundness.
func (e *earCutter) best() int {
	best := 0
	for k := range e.left {
		if e.ear[k] && !e.ear[best] || e.ear[k] == e.ear[best] && e.round[k] > e.round[best] {
			best = k
		}
	}
	return best
}

// cut takes corner k out of the loop.
func (e *earCutter) cut(k int) {
	e.left, e.flat = slices.Delete(e.left, k, k+1), slices.Delete(e.flat, k, k+1)
	e.round, e.ear = slices.Delete(e.round, k, k+1), slices.Delete(e.ear, k, k+1)
	// the two corners beside it have new neighbours
	m := len(e.left)
	beside := [2]int{(k + m - 1) % m, k % m}
	for _, i := range beside {
		e.round[i] = e.roundness(i)
	}
	for _, i := range beside {
		e.ear[i] = e.isEar(i)
	}
}

// roundness is the signed area of a triangle seen against n over the sum of its
// squared sides: largest for the equilateral one.
func roundness(a, b, c, n r3.Vec) float64 {
	sides := b.Sub(a).Norm2() + c.Sub(b).Norm2() + a.Sub(c).Norm2()
	if sides == 0 {
		return 0
	}
	return b.Sub(a).Cross(c.Sub(a)).Dot(n) / sides
}
