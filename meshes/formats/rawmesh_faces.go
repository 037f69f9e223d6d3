package formats

import (
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/phrases"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
)

// Triangles beside cells of a volume in one file. Only cells are simulated; what happens to triangles is said.

// noteFaces adds findings on triangles beside cells of a volume, which are left out: meshers write the sides of the
// solid with them, which the cells have anyway. Others may be parts of shells, which are missing then.
func (m *RawMesh) noteFaces(rep *meshes.Findings) {
	if !m.isVolume() || len(m.Tris) == 0 {
		return
	}
	other := m.looseTriangles()
	if n := len(m.Tris) - other; n > 0 {
		rep.Addf(meshes.Note, "skipped", n, "%s on sides of cells left out", phrases.Plural(n, "triangle"))
	}
	if other > 0 {
		rep.Addf(meshes.Warning, "loose-triangles", other, "%s that are no sides of cells left out: only what cells fill is simulated; mesh parts of shells with cells, or export them to a file of their own", phrases.Plural(other, "triangle"))
	}
}

// looseTriangles returns the number of triangles that lie on no side of a cell. Vertices at one place count as one, and
// quadrilaterals may be divided in either way.
func (m *RawMesh) looseTriangles() int {
	to, _ := pointset.Weld(m.Verts, 0)
	key := func(a, b, c int32) [3]int32 {
		k, _ := meshes.SortedTri([3]int32{to[a], to[b], to[c]})
		return k
	}
	// the triangles, and whether a cell has them as a side
	side := make(map[[3]int32]bool, len(m.Tris))
	for _, t := range m.Tris {
		side[key(t[0], t[1], t[2])] = false
	}
	mark := func(a, b, c int32) {
		k := key(a, b, c)
		if _, there := side[k]; there {
			side[k] = true
		}
	}
	for _, t := range m.Tets {
		for k := range t {
			mark(t[(k+1)%4], t[(k+2)%4], t[(k+3)%4])
		}
	}
	markFaces := func(v []int32, faces [][]int) {
		for _, f := range faces {
			for k := range len(f) { // any three corners of four, the same three times of three
				mark(v[f[k]], v[f[(k+1)%len(f)]], v[f[(k+2)%len(f)]])
			}
		}
	}
	for i := range m.Hexes {
		markFaces(m.Hexes[i][:], meshes.HexFaces)
	}
	for i := range m.Wedges {
		markFaces(m.Wedges[i][:], meshes.WedgeFaces)
	}
	n := 0
	for _, t := range m.Tris {
		if !side[key(t[0], t[1], t[2])] {
			n++
		}
	}
	return n
}
