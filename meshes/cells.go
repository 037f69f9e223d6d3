package meshes

import (
	"fmt"
	"slices"
)

// Cells are the hexahedra and wedges of a volume mesh, over the same vertices as its tets.
// Tets are the geometry of a mesh: contact, distances and pictures see them. Cells are for
// elasticity: linear tets bend too stiffly, hexahedra with internal modes do not. A mesh
// that is swept knows both, for a quad of the plane becomes a column of hexahedra and a
// triangle one of wedges, each of which several tets fill.
//
// A face of four vertices belongs to cells on both sides, never to a cell and to tets: the
// loads of a cell's face and of two triangles go to its corners in other shares.
type Cells struct {
	// Hexes holds the vertices of each hexahedron in the order of VTK: a face counter-clockwise
	// seen from inside of the cell, then the opposite face, each vertex across from its own.
	Hexes [][8]int32
	// Wedges holds the vertices of each wedge: a triangle counter-clockwise seen from inside of
	// the cell, then the opposite triangle, each vertex across from its own.
	Wedges [][6]int32
	// Of is the cell of each tet: hexahedra by number, then wedges.
	Of []int32
}

// Len returns the number of cells.
func (c *Cells) Len() int { return len(c.Hexes) + len(c.Wedges) }

// Cell returns the vertices of cell i: eight of a hexahedron, six of a wedge. Do not change
// them.
func (c *Cells) Cell(i int) []int32 {
	if i < len(c.Hexes) {
		return c.Hexes[i][:]
	}
	return c.Wedges[i-len(c.Hexes)][:]
}

// CheckCells returns an error where the cells of a mesh do not fit its tets: a tet without a
// cell, a tet with a vertex that its cell does not have, a cell without tets. A mesh without
// cells has no fault.
func (m *Tet) CheckCells() error {
	c := m.Cells
	if c == nil {
		return nil
	}
	if len(c.Of) != len(m.Tets) {
		return fmt.Errorf("meshes: cells are given for %d of %d tetrahedra: give one for each", len(c.Of), len(m.Tets))
	}
	// the vertices of each cell exist and differ
	for i := range c.Len() {
		v := c.Cell(i)
		if err := indicesWithin(v, len(m.Verts)); err != nil {
			return fmt.Errorf("meshes: cell %d: %w", i, err)
		}
		for k := range v {
			if slices.Contains(v[:k], v[k]) {
				return fmt.Errorf("meshes: cell %d has vertex %d twice: take a wedge or tetrahedra there", i, v[k])
			}
		}
	}
	// each tet lies in its cell, each cell holds a tet
	filled := make([]bool, c.Len())
	for t, i := range c.Of {
		if i < 0 || int(i) >= c.Len() {
			return fmt.Errorf("meshes: tetrahedron %d is in cell %d, but there are %d cells", t, i, c.Len())
		}
		filled[i] = true
		for _, v := range m.Tets[t] {
			if !slices.Contains(c.Cell(int(i)), v) {
				return fmt.Errorf("meshes: tetrahedron %d has vertex %d, which its cell %d has not", t, v, i)
			}
		}
	}
	if i := slices.Index(filled, false); i >= 0 {
		return fmt.Errorf("meshes: cell %d holds no tetrahedron", i)
	}
	return nil
}
