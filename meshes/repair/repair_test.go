package repair

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

// loosen gives each triangle vertices of its own, moved by up to noise.
func loosen(m *meshes.Tri, r *rand.Rand, noise float64) *meshes.Tri {
	out := &meshes.Tri{}
	for _, t := range m.Tris {
		n := int32(len(out.Verts))
		for _, v := range t {
			d := r3.Vec{r.Float64() - 0.5, r.Float64() - 0.5, r.Float64() - 0.5}
			out.Verts = append(out.Verts, m.Verts[v].AddScaled(noise, d))
		}
		out.Tris = append(out.Tris, [3]int32{n, n + 1, n + 2})
	}
	return out
}

func TestRepairingATangleGivesTheSolidBack(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	want := samples.TorusTri(16)
	m := loosen(want, r, 1e-8)
	for i := range m.Tris {
		if r.IntN(2) == 0 {
			m.Tris[i][1], m.Tris[i][2] = m.Tris[i][2], m.Tris[i][1]
		}
	}
	m.Tris = append(m.Tris, m.Tris[3], [3]int32{5, 5, 9}, [3]int32{m.Tris[7][1], m.Tris[7][0], m.Tris[7][2]})
	m.Tris = slices.Delete(m.Tris, 40, 41)
	before := slices.Clone(m.Tris)
	got, rep := Repair(m, DefaultOptions())
	if err := Watertight(got); err != nil {
		t.Fatalf("%v\n%s", err, rep.String())
	}
	d := Diagnose(got)
	if d.Genus != 1 || len(got.Verts) != len(want.Verts) || len(got.Tris) != len(want.Tris) || len(d.SelfIntersections) > 0 {
		t.Errorf("%d vertices, %d triangles, genus %d\n%s", len(got.Verts), len(got.Tris), d.Genus, rep.String())
	}
	if math.Abs(got.Volume()-want.Volume()) > 1e-5*want.Volume() {
		t.Errorf("volume %g, want %g", got.Volume(), want.Volume())
	}
	for kind, n := range map[string]int{"weld": 3*len(want.Tris) - len(want.Verts), "degenerate": 1, "duplicate": 2, "filled": 1} {
		if rep.Count(kind) != n {
			t.Errorf("%d %s reported, want %d", rep.Count(kind), kind, n)
		}
	}
	if !slices.Equal(m.Tris, before) {
		t.Error("the mesh that was handed in changed")
	}
	for i, from := range rep.VertexOf {
		if from < 0 || m.Verts[from] != got.Verts[i] {
			t.Fatalf("vertex %d is not vertex %d of the original", i, from)
		}
	}
	if rep2 := Diagnose(got).Findings(got); len(rep2.Warnings()) > 0 {
		t.Error(rep2.String())
	}
}

func TestCavitiesPointInwardAndNestedSolidsOutward(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	m := join(samples.CubeTri(r3.Vec{}, 1), samples.CubeTri(r3.Vec{0.1, 0.1, 0.1}, 0.8), samples.CubeTri(r3.Vec{0.2, 0.2, 0.2}, 0.6), samples.CubeTri(r3.Vec{2, 0, 0}, 1))
	for i := range m.Tris {
		if r.IntN(2) == 0 {
			m.Tris[i][1], m.Tris[i][2] = m.Tris[i][2], m.Tris[i][1]
		}
	}
	got, rep := OnRead(m, false)
	want := 1 - 0.512 + 0.216 + 1
	if math.Abs(got.Volume()-want) > 1e-12 || Watertight(got) != nil {
		t.Errorf("volume %g, want %g: %v\n%s", got.Volume(), want, Watertight(got), rep.String())
	}
	if d := Diagnose(got); d.InsideOut != 0 || d.Components != 4 {
		t.Errorf("%+v", d)
	}
	// A cavity that pointed outward is reported.
	_, rep = OnRead(join(samples.CubeTri(r3.Vec{}, 1), samples.CubeTri(r3.Vec{0.1, 0.1, 0.1}, 0.8)), false)
	if rep.Count("cavity") != 1 {
		t.Error(rep.String())
	}
}

func TestSoundMeshesAreLeftAlone(t *testing.T) {
	for _, m := range []*meshes.Tri{samples.CubeTri(r3.Vec{}, 0.1), samples.TorusTri(9), join(samples.CubeTri(r3.Vec{}, 1), samples.CubeTri(r3.Vec{1, 0, 0}, 1))} {
		got, rep := OnRead(m, false)
		if len(rep.List) > 0 || rep.VertexOf != nil || !slices.Equal(got.Tris, m.Tris) || !slices.Equal(got.Verts, m.Verts) {
			t.Errorf("%s", rep.String())
		}
	}
}

func TestAMobiusStripHasNoOutside(t *testing.T) {
	const n = 12
	m := &meshes.Tri{}
	for i := range n {
		a := 2 * math.Pi * float64(i) / n
		for s := -1.0; s <= 1; s += 2 {
			rho := 1 + 0.3*s*math.Cos(a/2)
			m.Verts = append(m.Verts, r3.Vec{rho * math.Cos(a), rho * math.Sin(a), 0.3 * s * math.Sin(a/2)})
		}
		p := func(j int) int32 {
			if j >= 2*n {
				return int32((j - 2*n) ^ 1) // the strip closes with a half turn
			}
			return int32(j)
		}
		m.Tris = append(m.Tris, [3]int32{p(2 * i), p(2*i + 2), p(2*i + 1)}, [3]int32{p(2*i + 1), p(2*i + 2), p(2*i + 3)})
	}
	_, rep := Repair(m, Options{})
	if rep.Count("one-sided") == 0 {
		t.Error(rep.String())
	}
}

// A T-junction closed by a triangle without an area becomes a proper vertex.
func TestSliversJoinTheirNeighbours(t *testing.T) {
	m := samples.CubeTri(r3.Vec{}, 1)
	m.Verts = append(m.Verts, r3.Vec{0.5, 0, 0}) // on the edge 0–1
	i := slices.Index(m.Tris, [3]int32{0, 1, 5})
	m.Tris[i] = [3]int32{0, 8, 5}
	m.Tris = append(m.Tris, [3]int32{8, 1, 5}, [3]int32{0, 1, 8}) // the last is flat
	if Watertight(m) != nil {
		t.Fatal("the test's mesh is open")
	}
	got, rep := OnRead(m, false)
	if rep.Count("sliver") != 1 || Watertight(got) != nil || len(Diagnose(got).Degenerate) > 0 || math.Abs(got.Volume()-1) > 1e-15 {
		t.Errorf("%v, %+v\n%s", Watertight(got), Diagnose(got), rep.String())
	}
}

func TestHolesAreFilledPlanarlyOrLeft(t *testing.T) {
	// An L-shaped lid: the hole is concave, the ears must stay inside it.
	p := profiles.Profile{Outer: [][2]float64{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}}
	full, err := p.Extrude(1)
	if err != nil {
		t.Fatal(err)
	}
	open := &meshes.Tri{Verts: full.Verts}
	for i, tri := range full.Tris {
		if c := surfaces.Centroid(full, int32(i)); c[2] < 0.4999 {
			open.Tris = append(open.Tris, tri)
		}
	}
	if Watertight(open) == nil {
		t.Fatal("the test's mesh is closed")
	}
	got, rep := Repair(open, Options{FillHoles: 10})
	if err := Watertight(got); err != nil || math.Abs(got.Volume()-3) > 1e-12 {
		t.Errorf("volume %g, want 3: %v\n%s", got.Volume(), err, rep.String())
	}
	if d := Diagnose(got); len(d.SelfIntersections) > 0 || math.Abs(d.Area-Diagnose(full).Area) > 1e-12 {
		t.Errorf("area %g, want %g, %d crossings", d.Area, Diagnose(full).Area, len(d.SelfIntersections))
	}
	got, rep = Repair(open, Options{FillHoles: 0.1})
	if Watertight(got) == nil || rep.Count("unfilled") != 1 || rep.Count("hole") != 1 {
		t.Errorf("a hole longer than the limit is filled:\n%s", rep.String())
	}
}

// Half of a side of a cube is a facet that lacks, though long; what lies alone in
// space gets no back.
func TestSingleMissingFacetsAreFilledHoweverLong(t *testing.T) {
	cube := samples.CubeTri(r3.Vec{}, 1)
	for drop := range cube.Tris {
		open := &meshes.Tri{Verts: cube.Verts, Tris: slices.Delete(slices.Clone(cube.Tris), drop, drop+1)}
		got, rep := Repair(open, DefaultOptions())
		if err := Watertight(got); err != nil || math.Abs(got.Volume()-1) > 1e-12 || rep.Count("filled") != 1 {
			t.Errorf("without facet %d: volume %g: %v\n%s", drop, got.Volume(), err, rep.String())
		}
	}
	alone := &meshes.Tri{Verts: []r3.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, Tris: [][3]int32{{0, 1, 2}}}
	if got, rep := Repair(alone, DefaultOptions()); len(got.Tris) != 1 {
		t.Errorf("a facet on its own became %d\n%s", len(got.Tris), rep.String())
	}
}

// Surfaces in a plane bound no solid, whatever is repaired: a sheet, one with two sides, with a hole, of triangles
// without an area. Messages say so instead of advising a repair, also of sheets that lie askew and have the round-off
// of single precision.
func TestFlatSurfacesAreNotSentToRepair(t *testing.T) {
	grid := func(keep func(i int) bool) *meshes.Tri {
		m := &meshes.Tri{}
		for i := range 9 {
			m.Verts = append(m.Verts, r3.Vec{float64(i % 3), float64(i / 3), 0})
		}
		for i, t := range [][3]int32{{0, 1, 3}, {1, 4, 3}, {1, 2, 4}, {2, 5, 4}, {3, 4, 6}, {4, 7, 6}, {4, 5, 7}, {5, 8, 7}} {
			if keep(i) {
				m.Tris = append(m.Tris, t)
			}
		}
		return m
	}
	two := &meshes.Tri{Verts: []r3.Vec{{}, {1}, {0, 1}}, Tris: [][3]int32{{0, 1, 2}, {0, 2, 1}}}
	line := &meshes.Tri{Verts: []r3.Vec{{}, {1}, {2}, {3}}, Tris: [][3]int32{{0, 1, 2}, {1, 2, 3}}}
	for name, m := range map[string]*meshes.Tri{
		"sheet": grid(func(int) bool { return true }), "hole": grid(func(i int) bool { return i != 2 }),
		"two facets": grid(func(i int) bool { return i < 2 }), "two sides": two, "line": line,
	} {
		for _, turn := range []bool{false, true} {
			tri := &meshes.Tri{Tris: m.Tris}
			for _, p := range m.Verts {
				if turn {
					p = r3.Vec{float64(float32(0.6*p[0] + 3)), float64(float32(0.8*p[0] + 0.1*p[1])), float64(float32(p[1] - 0.37*p[0]))}
				}
				tri.Verts = append(tri.Verts, p)
			}
			fixed, rep := Repair(tri, Options{Weld: pointset.WeldTolerance, FillHoles: 10})
			found := Diagnose(tri).Findings(tri)
			for what, text := range map[string]string{"diagnosis": found.String(), "repair": rep.String()} {
				if strings.Contains(text, "--repair") || strings.Contains(text, "--fill-holes") || !strings.Contains(text, "no repair") {
					t.Errorf("%s, turned %v, %s: %s", name, turn, what, text)
				}
			}
			if err := Watertight(fixed); err == nil || strings.Contains(err.Error(), "--repair") {
				t.Errorf("%s, turned %v: %v", name, turn, err)
			}
		}
	}
	// a bent sheet of two facets is closed to a tetrahedron, as the message says
	tent := &meshes.Tri{Verts: []r3.Vec{{}, {1}, {0, 1}, {1, 1, 0.5}}, Tris: [][3]int32{{0, 1, 2}, {1, 3, 2}}}
	if fixed, rep := Repair(tent, Options{FillHoles: 10}); Watertight(fixed) != nil {
		t.Errorf("a bent sheet: %v\n%s", Watertight(fixed), rep.String())
	}
}
