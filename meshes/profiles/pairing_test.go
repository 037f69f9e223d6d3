package profiles

import (
	"math"
	"math/rand"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// checkSwept tests that the cells of a sweep fit its tets, and that each is a prism: its volume is
// the area of its lower face times the height.
func checkSwept(t *testing.T, what string, m *meshes.Tet, height float64) {
	t.Helper()
	if err := m.CheckCells(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for i, v := range samples.VolumesOf(m) {
		c := m.Cells.Cell(i)
		half := len(c) / 2
		area := 0.0
		for k := 1; k+1 < half; k++ {
			a, b, d := m.Verts[c[0]], m.Verts[c[k]], m.Verts[c[k+1]]
			area += b.Sub(a).Cross(d.Sub(a))[2] / 2
		}
		for k := range half {
			if d := m.Verts[c[half+k]].Sub(m.Verts[c[k]]); math.Abs(d[0])+math.Abs(d[1]) > 1e-12 || math.Abs(d[2]-height) > 1e-12 {
				t.Fatalf("%s: cell %d is no prism: corner %d is swept by %v", what, i, k, d)
			}
		}
		if math.Abs(v-area*height) > 1e-9*v {
			t.Fatalf("%s: tets fill %g m³ of cell %d, which has %g", what, v, i, area*height)
		}
	}
}

// Quads are convex, their angles within 60° of a right one, and each triangle is in one cell. Of
// plates with holes at the size of the product's meshes fewer than a tenth of the triangles are
// left over.
func TestTrianglesOfSweptPlanesBecomeQuads(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	tris, left := 0, 0
	for range 20 {
		p := Profile{Outer: [][2]float64{{0, 0}, {0.1, 0}, {0.1, 0.03 + 0.03*r.Float64()}, {0.05, 0.04}, {0, 0.06}}}
		var hole [][2]float64
		for i := range 12 {
			s, c := math.Sincos(float64(i) * math.Pi / 6)
			hole = append(hole, [2]float64{0.03 + 0.01*c, 0.025 + 0.01*s})
		}
		p.Holes = append(p.Holes, hole)
		plane, err := p.triangulate(0.003 + 0.003*r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		mate := plane.pairs()
		for i, j := range mate {
			tris++
			if j < 0 {
				left++
				continue
			}
			if int(mate[j]) != i {
				t.Fatalf("triangle %d is paired with %d, and that with %d", i, j, mate[j])
			}
			if d := plane.deviation(int32(i), j); d >= math.Pi/3 {
				t.Errorf("angles of a quad deviate by %g rad", d)
			}
		}
		m, err := SweepProfile(p, 0.01, 3, 0.004)
		if err != nil {
			t.Fatal(err)
		}
		checkSwept(t, "plate", m, 0.01/3)
	}
	if share := float64(left) / float64(tris); share > 0.1 {
		t.Errorf("%.1f %% of the triangles are left over", 100*share)
	}
	t.Logf("%d of %d triangles left over", left, tris)
}

// A strip of n triangles in a row, whose greedy pairs leave both ends over, is paired in whole
// by a path through them.
func TestPathsPairTrianglesThatGreedyPairsLeaveOver(t *testing.T) {
	// six triangles between two lines; the middle pairs are the squarest
	m := &planar{pts: []vec2{{0, 0}, {0.9, 1}, {1.2, 0}, {2, 1}, {2.1, 0}, {3.2, 1}, {3.5, 0}, {4.4, 1}}}
	for i := range int32(6) {
		tri := [3]int32{i, i + 2, i + 1}
		if i%2 == 1 {
			tri = [3]int32{i, i + 1, i + 2}
		}
		m.tris = append(m.tris, tri)
	}
	for i, j := range m.pairs() {
		if j < 0 {
			t.Errorf("triangle %d is left over", i)
		}
	}
}

// Every quad of the generators is a hexahedron, refined ones too: no wedge, and cells fill the
// part.
func TestGeneratorsEmitHexahedra(t *testing.T) {
	for refine := range 3 {
		m, err := DefaultFinRay().Tets(FinRayOptions{Refine: refine, Across: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Cells.Wedges) > 0 || 6*len(m.Cells.Hexes) != len(m.Tets) {
			t.Errorf("refined %d times: %d hexahedra, %d wedges, %d tets", refine, len(m.Cells.Hexes), len(m.Cells.Wedges), len(m.Tets))
		}
		checkSwept(t, "finger", m, DefaultFinRay().Width/float64(int(2)<<refine))
	}
}

// A triangle that is alone and halved gives one quad and two triangles.
func TestHalvedTrianglesKeepTheirPairs(t *testing.T) {
	m := &planar{pts: []vec2{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {1.5, 0.5}}, tris: [][3]int32{{0, 1, 2}, {2, 3, 0}, {1, 4, 2}}, mate: []int32{1, 0, -1}}
	h := m.halve()
	alone := 0
	for i, j := range h.mate {
		if j < 0 {
			alone++
			continue
		}
		if int(h.mate[j]) != i || !(h.deviation(int32(i), j) < 1.5) {
			t.Errorf("triangle %d is paired with %d: deviation %g", i, j, h.deviation(int32(i), j))
		}
	}
	if alone != 2 {
		t.Errorf("%d triangles alone, want 2", alone)
	}
	checkSwept(t, "halved", h.sweep(1, 1), 1)
}

// An extrusion that is found in a surface, in any pose, carries cells, of positive volume.
func TestExtrudedSurfacesCarryCells(t *testing.T) {
	p := Profile{Outer: [][2]float64{{0, 0}, {0.05, 0}, {0.05, 0.004}, {0.01, 0.005}, {0.01, 0.03}, {0, 0.03}}}
	tri, err := p.Extrude(0.012)
	if err != nil {
		t.Fatal(err)
	}
	R := r3.RotExp(r3.Vec{0.5, 1, -0.3})
	for i, v := range tri.Verts {
		tri.Verts[i] = R.MulVec(v).Add(r3.Vec{0.1, 0.2, 0.3})
	}
	m, _, err := filled(tri, FillOptions{Vertices: 600})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.CheckCells(); err != nil {
		t.Fatal(err)
	}
	for i, v := range samples.VolumesOf(m) {
		if !(v > 0) {
			t.Errorf("cell %d has %g m³", i, v)
		}
	}
	if h, w := len(m.Cells.Hexes), len(m.Cells.Wedges); 10*w > 2*h+w {
		t.Errorf("%d hexahedra, %d wedges: more than a tenth of the triangles are left over", h, w)
	}
}
