package meshes

import "github.com/curlfree/curlfree/r3"

// Ten-node tets: four corners and the midpoints of six edges. The geometry of such a mesh are
// the eight tets that the midpoints cut each into: one at each corner, and four around the
// shortest diagonal of the octahedron in between.
// Source: Bey, "Tetrahedral grid refinement", 1995.

// Tet10Edges are the edges of a tet in the order of its midpoints, that of VTK: pairs of corners.
var Tet10Edges = [6][2]int{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}

// tet10Faces are the faces of a ten-node tet: corners counter-clockwise seen from outside, then
// the midpoints of the sides 01, 12 and 20.
var tet10Faces = [][]int{{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}}

// tet10Diagonals are the pairs of opposite midpoints, and the ring of the other four around
// each, counter-clockwise seen from the second.
var tet10Diagonals = [3]struct {
	ends [2]int
	ring [4]int
}{
	{[2]int{4, 9}, [4]int{5, 6, 7, 8}},
	{[2]int{5, 7}, [4]int{4, 8, 9, 6}},
	{[2]int{6, 8}, [4]int{4, 5, 9, 7}},
}

// Quadratic returns the mesh with a ten-node tet in place of each tet, with straight edges,
// filled by eight tets: vertices at the midpoints of edges follow those of the corners.
func (m *Tet) Quadratic() *Tet {
	out := &Tet{Verts: append([]r3.Vec(nil), m.Verts...), Cells: &Cells{}}
	mids := map[[2]int32]int32{}
	mid := func(a, b int32) int32 {
		key := [2]int32{min(a, b), max(a, b)}
		i, ok := mids[key]
		if !ok {
			i = int32(len(out.Verts))
			mids[key] = i
			out.Verts = append(out.Verts, m.Verts[a].Add(m.Verts[b]).Scale(0.5))
		}
		return i
	}
	for _, t := range m.Tets {
		var v [10]int32
		copy(v[:], t[:])
		for k, e := range Tet10Edges {
			v[4+k] = mid(t[e[0]], t[e[1]])
		}
		out.addTet10(v)
	}
	return out
}

// addTet10 adds a ten-node tet and the tets that fill it.
func (m *Tet) addTet10(v [10]int32) {
	i := int32(len(m.Cells.Tets10))
	m.Cells.Tets10 = append(m.Cells.Tets10, v)
	add := func(a, b, c, d int) {
		m.Tets = append(m.Tets, [4]int32{v[a], v[b], v[c], v[d]})
		m.Cells.Of = append(m.Cells.Of, i)
	}
	// corners
	add(0, 4, 6, 7)
	add(4, 1, 5, 8)
	add(6, 5, 2, 9)
	add(7, 8, 9, 3)
	// around the shortest diagonal of the octahedron
	best, least := 0, 0.0
	for k, d := range tet10Diagonals {
		if l := m.Verts[v[d.ends[0]]].Sub(m.Verts[v[d.ends[1]]]).Norm2(); k == 0 || l < least {
			best, least = k, l
		}
	}
	d := &tet10Diagonals[best]
	for k, a := range d.ring {
		b := d.ring[(k+1)%4]
		add(d.ends[0], d.ends[1], a, b)
	}
}

// NumEdges returns the number of edges of the tets: of vertices that Quadratic adds.
func (m *Tet) NumEdges() int {
	edges := map[[2]int32]bool{}
	for _, t := range m.Tets {
		for _, e := range Tet10Edges {
			a, b := t[e[0]], t[e[1]]
			edges[[2]int32{min(a, b), max(a, b)}] = true
		}
	}
	return len(edges)
}
