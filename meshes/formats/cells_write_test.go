package formats

import (
	"bytes"
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// Hexahedra and wedges are read as they were written, in every format of volumes; of ten-node
// tets the corners are.
func TestCellsAreReadAsTheyWereWritten(t *testing.T) {
	box, err := meshes.BoxTets(r3.Vec{3, 2, 1}, [3]int{2, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	mixed, err := meshes.FillCells(samples.MixedCells(rand.New(rand.NewSource(9)), 3))
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*meshes.Tet{"box": box, "mixed": mixed, "ten nodes": box.Quadratic()} {
		for _, ext := range []string{".vtk", ".vtu", ".msh"} {
			var b bytes.Buffer
			if err := writeTetTo(&b, ext, m); err != nil {
				t.Fatal(err)
			}
			_, f := FormatByExtension(ext)
			raw, err := f.Read(b.Bytes())
			if err != nil {
				t.Fatalf("%s%s: %v", name, ext, err)
			}
			if len(m.Cells.Tets10) > 0 {
				if len(raw.Tets) != len(m.Cells.Tets10) || raw.curved != len(raw.Tets) {
					t.Fatalf("%s%s: %d tets, %d of them curved, want %d", name, ext, len(raw.Tets), raw.curved, len(m.Cells.Tets10))
				}
				for i, c := range m.Cells.Tets10 {
					if raw.Tets[i] != [4]int32(c[:4]) {
						t.Errorf("%s%s: tet %d is %v, want %v", name, ext, i, raw.Tets[i], c[:4])
					}
				}
				continue
			}
			back, err := raw.filledCells()
			if err != nil {
				t.Fatalf("%s%s: %v", name, ext, err)
			}
			if len(back.Cells.Hexes) != len(m.Cells.Hexes) || len(back.Cells.Wedges) != len(m.Cells.Wedges) {
				t.Fatalf("%s%s: %d hexahedra and %d wedges, want %d and %d", name, ext, len(back.Cells.Hexes), len(back.Cells.Wedges), len(m.Cells.Hexes), len(m.Cells.Wedges))
			}
			for i := range m.Cells.Len() {
				got, want := back.Cells.Cell(i), m.Cells.Cell(i)
				for k := range want {
					if got[k] != want[k] {
						t.Fatalf("%s%s: cell %d is %v, want %v", name, ext, i, got, want)
					}
				}
			}
		}
	}
}

// The wedges of VTK have their first triangle counter-clockwise seen from outside, the last
// midpoints of Gmsh are exchanged.
func TestOrdersOfFormats(t *testing.T) {
	w := []int32{0, 1, 2, 3, 4, 5}
	x := []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}}
	vtkOrder(w)
	n := r3.TriangleNormal(x[w[0]], x[w[1]], x[w[2]])
	if out := x[w[0]].Sub(x[w[3]]); n.Dot(out) <= 0 {
		t.Errorf("the first triangle of %v looks inwards", w)
	}
	// edges 23 and 13 of the reference manual of Gmsh
	v := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	mshOrder(v)
	if q := samples.UnitTets().Quadratic(); math.Abs(q.Verts[q.Cells.Tets10[0][v[8]]].Sub(r3.Vec{0, 0.5, 0.5}).Norm()) > 1e-15 {
		t.Errorf("vertex 8 of Gmsh is at %v", q.Verts[q.Cells.Tets10[0][v[8]]])
	}
}
