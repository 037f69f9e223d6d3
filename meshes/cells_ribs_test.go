package meshes_test

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/meshes/stuffing"
	"github.com/curlfree/curlfree/r3"
)

// ribbedWall returns a wall of thickness t with a rib across it, of cells of length l and two
// layers of width w; without the rib the wall is a bar.
func ribbedWall(t *testing.T, thickness, l, w float64, rib bool) *meshes.Tet {
	t.Helper()
	// columns of the plane: the wall along x, whose cell 0 is the joint, and the rib above it
	xs := []float64{-3 * l, -2 * l, -l, 0, thickness, thickness + l, thickness + 2*l}
	ys := []float64{0, thickness, thickness + l, thickness + 2*l}
	number := map[[3]int]int32{}
	var verts []r3.Vec
	at := func(i, j, k int) int32 {
		v, seen := number[[3]int{i, j, k}]
		if !seen {
			v = int32(len(verts))
			number[[3]int{i, j, k}] = v
			verts = append(verts, r3.Vec{xs[i], ys[j], w * float64(k)})
		}
		return v
	}
	var hexes [][8]int32
	column := func(i, j int) {
		for k := range 2 {
			hexes = append(hexes, [8]int32{
				at(i, j, k), at(i+1, j, k), at(i+1, j+1, k), at(i, j+1, k),
				at(i, j, k+1), at(i+1, j, k+1), at(i+1, j+1, k+1), at(i, j+1, k+1),
			})
		}
	}
	for i := range len(xs) - 1 {
		column(i, 0)
	}
	if rib {
		column(3, 1)
		column(3, 2)
	}
	m, err := meshes.FillCells(verts, hexes, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Three cells of each layer end at the joint of a wall and its rib. They are long where the mesh is
// coarser than 1.5 thicknesses, which is the size advised; cells farther along do not count, nor do those of a bar.
func TestLongCellsBesideRibsAreCounted(t *testing.T) {
	const thickness = 1.4e-3
	for _, c := range []struct {
		length float64
		rib    bool
		want   meshes.RibCells
	}{
		{2 * thickness, true, meshes.RibCells{6, 6, 1.5 * thickness}},
		{1.4 * thickness, true, meshes.RibCells{6, 0, 0}},
		{5 * thickness, false, meshes.RibCells{}},
	} {
		for _, width := range []float64{2e-3, 10e-3} {
			got := ribbedWall(t, thickness, c.length, width, c.rib).RibCells()
			if got.Beside != c.want.Beside || got.Long != c.want.Long || math.Abs(got.Size-c.want.Size) > 1e-12 {
				t.Errorf("cells of %g m, rib %v, layers of %g m: %+v, want %+v", c.length, c.rib, width, got, c.want)
			}
		}
	}
}

// The size advised for a finger is 1.5 times the thickness of its ribs, 1.4 mm, and a mesh of
// that size follows the advice but for cells of walls that taper.
func TestAdviceForAFingerIsFollowedByItsSize(t *testing.T) {
	f, _, err := formats.Read("../examples/finray-bend/finger.stl", formats.ReadOptions{Unit: "mm"})
	if err != nil {
		t.Fatal(err)
	}
	for _, layers := range []int{1, 2} {
		coarse, _, err := stuffing.Tetrahedralize(f.Tri, stuffing.TetOptions{Size: 3e-3, Layers: layers})
		if err != nil {
			t.Fatal(err)
		}
		r := coarse.RibCells()
		if !(2*r.Long > r.Beside) || math.Abs(r.Size-2.1e-3) > 1e-5 {
			t.Errorf("cells of 3 mm: %+v", r)
		}
		fine, _, err := stuffing.Tetrahedralize(f.Tri, stuffing.TetOptions{Size: r.Size, Layers: layers})
		if err != nil {
			t.Fatal(err)
		}
		if r := fine.RibCells(); !(5*r.Long < r.Beside) {
			t.Errorf("cells of 2.1 mm: %+v", r)
		}
	}
}
