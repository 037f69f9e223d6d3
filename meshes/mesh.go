// Package meshes holds triangle and tetrahedral meshes: reading and writing
// them, judging and mending them, and making them, from surfaces or from
// parameters. Lengths are metres once a mesh is in memory.
package meshes

import "github.com/curlfree/curlfree/r3"

// Tri is a triangle mesh. Outward normals follow the right-hand rule.
type Tri struct {
	Verts []r3.Vec   // vertex positions, m
	Tris  [][3]int32 // vertex indices, counter-clockwise seen from outside
}

// Tet is a tetrahedral mesh. Vertex order of a tet (a,b,c,d) is positive:
// (b−a)×(c−a)·(d−a) > 0.
type Tet struct {
	Verts []r3.Vec   // vertex positions, m
	Tets  [][4]int32 // vertex indices
}

// Bounds returns the axis-aligned bounds of the vertices.
func (m *Tri) Bounds() r3.Box { return bounds(m.Verts) }

// Bounds returns the axis-aligned bounds of the vertices.
func (m *Tet) Bounds() r3.Box { return bounds(m.Verts) }

func bounds(ps []r3.Vec) r3.Box {
	b := r3.EmptyBox()
	for _, p := range ps {
		b = b.Extend(p)
	}
	return b
}

// Volume returns the signed volume of tet t, m³.
func (m *Tet) Volume(t int) float64 {
	v := &m.Tets[t]
	a := m.Verts[v[0]]
	return m.Verts[v[1]].Sub(a).Cross(m.Verts[v[2]].Sub(a)).Dot(m.Verts[v[3]].Sub(a)) / 6
}

// Split puts vertex v into tet t: of the four that it makes with t's faces one takes
// t's place, the others come last.
func (m *Tet) Split(t int, v int32) {
	whole := m.Tets[t]
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

// SortedTri sorts the vertices of a triangle, so that either side of it has the same, and
// tells whether that turned it over: whether it was an odd permutation.
func SortedTri(t [3]int32) (sorted [3]int32, odd bool) {
	for _, p := range [3][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if t[p[0]] > t[p[1]] {
			t[p[0]], t[p[1]] = t[p[1]], t[p[0]]
			odd = !odd
		}
	}
	return t, odd
}

// tetFaces lists the faces of a positive tet, each counter-clockwise seen from
// outside; face i is opposite vertex i.
var tetFaces = [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}

// Boundary returns the boundary triangles of the tets, outward, in a
// deterministic order, as indices into the tet mesh's own vertices, and for each
// the tet it belongs to.
func (m *Tet) Boundary() (tris [][3]int32, owner []int32) {
	count := make(map[[3]int32]int8, 2*len(m.Tets))
	key := func(t [4]int32, f [3]int) [3]int32 {
		k, _ := SortedTri([3]int32{t[f[0]], t[f[1]], t[f[2]]})
		return k
	}
	for _, t := range m.Tets {
		for _, f := range tetFaces {
			count[key(t, f)]++
		}
	}
	for i, t := range m.Tets {
		for _, f := range tetFaces {
			if count[key(t, f)] == 1 {
				tris = append(tris, [3]int32{t[f[0]], t[f[1]], t[f[2]]})
				owner = append(owner, int32(i))
			}
		}
	}
	return tris, owner
}

// Volume returns the volume enclosed by a closed, outward surface, m³.
func (m *Tri) Volume() float64 {
	v := 0.0
	for _, t := range m.Tris {
		v += m.Verts[t[0]].Dot(m.Verts[t[1]].Cross(m.Verts[t[2]]))
	}
	return v / 6
}
