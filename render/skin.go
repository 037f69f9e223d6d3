package render

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/r3"
)

// creaseAngle is the angle between faces above which an edge is drawn sharp.
const creaseAngle = 35 * math.Pi / 180

// skin is the topology of a surface for shading. The corners of triangles that share
// one normal form a slot: at a smooth vertex all corners are one slot, at a crease
// each side has its own.
type skin struct {
	// tris are the vertices of the triangles, counter-clockwise seen from outside.
	tris [][3]int32
	// corner is the slot of each corner of each triangle.
	corner [][3]int32
	// vert is the vertex of each slot.
	vert []int32
	// open reports that the surface has a rim, so that its inside can be seen. A
	// closed surface of T triangles has 3T/2 edges, an open one has more.
	open bool
}

// welded numbers the places of vertices: vertices at the same place have the same number.
func welded(verts []r3.Vec) []int32 {
	number := map[r3.Vec]int32{}
	id := make([]int32, len(verts))
	for i, p := range verts {
		k, ok := number[p]
		if !ok {
			k = int32(len(number))
			number[p] = k
		}
		id[i] = k
	}
	return id
}

// newSkin finds the slots: corners of faces that meet in a smooth edge share one.
// Vertices at the same place count as one, because files such as STL have three vertices
// of their own for each triangle. An edge is smooth if the unit normals of its triangles
// have n₁·n₂ ≥ cos(creaseAngle).
func newSkin(verts []r3.Vec, tris [][3]int32) *skin {
	id := welded(verts)
	// join the corners of both triangles at the ends of each smooth edge
	joined := unionfind.New(3 * len(tris)) // corners
	// first is the first triangle at an edge, with the edge's number in it; others are joined to it
	normal := make([]r3.Vec, len(tris))
	type half struct {
		tri  int32
		edge int8
	}
	first := map[[2]int32]half{}
	for t, v := range tris {
		normal[t] = r3.TriangleNormal(verts[v[0]], verts[v[1]], verts[v[2]]).Unit()
		for e := range 3 {
			a, b := id[v[e]], id[v[(e+1)%3]]
			key := [2]int32{min(a, b), max(a, b)}
			o, ok := first[key]
			if !ok {
				first[key] = half{int32(t), int8(e)}
				continue
			}
			// a crease: each side keeps slots of its own
			if normal[t].Dot(normal[o.tri]) < math.Cos(creaseAngle) {
				continue
			}
			// The two triangles may run along the edge in opposite directions, as on a closed surface, or
			// in the same one: the corners at the same place are joined.
			w := tris[o.tri]
			c0, c1 := 3*int32(t)+int32(e), 3*int32(t)+int32((e+1)%3)
			o0, o1 := 3*o.tri+int32(o.edge), 3*o.tri+(int32(o.edge)+1)%3
			if id[w[o.edge]] != a {
				o0, o1 = o1, o0
			}
			joined.Union(c0, o0)
			joined.Union(c1, o1)
		}
	}
	// number the sets of corners
	of, slots := joined.Labels()
	s := &skin{tris: tris, corner: make([][3]int32, len(tris)), vert: make([]int32, slots), open: 2*len(first) > 3*len(tris)}
	for c, k := range slices.Backward(of) { // a slot's vertex is that of its first corner
		s.corner[c/3][c%3], s.vert[k] = k, tris[c/3][c%3]
	}
	return s
}

// normals returns the unit normal of each slot: the mean of its faces, weighted
// by their angles there. With these weights the normal at a corner of a box does not
// depend on how its sides are split into triangles (Thürmer and Wüthrich, Computing Vertex
// Normals from Polygonal Facets, 1998).
func (s *skin) normals(verts []r3.Vec) []r3.Vec {
	n := make([]r3.Vec, len(s.vert))
	for t, v := range s.tris {
		// the unit normal of the face, added to each of its corners with the angle there, rad
		p := [3]r3.Vec{verts[v[0]], verts[v[1]], verts[v[2]]}
		face := r3.TriangleNormal(p[0], p[1], p[2]).Unit()
		edge := [3]r3.Vec{p[1].Sub(p[0]).Unit(), p[2].Sub(p[1]).Unit(), p[0].Sub(p[2]).Unit()}
		angle := func(a, b r3.Vec) float64 { return math.Acos(max(-1, min(1, -a.Dot(b)))) }
		at := [3]float64{angle(edge[0], edge[2]), angle(edge[1], edge[0])}
		at[2] = max(0, math.Pi-at[0]-at[1])
		for e, k := range s.corner[t] {
			n[k] = n[k].AddScaled(at[e], face)
		}
	}
	// sums become unit normals
	for k := range n {
		n[k] = n[k].Unit()
	}
	return n
}
