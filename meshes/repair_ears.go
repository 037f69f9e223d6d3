package meshes

// Cost: O(n³) for n corners in the worst case, which polygons of files and rims
// of holes never reach: they have tens of corners.

// Triangulation of polygons in space: faces of OBJ and VTK files, and holes.
// Convex polygons become a fan; others are cut by ear clipping (G. H. Meisters,
// Polygons Have Ears, 1975) in their mean plane.

import "github.com/curlfree/curlfree/r3"

// appendPolygon appends triangles that cover a polygon with the same
// orientation: a fan when it is convex, else ears cut in its mean plane. A
// polygon without an area gives degenerate triangles, which repair drops.
func appendPolygon(tris [][3]int32, verts []r3.Vec, loop []int32) [][3]int32 {
	if len(loop) == 3 {
		return append(tris, [3]int32(loop))
	}
	n := newell(verts, loop)
	if convex(verts, loop, n) {
		for k := 2; k < len(loop); k++ {
			tris = append(tris, [3]int32{loop[0], loop[k-1], loop[k]})
		}
		return tris
	}
	return append(tris, cutEars(verts, loop, n)...)
}

// newell returns the normal of the mean plane of a loop (Newell's method), m²;
// its length is twice the area of the projection on that plane.
func newell(verts []r3.Vec, loop []int32) r3.Vec {
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

// cutEars triangulates a simple loop that is nearly planar, in the plane of n.
// An ear is a corner that sticks out and whose triangle contains no other
// corner; of all ears the one with the roundest triangle is cut first. When
// round-off leaves no ear, the least reflex corner is cut, so that the result
// always closes the loop.
func cutEars(verts []r3.Vec, loop []int32, n r3.Vec) [][3]int32 {
	left := append([]int32(nil), loop...)
	tris := make([][3]int32, 0, len(loop)-2)
	for len(left) > 3 {
		// The best corner: ears before others, then by roundness.
		best, bestScore, bestIsEar := 0, 0.0, false
		m := len(left)
		for k := range left {
			a, b, c := left[(k+m-1)%m], left[k], left[(k+1)%m]
			score := roundness(verts[a], verts[b], verts[c], n)
			ear := score > 0 && !holdsCorner(verts, left, [3]int32{a, b, c}, n)
			if k == 0 || ear && !bestIsEar || ear == bestIsEar && score > bestScore {
				best, bestScore, bestIsEar = k, score, ear
			}
		}
		tris = append(tris, [3]int32{left[(best+m-1)%m], left[best], left[(best+1)%m]})
		left = append(left[:best], left[best+1:]...)
	}
	return append(tris, [3]int32(left))
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

// holdsCorner reports whether another corner of the loop lies in the triangle
// t.
func holdsCorner(verts []r3.Vec, loop []int32, t [3]int32, n r3.Vec) bool {
	for _, v := range loop {
		if v == t[0] || v == t[1] || v == t[2] {
			continue
		}
		if turn(verts, t[0], t[1], v, n) >= 0 && turn(verts, t[1], t[2], v, n) >= 0 && turn(verts, t[2], t[0], v, n) >= 0 {
			return true
		}
	}
	return false
}
