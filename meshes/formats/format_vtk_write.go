package formats

// Writing of legacy VTK files: version 3.0 in ASCII, which every reader supports.
// Numbers have the shortest digits that read back to the same float64. The parts of a file are
//
//	# vtk DataFile Version 3.0      head: version, title, encoding
//	DATASET POLYDATA                or UNSTRUCTURED_GRID
//	POINTS n double                 n rows of x y z, m
//	POLYGONS n 4n                   n rows of a count and the vertices, from 0; or CELLS
//	CELL_TYPES n                    of an unstructured grid only
//
// Source: The VTK User's Guide, chapter VTK File Formats, simple legacy formats.

import (
	"fmt"
	"io"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// vtkHead begins a file up to the data set.
const vtkHead = "# vtk DataFile Version 3.0\ncurlfree, lengths in m\nASCII\n"

// vtkPoints appends POINTS, and writes what fills the buffer.
func vtkPoints(b []byte, w io.Writer, verts []r3.Vec) ([]byte, error) {
	b = fmt.Appendf(b, "POINTS %d double\n", len(verts))
	// one point a line
	for _, p := range verts {
		b = append(appendVec(b, p), '\n')
		if err := flushed(w, &b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// writeVTKTri writes POLYDATA in ASCII.
func writeVTKTri(w io.Writer, m *meshes.Tri) error {
	b, err := vtkPoints([]byte(vtkHead+"DATASET POLYDATA\n"), w, m.Verts)
	if err != nil {
		return err
	}
	// Rows of four numbers: a count and three vertices.
	b = fmt.Appendf(b, "POLYGONS %d %d\n", len(m.Tris), 4*len(m.Tris))
	for _, t := range m.Tris {
		b = fmt.Appendf(b, "3 %d %d %d\n", t[0], t[1], t[2])
		if err := flushed(w, &b); err != nil {
			return err
		}
	}
	_, err = w.Write(b)
	return err
}

// writeVTKTet writes an UNSTRUCTURED_GRID in ASCII, of cells where the mesh has some.
func writeVTKTet(w io.Writer, m *meshes.Tet) error {
	b, err := vtkPoints([]byte(vtkHead+"DATASET UNSTRUCTURED_GRID\n"), w, m.Verts)
	if err != nil {
		return err
	}
	// Rows of a count and the vertices.
	n, verts := numCells(m)
	b = fmt.Appendf(b, "CELLS %d %d\n", n, n+verts)
	err = eachCell(m, vtkCells, vtkOrder, func(c fileCell) error {
		b = fmt.Append(b, len(c.verts))
		for _, v := range c.verts {
			b = fmt.Appendf(b, " %d", v)
		}
		b = append(b, '\n')
		return flushed(w, &b)
	})
	if err != nil {
		return err
	}
	b = fmt.Appendf(b, "CELL_TYPES %d\n", n)
	err = eachCell(m, vtkCells, vtkOrder, func(c fileCell) error {
		b = fmt.Appendln(b, c.kind)
		return flushed(w, &b)
	})
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
