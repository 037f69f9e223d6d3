package stuffing

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/internal/surfaces"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// torusSurface has n × n quads, each two triangles.
func torusSurface(R, r float64, n int) *meshes.Tri {
	m := &meshes.Tri{}
	for i := range n {
		for j := range n {
			su, cu := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			sv, cv := math.Sincos(2 * math.Pi * float64(j) / float64(n))
			m.Verts = append(m.Verts, r3.Vec{(R + r*cv) * cu, (R + r*cv) * su, r * sv})
			k := func(i, j int) int32 { return int32(i%n*n + j%n) }
			m.Tris = append(m.Tris, [3]int32{k(i, j), k(i+1, j), k(i+1, j+1)}, [3]int32{k(i, j), k(i+1, j+1), k(i, j+1)})
		}
	}
	return m
}

func mustStuff(t *testing.T, m *meshes.Tri, opt Options) (*meshes.Tet, Result) {
	t.Helper()
	tets, rep, err := Isosurface(m, opt)
	if err != nil {
		t.Fatal(err)
	}
	samples.CheckTets(t, tets)
	return tets, rep
}

// The published bound is 10.7°; relaxing does better, sharp edges do worse.
func TestStuffedShapesAreGoodAndFillTheVolume(t *testing.T) {
	bracket := prisms.BracketProfile()
	part, err := bracket.Extrude(0.02)
	if err != nil {
		t.Fatal(err)
	}
	tilted := samples.AsSTL(part, r3.Pose{R: r3.RotRPY(0.4, 0.3, 0.9)})
	for _, c := range []struct {
		name  string
		m     *meshes.Tri
		size  float64
		angle float64
		loss  float64
	}{
		{"sphere", samples.SphereSurface(0.1, 4), 0.022, 20, 0.02},
		{"torus", torusSurface(0.1, 0.03, 48), 0.013, 18, 0.03},
		{"bracket", part, 0.003, 12, 0.01},
		{"tilted bracket", tilted, 0.003, 12, 0.01},
		{"box", prisms.BoxSurface(r3.Vec{}, r3.Vec{0.1, 0.06, 0.04}), 0.013, 12, 0.002},
	} {
		for _, coarsen := range []int{-1, 2} {
			if coarsen < 0 && c.name != "box" {
				continue
			}
			m, rep := mustStuff(t, c.m, Options{Size: c.size, Coarsen: coarsen})
			q := rep.Quality
			if q.MinDihedral < c.angle*samples.Degree {
				t.Errorf("%s: smallest dihedral angle %.1f°", c.name, q.MinDihedral/samples.Degree)
			}
			if off := math.Abs(q.Volume/rep.SurfaceVolume - 1); off > c.loss {
				t.Errorf("%s: volume off by %.2f %%", c.name, 100*off)
			}
			if len(rep.BridgedGaps)+len(rep.LostWalls) > 0 {
				t.Errorf("%s: %s", c.name, rep.String())
			}
			t.Logf("%s, coarsen %d: %d vertices, %d tets, dihedral %.1f° to %.1f°, volume off by %+.2f %%, deviation %.2f h", c.name, coarsen,
				len(m.Verts), len(m.Tets), q.MinDihedral/samples.Degree, q.MaxDihedral/samples.Degree, 100*(q.Volume/rep.SurfaceVolume-1), rep.Deviation/rep.Size)
		}
	}
}

// Graded lattices of all sorts conform: coarse cells inside change the count of
// tets, not the volume.
func TestGradedLatticeConforms(t *testing.T) {
	s := samples.SphereSurface(1, 4)
	var counts []int
	for _, coarsen := range []int{-1, 1, 3} {
		m, rep := mustStuff(t, s, Options{Size: 0.13, Coarsen: coarsen})
		counts = append(counts, len(m.Tets))
		if rep.Quality.MinDihedral < 20*samples.Degree {
			t.Errorf("coarsen %d: smallest dihedral angle %.1f°", coarsen, rep.Quality.MinDihedral/samples.Degree)
		}
	}
	if counts[2] > counts[1] || counts[1] >= counts[0] {
		t.Errorf("tets %v do not get fewer", counts)
	}
}

func TestVertexCountIsMet(t *testing.T) {
	part := prisms.BracketProfile()
	bracket, err := part.Extrude(0.02)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*meshes.Tri{"sphere": samples.SphereSurface(1, 4), "torus": torusSurface(1, 0.3, 40), "bracket": bracket} {
		for _, want := range []int{400, 1100} {
			if name == "bracket" {
				want = max(want, 600)
			}
			// The walls of the bracket need three times as many vertices.
			m, rep := mustStuff(t, s, Options{Vertices: want, AllowLoss: name == "bracket"})
			if n := len(m.Verts); math.Abs(float64(n)/float64(want)-1) > 0.12 {
				t.Errorf("%s: %d vertices (size %g), want about %d", name, n, rep.Size, want)
			}
		}
	}
}

func TestStuffingIsDeterministic(t *testing.T) {
	s := torusSurface(1, 0.3, 40)
	a, ra := mustStuff(t, s, Options{Vertices: 800})
	b, rb := mustStuff(t, s, Options{Vertices: 800})
	if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(ra, rb) {
		t.Error("two runs differ")
	}
}

// A slot of 1 mm under a lattice of 4 mm is filled, and the report says so.
func TestBridgedGapIsReported(t *testing.T) {
	p := profiles.Profile{Outer: [][2]float64{{0, 0}, {0.02, 0}, {0.02, 0.0095}, {0.005, 0.0095}, {0.005, 0.0105}, {0.02, 0.0105}, {0.02, 0.02}, {0, 0.02}}}
	s, err := p.Extrude(0.01)
	if err != nil {
		t.Fatal(err)
	}
	_, rep := mustStuff(t, s, Options{Size: 0.004, WallCells: -1, AllowLoss: true})
	if len(rep.BridgedGaps) == 0 {
		t.Fatal("nothing reported")
	}
	g := rep.BridgedGaps[0]
	if g.Width < 0.0009 || g.Width > 0.0011 || math.Abs(g.Center[1]-0.01) > 0.001 || g.Center[0] < 0.005 {
		t.Errorf("gap %+v, want 1 mm near (0.0125, 0.01, 0)", g)
	}
	if !strings.Contains(rep.String(), "gap") {
		t.Errorf("report %q", rep.String())
	}
	if _, fine := mustStuff(t, s, Options{Size: 0.00085, Coarsen: 4, WallCells: -1}); len(fine.BridgedGaps) != 0 {
		t.Errorf("at 0.85 mm: %+v", fine.BridgedGaps)
	}
}

// A fin of 1 mm on a block vanishes under a lattice of 5 mm.
func TestLostWallIsReported(t *testing.T) {
	p := profiles.Profile{Outer: [][2]float64{{0, 0}, {0.04, 0}, {0.04, 0.02}, {0.0203, 0.02}, {0.0203, 0.04}, {0.0193, 0.04}, {0.0193, 0.02}, {0, 0.02}}}
	s, err := p.Extrude(0.03)
	if err != nil {
		t.Fatal(err)
	}
	_, rep := mustStuff(t, s, Options{Size: 0.005, WallCells: -1, AllowLoss: true})
	if len(rep.LostWalls) == 0 || math.Abs(rep.LostWalls[0].Width-0.001) > 1e-4 || rep.LostWalls[0].Center[1] < 0.02 {
		t.Errorf("lost %+v, want 1 mm near (0.0198, 0.03, 0)", rep.LostWalls)
	}
}

// Two balls that run into each other are one body; the parts of the surfaces
// inside do not count.
func TestOverlappingPartsAreOneBody(t *testing.T) {
	a, b := samples.SphereSurface(1, 3), samples.SphereSurface(1, 3)
	for i := range b.Verts {
		b.Verts[i][0] += 1
	}
	m, _ := mustStuff(t, samples.Together(a, b), Options{Size: 0.24})
	// A lens of height ½ each side is counted once: V = 2·4π/3 − 5π/12.
	if v, want := samples.VolumeOf(m), 8*math.Pi/3-5*math.Pi/12; math.Abs(v/want-1) > 0.06 {
		t.Errorf("volume %g, want %g", v, want)
	}
}

func TestCavityStaysHollow(t *testing.T) {
	outer, inner := samples.SphereSurface(1, 3), samples.SphereSurface(0.5, 3)
	for i, v := range inner.Tris {
		inner.Tris[i] = [3]int32{v[0], v[2], v[1]}
	}
	s := samples.Together(outer, inner)
	m, _ := mustStuff(t, s, Options{Size: 0.12})
	if v := samples.VolumeOf(m); math.Abs(v/s.Volume()-1) > 0.01 {
		t.Errorf("volume %g, want %g", v, s.Volume())
	}
}

func TestImpossibleStuffingIsRefusedWithAReason(t *testing.T) {
	s := samples.SphereSurface(1, 2)
	open := &meshes.Tri{Verts: s.Verts, Tris: s.Tris[1:]}
	if _, _, err := Isosurface(open, Options{}); !errors.Is(err, repair.ErrNotClosed) {
		t.Errorf("open surface: %v", err)
	}
	for _, c := range []struct {
		want string
		opt  Options
	}{
		{"limit is", Options{Size: 1e-3}},
		{"choose a size above", Options{Size: 0.05, MaxVertices: 1000}},
		{"negative", Options{Vertices: -1}},
		{"finite", Options{Size: math.NaN()}},
		{"must not exceed", Options{Coarsen: 9}},
	} {
		if _, _, err := Isosurface(s, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one that says %q", c.opt, err, c.want)
		}
	}
	plate := prisms.BoxSurface(r3.Vec{}, r3.Vec{1, 1, 0.01})
	if _, _, err := Isosurface(plate, Options{Size: 0.5, WallCells: -1}); err == nil || !strings.Contains(err.Error(), "smaller size") {
		t.Errorf("plate thinner than the lattice: %v", err)
	}
}

// No cut of a tet by a plane leaves a tet worse than the published bound, nor a
// mesh that does not conform: stuffing tilted boxes goes through all stencils.
func TestStencilsConformAtAnyAngle(t *testing.T) {
	for k := range 4 {
		x := r3.Pose{R: r3.RotRPY(0.67*float64(k), 0.41*float64(k), 0.21*float64(k)), P: r3.Vec{0.013 * float64(k), 0, 0}}
		s := surfaces.Welded(samples.AsSTL(prisms.BoxSurface(r3.Vec{}, r3.Vec{0.1, 0.06, 0.04}), x))
		m, rep := mustStuff(t, s, Options{Size: 0.009})
		if rep.Quality.MinDihedral < 8*samples.Degree || math.Abs(samples.VolumeOf(m)/s.Volume()-1) > 0.01 {
			t.Errorf("pose %d: dihedral %.1f°, volume off by %.2g", k, rep.Quality.MinDihedral/samples.Degree, samples.VolumeOf(m)/s.Volume()-1)
		}
	}
}
