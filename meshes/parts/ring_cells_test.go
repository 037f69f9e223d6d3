package parts

import "testing"

// The cells of a ring are its grid: hexahedra alone, which its tets fill.
func TestRingIsOfHexahedra(t *testing.T) {
	r := DefaultRing()
	m, err := r.Tets()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.CheckCells(); err != nil {
		t.Fatal(err)
	}
	if len(m.Cells.Wedges) > 0 || 6*len(m.Cells.Hexes) != len(m.Tets) {
		t.Errorf("%d hexahedra, %d wedges, %d tets", len(m.Cells.Hexes), len(m.Cells.Wedges), len(m.Tets))
	}
	// each is right-handed: the lower face and the way to the upper one
	for i, h := range m.Cells.Hexes {
		a, b, d, e := m.Verts[h[0]], m.Verts[h[1]], m.Verts[h[3]], m.Verts[h[4]]
		if v := b.Sub(a).Cross(d.Sub(a)).Dot(e.Sub(a)); !(v > 0) {
			t.Fatalf("hexahedron %d at %v is left-handed: %g", i, a, v)
		}
	}
}
