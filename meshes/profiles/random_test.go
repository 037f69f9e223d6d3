package profiles

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/exact"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// randomProfile is a star polygon, in half of the cases with a hole in its middle.
func randomProfile(r *rand.Rand) Profile {
	p := Profile{Outer: samples.StarPolygon(r, 4+r.IntN(16))}
	if r.IntN(2) == 0 {
		hole := samples.Circle(0, 0, 0.02+0.1*r.Float64(), 3+r.IntN(6))
		if r.IntN(2) == 0 {
			slices.Reverse(hole)
		}
		p.Holes = append(p.Holes, hole)
	}
	if r.IntN(2) == 0 {
		slices.Reverse(p.Outer)
	}
	return p
}

// inPolygon counts the edges to the right of q.
func inPolygon(q vec2, loop []vec2) bool {
	in := false
	for i, a := range loop {
		b := loop[(i+1)%len(loop)]
		if (a[1] > q[1]) != (b[1] > q[1]) && q[0] < a[0]+(q[1]-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
			in = !in
		}
	}
	return in
}

// Without a size: n − 2 + 2h triangles on the corners (Euler), of the area of the
// region, and a point is in a triangle just when it is in the region.
func TestTriangulationsOfRandomProfiles(t *testing.T) {
	r := samples.NewRand(t, 61)
	for range 60 {
		p := randomProfile(r)
		m, err := p.triangulate(0)
		if err != nil {
			t.Fatal(err)
		}
		corners := len(p.Outer)
		for _, h := range p.Holes {
			corners += len(h)
		}
		if len(m.pts) != corners || len(m.tris) != corners-2+2*len(p.Holes) {
			t.Fatalf("%d corners, %d holes: %d vertices, %d triangles", corners, len(p.Holes), len(m.pts), len(m.tris))
		}
		if math.Abs(m.area()-p.Area()) > 1e-12 {
			t.Errorf("area %g, want %g", m.area(), p.Area())
		}
		for range 40 {
			q := vec2{2*r.Float64() - 1, 2*r.Float64() - 1}
			want := inPolygon(q, p.Outer)
			for _, h := range p.Holes {
				want = want && !inPolygon(q, h)
			}
			got := 0
			for _, v := range m.tris {
				a, b, c := m.pts[v[0]], m.pts[v[1]], m.pts[v[2]]
				if exact.Orient(a, b, q) > 0 && exact.Orient(b, c, q) > 0 && exact.Orient(c, a, q) > 0 {
					got++
				}
			}
			if got > 1 || (got == 1) != want {
				t.Fatalf("%v is in %d triangles, in the region %v", q, got, want)
			}
		}
	}
}

// Constrained Delaunay: the circle of a triangle contains no vertex that the triangle
// sees, here the one across each edge inside.
func TestTriangulationsAreLocallyDelaunay(t *testing.T) {
	r := samples.NewRand(t, 62)
	for round := range 20 {
		p := randomProfile(r)
		m, err := p.triangulate([]float64{0, 0.2}[round%2])
		if err != nil {
			t.Fatal(err)
		}
		across := map[[2]int32]int32{}
		for _, v := range m.tris {
			for k := range 3 {
				across[[2]int32{v[k], v[(k+1)%3]}] = v[(k+2)%3]
			}
		}
		for _, v := range m.tris {
			for k := range 3 {
				if q, ok := across[[2]int32{v[(k+1)%3], v[k]}]; ok && exact.InCircle(m.pts[v[0]], m.pts[v[1]], m.pts[v[2]], m.pts[q]) > 0 {
					t.Fatalf("vertex %d is in the circle of its neighbour %v", q, v)
				}
			}
		}
	}
}

// Refinement bounds edges by the size and angles by 20.7°, but next to corners that
// are sharper; more vertices for smaller sizes, of the same area.
func TestRefinementBoundsEdgesAndAngles(t *testing.T) {
	n := 8
	var p Profile
	for i := range n { // a regular octagon: no sharp corner
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		p.Outer = append(p.Outer, vec2{c, s})
	}
	p.Holes = append(p.Holes, samples.Circle(0.1, 0.2, 0.3, 7))
	previous := 0
	for _, size := range []float64{0.5, 0.25, 0.12, 0.06} {
		m, err := p.triangulate(size)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Pi
		for _, v := range m.tris {
			for k := range 3 {
				a, b, c := m.pts[v[k]], m.pts[v[(k+1)%3]], m.pts[v[(k+2)%3]]
				u, w := sub2(b, a), sub2(c, a)
				least = min(least, math.Atan2(u[0]*w[1]-u[1]*w[0], u[0]*w[0]+u[1]*w[1]))
				if l := dist2(a, b); l > 1.5*size+1e-12 {
					t.Fatalf("size %g: an edge of %g", size, l)
				}
			}
		}
		if least < 20.7*samples.Degree {
			t.Errorf("size %g: least angle %.1f°", size, least/samples.Degree)
		}
		if len(m.pts) <= previous || math.Abs(m.area()-p.Area()) > 1e-12 {
			t.Errorf("size %g: %d vertices after %d, area %g of %g", size, len(m.pts), previous, m.area(), p.Area())
		}
		// An equilateral triangle of that edge has √3/4 size²: a few times as many.
		if want := p.Area() / (math.Sqrt(3) / 4 * size * size); float64(len(m.tris)) > 5*want+50 {
			t.Errorf("size %g: %d triangles, about %.0f would do", size, len(m.tris), want)
		}
		previous = len(m.pts)
	}
}

// Sharp corners end the refinement nevertheless.
func TestRefinementEndsAtSharpCorners(t *testing.T) {
	for _, angle := range []float64{40, 20, 5, 1, 0.1} {
		h := math.Tan(angle * samples.Degree)
		p := Profile{Outer: [][2]float64{{0, 0}, {1, 0}, {1, h}}}
		m, err := p.triangulate(0.05)
		if err != nil {
			t.Errorf("%g°: %v", angle, err)
			continue
		}
		if math.Abs(m.area()-h/2) > 1e-12 {
			t.Errorf("%g°: area %g", angle, m.area())
		}
	}
}

// leastCorner returns the least angle between two edges of a profile on the side of its region, rad.
func (p *Profile) leastCorner() float64 {
	least := math.Inf(1)
	for k, loop := range p.loops() {
		n := len(loop)
		// a hole has the region on its other side
		side := loopArea(loop)
		if k > 0 {
			side = -side
		}
		for i, q := range loop {
			u, w := sub2(loop[(i+1)%n], q), sub2(loop[(i+n-1)%n], q)
			a := math.Atan2(math.Copysign(1, side)*(u[0]*w[1]-u[1]*w[0]), u[0]*w[0]+u[1]*w[1])
			if a < 0 {
				a += 2 * math.Pi
			}
			least = min(least, a)
		}
	}
	return least
}

// spikyPolygon is a polygon of n spikes, the thinnest of about a degree, some of which end in two corners.
func spikyPolygon(r *rand.Rand, n int) (loop [][2]float64) {
	at := func(angle, radius float64) {
		s, c := math.Sincos(2 * math.Pi * angle / float64(n))
		loop = append(loop, vec2{radius * c, radius * s})
	}
	for i := range n {
		k, wide := float64(i), 0.45*math.Pow(0.1, 1.5*r.Float64())
		root, tip := 0.2+0.2*r.Float64(), 0.4+0.6*r.Float64()
		at(k-wide, root)
		if r.IntN(3) == 0 {
			at(k-0.01*wide, tip)
			at(k+0.01*wide, tip)
		} else {
			at(k, tip)
		}
		if r.IntN(2) == 0 {
			at(k+wide, root)
		}
	}
	return loop
}

// The strict rules end too, and bound all angles by those of the outline (theorem of Miller, Pav, Walkington), with a
// number of triangles that goes with its features.
func TestStrictRefinementBoundsAllAngles(t *testing.T) {
	r := samples.NewRand(t, 67)
	for round := range 600 {
		p := Profile{Outer: samples.StarPolygon(r, 4+r.IntN(40))}
		if round%2 == 0 {
			p = Profile{Outer: spikyPolygon(r, 3+r.IntN(9))}
			// a hole of the same kind, whose sharp corners are outside of the region
			if r.IntN(2) == 0 {
				var hole [][2]float64
				for _, q := range spikyPolygon(r, 3+r.IntN(5)) {
					hole = append(hole, vec2{0.15 * q[0], 0.15 * q[1]})
				}
				p.Holes = append(p.Holes, hole)
			}
		}
		size := []float64{0.02, 0.05, 0.2, 1}[r.IntN(4)]
		m, err := p.refined(size, true)
		if err != nil {
			if _, plain := p.refined(size, false); plain != nil {
				continue // the loops cross
			}
			t.Errorf("round %d, size %g: %v", round, size, err)
			continue
		}
		theta := p.leastCorner()
		want := min(20.7*samples.Degree, theta, math.Atan(math.Sin(theta)/(2-math.Cos(theta))))
		if a := m.leastAngle(); a < 0.999*want {
			t.Errorf("round %d, size %g: least angle %.2f°, of the outline %.2f°", round, size, a/samples.Degree, theta/samples.Degree)
		}
		if math.Abs(m.area()-p.Area()) > 1e-12 {
			t.Errorf("round %d: area %g, want %g", round, m.area(), p.Area())
		}
	}
}

// The outline of a triangulation is the polygon again.
func TestOutlineGivesTheLoopsBack(t *testing.T) {
	r := samples.NewRand(t, 63)
	for range 30 {
		p := randomProfile(r)
		m, err := p.triangulate(0)
		if err != nil {
			t.Fatal(err)
		}
		loops := m.outline()
		if len(loops) != 1+len(p.Holes) || len(loops[0]) != len(p.Outer) || m.countBoundary() != len(m.pts) {
			t.Fatalf("%d loops, %d corners", len(loops), len(loops[0]))
		}
		var pts []vec2
		for _, v := range loops[0] {
			pts = append(pts, m.pts[v])
		}
		if got, want := loopArea(pts), math.Abs(loopArea(p.Outer)); math.Abs(got-want) > 1e-12 {
			t.Errorf("outer loop of area %g, want %g counter-clockwise", got, want)
		}
	}
}

// Halving keeps the area, quadruples the triangles and halves each edge.
func TestHalvingKeepsTheRegion(t *testing.T) {
	r := samples.NewRand(t, 64)
	for range 10 {
		p := randomProfile(r)
		m, err := p.triangulate(0.3)
		if err != nil {
			t.Fatal(err)
		}
		h := m.halve()
		edges := (3*len(m.tris) + m.countBoundary()) / 2
		if len(h.tris) != 4*len(m.tris) || len(h.pts) != len(m.pts)+edges || math.Abs(h.area()-m.area()) > 1e-12 {
			t.Errorf("%d triangles became %d, %d vertices %d", len(m.tris), len(h.tris), len(m.pts), len(h.pts))
		}
		if h.countBoundary() != 2*m.countBoundary() {
			t.Errorf("%d boundary edges became %d", m.countBoundary(), h.countBoundary())
		}
	}
}

// Swept tets: volume = area · width exactly, conforming, positive, on the surface of
// Extrude.
func TestSweptRandomProfiles(t *testing.T) {
	r := samples.NewRand(t, 65)
	for range 12 {
		p := randomProfile(r)
		width, layers := 0.1+r.Float64(), 1+r.IntN(4)
		m, err := SweepProfile(p, width, layers, 0.4*r.Float64()+0.1)
		if err != nil {
			t.Fatal(err)
		}
		samples.CheckTets(t, m)
		if want := p.Area() * width; math.Abs(samples.VolumeOf(m)-want) > 1e-12 {
			t.Errorf("volume %g, want %g", samples.VolumeOf(m), want)
		}
		surface, _ := m.Surface()
		skin, err := p.Extrude(width)
		if err != nil {
			t.Fatal(err)
		}
		if err := repair.Watertight(skin); err != nil || math.Abs(skin.Volume()-p.Area()*width) > 1e-12 {
			t.Errorf("the extruded surface: %v, volume %g", err, skin.Volume())
		}
		a, b := repair.Diagnose(surface), repair.Diagnose(skin)
		if a.Genus != len(p.Holes) || b.Genus != len(p.Holes) || math.Abs(a.Area-b.Area) > 1e-9 {
			t.Errorf("genus %d and %d of %d holes, areas %g and %g", a.Genus, b.Genus, len(p.Holes), a.Area, b.Area)
		}
		heights := map[float64]bool{}
		for _, v := range m.Verts {
			heights[v[2]] = true
			if !heights[-v[2]] && v[2] > 0 {
				t.Fatalf("no layer opposite z = %g", v[2])
			}
		}
		if len(heights) != layers+1 {
			t.Errorf("%d heights for %d layers", len(heights), layers)
		}
	}
}

func TestSweepRefusesNonsense(t *testing.T) {
	square := Profile{Outer: [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}
	for _, c := range []struct {
		width  float64
		layers int
		size   float64
		want   string
	}{
		{0, 1, 0, "width 0 m must be positive"}, {math.NaN(), 1, 0, "width NaN"}, {math.Inf(1), 1, 0, "width +Inf"},
		{1, -1, 0, "-1 layers"}, {1, 1, -0.1, "size -0.1 m"}, {1, 1, math.Inf(1), "size +Inf"},
		{1, 1, 1e-4, "would need about 1e+08 vertices"}, {1, 100_000, 0.05, "fewer layers"},
	} {
		if _, err := SweepProfile(square, c.width, c.layers, c.size); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range []struct {
		p    Profile
		want string
	}{
		{Profile{}, "outer loop has 0 corners"},
		{Profile{Outer: [][2]float64{{0, 0}, {1, 0}, {2, 0}}}, "encloses no area"},
		{Profile{Outer: [][2]float64{{0, 0}, {1, 0}, {math.NaN(), 1}}}, "corner 2 of outer loop is not finite"},
		{Profile{Outer: square.Outer, Holes: [][][2]float64{{{0, 0}, {1, 1}}}}, "hole 0 has 2 corners"},
		{Profile{Outer: [][2]float64{{0, 0}, {1, 1}, {1, 0}, {0, 1}, {-1, 0.4}}}, "crosses edge"},
		{Profile{Outer: [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {1, 0}}}, "repeats an earlier corner"},
		{Profile{Outer: square.Outer, Holes: [][][2]float64{samples.Circle(5, 5, 0.1, 5)}}, "inside the outer loop"},
		{Profile{Outer: square.Outer, Holes: [][][2]float64{samples.Circle(0.5, 0.5, 0.6, 12)}}, "cross"},
	} {
		if _, err := c.p.Extrude(1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want …%s…", c.p, err, c.want)
		}
	}
}

// Random prisms in random poses, as triangle soups, are recognized with their area,
// width and pose.
func TestRandomPrismsAreRecognized(t *testing.T) {
	r := samples.NewRand(t, 66)
	for range 25 {
		p := randomProfile(r)
		width := 0.3 + r.Float64()
		m, err := p.Extrude(width)
		if err != nil {
			t.Fatal(err)
		}
		e, ok := FindExtrusion(samples.Shuffled(samples.AsSTL(m, samples.RandomPose(r, 3)), r))
		if !ok {
			t.Errorf("a prism of %d corners is not recognized", len(p.Outer))
			continue
		}
		if math.Abs(e.Width-width) > 1e-5 || math.Abs(e.Profile.Area()-p.Area()) > 1e-4 || len(e.Profile.Holes) != len(p.Holes) {
			t.Errorf("width %g of %g, area %g of %g, %d holes of %d", e.Width, width, e.Profile.Area(), p.Area(), len(e.Profile.Holes), len(p.Holes))
		}
		tets, err := SweepProfile(e.Profile, e.Width, 1, 0.5)
		if err != nil || math.Abs(samples.VolumeOf(tets)-m.Volume()) > 1e-4 {
			t.Errorf("tets of volume %g, want %g: %v", samples.VolumeOf(tets), m.Volume(), err)
		}
	}
	for _, s := range []*meshes.Tri{samples.SphereSurface(1, 2), samples.Torus(1, 0.3, 9, 7), samples.Blob(r, 2), {}} {
		if _, ok := FindExtrusion(s); ok {
			t.Error("a round body is taken for a prism")
		}
	}
}

// A simplified loop stays within the tolerance and keeps a subset of the corners.
func TestSimplifiedLoopsStayWithinTheTolerance(t *testing.T) {
	r := samples.NewRand(t, 67)
	for range 40 {
		loop := samples.StarPolygon(r, 60)
		if r.IntN(2) == 0 {
			loop = samples.Circle(0.3, -0.2, 1, 200)
		}
		tol := 0.002 + 0.05*r.Float64()
		got := simplifyLoop(loop, tol)
		if len(got) > len(loop) || len(got) < 3 {
			t.Fatalf("%d corners became %d", len(loop), len(got))
		}
		for _, q := range got {
			if !slices.Contains(loop, q) {
				t.Fatalf("%v is no corner of the original", q)
			}
		}
		for _, q := range loop {
			d := math.Inf(1)
			for i, a := range got {
				d = min(d, segmentDistance(q, a, got[(i+1)%len(got)]))
			}
			if d > tol+1e-12 {
				t.Errorf("a corner lies %g off, the tolerance is %g", d, tol)
			}
		}
	}
	// Corners on straight lines go at any tolerance.
	square := [][2]float64{{0, 0}, {0.5, 0}, {1, 0}, {1, 0.3}, {1, 1}, {0, 1}}
	if got := simplifyLoop(square, 1e-9); len(got) != 4 {
		t.Errorf("%v", got)
	}
}

func TestSegmentDistance(t *testing.T) {
	for _, c := range []struct {
		x    vec2
		want float64
	}{{vec2{0.5, 1}, 1}, {vec2{-3, 4}, 5}, {vec2{4, -4}, 5}, {vec2{0.2, 0}, 0}} {
		if got := segmentDistance(c.x, vec2{0, 0}, vec2{1, 0}); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: %g, want %g", c.x, got, c.want)
		}
	}
	if got := segmentDistance(vec2{3, 4}, vec2{0, 0}, vec2{0, 0}); got != 5 {
		t.Errorf("to a point: %g", got)
	}
}

// The volume of a cone over a closed surface does not depend on its apex.
func TestVolumeAboutAnyPoint(t *testing.T) {
	r := samples.NewRand(t, 68)
	for i, m := range []*meshes.Tri{samples.Blob(r, 3), samples.Torus(1, 0.3, 12, 7), samples.GridBox(samples.RandomVec(r), 3), samples.SphereSurface(0.7, 2)} {
		m = samples.Shuffled(samples.Moved(m, samples.RandomPose(r, 2)), r)
		for range 5 {
			if got := volumeAbout(m, samples.RandomVec(r).Scale(5)); math.Abs(got-m.Volume()) > 1e-10 {
				t.Errorf("surface %d: %g, want %g", i, got, m.Volume())
			}
		}
	}
	if a := snapped(r3.Vec{0, -1, 1e-14}.Unit()); a != (r3.Vec{0, 1, 0}) {
		t.Errorf("an axis off by round-off is %v", a)
	}
}
