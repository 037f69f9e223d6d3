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
	if err := c.checkVerts(len(m.Verts)); err != nil {
		return err
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

// checkVerts returns an error where a cell has a vertex that does not exist, or one twice.
func (c *Cells) checkVerts(verts int) error {
	for i := range c.Len() {
		v := c.Cell(i)
		if err := indicesWithin(v, verts); err != nil {
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

// QuadHalf says of which face of four vertices a boundary triangle is one half: the one that
// the fourth vertex completes, across from a corner of the triangle.
type QuadHalf struct {
	// Vert is the fourth vertex; −1 where the triangle is the face of a wedge or tet.
	Vert int32
	// Corner is the corner of the triangle, 0 to 2, across from Vert.
	Corner int32
}

// QuadHalves returns the parent faces of boundary triangles, each of which belongs to the tet
// owner; see Boundary. It returns nil for a mesh without cells.
func (m *Tet) QuadHalves(tris [][3]int32, owner []int32) []QuadHalf {
	if m.Cells == nil {
		return nil
	}
	out := make([]QuadHalf, len(tris))
	for i, t := range tris {
		out[i].Vert = -1
		v, faces := m.Cells.Cell(int(m.Cells.Of[owner[i]])), hexFaces
		if len(v) == 6 {
			faces = wedgeFaces
		}
		for _, f := range faces {
			if len(f) != 4 {
				continue
			}
			// the corner that the triangle has not, if it has the other three
			missing, found := -1, 0
			for k, a := range f {
				if slices.Contains(t[:], v[a]) {
					found++
				} else {
					missing = k
				}
			}
			if found == 3 {
				across := v[f[(missing+2)%4]]
				out[i] = QuadHalf{v[f[missing]], int32(slices.Index(t[:], across))}
			}
		}
	}
	return out
}
