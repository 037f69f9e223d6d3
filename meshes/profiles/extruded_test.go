package profiles

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

func TestProfileTriangulationCoversTheRegion(t *testing.T) {
	p := bracket()
	for _, size := range []float64{0, 0.01, 0.004, 0.001, 0.0005} {
		m, err := p.triangulate(size)
		if err != nil {
			t.Fatal(err)
		}
		if a := m.area(); math.Abs(a-p.Area()) > 1e-12*a {
			t.Errorf("size %g: area %g, want %g", size, a, p.Area())
		}
		if size > 0 && m.leastAngle() < 20*samples.Degree {
			t.Errorf("size %g: smallest angle %.1f°", size, m.leastAngle()/samples.Degree)
		}
		longest := 0.0
		for _, v := range m.tris {
			for i := range 3 {
				longest = max(longest, dist2(m.pts[v[i]], m.pts[v[(i+1)%3]]))
			}
		}
		if size > 0 && longest > 1.6*size {
			t.Errorf("size %g: longest edge %g", size, longest)
		}
		t.Logf("size %g: %d vertices, %d triangles, angle %.1f°, longest %g", size, len(m.pts), len(m.tris), m.leastAngle()/samples.Degree, longest)
	}
}

func TestSweepFillsTheProfile(t *testing.T) {
	p := bracket()
	for _, layers := range []int{0, 1, 2, 3} {
		m, err := SweepProfile(p, 0.02, layers, 0.004)
		if err != nil {
			t.Fatal(err)
		}
		samples.CheckTets(t, m)
		if v, want := samples.VolumeOf(m), p.Area()*0.02; math.Abs(v-want) > 1e-12*want*100 {
			t.Errorf("volume %g, want %g", v, want)
		}
		t.Logf("%d layers: %d vertices, %d tets", layers, len(m.Verts), len(m.Tets))
	}
}

// An even number of layers gives a mesh that is its own mirror image in z = 0.
func TestSweepIsSymmetric(t *testing.T) {
	m, err := SweepProfile(bracket(), 0.02, 4, 0.005)
	if err != nil {
		t.Fatal(err)
	}
	n := int32(len(m.Verts) / 5)
	seen := map[[4]int32]bool{}
	for _, v := range m.Tets {
		k := v[:]
		slices.Sort(k)
		seen[[4]int32(k)] = true
	}
	for v := range seen {
		var w [4]int32
		for i := range v {
			w[i] = (4-v[i]/n)*n + v[i]%n
			if a, b := m.Verts[v[i]], m.Verts[w[i]]; a != (r3.Vec{b[0], b[1], -b[2]}) {
				t.Fatalf("vertex %v mirrors to %v", a, b)
			}
		}
		slices.Sort(w[:])
		if !seen[w] {
			t.Fatalf("tet %v has no mirror image", v)
		}
	}
}

func TestExtrudedSurfaceIsClosed(t *testing.T) {
	p := bracket()
	s, err := p.Extrude(0.02)
	if err != nil {
		t.Fatal(err)
	}
	samples.CheckClosed(t, s)
	if v, want := s.Volume(), p.Area()*0.02; math.Abs(v-want) > 1e-12*want {
		t.Errorf("volume %g, want %g", v, want)
	}
}

func TestBadProfilesAreRefusedWithAReason(t *testing.T) {
	square := [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	for _, c := range []struct {
		name string
		p    Profile
		want string
	}{
		{"bow tie", Profile{Outer: [][2]float64{{0, 0}, {1, 1}, {1, 0}, {0, 2}}}, "crosses"},
		{"two corners", Profile{Outer: square[:2]}, "at least 3"},
		{"repeated corner", Profile{Outer: append(square[:4:4], square[3])}, "repeats"},
		{"hole outside", Profile{Outer: square, Holes: [][][2]float64{samples.Circle(3, 3, 0.5, 8)}}, "inside the outer loop"},
		{"hole across", Profile{Outer: square, Holes: [][][2]float64{samples.Circle(1, 0.5, 0.2, 7)}}, "cross"},
		{"hole touches", Profile{Outer: square, Holes: [][][2]float64{{{1, 0.5}, {0.5, 0.7}, {0.5, 0.3}}}}, "through the corner"},
		{"holes overlap", Profile{Outer: square, Holes: [][][2]float64{samples.Circle(0.5, 0.5, 0.2, 8), samples.Circle(0.5, 0.5, 0.1, 8)}}, "apart"},
		{"flat", Profile{Outer: [][2]float64{{0, 0}, {1, 0}, {2, 0}}}, "no area"},
		{"not a number", Profile{Outer: [][2]float64{{0, 0}, {1, 0}, {math.NaN(), 1}}}, "not finite"},
	} {
		_, err := SweepProfile(c.p, 1, 1, 0.2)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
	if _, err := SweepProfile(Profile{Outer: square}, 1, 1, 1e-9); err == nil {
		t.Error("an absurd size was accepted")
	}
}

// bracket is an L with a fillet and two holes, m.
func bracket() Profile {
	outer, holes := samples.BracketLoops()
	return Profile{Outer: outer, Holes: holes}
}
