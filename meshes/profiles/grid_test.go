package profiles

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/exact"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// gridProfile is a skyline over n columns of width 2 with heights between 4 and 12,
// with a square hole of edge 1 in some of the columns. All corners have whole
// coordinates, so that area and length of the outline are whole numbers.
func gridProfile(r *rand.Rand, n int) (p Profile, area, length float64) {
	last := 0
	p.Outer = append(p.Outer, vec2{float64(2 * n), 0}, vec2{0, 0})
	slices.Reverse(p.Outer)
	var top [][2]float64 // from the left to the right
	length = float64(2 * n)
	for i := range n {
		h := 4 + r.IntN(9)
		for h == last { // equal heights would leave a corner on a straight line
			h = 4 + r.IntN(9)
		}
		x := float64(2 * i)
		top = append(top, vec2{x, float64(h)}, vec2{x + 2, float64(h)})
		area += float64(2 * h)
		length += 2 + math.Abs(float64(h-last))
		last = h
		if r.IntN(2) == 0 {
			y := float64(1 + r.IntN(2))
			hole := [][2]float64{{x + 0.5, y}, {x + 1.5, y}, {x + 1.5, y + 1}, {x + 0.5, y + 1}}
			if r.IntN(2) == 0 {
				slices.Reverse(hole)
			}
			p.Holes = append(p.Holes, hole)
			area--
			length += 4
		}
	}
	slices.Reverse(top)
	p.Outer = append(p.Outer, top...)
	return p, area, length + float64(last)
}

// Skylines on a grid have whole areas A and lengths L of the outline: the extrusion
// over the width w has exactly the volume A w and the surface 2 A + L w, and a handle
// for each hole.
func TestExtrudedSkylinesAreExact(t *testing.T) {
	r := samples.NewRand(t, 211)
	for range 25 {
		p, area, length := gridProfile(r, 1+r.IntN(9))
		if p.Area() != area {
			t.Fatalf("area %g, want %g", p.Area(), area)
		}
		w := float64(1 + r.IntN(5))
		m, err := p.Extrude(w)
		if err != nil {
			t.Fatal(err)
		}
		if v := m.Volume(); math.Abs(v-area*w) > 1e-12*area*w {
			t.Errorf("volume %g, want %g", v, area*w)
		}
		if a := samples.SurfaceArea(m); math.Abs(a-2*area-length*w) > 1e-12*a {
			t.Errorf("surface %g, want %g", a, 2*area+length*w)
		}
		d := repair.Diagnose(m)
		if d.Genus != len(p.Holes) || d.Components != 1 || !d.Closed || len(d.SelfIntersections) > 0 {
			t.Errorf("%d holes: genus %d, %d components", len(p.Holes), d.Genus, d.Components)
		}
		// The profile is found again under any pose, with the same area and loops.
		e, ok := FindExtrusion(samples.Shuffled(samples.Moved(m, samples.RandomPose(r, 3)), r))
		if !ok {
			t.Error("the prism is not recognized")
			continue
		}
		if v := e.Profile.Area() * e.Width; math.Abs(v-area*w) > 1e-8*area*w {
			t.Errorf("found %g m³, want %g", v, area*w)
		}
	}
}

// Layered tets of skylines fill the volume exactly at every size, and the boundary
// has the area of the extrusion.
func TestSweptSkylinesAreExact(t *testing.T) {
	r := samples.NewRand(t, 212)
	for range 8 {
		p, area, length := gridProfile(r, 1+r.IntN(5))
		w, layers := float64(1+r.IntN(3)), 1+r.IntN(3)
		m, err := SweepProfile(p, w, layers, 1+2*r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		samples.CheckTets(t, m)
		if v := samples.VolumeOf(m); math.Abs(v-area*w) > 1e-10*v {
			t.Errorf("volume %g, want %g", v, area*w)
		}
		tris, _ := m.Boundary()
		if a := samples.SurfaceArea(&meshes.Tri{Verts: m.Verts, Tris: tris}); math.Abs(a-2*area-length*w) > 1e-10*a {
			t.Errorf("surface %g, want %g", a, 2*area+length*w)
		}
		// All vertices lie on one of the equally spaced layers.
		for _, q := range m.Verts {
			k := (q[2] + w/2) / w * float64(layers)
			if math.Abs(k-math.Round(k)) > 1e-12 {
				t.Fatalf("a vertex at height %g with %d layers over %g", q[2], layers, w)
			}
		}
	}
}

// loopEdges returns the edges of all loops as pairs of points.
func loopEdges(p *Profile) [][2]vec2 {
	var out [][2]vec2
	for _, loop := range p.loops() {
		for i, a := range loop {
			out = append(out, [2]vec2{a, loop[(i+1)%len(loop)]})
		}
	}
	return out
}

// Constrained edges are kept: each edge of the profile is a chain of edges of the
// triangulation, as long as the edge and straight, with triangles on one side only.
func TestRefinementKeepsTheConstrainedEdges(t *testing.T) {
	r := samples.NewRand(t, 213)
	for round := range 14 {
		p := randomProfile(r)
		if round%2 == 0 {
			p, _, _ = gridProfile(r, 1+r.IntN(6))
		}
		lo, hi := p.bounds()
		m, err := p.triangulate([]float64{0, 0.15}[round/2%2] * (hi[0] - lo[0]))
		if err != nil {
			t.Fatal(err)
		}
		// Edges of one triangle only.
		used := map[[2]int32]int{}
		for _, v := range m.tris {
			for k := range 3 {
				used[meshes.SideKey(v[k], v[(k+1)%3])]++
			}
		}
		outline := 0.0
		for e, n := range used {
			if n == 1 {
				outline += dist2(m.pts[e[0]], m.pts[e[1]])
			}
		}
		// Every one of them lies on an edge of the profile, and they cover all.
		want := 0.0
		for _, c := range loopEdges(&p) {
			want += dist2(c[0], c[1])
			got := 0.0
			for e, n := range used {
				a, b := m.pts[e[0]], m.pts[e[1]]
				if n == 1 && segmentOff(a, c) < 1e-12*want && segmentOff(b, c) < 1e-12*want {
					got += dist2(a, b)
				}
			}
			if l := dist2(c[0], c[1]); math.Abs(got-l) > 1e-9*l {
				t.Errorf("edge %v: %g of %g m are edges of triangles", c, got, l)
			}
		}
		if math.Abs(outline-want) > 1e-9*want {
			t.Errorf("the outline has %g m, want %g m", outline, want)
		}
	}
}

// segmentOff returns the distance of q from the segment s.
func segmentOff(q vec2, s [2]vec2) float64 {
	d := sub2(s[1], s[0])
	u := sub2(q, s[0])
	k := max(0, min(1, (u[0]*d[0]+u[1]*d[1])/(d[0]*d[0]+d[1]*d[1])))
	return math.Hypot(u[0]-k*d[0], u[1]-k*d[1])
}

// crosses reports whether the open segments ab and cd cross.
func crosses(a, b, c, d vec2) bool {
	return exact.Orient(a, b, c)*exact.Orient(a, b, d) < 0 && exact.Orient(c, d, a)*exact.Orient(c, d, b) < 0
}

// The definition of a constrained Delaunay triangulation, by brute force: a vertex
// inside of the circle about a triangle is hidden from each point inside of the
// triangle by an edge of the profile.
func TestCirclesContainHiddenVerticesOnly(t *testing.T) {
	r := samples.NewRand(t, 214)
	inside := 0
	for round := range 20 {
		p, _, _ := gridProfile(r, 2+r.IntN(6)) // towers hide from each other
		m, err := p.triangulate([]float64{0, 2}[round%2])
		if err != nil {
			t.Fatal(err)
		}
		edges := loopEdges(&p)
		for _, v := range m.tris {
			a, b, c := m.pts[v[0]], m.pts[v[1]], m.pts[v[2]]
			for i, q := range m.pts {
				if int32(i) == v[0] || int32(i) == v[1] || int32(i) == v[2] || exact.InCircle(a, b, c, q) <= 0 {
					continue
				}
				inside++
				// A random point of the triangle: it must not see q.
				u, w := r.Float64(), r.Float64()
				if u+w > 1 {
					u, w = 1-u, 1-w
				}
				from := vec2{a[0] + u*(b[0]-a[0]) + w*(c[0]-a[0]), a[1] + u*(b[1]-a[1]) + w*(c[1]-a[1])}
				hidden := slices.ContainsFunc(edges, func(e [2]vec2) bool {
					return crosses(from, q, e[0], e[1])
				})
				if !hidden {
					t.Fatalf("round %d: vertex %v is in the circle of %v, %v, %v and seen from %v", round, q, a, b, c, from)
				}
			}
		}
	}
	if inside == 0 {
		t.Error("no circle contains a vertex: the test sees nothing")
	}
}

// Corners of a convex polygon see each other: no circle about a triangle contains a
// corner, and of all triangulations this one has the largest least angle (Lawson
// 1977), here against random ones.
func TestConvexPolygonsHaveTheLargestLeastAngle(t *testing.T) {
	r := samples.NewRand(t, 215)
	for range 20 {
		n := 5 + r.IntN(10)
		var p Profile
		for i := range n { // on an ellipse: convex
			s, c := math.Sincos(2 * math.Pi * (float64(i) + 0.6*r.Float64()) / float64(n))
			p.Outer = append(p.Outer, vec2{c, 0.6 * s})
		}
		m, err := p.triangulate(0)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range m.tris {
			for i, q := range m.pts {
				if !slices.Contains(v[:], int32(i)) && exact.InCircle(m.pts[v[0]], m.pts[v[1]], m.pts[v[2]], q) > 0 {
					t.Fatalf("corner %d lies in the circle of %v", i, v)
				}
			}
		}
		best := math.Inf(1)
		for _, v := range m.tris {
			best = min(best, leastAngle(m.pts[v[0]], m.pts[v[1]], m.pts[v[2]]))
		}
		for range 50 {
			if other := randomFanAngle(r, p.Outer); other > best+1e-12 {
				t.Fatalf("%d corners: least angle %.3f°, another triangulation has %.3f°", n, best/samples.Degree, other/samples.Degree)
			}
		}
	}
}

// randomFanAngle cuts a convex polygon into triangles at random and returns the
// least of their angles, rad.
func randomFanAngle(r *rand.Rand, loop []vec2) float64 {
	if len(loop) < 3 {
		return math.Inf(1)
	}
	// The triangle on the edge from the first to the last corner divides the rest.
	k := 1 + r.IntN(len(loop)-2)
	a := leastAngle(loop[0], loop[k], loop[len(loop)-1])
	return min(a, randomFanAngle(r, loop[:k+1]), randomFanAngle(r, loop[k:]))
}

// leastAngle returns the least angle of a triangle, rad.
func leastAngle(p ...vec2) float64 {
	least := math.Pi
	for k := range 3 {
		u, w := sub2(p[(k+1)%3], p[k]), sub2(p[(k+2)%3], p[k])
		a := math.Atan2(u[0]*w[1]-u[1]*w[0], u[0]*w[0]+u[1]*w[1])
		least = min(least, math.Abs(a))
	}
	return least
}

// Refinement ends with good angles for skylines, whose corners have 90° or 270°,
// wherever the profile lies.
func TestRefinedSkylinesHaveGoodAngles(t *testing.T) {
	r := samples.NewRand(t, 216)
	for range 10 {
		p, area, _ := gridProfile(r, 1+r.IntN(5))
		shift := samples.RandomVec(r).Scale(1000)
		for _, loop := range p.loops() {
			for i := range loop {
				loop[i] = vec2{loop[i][0] + shift[0], loop[i][1] + shift[1]}
			}
		}
		size := 0.5 + r.Float64()
		m, err := p.triangulate(size)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(m.area()-area) > 1e-9*area {
			t.Errorf("area %g, want %g", m.area(), area)
		}
		for _, v := range m.tris {
			if a := leastAngle(m.pts[v[0]], m.pts[v[1]], m.pts[v[2]]); a < 20.7*samples.Degree {
				t.Fatalf("size %g: an angle of %.1f°", size, a/samples.Degree)
			}
		}
	}
}

// A profile turned and moved gives the tets turned and moved, up to rounding: here
// their volumes, sorted.
func TestExtrusionsKeepTheirFrame(t *testing.T) {
	r := samples.NewRand(t, 217)
	for range 6 {
		p, area, _ := gridProfile(r, 2+r.IntN(3))
		x := samples.RandomPose(r, 2)
		e := Extrusion{Profile: p, Width: 1 + r.Float64(), Pose_WP: x}
		m, _, err := e.Fill(FillOptions{Layers: 2, Size: 2})
		if err != nil {
			t.Fatal(err)
		}
		if v := samples.VolumeOf(m); math.Abs(v-area*e.Width) > 1e-9*v {
			t.Errorf("volume %g, want %g", v, area*e.Width)
		}
		// Back in the frame of the profile all vertices lie within its bounds.
		lo, hi := p.bounds()
		back := x.Inv()
		for _, q := range m.Verts {
			b := back.Point(q)
			if b[0] < lo[0]-1e-9 || b[0] > hi[0]+1e-9 || b[1] < lo[1]-1e-9 || b[1] > hi[1]+1e-9 || math.Abs(b[2]) > e.Width/2+1e-9 {
				t.Fatalf("a vertex at %v, outside of %v to %v", b, lo, hi)
			}
		}
	}
	var none r3.Vec
	if _, ok := FindExtrusion(&meshes.Tri{Verts: []r3.Vec{none}}); ok {
		t.Error("a surface without triangles is taken for a prism")
	}
}
