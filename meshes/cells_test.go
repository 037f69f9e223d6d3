package meshes_test

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// Tets of cells fill them: the volumes agree, six tets a hexahedron and three a wedge, and
// neighbours cut common faces alike, so that the boundary is that of the block, 2 A triangles
// of half a square each.
func TestTetsOfCellsConformAndFillThem(t *testing.T) {
	for seed := range int64(20) {
		verts, hexes, wedges := samples.MixedCells(rand.New(rand.NewSource(seed)), 3)
		m, err := meshes.FillCells(verts, hexes, wedges)
		if err != nil {
			t.Fatal(err)
		}
		volume := 0.0
		for i := range m.Tets {
			volume += m.Volume(i)
		}
		if want := 6*len(hexes) + 3*len(wedges); len(m.Tets) != want || math.Abs(volume-18) > 1e-12 {
			t.Errorf("seed %d: %d tets of %g m³, want %d of 18", seed, len(m.Tets), volume, want)
		}
		if tris, _ := m.Boundary(); len(tris) != 2*(9+9+4*6) {
			t.Errorf("seed %d: %d boundary triangles, want 84: neighbours cut a face differently", seed, len(tris))
		}
	}
}

// The cells of a box are its grid, and each has six tets.
func TestBoxHasCells(t *testing.T) {
	m, err := meshes.BoxTets(r3.Vec{1, 2, 3}, [3]int{2, 1, 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.CheckCells(); err != nil || m.Cells.Len() != 6 {
		t.Fatalf("%d cells, want 6; %v", m.Cells.Len(), err)
	}
	volume := make([]float64, 6)
	for i, c := range m.Cells.Of {
		volume[c] += m.Volume(i)
	}
	for c, v := range volume {
		if math.Abs(v-1) > 1e-12 {
			t.Errorf("tets of cell %d fill %g m³, want 1", c, v)
		}
	}
}

// Cells that do not fit the tets are refused with the cell or tet at fault.
func TestCellsThatDoNotFitAreRefused(t *testing.T) {
	for want, spoil := range map[string]func(m *meshes.Tet){
		"given for 11 of 12": func(m *meshes.Tet) { m.Cells.Of = m.Cells.Of[:11] },
		"is in cell 7":       func(m *meshes.Tet) { m.Cells.Of[3] = 7 },
		"which its cell":     func(m *meshes.Tet) { m.Cells.Of[0] = 1 },
		"vertex 99":          func(m *meshes.Tet) { m.Cells.Hexes[1][2] = 99 },
		"twice":              func(m *meshes.Tet) { m.Cells.Hexes[1][2] = m.Cells.Hexes[1][1] },
		"has no":             func(m *meshes.Tet) { m.Cells.Wedges = [][6]int32{{0, 1, 2, 3, 4, 5}} },
	} {
		m, _ := meshes.BoxTets(r3.Vec{1, 1, 1}, [3]int{2, 1, 1})
		spoil(m)
		if err := m.CheckCells(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	// a hexahedron whose opposite faces are swapped is inside out
	m, _ := meshes.BoxTets(r3.Vec{1, 1, 1}, [3]int{1, 1, 1})
	h := m.Cells.Hexes[0]
	if _, err := meshes.FillCells(m.Verts, [][8]int32{{h[4], h[5], h[6], h[7], h[0], h[1], h[2], h[3]}}, nil); err == nil {
		t.Error("a hexahedron that is inside out was accepted")
	}
	if c := m.Cells.Cell(0); !slices.Equal(c, h[:]) {
		t.Errorf("cell 0 has vertices %v, want %v", c, h)
	}
}
