package meshes

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/r3"
)

// Tets of hexahedra and wedges: each face of four vertices is cut from its vertex with the
// smallest number, so that neighbours agree, and each cell is the cone of its own smallest
// vertex over the faces that do not have it.
// Source: Dompierre, Labbé, Vallet and Camarero, "How to subdivide pyramids, prisms and
// hexahedra into tetrahedra", 1999.

// HexFaces and WedgeFaces are the faces of cells, counter-clockwise seen from outside.
var (
	HexFaces   = [][]int{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}
	WedgeFaces = [][]int{{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}
)

// FillCells returns the volume mesh of hexahedra and wedges, with the tets that fill them. An
// error names a cell whose vertices do not exist, repeat, or make a tet that is inside out.
func FillCells(verts []r3.Vec, hexes [][8]int32, wedges [][6]int32) (*Tet, error) {
	m := &Tet{Verts: verts, Cells: &Cells{Hexes: hexes, Wedges: wedges}}
	for i := range m.Cells.Len() {
		v, faces := m.Cells.Cell(i), HexFaces
		if len(v) == 6 {
			faces = WedgeFaces
		}
		if err := pointset.CheckIndices(v, len(verts)); err != nil {
			return nil, fmt.Errorf("meshes: cell %d: %w", i, err)
		}
		for _, f := range faces {
			if !m.fillAbove(int32(i), v, f) {
				return nil, fmt.Errorf("meshes: cell %d (vertices %v) is flat or inside out: repair or remesh it", i, v)
			}
		}
	}
	return m, m.CheckCells()
}

// fillAbove adds the tets between a face of cell i, with the vertices v, and the smallest vertex
// of the cell, none where the face has it. It reports whether all have a volume.
func (m *Tet) fillAbove(i int32, v []int32, face []int) bool {
	apex := slices.Min(v)
	loop := make([]int32, len(face))
	for k, a := range face {
		loop[k] = v[a]
	}
	if slices.Contains(loop, apex) {
		return true
	}
	// from the smallest vertex of the face; outward triangles have the apex below them
	first := slices.Index(loop, slices.Min(loop))
	for k := 1; k+1 < len(loop); k++ {
		b, c := loop[(first+k)%len(loop)], loop[(first+k+1)%len(loop)]
		m.Tets = append(m.Tets, [4]int32{loop[first], c, b, apex})
		m.Cells.Of = append(m.Cells.Of, i)
		if !(m.Volume(len(m.Tets)-1) > 0) {
			return false
		}
	}
	return true
}
