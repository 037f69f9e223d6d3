package meshes_test

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/r3"
)

// Refinement keeps the volume, the boundary's area, and the vertices of the original first; every
// further vertex is the mean of its parents, and linear functions stay what they are.
func TestRefinementFillsTheSameBody(t *testing.T) {
	box, err := meshes.BoxTets(r3.Vec{2, 1, 1}, [3]int{3, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	// two wedges on a hexahedron of two, so that both kinds meet
	mixed, err := meshes.FillCells([]r3.Vec{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {2, 0.5, 0}, {2, 0.5, 1}},
		[][8]int32{{0, 1, 2, 3, 4, 5, 6, 7}}, [][6]int32{{1, 8, 2, 5, 9, 6}})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*meshes.Tet{box, mixed} {
		cells, err := m.RefineCells()
		if err != nil {
			t.Fatal(err)
		}
		plane, err := m.RefinePlane()
		if err != nil {
			t.Fatal(err)
		}
		quadratic := m.RefineTets()
		for i, r := range []*meshes.Refinement{&cells, &plane, &quadratic} {
			if err := r.Mesh.CheckCells(); err != nil {
				t.Error(err)
			}
			if want := []int{8, 4, 0}[i] * m.Cells.Len(); want > 0 && r.Mesh.Cells.Len() != want {
				t.Errorf("%d cells, want %d", r.Mesh.Cells.Len(), want)
			}
			if a, b := meshes.TetQuality(m).Volume, meshes.TetQuality(r.Mesh).Volume; math.Abs(a-b) > 1e-12 {
				t.Errorf("volume %g, want %g", b, a)
			}
			surface := func(m *meshes.Tet) (total float64) {
				s, _ := m.Surface()
				for _, t := range s.Tris {
					total += surfaces.Area(s, t)
				}
				return total
			}
			if a, b := surface(m), surface(r.Mesh); math.Abs(a-b) > 1e-12 {
				t.Errorf("area %g, want %g: neighbours do not fit", b, a)
			}
			linear := func(p r3.Vec) float64 { return 1 + p[0] - 2*p[1] + 3*p[2] }
			values := make([]float64, len(m.Verts))
			for v, p := range m.Verts {
				values[v] = linear(p)
			}
			for v, x := range r.Interpolate(values) {
				if math.Abs(x-linear(r.Mesh.Verts[v])) > 1e-12 {
					t.Fatalf("vertex %d has %g, want %g", v, x, linear(r.Mesh.Verts[v]))
				}
			}
			// a face that is fixed stays fixed, and nothing else
			held := func(verts []r3.Vec) (list []int32) {
				for v, p := range verts {
					if p[2] == m.Bounds().Min[2] {
						list = append(list, int32(v))
					}
				}
				return list
			}
			if got, want := r.Inherit(held(m.Verts)), held(r.Mesh.Verts); len(got) != len(want) {
				t.Errorf("%d vertices are fixed, want %d", len(got), len(want))
			}
		}
	}
}

// A mesh of hexahedra that stand in different directions is not cut in a plane.
func TestCellsOfDifferentDirectionsAreNotCutInAPlane(t *testing.T) {
	verts := []r3.Vec{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {2, 0, 0}, {2, 1, 0}, {2, 0, 1}, {2, 1, 1}}
	// the second one stands along x
	m, err := meshes.FillCells(verts, [][8]int32{{0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 6, 5, 8, 9, 11, 10}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.RefinePlane(); err == nil {
		t.Error("it was cut")
	}
	if _, err := m.RefineCells(); err != nil {
		t.Error(err)
	}
}
