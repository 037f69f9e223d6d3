package meshes

import (
	"math"
	"strings"
	"testing"
)

func TestPrismsAreSweptAndOthersStuffed(t *testing.T) {
	bracket := bracketProfile()
	prism, err := bracket.Extrude(0.02)
	if err != nil {
		t.Fatal(err)
	}
	ball := sphereSurface(0.05, 3)
	for _, c := range []struct {
		name string
		s    *Tri
		opt  TetOptions
		want string
	}{
		{"prism", prism, TetOptions{}, "extrude"},
		{"prism of 4 layers", prism, TetOptions{Size: 0.004, Layers: 4}, "extrude"},
		{"prism, stuffed", prism, TetOptions{Size: 0.004, Method: "stuffing"}, "stuffing"},
		{"ball", ball, TetOptions{Vertices: 500}, "stuffing"},
	} {
		m, rep, err := TetrahedralizeSurface(c.s, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		checkTets(t, m)
		if rep.Method != c.want || (rep.Stuffing == nil) != (c.want == "extrude") {
			t.Errorf("%s: method %s", c.name, rep.Method)
		}
		if off := math.Abs(volumeOf(m)/c.s.Volume() - 1); off > 0.03 {
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
			len(m.Verts), len(m.Tets), TetQuality(m).MinDihedral/degree)
	}
	if _, _, err := TetrahedralizeSurface(ball, TetOptions{Method: "extrude"}); err == nil || !strings.Contains(err.Error(), "no prism") {
		t.Errorf("extruding a ball: %v", err)
	}
	if _, _, err := TetrahedralizeSurface(ball, TetOptions{Method: "magic"}); err == nil || !strings.Contains(err.Error(), "unknown method") {
		t.Errorf("unknown method: %v", err)
	}
}

// The STL of a finger comes back as layered tetrahedra that fill it.
func TestFinRaySurfaceIsSweptBack(t *testing.T) {
	s, err := DefaultFinRay().Surface()
	if err != nil {
		t.Fatal(err)
	}
	m, rep, err := TetrahedralizeSurface(s, TetOptions{Size: 0.003, Layers: 2})
	if err != nil {
		t.Fatal(err)
	}
	checkTets(t, m)
	if rep.Method != "extrude" || math.Abs(volumeOf(m)/s.Volume()-1) > 1e-3 {
		t.Errorf("method %s, volume %g, want %g", rep.Method, volumeOf(m), s.Volume())
	}
	t.Logf("%d vertices, %d tets", len(m.Verts), len(m.Tets))
}
