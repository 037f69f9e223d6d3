package repair

// Checks of volume meshes. What a simulation cannot use is an error: tets
// without volume or of negative volume, and faces of more than two tets. What
// it can use but probably should not is a warning: parts that touch at
// coincident vertices without being connected, unused vertices, poor shapes.
//
// Nothing is moved or merged: a volume mesh has a history, of materials and boundary conditions by
// vertex numbers, and a gap between parts may be meant.

import (
	"slices"

	"github.com/curlfree/curlfree/internal/unionfind"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
)

// flatTet is the volume of a tet over the cube of its longest edge below which the
// tet counts as flat; a regular tet has √2/12 = 0.118. The gradients of the shape
// functions of a flatter tet have no correct digits.
const flatTet = 1e-10

// TetsOnRead gives all tets a positive volume, drops vertices that no tet
// uses and examines the rest. The findings have errors when the mesh cannot be
// simulated.
func TetsOnRead(m *meshes.Tet) (*meshes.Tet, meshes.Findings) {
	var rep meshes.Findings
	out, cells := &meshes.Tet{Tets: slices.Clone(m.Tets)}, &meshes.Cells{}
	if c := m.Cells; c != nil {
		// Of counts cells and tets, whose numbers stay
		*cells = meshes.Cells{Hexes: slices.Clone(c.Hexes), Wedges: slices.Clone(c.Wedges), Tets10: slices.Clone(c.Tets10), Of: c.Of}
		out.Cells = cells
	}
	// Drop the vertices that neither tets nor cells use, and renumber.
	verts, from := pointset.Compact(m.Verts, func(visit func([]int32)) {
		for i := range out.Tets {
			visit(out.Tets[i][:])
		}
		for i := range cells.Len() {
			visit(cells.Cell(i))
		}
	})
	out.Verts, rep.VertexOf = verts, pointset.IdentityAsNil(from, len(m.Verts))
	// What was done is noted, so that users find the vertex again.
	if n := len(m.Verts) - len(verts); n > 0 {
		rep.Addf(meshes.Note, "unused-vertex", n, "%s of no tetrahedron dropped", phrases.Plural(n, "vertex"))
	}
	orientTets(out, &rep)
	// Faults that cannot be repaired.
	TetFaults(out, &rep)
	return out, rep
}

// orientTets gives all tets a positive volume: swapping two vertices reverses a tet.
func orientTets(m *meshes.Tet, rep *meshes.Findings) {
	turned := 0
	for i := range m.Tets {
		// a positive volume has the fourth vertex on the side to which the normal of the first three points
		if m.Volume(i) < 0 {
			m.Tets[i][2], m.Tets[i][3] = m.Tets[i][3], m.Tets[i][2]
			turned++
		}
	}
	if turned > 0 {
		rep.Addf(meshes.Note, "inverted", turned, "%s of %d with their vertices in the other order reversed", phrases.Plural(turned, "tetrahedron"), len(m.Tets))
	}
}

// CheckTet examines a tetrahedral mesh without changing it: errors are faults with
// which a simulation cannot run, warnings those that make it inaccurate. Vertex
// indices must be valid.
func CheckTet(m *meshes.Tet) meshes.Findings {
	var r meshes.Findings
	// Faults that repair on reading reports, too.
	TetFaults(m, &r)
	var inverted []int32
	used := make([]bool, len(m.Verts))
	// Orientation is a fault here, since nothing is repaired.
	for i, t := range m.Tets {
		if m.Volume(i) < 0 && !isFlatTet(m, i) {
			inverted = append(inverted, int32(i))
		}
		for _, v := range t {
			used[v] = true
		}
	}
	// One finding for all of them, with the first as an example.
	if n := len(inverted); n > 0 {
		r.Addf(meshes.Error, "inverted", n, "%s with their vertices in the wrong order, the first number %d at %s: swap two vertices of each, as scenes and conversion do where they read the file",
			phrases.Plural(n, "tetrahedron"), inverted[0], phrases.Point(m.Centroid(int(inverted[0]))))
	}
	if n := count(used, false); n > 0 {
		r.Addf(meshes.Warning, "unused-vertex", n, "%s of no tetrahedron", phrases.Plural(n, "vertex"))
	}
	// The quality is graded even when there are errors.
	q := meshes.TetQuality(m)
	q.Report(&r, m.Cells)
	return r
}

// count returns how many elements equal want.
func count(b []bool, want bool) int {
	n := 0
	for _, x := range b {
		if x == want {
			n++
		}
	}
	return n
}

// isFlatTet reports whether tet t has next to no volume for its size.
func isFlatTet(m *meshes.Tet, t int) bool {
	// Relative to the longest edge: a small tet is not a flat one.
	l := 0.0
	for _, e := range meshes.TetEdges {
		l = max(l, m.Verts[m.Tets[t][e[1]]].Sub(m.Verts[m.Tets[t][e[0]]]).Norm())
	}
	v := m.Volume(t)
	return max(v, -v) <= flatTet*l*l*l
}

// TetFaults adds findings on flat tets, faces of more than two tets, parts that share
// no vertex, and distinct vertices at the same place.
func TetFaults(m *meshes.Tet, r *meshes.Findings) {
	flatTets(m, r)
	// Join the vertices of each tet, and count the tets at each face.
	// f are the parts, joined by the vertices of their tets
	f := unionfind.New(len(m.Verts))
	faces := make(map[[3]int32]int8, 2*len(m.Tets))
	var overused [][3]int32
	for _, t := range m.Tets {
		for k := range 3 {
			f.Union(t[0], t[k+1])
		}
		// A face of three tets or more cannot be part of a mesh of space.
		for _, c := range meshes.TetFaces {
			key, _ := meshes.SortedTri([3]int32{t[c[0]], t[c[1]], t[c[2]]})
			if faces[key]++; faces[key] == 3 {
				overused = append(overused, key)
				faces[key] = 2 // named once; no overflow
			}
		}
	}
	slices.SortFunc(overused, func(a, b [3]int32) int { return slices.Compare(a[:], b[:]) })
	overused = slices.Compact(overused)
	if n := len(overused); n > 0 {
		r.Addf(meshes.Error, "non-manifold-face", n, "%s of more than two tetrahedra: %s; tetrahedra overlap there or are given twice", phrases.Plural(n, "face"),
			phrases.Some(n, func(i int) string { return "near " + phrases.Point(m.Verts[overused[i][0]]) }))
	}
	separateParts(m, f, r)
}

// flatTets adds a finding on the tets with next to no volume.
func flatTets(m *meshes.Tet, r *meshes.Findings) {
	var flats []int
	for i := range m.Tets {
		if isFlatTet(m, i) {
			flats = append(flats, i)
		}
	}
	if n := len(flats); n > 0 {
		r.Addf(meshes.Error, "zero-volume", n, "%s without a volume, the first number %d at %s with vertices %v: mesh the part again, or remove it and join its neighbours",
			phrases.Plural(n, "tetrahedron"), flats[0], phrases.Point(m.Centroid(flats[0])), m.Tets[flats[0]])
	}
}

// separateParts adds findings on parts that share no vertex, and on coincident vertices,
// which suggest that the parts should be joined.
func separateParts(m *meshes.Tet, f unionfind.Sets, r *meshes.Findings) {
	// Vertices of no tet are no part.
	used := make([]bool, len(m.Verts))
	for _, t := range m.Tets {
		for _, v := range t {
			used[v] = true
		}
	}
	// One representative for each part.
	// a part is counted at the vertex that represents it
	parts := 0
	for i := range f {
		if used[i] && f.Find(int32(i)) == int32(i) {
			parts++
		}
	}
	if parts > 1 {
		r.Addf(meshes.Note, "parts", parts, "%s that share no vertex", phrases.Plural(parts, "part"))
	}
	// Coincident vertices are not welded: the parts may be intended to be
	// separate.
	to, n := pointset.Weld(m.Verts, pointset.WeldTolerance*pointset.Bounds(m.Verts).Size().Norm())
	if n == 0 {
		return
	}
	// Name one of them.
	first := 0
	for int(to[first]) == first {
		first++
	}
	r.Addf(meshes.Warning, "coincident", n, "%s at the place of another, the first number %d at %s: the tetrahedra are not joined there; merge the vertices if they should be",
		phrases.Plural(n, "vertex"), first, phrases.Point(m.Verts[first]))
}
