package formats

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
)

// vtkText returns cells as a legacy VTK file, wedges in VTK's orientation, whose first triangle
// is counter-clockwise seen from outside.
func vtkText(m *meshes.Tet) string {
	var s strings.Builder
	fmt.Fprintf(&s, "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS %d double\n", len(m.Verts))
	for _, p := range m.Verts {
		fmt.Fprintln(&s, p[0], p[1], p[2])
	}
	h, w := m.Cells.Hexes, m.Cells.Wedges
	fmt.Fprintf(&s, "CELLS %d %d\n", len(h)+len(w), 9*len(h)+7*len(w))
	for _, v := range h {
		fmt.Fprintln(&s, 8, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7])
	}
	for _, v := range w {
		fmt.Fprintln(&s, 6, v[0], v[2], v[1], v[3], v[5], v[4])
	}
	fmt.Fprintf(&s, "CELL_TYPES %d\n%s%s", len(h)+len(w), strings.Repeat("12\n", len(h)), strings.Repeat("13\n", len(w)))
	return s.String()
}

// mshText returns cells as a Gmsh file, in Gmsh's orientation.
func mshText(m *meshes.Tet) string {
	var s strings.Builder
	fmt.Fprintf(&s, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", len(m.Verts))
	for i, p := range m.Verts {
		fmt.Fprintln(&s, i+1, p[0], p[1], p[2])
	}
	fmt.Fprintf(&s, "$EndNodes\n$Elements\n%d\n", m.Cells.Len())
	for i := range m.Cells.Len() {
		v := m.Cells.Cell(i)
		fmt.Fprint(&s, i+1, " ", map[int]int{8: 5, 6: 6}[len(v)], " 2 1 1")
		for _, a := range v {
			fmt.Fprint(&s, " ", a+1)
		}
		fmt.Fprintln(&s)
	}
	s.WriteString("$EndElements\n")
	return s.String()
}

// Hexahedra and wedges of VTK and Gmsh files are read as they are, turned where the file has them
// inside out, with the tets that fill them; unused vertices are dropped from both.
func TestHexahedraAndWedgesAreRead(t *testing.T) {
	verts, hexes, wedges := samples.MixedCells(rand.New(rand.NewSource(4)), 3)
	for i := range verts {
		verts[i] = verts[i].Scale(0.01)
	}
	want, err := meshes.FillCells(append(verts, verts[0].Scale(3)), hexes, wedges)
	if err != nil {
		t.Fatal(err)
	}
	// a hexahedron from top to bottom
	h := &want.Cells.Hexes[1]
	*h = [8]int32{h[4], h[5], h[6], h[7], h[0], h[1], h[2], h[3]}
	for ext, text := range map[string]string{".vtk": vtkText(want), ".msh": mshText(want)} {
		m, rep, err := ReadTetFrom(strings.NewReader(text), ext, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", ext, err)
			continue
		}
		if err := m.CheckCells(); err != nil {
			t.Errorf("%s: %v", ext, err)
		}
		if m.Cells == nil || len(m.Cells.Hexes) != len(hexes) || len(m.Cells.Wedges) != len(wedges) || len(m.Verts) != len(want.Verts)-1 || rep.Count("unused-vertex") != 1 {
			t.Errorf("%s: %d vertices\n%s", ext, len(m.Verts), rep.String())
			continue
		}
		for i, v := range samples.VolumesOf(m) {
			size := 1e-6
			if i >= len(hexes) {
				size /= 2
			}
			if math.Abs(v/size-1) > 1e-9 {
				t.Errorf("%s: cell %d has %g m³, want %g", ext, i, v, size)
			}
		}
		// the surface of the file is that of the block
		tri, _, err := ReadTriFrom(strings.NewReader(text), ext, ReadOptions{})
		if err != nil || math.Abs(tri.Volume()/18e-6-1) > 1e-9 {
			t.Errorf("%s: surface: %v", ext, err)
		}
	}
	// with tets in the same file faces do not fit
	mixed := strings.Replace(mshText(want), fmt.Sprintf("$Elements\n%d\n", want.Cells.Len()), fmt.Sprintf("$Elements\n%d\n999 4 2 1 1 1 2 3 4\n", want.Cells.Len()+1), 1)
	if _, _, err := ReadTetFrom(strings.NewReader(mixed), ".msh", ReadOptions{}); err == nil || !strings.Contains(err.Error(), "do not fit") {
		t.Errorf("tets among hexahedra: %v", err)
	}
}
