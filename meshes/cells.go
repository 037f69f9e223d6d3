package meshes

import (
	"fmt"
	"slices"

	"github.com/curlfree/curlfree/meshes/internal/pointset"
)

// Cells are the hexahedra and wedges, or the ten-node tets of a volume mesh, over the same
// vertices as its tets. Tets are the geometry of a mesh, for contact, distances and pictures.
// Cells are for elasticity: linear tets are too stiff in bending, hexahedra with internal
// modes and ten-node tets are not. A swept mesh has tets and cells: a quad of the plane
// becomes a column of hexahedra and a triangle a column of wedges, each filled by several
// tets. A mesh has either hexahedra and wedges, or ten-node tets.
//
// A face of four vertices belongs to cells on both sides, never to a cell and to tets: the
// loads of a cell's face and of two triangles go to its corners in other shares.
type Cells struct {
	// Hexes has the vertices of each hexahedron in the order of VTK: a face counter-clockwise
	// seen from inside of the cell, then the opposite face, each vertex across from its own.
	Hexes [][8]int32
	// Wedges has the vertices of each wedge: a triangle counter-clockwise seen from inside of
	// the cell, then the opposite triangle, each vertex across from its own.
	Wedges [][6]int32
	// Tets10 has the vertices of each ten-node tet in the order of VTK: corners in positive
	// order, then the vertices on the edges 01, 12, 20, 03, 13 and 23.
	Tets10 [][10]int32
	// Of is the cell of each tet: hexahedra by number, then wedges; or ten-node tets.
	Of []int32
}

// Len returns the number of cells of all kinds.
func (c *Cells) Len() int { return len(c.Hexes) + len(c.Wedges) + len(c.Tets10) }

// Cell returns the vertices of cell i: eight of a hexahedron, six of a wedge, ten of a
// ten-node tet. Do not change them.
func (c *Cells) Cell(i int) []int32 {
	switch {
	case len(c.Tets10) > 0:
		return c.Tets10[i][:]
	case i < len(c.Hexes):
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
	if len(c.Tets10) > 0 && len(c.Hexes)+len(c.Wedges) > 0 {
		return fmt.Errorf("meshes: %d ten-node tetrahedra beside %d hexahedra and wedges: make two bodies of them", len(c.Tets10), len(c.Hexes)+len(c.Wedges))
	}
	if err := c.checkVerts(len(m.Verts)); err != nil {
		return err
	}
	// each tet lies in its cell, each cell has a tet
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
		return fmt.Errorf("meshes: cell %d has no tetrahedron", i)
	}
	return nil
}

// checkVerts returns an error where a cell has a vertex that does not exist, or one twice.
func (c *Cells) checkVerts(verts int) error {
	for i := range c.Len() {
		v := c.Cell(i)
		if err := pointset.CheckIndices(v, verts); err != nil {
			return fmt.Errorf("meshes: cell %d: %w", i, err)
		}
		for k := range v {
			if slices.Contains(v[:k], v[k]) {
				return fmt.Errorf("meshes: cell %d has vertex %d twice: take a wedge or tetrahedra there", i, v[k])
			}
		}
	}
	return nil
}
