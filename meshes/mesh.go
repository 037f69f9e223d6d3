// Package meshes has the types of mesh generation, triangle and tetrahedral meshes, with their boundary, refinement,
// the quality of tetrahedra (quality.go), cells for elasticity (cells*.go) and signed distances (distance*.go).
// Packages in its folder make, repair, fill, read and write meshes.
//
// Conventions. Lengths are metres once a mesh is in memory. Surface triangles are
// counter-clockwise seen from outside. A tetrahedron (a, b, c, d) has the volume
//
//	V = (b−a)×(c−a)·(d−a) / 6 > 0
//
// All functions are deterministic: equal input gives equal bits. "Tet" is short for
// tetrahedron in names and comments.
package meshes

import (
	"slices"

	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/r3"
)

// Tri is a triangle mesh. Outward normals follow the right-hand rule. Both mesh
// types are plain data: slices that callers may read and write. Functions of this
// package never change a mesh passed as an argument, except NewDistance, which
// keeps it, and the methods that say so.
type Tri struct {
	// Verts has the vertex positions, m.
	Verts []r3.Vec
	// Tris has the vertex indices of each triangle, counter-clockwise seen from
	// outside.
	Tris [][3]int32
}

// Tet is a tetrahedral mesh. Vertex order of a tet (a,b,c,d) is positive:
// (b−a)×(c−a)·(d−a) > 0.
type Tet struct {
	// Verts has the vertex positions, m. Vertices that no tet uses are allowed.
	Verts []r3.Vec
	// Tets has the vertex indices of each tet, in positive order.
	Tets [][4]int32
	// Cells are the hexahedra and wedges that the tets fill; nil for a mesh of tets alone.
	Cells *Cells
}

// Bounds returns the axis-aligned bounds of the vertices.
func (m *Tri) Bounds() r3.Box { return pointset.Bounds(m.Verts) }

// Bounds returns the axis-aligned bounds of the vertices.
func (m *Tet) Bounds() r3.Box { return pointset.Bounds(m.Verts) }

// Volume returns the signed volume of tet t, m³: positive in positive order.
func (m *Tet) Volume(t int) float64 {
	v := &m.Tets[t]
	a := m.Verts[v[0]]
	return m.Verts[v[1]].Sub(a).Cross(m.Verts[v[2]].Sub(a)).Dot(m.Verts[v[3]].Sub(a)) / 6
}

// Split divides tet t at vertex v, which lies inside of it, into the four tets that
// v makes with the faces of t (a 1–4 split). One of them takes the number t, the
// others are appended; all have the orientation of t. Cells are dropped: none has the vertex.
func (m *Tet) Split(t int, v int32) {
	whole := m.Tets[t]
	m.Cells = nil
	// Replacing vertex k by v gives the part at the face opposite k.
	for k := range whole {
		part := whole
		part[k] = v
		if k == 0 {
			m.Tets[t] = part
		} else {
			m.Tets = append(m.Tets, part)
		}
	}
}

// SortedTri sorts the vertices of a triangle, so that both of its orientations get
// the same key, and reports whether the permutation was odd, that is, whether
// sorting reversed the orientation.
func SortedTri(t [3]int32) (sorted [3]int32, odd bool) {
	// Three compare-and-swap steps sort three numbers.
	for _, p := range [3][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if t[p[0]] > t[p[1]] {
			t[p[0]], t[p[1]] = t[p[1]], t[p[0]]
			odd = !odd
		}
	}
	return t, odd
}

// SideKey returns the vertices of an edge in ascending order: its key, whichever way it runs.
func SideKey(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

// TetFaces lists the faces of a positive tet, each counter-clockwise seen from
// outside; face i is opposite vertex i.
var TetFaces = [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}

// TetEdges lists the edges of a tet by their local vertices; edges i and 5−i are
// opposite.
var TetEdges = [6][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}

// Boundary returns the boundary triangles: the faces that belong to one tet only.
// They face outward, come in the order of the tets, and have vertex indices of the
// tet mesh; owner gives for each the tet it belongs to.
func (m *Tet) Boundary() (tris [][3]int32, owner []int32) {
	// Faces by their lowest vertex, sorted by counting: the two sides of a face meet
	// in a short list, which is faster than a map.
	lowest := func(t [4]int32, f [3]int) int32 { return min(t[f[0]], t[f[1]], t[f[2]]) }
	first := make([]int32, len(m.Verts)+1)
	for _, t := range m.Tets {
		for _, f := range TetFaces {
			first[lowest(t, f)+1]++
		}
	}
	for v := range m.Verts {
		first[v+1] += first[v]
	}
	// The other two vertices of each face, the lower one first.
	others := make([][2]int32, 4*len(m.Tets))
	fill := slices.Clone(first)
	for _, t := range m.Tets {
		for _, f := range TetFaces {
			k, _ := SortedTri([3]int32{t[f[0]], t[f[1]], t[f[2]]})
			others[fill[k[0]]] = [2]int32{k[1], k[2]}
			fill[k[0]]++
		}
	}
	alone := func(t [4]int32, f [3]int) bool {
		k, _ := SortedTri([3]int32{t[f[0]], t[f[1]], t[f[2]]})
		n := 0
		for _, o := range others[first[k[0]]:first[k[0]+1]] {
			if o == [2]int32{k[1], k[2]} {
				n++
			}
		}
		return n == 1
	}
	for i, t := range m.Tets {
		for _, f := range TetFaces {
			if alone(t, f) {
				tris = append(tris, [3]int32{t[f[0]], t[f[1]], t[f[2]]})
				owner = append(owner, int32(i))
			}
		}
	}
	return tris, owner
}

// Volume returns the volume enclosed by a closed, outward surface, m³; it is
// negative if the surface is inside out. By the divergence theorem it is the sum of
// the signed volumes of the tetrahedra that the triangles (a, b, c) make with the
// origin,
//
//	V = Σ a·(b×c) / 6
func (m *Tri) Volume() float64 {
	v := 0.0
	for _, t := range m.Tris {
		v += m.Verts[t[0]].Dot(m.Verts[t[1]].Cross(m.Verts[t[2]]))
	}
	return v / 6
}

// Centroid returns the mean of the corners of tet t, m.
func (m *Tet) Centroid(t int) r3.Vec {
	var c r3.Vec
	for _, v := range m.Tets[t] {
		// each corner has a quarter of the weight
		c = c.AddScaled(0.25, m.Verts[v])
	}
	return c
}

// Surface returns the boundary as a mesh of its own, outward, and for each of
// its vertices the number of the vertex in the tet mesh.
func (m *Tet) Surface() (*Tri, []int32) {
	tris, _ := m.Boundary()
	verts, from := pointset.Compact(m.Verts, func(visit func([]int32)) {
		for i := range tris {
			visit(tris[i][:])
		}
	})
	return &Tri{Verts: verts, Tris: tris}, from
}
