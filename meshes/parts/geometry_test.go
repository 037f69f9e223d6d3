package parts

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
)

// tetsVolume sums up.
func tetsVolume(m *meshes.Tet) float64 {
	v := 0.0
	for i := range m.Tets {
		v += m.Volume(i)
	}
	return v
}

// Racks have plane flanks: their volume is exact at any resolution and helix.
func TestRacksHaveTheirExactVolume(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1))
	for range 12 {
		k := DefaultRack()
		k.Teeth, k.Across, k.Layers = 1+r.IntN(8), 1+r.IntN(4), 1+r.IntN(4)
		k.PressureAngle, k.Helix = rad(15+10*r.Float64()), rad(40*r.Float64()-20)
		k.Backlash, k.Base = 0.1e-3*r.Float64(), 1e-3+4e-3*r.Float64()
		tip, root := k.span()
		area := float64(k.Teeth) * (k.Pitch()*k.Base + (k.halfAt(tip)+k.halfAt(root))*(tip-root))
		m, err := k.Tets()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "volume", tetsVolume(m), area*k.FaceWidth, 1e-9*area*k.FaceWidth)
		s, err := k.Surface()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "volume of the surface", s.Volume(), area*k.FaceWidth, 1e-9*area*k.FaceWidth)
		near(t, "teeth and gaps at the pitch line", 2*k.halfAt(0)+k.Backlash, k.Pitch()/2, 1e-15)
		b := s.Bounds().Size()
		near(t, "height", b[1], tip-root+k.Base, 1e-12)
		near(t, "width", b[2], k.FaceWidth, 1e-12)
		near(t, "length", b[0], float64(k.Teeth)*k.Pitch()+k.FaceWidth*math.Abs(math.Tan(k.Helix)), 1e-12)
	}
}

// A polygon turned in n steps has the volume of Pappus times (n/2π) sin(2π/n).
func TestRevolvedPolygonsHaveTheirExactVolume(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for range 15 {
		v := Revolve{Chord: 1e-4 * (0.2 + r.Float64())}
		n := 3 + r.IntN(6)
		for i := range n { // a star polygon off the axis
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			a := 2e-3 * (0.4 + 0.6*r.Float64())
			v.Profile = append(v.Profile, [2]float64{5e-3 + a*c, a * s})
		}
		if r.IntN(2) == 0 {
			for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
				v.Profile[i], v.Profile[j] = v.Profile[j], v.Profile[i]
			}
		}
		k := float64(v.sides())
		want := v.Volume() * k / (2 * math.Pi) * math.Sin(2*math.Pi/k)
		s, err := v.Surface()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "surface", s.Volume(), want, 1e-9*want)
		m, err := v.Tets()
		if err != nil {
			t.Fatal(err)
		}
		near(t, "tets", tetsVolume(m), want, 1e-9*want)
		if d := repair.Diagnose(s); d.Genus != 1 {
			t.Errorf("a ring of genus %d", d.Genus)
		}
	}
}

// Volumes of round parts in closed form: rings, cups, shafts and cones.
func TestRoundPartsInClosedForm(t *testing.T) {
	cylinder := func(d, l float64) float64 { return math.Pi / 4 * d * d * l }
	cup := DefaultCup()
	shaft := DefaultShaft()
	bored := shaft
	bored.Bore = 2e-3
	ring := DefaultRing()
	for name, c := range map[string]struct {
		v    Revolve
		want float64
	}{
		"ring":        {ring.revolve(), cylinder(10e-3, 1e-3) - cylinder(6e-3, 1e-3)},
		"cup":         {cup.revolve(), cylinder(70e-3, 90e-3) - cylinder(64e-3, 86e-3)},
		"shaft":       {shaft.revolve(), 2*cylinder(6e-3, 8e-3) + cylinder(10e-3, 20e-3)},
		"bored shaft": {bored.revolve(), 2*cylinder(6e-3, 8e-3) + cylinder(10e-3, 20e-3) - cylinder(2e-3, 36e-3)},
		"cone":        {Revolve{Profile: [][2]float64{{0, 0}, {3e-3, 0}, {0, 4e-3}}}, math.Pi / 3 * 9e-6 * 4e-3},
		"torus of a square": {Revolve{Profile: [][2]float64{{4e-3, 0}, {6e-3, 0}, {6e-3, 2e-3}, {4e-3, 2e-3}}},
			2 * math.Pi * 5e-3 * 4e-6},
	} {
		near(t, name, c.v.Volume(), c.want, 1e-12*c.want)
	}
}

// The volume of a gear converges to that of the exact tooth as the chord error falls;
// the flanks are inscribed, so that it comes from below.
func TestGearVolumesConverge(t *testing.T) {
	g := pinion()
	var v []float64
	for _, chord := range []float64{16e-6, 4e-6, 1e-6} {
		g.Chord = chord
		s, err := g.Surface()
		if err != nil {
			t.Fatal(err)
		}
		v = append(v, s.Volume())
	}
	if first, second := math.Abs(v[1]-v[0]), math.Abs(v[2]-v[1]); second > 0.6*first || first > 0.05*v[2] {
		t.Errorf("volumes %g: steps of %g and %g", v, first, second)
	}
	// Roughly a disc of the pitch circle: what teeth add, gaps take.
	p := g.profile()
	disc := math.Pi * (p.r*p.r - g.Bore*g.Bore/4) * g.FaceWidth
	near(t, "volume over that of the pitch disc", v[2]/disc, 1, 0.06)
}

// Sections repeat from tooth to tooth: the mesh is its own image when turned by one.
func TestGearsAreSymmetric(t *testing.T) {
	g := pinion()
	s, err := g.Surface()
	if err != nil {
		t.Fatal(err)
	}
	d := meshes.NewDistance(s)
	sin, cos := math.Sincos(2 * math.Pi / float64(g.Teeth))
	for _, p := range s.Verts {
		q := p
		q[0], q[1] = cos*p[0]-sin*p[1], sin*p[0]+cos*p[1]
		if phi, _, _, _, _ := d.Signed(q); math.Abs(phi) > 1e-12 {
			t.Fatalf("turned by a tooth, %v lies %g m off the surface", p, phi)
		}
		q = p
		q[1] = -p[1]
		if phi, _, _, _, _ := d.Signed(q); math.Abs(phi) > g.chord() {
			t.Fatalf("mirrored, %v lies %g m off the surface", p, phi)
		}
	}
}

// aroundCircle gives the least number of chords that keeps to the error.
func TestAroundCircleIsMinimal(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	for range 300 {
		radius := 1e-3 * (1 + 10*r.Float64())
		chord := radius * math.Pow(10, -1-4*r.Float64())
		n := aroundCircle(radius, chord)
		off := func(n int) float64 { return radius * (1 - math.Cos(math.Pi/float64(n))) }
		if off(n) > chord*(1+1e-6) || n > 6 && off(n-1) < chord*(1-1e-6) {
			t.Errorf("r %g, chord %g: %d sides leave %g, one less %g", radius, chord, n, off(n), off(n-1))
		}
	}
	if aroundCircle(1, 2) != 6 {
		t.Errorf("a chord longer than the radius: %d", aroundCircle(1, 2))
	}
}

// Polylines keep to the tolerance, between the end points of the curve.
func TestPolylinesKeepToTheTolerance(t *testing.T) {
	curves := map[string]func(float64) vec2{
		"circle":   func(s float64) vec2 { return polar(1, 2*s) },
		"parabola": func(s float64) vec2 { return vec2{s, s * s} },
		"line":     func(s float64) vec2 { return vec2{s, 2 * s} },
		"wave":     func(s float64) vec2 { return vec2{s, 0.1 * math.Sin(9*s)} },
	}
	for name, f := range curves {
		last := 0
		for _, tol := range []float64{1e-1, 1e-2, 1e-3, 1e-4} {
			for kind, g := range map[string]func(float64) vec2{"": f, "evenly ": evenly(f)} {
				pts := polyline(g, tol, 1, 10_000)
				if dist2(pts[0], f(0)) > 1e-9 || dist2(pts[len(pts)-1], f(1)) > 1e-9 {
					t.Errorf("%s%s: from %v to %v", kind, name, pts[0], pts[len(pts)-1])
				}
				worst := 0.0
				for i := range 400 {
					q := f(float64(i) / 400)
					best := math.Inf(1)
					for k := 1; k < len(pts); k++ {
						best = min(best, offLine(q, pts[k-1], pts[k])+max(0, dist2(q, pts[k-1])-dist2(pts[k], pts[k-1])))
					}
					worst = max(worst, best)
				}
				if worst > 1.2*tol {
					t.Errorf("%s%s: tolerance %g, off by %g", kind, name, tol, worst)
				}
				if kind == "" {
					if len(pts) < last {
						t.Errorf("%s: fewer points for a finer tolerance", name)
					}
					last = len(pts)
				}
			}
		}
	}
	if polyline(curves["circle"], 1e-9, 1, 10) != nil {
		t.Error("more chords than allowed")
	}
}

// Rings of cells: they end where they should and grow by no more than allowed.
func TestRingsGrowGently(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 1))
	for range 200 {
		near0, far := 1+r.Float64(), 1+4*r.Float64()
		first, last := 0.02+0.1*r.Float64(), 0.02+0.5*r.Float64()
		radii, steps := rings(near0, far, first, last)
		if radii[0] != near0 || radii[len(radii)-1] != far || len(steps) != len(radii)-1 {
			t.Fatalf("from %g to %g: %v", near0, far, radii)
		}
		for i, s := range steps {
			near(t, "step", s, math.Abs(radii[i+1]-radii[i]), 1e-9)
			if i > 0 && s > growth*steps[i-1]*(1+1e-9) {
				t.Errorf("step %d grows from %g to %g", i, steps[i-1], s)
			}
		}
	}
}

// Layers are symmetric, sum up to the width, and thin at both ends where a skin is
// asked for.
func TestHeightsOfLayers(t *testing.T) {
	for n := 1; n < 8; n++ {
		for _, skin := range []float64{0, 0.05, 9} {
			z := heights(2, n, skin)
			if len(z) != n+1 || z[0] != -1 || z[n] != 1 {
				t.Fatalf("%d layers, skin %g: %v", n, skin, z)
			}
			for i := range z {
				near(t, "symmetry", z[i], -z[n-i], 1e-15)
				if i > 0 && z[i] <= z[i-1] {
					t.Errorf("%d layers: %v does not ascend", n, z)
				}
			}
			if n >= 3 && skin == 0.05 {
				near(t, "skin", z[1]-z[0], 0.05, 1e-15)
			}
		}
	}
}

// Threads keep to their cylinders: no vertex beyond crest, root, wall or length, and
// the ridge passes the x axis at z = 0.
func TestThreadsKeepToTheirCylinders(t *testing.T) {
	s := DefaultScrew()
	m, err := s.Surface()
	if err != nil {
		t.Fatal(err)
	}
	crest, root := s.radii()
	onCrest := false
	for _, p := range m.Verts {
		r := math.Hypot(p[0], p[1])
		if r > crest+1e-12 || r > s.Bore/2+1e-12 && r < root-1e-12 || math.Abs(p[2]) > s.Length/2+1e-12 {
			t.Fatalf("a vertex at radius %g, z %g", r, p[2])
		}
		if math.Abs(p[1]) < 1e-12 && p[0] > 0 && math.Abs(p[2]) < 1e-9 {
			onCrest = onCrest || math.Abs(r-crest) < 1e-12
		}
	}
	if !onCrest {
		t.Error("the middle of no ridge lies on the x axis at z = 0")
	}
	n := DefaultNut()
	if m, err = n.Surface(); err != nil {
		t.Fatal(err)
	}
	crest, root = n.radii()
	for _, p := range m.Verts {
		r := math.Hypot(p[0], p[1])
		if r < crest-1e-12 || r > root+1e-12 && r < n.Outer/2-1e-12 || r > n.Outer/2/math.Cos(math.Pi/6)+1e-12 {
			t.Fatalf("a vertex of the nut at radius %g", r)
		}
	}
	// A left-handed thread is the mirror image of a right-handed one.
	left := s
	left.Left = true
	l, err := left.Surface()
	if err != nil {
		t.Fatal(err)
	}
	right, _ := s.Surface()
	for i, p := range right.Verts {
		q := l.Verts[i]
		if q[0] != p[0] || q[1] != -p[1] || q[2] != p[2] {
			t.Fatalf("vertex %d: %v, mirrored %v", i, p, q)
		}
	}
	near(t, "volume", l.Volume(), right.Volume(), 1e-15)
}

// A nut is its prism less a hole between the crest's and the root's cylinders; a
// finer chord changes it little.
func TestNutVolumesAreBounded(t *testing.T) {
	for _, flats := range []int{0, 4, 6} {
		n := DefaultNut()
		n.Flats = flats
		m, err := n.Surface()
		if err != nil {
			t.Fatal(err)
		}
		body := math.Pi / 4 * n.Outer * n.Outer
		if flats > 0 {
			body = float64(flats) * math.Tan(math.Pi/float64(flats)) * n.Outer * n.Outer / 4
		}
		crest, root := n.radii()
		if v := m.Volume(); v > (body-math.Pi*crest*crest)*n.Length || v < (body-math.Pi*root*root)*n.Length*0.99 {
			t.Errorf("%d flats: volume %g", flats, v)
		}
		if d := repair.Diagnose(m); d.Genus != 1 || d.Components != 1 {
			t.Errorf("%d flats: genus %d", flats, d.Genus)
		}
	}
}

// The genus counts the bores: gears without one are balls.
func TestBoresAreHandles(t *testing.T) {
	for _, bore := range []float64{0, 2e-3} {
		g := pinion()
		g.Bore = bore
		s, err := g.Surface()
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if bore > 0 {
			want = 1
		}
		if d := repair.Diagnose(s); d.Genus != want || d.Components != 1 {
			t.Errorf("bore %g: genus %d", bore, d.Genus)
		}
	}
}
