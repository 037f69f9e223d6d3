package formats

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Hexahedra and wedges of files. Programs disagree on the orientation of wedges (VTK lists the
// first triangle counter-clockwise seen from outside, Gmsh from inside), so that cells are
// turned by their own volume.
//
// A cell is two faces of the same number of corners, v and w, with edges v_k–w_k. Exchanging the
// faces reverses it and keeps the edges, so that no other cell has to change:
//
//	hexahedron   v0 v1 v2 v3 | w0 w1 w2 w3   →   w0 w1 w2 w3 | v0 v1 v2 v3
//	wedge        v0 v1 v2 | w0 w1 w2         →   w0 w1 w2 | v0 v1 v2

// isVolume reports whether the file has cells that fill space.
func (m *RawMesh) isVolume() bool { return len(m.Tets)+len(m.Hexes)+len(m.Wedges) > 0 }

// filledCells returns the volume mesh of the file's hexahedra and wedges, in positive order.
func (m *RawMesh) filledCells() (*meshes.Tet, error) {
	if len(m.Tets) > 0 {
		return nil, fmt.Errorf("the file has %s: faces of tetrahedra and of other cells do not fit; mesh the part with one of these", m.kinds())
	}
	hexes, wedges := slices.Clone(m.Hexes), slices.Clone(m.Wedges)
	for i := range hexes {
		if h := &hexes[i]; m.isInsideOut(h[:]) {
			*h = [8]int32{h[4], h[5], h[6], h[7], h[0], h[1], h[2], h[3]}
		}
	}
	for i := range wedges {
		if w := &wedges[i]; m.isInsideOut(w[:]) {
			*w = [6]int32{w[3], w[4], w[5], w[0], w[1], w[2]}
		}
	}
	return meshes.FillCells(m.Verts, hexes, wedges)
}

// isInsideOut reports whether the second face of a cell lies below the first one, seen along
// its normal.
func (m *RawMesh) isInsideOut(v []int32) bool {
	n := len(v) / 2
	// twice the area of the first face with its normal, and the sum of the edges to the second
	var area, way r3.Vec
	for k := range n {
		a, b := m.Verts[v[k]], m.Verts[v[(k+1)%n]]
		area = area.Add(a.Sub(m.Verts[v[0]]).Cross(b.Sub(m.Verts[v[0]])))
		way = way.Add(m.Verts[v[n+k]].Sub(a))
	}
	return area.Dot(way) < 0
}
