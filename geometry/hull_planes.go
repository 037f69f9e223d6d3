package geometry

// Planar faces of a triangulated convex hull. Triangles of a hull that was computed from
// rounded coordinates lie in one plane only to a tolerance, so that faces are grown from
// large triangles over their neighbours instead of being compared pair by pair.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// mergePlanes groups the triangles of a closed convex surface into planar faces: from the
// largest triangle on, each takes its neighbours as long as their corners stay within tol
// (m) of its plane. Slivers, whose own normals are noise, so join the face beside them.
func mergePlanes(t *meshes.Tri, tol float64) []convexPoly {
	next := neighbours(t)
	// Normals, twice the area long, and triangles from the largest to the smallest.
	area := make([]r3.Vec, len(t.Tris))
	order := make([]int, len(t.Tris))
	for i, f := range t.Tris {
		a := t.Verts[f[0]]
		area[i] = t.Verts[f[1]].Sub(a).Cross(t.Verts[f[2]].Sub(a))
		order[i] = i
	}
	// Equal areas stay in the order of the triangles.
	slices.SortStableFunc(order, func(i, j int) int {
		switch a, b := area[i].Norm2(), area[j].Norm2(); {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	taken := make([]bool, len(t.Tris))
	var polys []convexPoly
	// Each triangle that no face has taken is the seed of one.
	for _, seed := range order {
		if taken[seed] {
			continue
		}
		region := grow(t, next, taken, seed, area[seed].Unit(), tol)
		loop, ok := outline(t, region)
		// A region with holes or in several pieces is no polygon: the seed alone is the
		// face.
		if !ok {
			// Its other triangles are free again.
			for _, i := range region[1:] {
				taken[i] = false
			}
			region = region[:1]
			loop = t.Tris[seed][:]
		}
		var n r3.Vec
		// The normal of the face is the mean over its area.
		for _, i := range region {
			n = n.Add(area[i])
		}
		polys = append(polys, newPoly(t, region, loop, n.Unit(), tol))
	}
	return polys
}

// grow returns the triangles around seed, seed first, in the plane of its normal n, to
// tol (m).
func grow(t *meshes.Tri, next [][3]int32, taken []bool, seed int, n r3.Vec, tol float64) []int32 {
	o := t.Verts[t.Tris[seed][0]]
	// The seed and its plane.
	region := []int32{int32(seed)}
	taken[seed] = true
	// Breadth first over neighbours whose corners all lie in the plane.
	for k := 0; k < len(region); k++ {
		for _, j := range next[region[k]] {
			// Flat if all three corners lie in the plane.
			flat := !taken[j]
			for _, v := range t.Tris[j] {
				flat = flat && math.Abs(n.Dot(t.Verts[v].Sub(o))) <= tol
			}
			if flat {
				taken[j] = true
				region = append(region, j)
			}
		}
	}
	return region
}

// neighbours returns for each triangle those across its three edges.
func neighbours(t *meshes.Tri) [][3]int32 {
	// The triangle on the left of each directed edge.
	owner := make(map[[2]int32]int32, 3*len(t.Tris))
	// The same edge in the other direction belongs to the neighbour.
	for i, f := range t.Tris {
		for k := range f {
			owner[[2]int32{f[k], f[(k+1)%3]}] = int32(i)
		}
	}
	next := make([][3]int32, len(t.Tris))
	for i, f := range t.Tris {
		for k := range f {
			next[i][k] = owner[[2]int32{f[(k+1)%3], f[k]}]
		}
	}
	return next
}

// outline returns the boundary of a region as one loop of corners; false if it is not one
// loop.
func outline(t *meshes.Tri, region []int32) (loop []int32, ok bool) {
	// An edge of the boundary runs in one direction only.
	edges := make(map[[2]int32]bool, 3*len(region))
	for _, i := range region {
		f := t.Tris[i]
		for k := range f {
			edges[[2]int32{f[k], f[(k+1)%3]}] = true
		}
	}
	// The corner after each corner of the boundary, and their number.
	after := make(map[int32]int32)
	count, start := 0, int32(-1)
	for _, i := range region {
		f := t.Tris[i]
		for k := range f {
			a, b := f[k], f[(k+1)%3]
			// Both triangles of an inner edge are in the region.
			if edges[[2]int32{b, a}] {
				continue
			}
			// Two parts of the boundary touch in a corner.
			if _, twice := after[a]; twice {
				return nil, false
			}
			if count == 0 {
				start = a
			}
			after[a] = b
			count++
		}
	}
	// Follow the loop; coming back early means that there are several.
	for v := start; len(loop) < count; v = after[v] {
		if len(loop) > 0 && v == start {
			return nil, false // more than one loop
		}
		loop = append(loop, v)
	}
	// A polygon has three corners at least.
	return loop, count >= 3
}

// newPoly makes a face of a region: its outline without corners on straight edges,
// reduced to maxFace corners.
func newPoly(t *meshes.Tri, region, loop []int32, n r3.Vec, tol float64) convexPoly {
	p := convexPoly{d: math.Inf(-1), tris: region}
	// d bounds all corners of the hull, not only those of the face.
	for _, v := range t.Verts {
		p.d = max(p.d, n.Dot(v))
	}
	// Corners of the outline that stay.
	keep := slices.Clone(loop)
	// Drop the corner that sticks out least while it lies on a straight edge, or there
	// are too many.
	for len(keep) > 3 {
		// The corner that sticks out least over the chord of its neighbours.
		drop, least := -1, math.Inf(1)
		for i := range keep {
			m := len(keep)
			a, q, b := t.Verts[keep[(i+m-1)%m]], t.Verts[keep[i]], t.Verts[keep[(i+1)%m]]
			_, e := direction(b.Sub(a))
			if h := q.Sub(a).Cross(e).Norm(); h < least {
				drop, least = i, h
			}
		}
		// All are proper corners.
		if least > tol && len(keep) <= maxFace {
			break
		}
		keep = slices.Delete(keep, drop, drop+1)
	}
	// The polygon that Face returns.
	p.face.N, p.face.Normal = len(keep), n
	for i, v := range keep {
		p.face.P[i] = t.Verts[v]
	}
	return p
}
