package stuffing

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
)

func TestPrismsAreSweptAndOthersStuffed(t *testing.T) {
	bracket := prisms.BracketProfile()
	prism, err := bracket.Extrude(0.02)
	if err != nil {
		t.Fatal(err)
	}
	ball := samples.SphereSurface(0.05, 3)
	for _, c := range []struct {
		name string
		s    *meshes.Tri
		opt  TetOptions
		want string
	}{
		{"prism", prism, TetOptions{}, "extrude"},
		{"prism of 4 layers", prism, TetOptions{Size: 0.004, Layers: 4}, "extrude"},
		{"prism, stuffed", prism, TetOptions{Size: 0.004, Method: "stuffing"}, "stuffing"},
		{"ball", ball, TetOptions{Vertices: 500}, "stuffing"},
	} {
		m, rep, err := Tetrahedralize(c.s, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		samples.CheckTets(t, m)
		if rep.Method != c.want || (rep.Stuffing == nil) != (c.want == "extrude") {
			t.Errorf("%s: method %s", c.name, rep.Method)
		}
		if off := math.Abs(samples.VolumeOf(m)/c.s.Volume() - 1); off > 0.03 {
			t.Errorf("%s: volume off by %g", c.name, off)
		}
		if c.opt.Size == 0 {
			want := 1000.0
			if c.opt.Vertices > 0 {
				want = float64(c.opt.Vertices)
			}
			if n := float64(len(m.Verts)); math.Abs(n/want-1) > 0.15 {
				t.Errorf("%s: %g vertices, want about %g", c.name, n, want)
			}
		}
		t.Logf("%s: %s, size %.4g, %d layers, %d vertices, %d tets, dihedral %.1f°", c.name, rep.Method, rep.Size, rep.Layers,
			len(m.Verts), len(m.Tets), meshes.TetQuality(m).MinDihedral/samples.Degree)
	}
	if _, _, err := Tetrahedralize(ball, TetOptions{Method: "extrude"}); err == nil || !strings.Contains(err.Error(), "no prism") {
		t.Errorf("extruding a ball: %v", err)
	}
	if _, _, err := Tetrahedralize(ball, TetOptions{Method: "magic"}); err == nil || !strings.Contains(err.Error(), "unknown method") {
		t.Errorf("unknown method: %v", err)
	}
}

// The STL of a finger comes back as layered tetrahedra that fill it.
func TestFinRaySurfaceIsSweptBack(t *testing.T) {
	s, err := profiles.DefaultFinRay().Surface()
	if err != nil {
		t.Fatal(err)
	}
	m, rep, err := Tetrahedralize(s, TetOptions{Size: 0.003, Layers: 2})
	if err != nil {
		t.Fatal(err)
	}
	samples.CheckTets(t, m)
	if rep.Method != "extrude" || math.Abs(samples.VolumeOf(m)/s.Volume()-1) > 1e-3 {
		t.Errorf("method %s, volume %g, want %g", rep.Method, samples.VolumeOf(m), s.Volume())
	}
	t.Logf("%d vertices, %d tets", len(m.Verts), len(m.Tets))
}

// A star with sides that are not parallel is no prism. Its thousands of thin walls would take rays without end:
// the error says so, and what to do.
func TestWallsWithoutEndAreRefused(t *testing.T) {
	m := samples.StarSurface(3000, 0.02)
	for i, p := range m.Verts {
		if p[2] > 0 {
			m.Verts[i] = r3.Vec{1.2 * p[0], 1.2 * p[1], p[2]}
		}
	}
	start := time.Now()
	_, _, err := Tetrahedralize(m, TetOptions{})
	if err == nil || !strings.Contains(err.Error(), "thin walls") || !strings.Contains(err.Error(), "--wall-cells -1") {
		t.Errorf("error %v", err)
	}
	if took := time.Since(start); took > 60*time.Second {
		t.Errorf("%v", took)
	}
}

// Boxes of any size and pose are recognized as prisms and filled exactly, at a size or
// a number of vertices.
func TestBoxesAreFilledExactly(t *testing.T) {
	r := samples.NewRand(t, 92)
	for range 8 {
		h := r3.Vec{0.02 + 0.05*r.Float64(), 0.02 + 0.05*r.Float64(), 0.02 + 0.05*r.Float64()}
		s := samples.AsSTL(samples.GridBox(h, 1+r.IntN(3)), samples.RandomPose(r, 0.1))
		want := 8 * h[0] * h[1] * h[2]
		for _, opt := range []TetOptions{{Size: 0.03}, {Vertices: 300}, {Size: 0.04, Layers: 2}} {
			m, res, err := Tetrahedralize(s, opt)
			if err != nil {
				t.Fatal(err)
			}
			samples.CheckTets(t, m)
			if res.Method != "extrude" || math.Abs(samples.VolumeOf(m)/want-1) > 1e-3 {
				t.Errorf("%+v: %s, volume %g, want %g", opt, res.Method, samples.VolumeOf(m), want)
			}
			if opt.Layers > 0 && res.Layers != opt.Layers || opt.Size > 0 && res.Size != opt.Size {
				t.Errorf("%+v: %+v", opt, res)
			}
			if n := float64(len(m.Verts)); opt.Vertices > 0 && math.Abs(n/300-1) > 0.5 {
				t.Errorf("%g vertices, want about 300", n)
			}
		}
	}
	open := samples.GridBox(r3.Vec{1, 1, 1}, 1)
	open.Tris = open.Tris[:10]
	for want, c := range map[string]struct {
		s   *meshes.Tri
		opt TetOptions
	}{
		"unknown method": {open, TetOptions{Method: "magic"}}, "-5 vertices": {open, TetOptions{Vertices: -5}}, "-1 layers": {open, TetOptions{Layers: -1}},
		"size NaN": {open, TetOptions{Size: math.NaN()}}, "not closed": {open, TetOptions{}}, "no prism": {samples.SphereSurface(1, 1), TetOptions{Method: "extrude"}},
		"the limit is": {samples.GridBox(r3.Vec{1, 1, 1}, 1), TetOptions{Vertices: 1e7}}, "larger size": {samples.GridBox(r3.Vec{1, 1, 1}, 1), TetOptions{Size: 0.01}},
	} {
		if _, _, err := Tetrahedralize(c.s, c.opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want …%s…", err, want)
		}
	}
}

// The triangles of the caps are smaller than those of the sides. The area of a star of n corners at radii r
// and R is n/2 r R sin(2π/n).
func TestAStarOfManyCornersIsFoundAndSwept(t *testing.T) {
	const n, width = 2000, 0.02
	for i, x := range []r3.Pose{r3.PoseIdentity(), {R: r3.RotRPY(0.3, 1.1, -0.7), P: r3.Vec{-0.4, 0.1, 0.2}}} {
		s := samples.AsSTL(samples.StarSurface(n, width), x)
		e, ok := profiles.FindExtrusion(s)
		if !ok || len(e.Profile.Outer) != n || math.Abs(e.Width-width) > 1e-6 {
			t.Fatalf("pose %d: found %v, %d corners, width %g", i, ok, len(e.Profile.Outer), e.Width)
		}
		if _, _, err := Tetrahedralize(s, TetOptions{Vertices: 500}); err == nil || !strings.Contains(err.Error(), "so many corners in 1 layer: ask for 4000") {
			t.Errorf("pose %d: 500 vertices: %v", i, err)
		}
		m, rep, err := Tetrahedralize(s, TetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want := n / 2 * 0.05 * 0.1 * math.Sin(2*math.Pi/n) * width
		if v := samples.VolumeOf(m); rep.Method != "extrude" || math.Abs(v/want-1) > 1e-3 {
			t.Errorf("pose %d: %s, volume %g, want %g", i, rep.Method, v, want)
		}
		// no size drops teeth
		if len(m.Verts) < 2*n || rep.Count("finer") != len(m.Verts) {
			t.Errorf("pose %d: %d vertices, findings %v", i, len(m.Verts), rep.Findings)
		}
	}
}
