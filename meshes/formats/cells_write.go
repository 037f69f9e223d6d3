package formats

import "github.com/curlfree/curlfree/meshes"

// Cells in files: hexahedra, wedges and ten-node tets are written where a mesh has them, else
// its tets. Orders of vertices are those of the formats:
//
//	            VTK                                 Gmsh
//	hexahedron  12, as here                         5, as here
//	wedge       13, first triangle seen outside     6, as here
//	ten nodes   24, as here                         11, the last two exchanged
//
// Source: vtkCellType.h; Gmsh reference manual, node ordering.

// fileCell is a cell in the order of vertices of a file format.
type fileCell struct {
	kind  int // of the format
	verts []int32
}

// eachCell calls f for the cells of a mesh, or its tets where it has none; kinds are the numbers
// of a format for tets, hexahedra, wedges and ten-node tets. The vertices last until f returns.
func eachCell(m *meshes.Tet, kinds [4]int, order func(v []int32), f func(c fileCell) error) error {
	if m.Cells == nil {
		for _, t := range m.Tets {
			if err := f(fileCell{kinds[0], t[:]}); err != nil {
				return err
			}
		}
		return nil
	}
	var buf [10]int32
	for i := range m.Cells.Len() {
		v := buf[:copy(buf[:], m.Cells.Cell(i))]
		order(v)
		if err := f(fileCell{kinds[map[int]int{8: 1, 6: 2, 10: 3}[len(v)]], v}); err != nil {
			return err
		}
	}
	return nil
}

// numCells returns the number of cells that eachCell visits, and of their vertices.
func numCells(m *meshes.Tet) (n, verts int) {
	if m.Cells == nil {
		return len(m.Tets), 4 * len(m.Tets)
	}
	c := m.Cells
	return c.Len(), 8*len(c.Hexes) + 6*len(c.Wedges) + 10*len(c.Tets10)
}

// vtkCells and mshCells are the numbers of cells in these formats.
var (
	vtkCells = [4]int{10, 12, 13, 24}
	mshCells = [4]int{4, 5, 6, 11}
)

// vtkOrder puts the vertices of a cell in the order of VTK.
func vtkOrder(v []int32) {
	if len(v) == 6 {
		v[0], v[1], v[2], v[3], v[4], v[5] = v[3], v[4], v[5], v[0], v[1], v[2]
	}
}

// mshOrder puts the vertices of a cell in the order of Gmsh.
func mshOrder(v []int32) {
	if len(v) == 10 {
		v[8], v[9] = v[9], v[8]
	}
}
