package meshes

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/r3"
)

// starLoop returns a star of n corners, half of them at the radius of .1 m, the others at .05 m.
func starLoop(n int) [][2]float64 {
	loop := make([][2]float64, n)
	for i := range loop {
		r, phi := 0.05*float64(1+i%2), 2*math.Pi*float64(i)/float64(n)
		loop[i] = [2]float64{r * math.Cos(phi), r * math.Sin(phi)}
	}
	return loop
}

// The triangles of the caps are smaller than those of the sides. The area of a star of n corners at radii r
// and R is n/2 r R sin(2π/n).
func TestAStarOfManyCornersIsFoundAndSwept(t *testing.T) {
	const n, width = 2000, 0.02
	for i, x := range []r3.Pose{r3.PoseIdentity(), {R: r3.RotRPY(0.3, 1.1, -0.7), P: r3.Vec{-0.4, 0.1, 0.2}}} {
		s := asSTL(starSurface(n, width), x)
		e, ok := FindExtrusion(s)
		if !ok || len(e.Profile.Outer) != n || math.Abs(e.Width-width) > 1e-6 {
			t.Fatalf("pose %d: found %v, %d corners, width %g", i, ok, len(e.Profile.Outer), e.Width)
		}
		if _, _, err := TetrahedralizeSurface(s, TetOptions{Vertices: 500}); err == nil || !strings.Contains(err.Error(), "so many corners in 1 layer: ask for 4000") {
			t.Errorf("pose %d: 500 vertices: %v", i, err)
		}
		m, rep, err := TetrahedralizeSurface(s, TetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want := n / 2 * 0.05 * 0.1 * math.Sin(2*math.Pi/n) * width
		if v := volumeOf(m); rep.Method != "extrude" || math.Abs(v/want-1) > 1e-3 {
			t.Errorf("pose %d: %s, volume %g, want %g", i, rep.Method, v, want)
		}
		// no size drops teeth
		if len(m.Verts) < 2*n || rep.Count("finer") != len(m.Verts) {
			t.Errorf("pose %d: %d vertices, findings %v", i, len(m.Verts), rep.Findings)
		}
	}
}

// Each corner lies within the tolerance of what is left, which takes as many steps as a sort. Spans of a star
// that are divided at their farthest corner lose one corner a time: minutes for this many.
func TestOutlinesAreSimplifiedInLittleTime(t *testing.T) {
	const n, tol = 100_000, 1e-7
	start := time.Now()
	loop := starLoop(n)
	out := simplifyLoop(loop, tol)
	if d := time.Since(start); d > 10*time.Second {
		t.Errorf("%v", d)
	}
	if len(out) != n {
		t.Errorf("%d of %d corners stay, but each one is a tooth", len(out), n)
	}
	// a fine circle with a long comb on one side, where spans are halved: compared corner by corner
	const coarse = 1e-3
	loop = circle(0, 0, 1, 4000)
	for i := range loop[:1000] {
		loop[i][0] *= 1 + 0.01*float64(i%2)
	}
	out = simplifyLoop(loop, coarse)
	for i, p := range loop {
		near := math.Inf(1)
		for k, q := range out {
			near = min(near, segmentDistance(p, q, out[(k+1)%len(out)]))
		}
		if near > coarse {
			t.Fatalf("corner %d is %g m off", i, near)
		}
	}
	if len(out) > 1200 {
		t.Errorf("%d corners are left of a comb of 1,000 and an arc that needs about 60", len(out))
	}
}
