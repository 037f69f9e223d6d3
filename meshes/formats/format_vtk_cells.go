package formats

import "github.com/curlfree/curlfree/meshes/internal/surfaces"

// Hexahedra (voxels too) and wedges become cells, which tets fill. Cells that fill space but
// are none of these (pyramids, polyhedra, those of second order) make a file unusable: leaving
// them out would leave a void. Points and lines are left out with a note.

// Cells by their VTK type number (vtkCellType.h). Legacy files and XML files
// name cells by it; the reader of MSH files maps its element types to it.
//
//	 1 vertex      5 triangle      9 quad         13 wedge       24 tet of 10 nodes
//	 2 vertices    6 strip        10 tet          14 pyramid     69 Lagrange triangle
//	 3 line        7 polygon      11 voxel        22 triangle of 6 nodes
//	 4 lines       8 pixel        12 hexahedron   71 Lagrange tet
//
// Cells of second order and higher list their corners first.

// vtkSkipped names the cell types that are counted and left out.
var vtkSkipped = map[int64]string{
	0: "empty cells", 1: "points", 2: "points", 3: "lines", 4: "lines", 21: "lines", 35: "lines", 68: "lines",
	14: "pyramids", 25: "hexahedra", 26: "wedges", 27: "pyramids",
	29: "hexahedra", 32: "wedges", 33: "hexahedra", 42: "polyhedra", 72: "hexahedra", 73: "wedges", 74: "pyramids",
}

// addCell adds the cell number cell of a VTK type with the vertices v, which
// exist. A fault is recorded in s.
func (m *RawMesh) addCell(s *scan, kind int64, v []int64, cell int) {
	// Least number of vertices of each type.
	want := map[int64]int{5: 3, 8: 4, 9: 4, 10: 4, 22: 6, 24: 10, 6: 3, 7: 3, 69: 3, 71: 4, 11: 8, 12: 8, 13: 6}[kind]
	if len(v) < want {
		s.fail("cell %d of type %d has %d vertices: it takes %d", cell, kind, len(v), want)
		return
	}
	// Cells with curved sides become linear.
	switch kind {
	case 22, 24, 69, 71:
		m.curved++
	}
	switch kind {
	case 5, 22, 69:
		m.Tris = append(m.Tris, [3]int32{int32(v[0]), int32(v[1]), int32(v[2])})
	case 6:
		m.addStrip(v)
	case 7, 9:
		m.addPolygon(v)
	case 8: // pixel: a quad in raster order
		m.addPolygon([]int64{v[0], v[1], v[3], v[2]})
	case 10, 24, 71:
		m.Tets = append(m.Tets, [4]int32{int32(v[0]), int32(v[1]), int32(v[2]), int32(v[3])})
	case 11: // voxel: a hexahedron in raster order
		m.Hexes = append(m.Hexes, [8]int32{int32(v[0]), int32(v[1]), int32(v[3]), int32(v[2]), int32(v[4]), int32(v[5]), int32(v[7]), int32(v[6])})
	case 12:
		h := [8]int32{}
		for k := range h {
			h[k] = int32(v[k])
		}
		m.Hexes = append(m.Hexes, h)
	case 13:
		m.Wedges = append(m.Wedges, [6]int32{int32(v[0]), int32(v[1]), int32(v[2]), int32(v[3]), int32(v[4]), int32(v[5])})
	default:
		name, ok := vtkSkipped[kind]
		if !ok {
			s.fail("cell %d is of VTK type %d: only triangles (5) and tetrahedra (10) are supported", cell, kind)
			return
		}
		m.Skip(name, 1)
	}
}

// addPolygon cuts a polygon into triangles.
func (m *RawMesh) addPolygon(v []int64) {
	loop := make([]int32, len(v))
	for k := range v {
		loop[k] = int32(v[k])
	}
	m.Tris = surfaces.AppendPolygon(m.Tris, m.Verts, loop)
}

// addStrip adds a triangle strip: triangle k has the vertices k, k+1, k+2, and
// every other one is reversed.
func (m *RawMesh) addStrip(v []int64) {
	for k := 2; k < len(v); k++ {
		t := [3]int32{int32(v[k-2]), int32(v[k-1]), int32(v[k])}
		if k%2 == 1 {
			t[0], t[1] = t[1], t[0]
		}
		m.Tris = append(m.Tris, t)
	}
}
