package meshes

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// mixedCells returns a block of hexahedra and wedges with vertices numbered at random, which
// meets every orientation of the cuts: an n×n grid of squares, some cut in two, swept twice.
func mixedCells(r *rand.Rand, n int) (verts []r3.Vec, hexes [][8]int32, wedges [][6]int32) {
	side, layers := n+1, 2
	number := r.Perm(side * side * (layers + 1))
	verts = make([]r3.Vec, len(number))
	at := func(i, j, k int) int32 { return int32(number[i+side*(j+side*k)]) }
	for k := range layers + 1 {
		for j := range side {
			for i := range side {
				verts[at(i, j, k)] = r3.Vec{float64(i), float64(j), float64(k)}
			}
		}
	}
	for k := range layers {
		for j := range n {
			for i := range n {
				q := func(up int) [4]int32 {
					return [4]int32{at(i, j, k+up), at(i+1, j, k+up), at(i+1, j+1, k+up), at(i, j+1, k+up)}
				}
				a, b := q(0), q(1)
				if (i+j)%3 == 0 {
					wedges = append(wedges, [6]int32{a[0], a[1], a[2], b[0], b[1], b[2]}, [6]int32{a[0], a[2], a[3], b[0], b[2], b[3]})
				} else {
					hexes = append(hexes, [8]int32{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]})
				}
			}
		}
	}
	return verts, hexes, wedges
}

// Tets of cells fill them: the volumes agree, six tets a hexahedron and three a wedge, and
// neighbours cut common faces alike, so that the boundary is that of the block, 2 A triangles
// of half a square each.
func TestTetsOfCellsConformAndFillThem(t *testing.T) {
	for seed := range int64(20) {
		verts, hexes, wedges := mixedCells(rand.New(rand.NewSource(seed)), 3)
		m, err := FillCells(verts, hexes, wedges)
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
	m, err := BoxTets(r3.Vec{1, 2, 3}, [3]int{2, 1, 3})
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
	for want, spoil := range map[string]func(m *Tet){
		"given for 11 of 12": func(m *Tet) { m.Cells.Of = m.Cells.Of[:11] },
		"is in cell 7":       func(m *Tet) { m.Cells.Of[3] = 7 },
		"which its cell":     func(m *Tet) { m.Cells.Of[0] = 1 },
		"vertex 99":          func(m *Tet) { m.Cells.Hexes[1][2] = 99 },
		"twice":              func(m *Tet) { m.Cells.Hexes[1][2] = m.Cells.Hexes[1][1] },
		"holds no":           func(m *Tet) { m.Cells.Wedges = [][6]int32{{0, 1, 2, 3, 4, 5}} },
	} {
		m, _ := BoxTets(r3.Vec{1, 1, 1}, [3]int{2, 1, 1})
		spoil(m)
		if err := m.CheckCells(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	// a hexahedron whose opposite faces are swapped is inside out
	m, _ := BoxTets(r3.Vec{1, 1, 1}, [3]int{1, 1, 1})
	h := m.Cells.Hexes[0]
	if _, err := FillCells(m.Verts, [][8]int32{{h[4], h[5], h[6], h[7], h[0], h[1], h[2], h[3]}}, nil); err == nil {
		t.Error("a hexahedron that is inside out was accepted")
	}
	if c := m.Cells.Cell(0); !slices.Equal(c, h[:]) {
		t.Errorf("cell 0 has vertices %v, want %v", c, h)
	}
}
