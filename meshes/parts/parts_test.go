package parts

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/repair"
)

func TestAllPartsAreSoundSolids(t *testing.T) {
	for name, p := range samples() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
			surface, err := p.Surface()
			if err != nil {
				t.Fatal(err)
			}
			soundSurface(t, surface, true)
			for _, f := range p.Facts() {
				if math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
					t.Errorf("%s is %v", f.Name, f.Value)
				}
			}
			tets, err := p.Tets()
			if s, ok := p.(Screw); ok && s.Bore == 0 {
				if err == nil || !strings.Contains(err.Error(), "bore") {
					t.Errorf("tetrahedra without a bore: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if rep := repair.CheckTet(tets); rep.Err() != nil {
				t.Error(rep.Err())
			}
			outside, _ := tets.Surface()
			soundSurface(t, outside, false)
			volume := 0.0
			for i := range tets.Tets {
				volume += tets.Volume(i)
			}
			near(t, "volume of boundary", outside.Volume(), volume, 1e-9*volume)
			near(t, "volume of surface", surface.Volume(), volume, 5e-3*volume)
			t.Logf("%d triangles; %d vertices, %d tetrahedra", len(surface.Tris), len(tets.Verts), len(tets.Tets))
		})
	}
}

// soundSurface wants one closed piece, outward, with no fault at all.
func soundSurface(t *testing.T, m *meshes.Tri, crossings bool) {
	t.Helper()
	if err := repair.Watertight(m); err != nil {
		t.Error(err)
	}
	if !crossings {
		return
	}
	d := repair.Diagnose(m)
	if !d.Closed || d.Components != 1 || len(d.Holes)+len(d.NonManifoldEdges)+len(d.NonManifoldVerts)+d.InconsistentEdges+d.InsideOut+len(d.Degenerate)+len(d.Duplicate)+d.Unused+len(d.SelfIntersections) > 0 {
		t.Errorf("surface has faults: %v", d.Findings(m).List)
	}
	if d.Genus > 1 {
		t.Errorf("%d handles", d.Genus)
	}
}

func TestTwiceTheSameBits(t *testing.T) {
	for name, p := range samples() {
		a, err1 := p.Surface()
		b, err2 := p.Surface()
		if err1 != nil || err2 != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s: surfaces differ: %v %v", name, err1, err2)
		}
	}
	a, _ := DefaultWorm().Tets()
	b, _ := DefaultWorm().Tets()
	if !reflect.DeepEqual(a, b) {
		t.Error("tetrahedra differ")
	}
}

// inside marks the vertices that no boundary triangle uses.
func inside(m *meshes.Tet) []bool {
	in := make([]bool, len(m.Verts))
	for i := range in {
		in[i] = true
	}
	tris, _ := m.Boundary()
	for _, t := range tris {
		for _, v := range t {
			in[v] = false
		}
	}
	return in
}

// A pressure field is zero on the boundary: teeth need vertices inside.
func TestTeethHaveVerticesInside(t *testing.T) {
	for _, g := range []Spur{DefaultSpur(), pinion(), DefaultWormWheel().Spur()} {
		m, err := g.Tets()
		if err != nil {
			t.Fatal(err)
		}
		in := inside(m)
		found := make([]int, g.Teeth)
		for v, p := range m.Verts {
			if in[v] && math.Hypot(p[0], p[1]) > g.profile().r {
				angle := math.Atan2(p[1], p[0]) - g.twist()*p[2]
				k := int(math.Round(angle/(2*g.profile().half))) + g.Teeth
				found[k%g.Teeth]++
			}
		}
		for k, n := range found {
			if n < 2 || n != found[0] {
				t.Errorf("tooth %d has %d vertices inside, tooth 0 %d", k, n, found[0])
			}
		}
	}
	m, err := worm().Tets()
	if err != nil {
		t.Fatal(err)
	}
	_, root, _ := worm().radii()
	n := 0
	for v, in := range inside(m) {
		if in && math.Hypot(m.Verts[v][0], m.Verts[v][1]) > 1.05*root {
			n++
		}
	}
	if turns := worm().thread().full() / worm().Lead(); float64(n) < 90*turns {
		t.Errorf("%d vertices inside the worm's thread of %.1f turns", n, turns)
	}
}

// A polygon of n sides has n/2π sin(2π/n) of its circle's area: all circles have
// equally many.
func TestRoundPartsHaveTheirExactVolume(t *testing.T) {
	disc := Shaft{Steps: []float64{20e-3, 3e-3}, Bore: 4e-3}
	for name, c := range map[string]struct {
		part  Part
		exact float64
	}{
		"washer": {DefaultRing(), math.Pi / 4 * (10*10 - 6*6) * 1 * 1e-9},
		"disc":   {disc, math.Pi / 4 * (20*20 - 4*4) * 3 * 1e-9},
		"shaft":  {DefaultShaft(), math.Pi / 4 * (6*6*8*2 + 10*10*20) * 1e-9},
		"cup":    {DefaultCup(), math.Pi / 4 * (70*70*90 - 64*64*86) * 1e-9},
		"cone":   {Revolve{Profile: [][2]float64{{0, 0}, {10e-3, 0}, {0, 20e-3}}}, math.Pi / 3 * 100 * 20 * 1e-9},
	} {
		n := 0.0
		for _, f := range c.part.Facts() {
			switch f.Name {
			case "sides around":
				n = f.Value
			case "exact volume":
				near(t, name+": stated volume", f.Value, c.exact, 1e-12*c.exact)
			}
		}
		want := c.exact * n / (2 * math.Pi) * math.Sin(2*math.Pi/n)
		tri, err := c.part.Surface()
		if err != nil {
			t.Fatal(name, err)
		}
		near(t, name+": volume of surface", tri.Volume(), want, 1e-12*want)
		tet, err := c.part.Tets()
		if err != nil {
			t.Fatal(name, err)
		}
		near(t, name+": volume of tetrahedra", meshes.TetQuality(tet).Volume, want, 1e-9*want)
		if !slices.Contains(inside(tet), true) {
			t.Errorf("%s has no vertex inside", name)
		}
	}
}

// A profile that runs clockwise makes the same solid.
func TestProfilesMayRunEitherWay(t *testing.T) {
	a := Revolve{Profile: [][2]float64{{5e-3, 0}, {9e-3, 0}, {7e-3, 6e-3}}}
	b := Revolve{Profile: [][2]float64{{7e-3, 6e-3}, {9e-3, 0}, {5e-3, 0}}}
	ma, err1 := a.Surface()
	mb, err2 := b.Surface()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	near(t, "volume", mb.Volume(), ma.Volume(), 1e-12*ma.Volume())
}

// The volume of a screw tends to that of its axial section, swept: root cylinder
// and ridge by Pappus, less the faded ends.
func TestScrewHasTheVolumeOfItsRidge(t *testing.T) {
	volume := func(length float64) float64 {
		s := DefaultScrew()
		s.Length, s.Chord = length, 1e-6
		m, err := s.Surface()
		if err != nil {
			t.Fatal(err)
		}
		return m.Volume()
	}
	// Ten pitches more have ten ridges more.
	got := volume(20e-3) - volume(10e-3)
	s := DefaultScrew()
	crest, root := s.radii()
	want := math.Pi * (root*root - 1e-6) * 10e-3
	const n = 20000
	for i := range n {
		r := root + (crest-root)*(float64(i)+0.5)/n
		want += 10 * 2 * math.Pi * r * 2 * s.half(r, 0) * (crest - root) / n
	}
	near(t, "volume of ten pitches", got, want, 1e-3*want)
}

// Of a thread's profile, what is not given follows from what is: ISO 68-1, or midway
// between diameters that are given; not from the default M6.
func TestThreadsFollowWhatIsGiven(t *testing.T) {
	for _, c := range []struct {
		name          string
		given         map[string][]float64
		minor, middle float64 // m
	}{
		{"M6", nil, 4.917e-3, 5.350e-3},
		{"M8", map[string][]float64{"major": {8e-3}, "pitch": {1.25e-3}}, 6.647e-3, 7.188e-3},
		{"M6 fine", map[string][]float64{"pitch": {0.75e-3}}, 5.188e-3, 5.513e-3},
		{"trapezoidal 24 × 5", map[string][]float64{"major": {24e-3}, "minor": {19e-3}, "pitch": {5e-3}, "flank_angle_deg": {15}, "length": {0.05}, "outer": {40e-3}}, 19e-3, 21.5e-3},
		{"own pitch diameter", map[string][]float64{"major": {8e-3}, "minor": {6.6e-3}, "pitch_diameter": {7.2e-3}, "pitch": {1.25e-3}}, 6.6e-3, 7.2e-3},
	} {
		for _, kind := range []string{"screw", "nut"} {
			given := map[string][]float64{"length": {12e-3}, "outer": {16e-3}}
			delete(given, map[string]string{"screw": "outer"}[kind])
			for k, v := range c.given {
				if kind == "nut" || k != "outer" {
					given[k] = v
				}
			}
			p, err := Make(kind, given)
			if err != nil {
				t.Errorf("%s %s: %v", c.name, kind, err)
				continue
			}
			var thread Thread
			switch p := p.(type) {
			case Screw:
				thread = p.Thread
			case Nut:
				thread = p.Thread
			}
			if math.Abs(thread.Minor-c.minor) > 1e-6 || math.Abs(2*thread.pitchRadius()-c.middle) > 1e-6 {
				t.Errorf("%s %s: minor diameter %g m, pitch diameter %g m; want %g and %g", c.name, kind, thread.Minor, 2*thread.pitchRadius(), c.minor, c.middle)
			}
		}
	}
}

func TestWrongParametersSayWhatAndHowToCorrect(t *testing.T) {
	for _, c := range []struct {
		kind   string
		params map[string][]float64
		says   []string
	}{
		{"spur", map[string][]float64{"teeth": {16}}, []string{"16 teeth", "undercut", "shift of at least 0.0642", "18 teeth"}},
		{"spur", map[string][]float64{"teeth": {12}, "shift": {0.1}}, []string{"shift of at least 0.2982", "16 teeth"}},
		{"spur", map[string][]float64{"teeth": {8}, "bore": {0}}, []string{"undercut: give 18 teeth or more"}}, // a shift would make them pointed
		{"spur", map[string][]float64{"teeth": {10}, "shift": {1.2}, "bore": {0}}, []string{"pointed", "smaller shift"}},
		{"spur", map[string][]float64{"bore": {17.4e-3}}, []string{"bore", "root circle of 0.0175", "at most 0.017"}},
		{"spur", map[string][]float64{"backlash": {-1e-5}}, []string{"backlash", "negative"}},
		{"spur", map[string][]float64{"backlash": {0.05}}, []string{"backlash", "above the module"}},
		{"spur", map[string][]float64{"module": {0}}, []string{"module", "positive"}},
		{"spur", map[string][]float64{"module": {math.NaN()}}, []string{"module", "finite"}},
		{"spur", map[string][]float64{"teeth": {16.5}}, []string{"teeth", "whole"}},
		{"spur", map[string][]float64{"pressure_angle_deg": {60}}, []string{"pressure angle", "60°", "40°"}},
		{"spur", map[string][]float64{"chord": {1e-12}}, []string{"chord", "larger"}},
		{"spur", map[string][]float64{"chord": {1e-3}}, []string{"chord", "smaller"}},
		{"spur", map[string][]float64{"layers": {100000}}, []string{"layers"}},
		{"spur", map[string][]float64{"fillet": {1}}, []string{"fillet"}},
		{"spur", map[string][]float64{"diameter": {1}}, []string{`"diameter"`, "teeth", "face_width"}},
		{"spur", map[string][]float64{"teeth": {1, 2}}, []string{"teeth", "one number"}},
		{"sprocket", nil, []string{"sprocket", "spur", "worm_wheel"}},
		{"ring_gear", map[string][]float64{"teeth": {20}, "addendum": {1}}, []string{"base circle", "34 teeth"}},
		{"ring_gear", map[string][]float64{"outer": {60e-3}}, []string{"outer diameter", "at least 0.063"}},
		{"rack", map[string][]float64{"base": {0}}, []string{"base", "positive"}},
		{"rack", map[string][]float64{"pressure_angle_deg": {40}}, []string{"pointed"}},
		{"worm", map[string][]float64{"pitch_diameter": {0}}, []string{"neither pitch diameter nor lead angle"}},
		{"worm", map[string][]float64{"lead_angle_deg": {10}}, []string{"lead angle", "only one"}},
		{"worm", map[string][]float64{"starts": {8}, "pitch_diameter": {10e-3}}, []string{"base circle", "fewer starts"}},
		{"worm", map[string][]float64{"length": {2e-3}}, []string{"length", "longer"}},
		{"worm", map[string][]float64{"bore": {13.4e-3}}, []string{"bore", "root circle"}},
		{"worm", map[string][]float64{"left": {2}}, []string{"left", "0 (no)"}},
		{"screw", map[string][]float64{"minor": {7e-3}}, []string{"minor diameter", "not below"}},
		{"screw", map[string][]float64{"pitch": {10e-3}}, []string{"minor diameter is -0.0048", "major diameter, now 0.006 m, less 1.0825 pitches of 0.01 m"}},
		{"worm_wheel", map[string][]float64{"addendum": {5}}, []string{"addendum is 5: it must lie between 0.2 and 2"}},
		{"screw", map[string][]float64{"clearance": {-1e-5}}, []string{"clearance", "negative"}},
		{"screw", map[string][]float64{"major": {6.3e-3}, "minor": {4.917e-3}, "pitch_diameter": {5.35e-3}}, []string{"pointed"}},
		{"screw", map[string][]float64{"starts": {20}}, []string{"lead angle", "fewer starts"}},
		{"nut", map[string][]float64{"outer": {6.2e-3}}, []string{"no wall"}},
		{"nut", map[string][]float64{"flats": {2}}, []string{"flats"}},
		{"ring", map[string][]float64{"inner": {10e-3}}, []string{"inner diameter", "not below"}},
		{"cup", map[string][]float64{"wall": {40e-3}}, []string{"walls", "thinner"}},
		{"cup", map[string][]float64{"bottom": {90e-3}}, []string{"bottom"}},
		{"shaft", map[string][]float64{"steps": {5e-3}}, []string{"steps", "diameter and a length"}},
		{"shaft", map[string][]float64{"bore": {7e-3}}, []string{"bore", "smaller"}},
		{"shaft", map[string][]float64{"steps": {5e-3, 1e-3, 5e-3, 1e-3}}, []string{"one step"}},
		{"revolve", map[string][]float64{"profile": {0, 0, 1, 0, 1}}, []string{"5 numbers"}},
		{"revolve", map[string][]float64{"profile": {0.01, 0, -0.01, 0, 0, 0.01}}, []string{"corner 1", "negative"}},
		{"revolve", map[string][]float64{"profile": {0, 0, 0.01, 0.01, 0.01, -0.01}}, []string{"single point"}},
		{"revolve", map[string][]float64{"profile": {0.01, 0, 0.02, 0.01, 0.02, 0, 0.01, 0.01}}, []string{"no simple polygon"}},
		{"revolve", map[string][]float64{"size": {1e-7}}, []string{"size", "larger"}},
	} {
		p, err := Make(c.kind, c.params)
		if err == nil || p != nil {
			t.Errorf("%s %v: no error, want one that says %v", c.kind, c.params, c.says)
			continue
		}
		for _, word := range c.says {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s %v: %q does not say %q", c.kind, c.params, err, word)
			}
		}
	}
}

// What an error advises repairs the part.
func TestProposedTeethHaveNoUndercut(t *testing.T) {
	for _, params := range []map[string][]float64{
		{"teeth": {16}, "shift": {0.0642}},
		{"teeth": {18}},
		{"teeth": {16}, "addendum": {0.9}},
	} {
		if _, err := Make("spur", params); err != nil {
			t.Error(err)
		}
	}
}

func TestDefaultsOfAllKindsAreParts(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Kinds() {
		if names[k.Name] || k.Doc == "" || k.About == "" {
			t.Errorf("%s is there twice or undocumented", k.Name)
		}
		names[k.Name] = true
		plain, err := Make(k.Name, nil)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string][]float64{}
		for _, p := range k.Params {
			if p.Doc == "" || len(p.Default) == 0 || all[p.Name] != nil {
				t.Errorf("%s: %s lacks a default or doc, or is there twice", k.Name, p.Name)
			}
			all[p.Name] = p.Default
		}
		spelled, err := Make(k.Name, all)
		if err != nil {
			t.Fatal(err)
		}
		a, err1 := plain.Surface()
		b, err2 := spelled.Surface()
		if err1 != nil || err2 != nil || len(a.Verts) != len(b.Verts) {
			t.Fatalf("%s: defaults spelled out differ: %v %v", k.Name, err1, err2)
		}
		for i := range a.Verts {
			if d := a.Verts[i].Sub(b.Verts[i]).Norm(); d > 1e-12 {
				t.Fatalf("%s: defaults spelled out move a vertex by %g m", k.Name, d)
			}
		}
	}
}
