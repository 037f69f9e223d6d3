package parts

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Every kind is documented, its parameters too, and made without any it is the
// default of its type.
func TestKindsDescribeThemselves(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		if k.Name != strings.ToLower(k.Name) || strings.Contains(k.Name, " ") || seen[k.Name] || k.Doc == "" || k.About == "" {
			t.Errorf("kind %q: %q", k.Name, k.Doc)
		}
		seen[k.Name] = true
		if got := KindOf(k.Name); got == nil || got.Name != k.Name {
			t.Errorf("%s is not found by its name", k.Name)
		}
		names := map[string]bool{}
		for _, p := range k.Params {
			if p.Doc == "" || names[p.Name] || len(p.Default) == 0 || p.Unit != "" && p.Unit != "m" && p.Unit != "deg" {
				t.Errorf("%s: parameter %+v", k.Name, p)
			}
			if strings.HasSuffix(p.Name, "_deg") != (p.Unit == "deg") || p.Whole && p.Flag || p.List != (len(p.Default) != 1) {
				t.Errorf("%s: parameter %+v", k.Name, p)
			}
			names[p.Name] = true
		}
	}
	for name, want := range map[string]Part{
		"spur": DefaultSpur(), "ring_gear": DefaultRingGear(), "rack": DefaultRack(), "worm": DefaultWorm(), "worm_wheel": DefaultWormWheel(),
		"screw": DefaultScrew(), "nut": DefaultNut(), "ring": DefaultRing(), "cup": DefaultCup(), "shaft": DefaultShaft(), "finray": DefaultFinRay(),
	} {
		got, err := Make(name, nil)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
	if len(seen) != 12 || KindOf("sprocket") != nil {
		t.Errorf("%d kinds", len(seen))
	}
}

// What is set is got, in the unit that users write.
func TestParametersRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for _, k := range Kinds() {
		b := k.start()
		for _, f := range b.fields {
			v := []float64{math.Round(1e6*r.Float64()) / 1e4}
			switch {
			case f.Flag:
				v[0] = float64(r.IntN(2))
			case f.Whole:
				v[0] = float64(r.IntN(100))
			case f.List:
				v = append(v, 2, 3)
			}
			if err := f.set(v); err != nil {
				t.Fatalf("%s.%s: %v", k.Name, f.Name, err)
			}
			got := f.get()
			for i := range v {
				if len(got) != len(v) || math.Abs(got[i]-v[i]) > 1e-9 {
					t.Errorf("%s.%s: set %v, got %v", k.Name, f.Name, v, got)
					break
				}
			}
			if !f.List {
				if err := f.set([]float64{1, 2}); err == nil || !strings.Contains(err.Error(), "takes one number") {
					t.Errorf("%s.%s takes two numbers: %v", k.Name, f.Name, err)
				}
			}
			for _, bad := range []float64{math.NaN(), math.Inf(1), 0.5} {
				if err := f.set([]float64{bad}); err == nil && !f.List && (f.Whole || f.Flag || bad != 0.5) {
					t.Errorf("%s.%s takes %v", k.Name, f.Name, bad)
				}
			}
		}
	}
}

// Angles are written in degrees and kept in radians.
func TestAnglesAreWrittenInDegrees(t *testing.T) {
	p, err := Make("spur", map[string][]float64{"pressure_angle_deg": {22}, "helix_deg": {-10}})
	if err != nil {
		t.Fatal(err)
	}
	g := p.(Spur)
	near(t, "pressure angle", g.PressureAngle, 22*math.Pi/180, 1e-15)
	near(t, "helix", g.Helix, -10*math.Pi/180, 1e-15)
	for _, x := range []float64{0, 20, 14.5, -30, 0.001} {
		near(t, "there and back", deg(rad(x)), x, 1e-12)
	}
	if or(0, 5) != 5 || or(3, 5) != 3 || or(0.0, 0.5) != 0.5 {
		t.Error("or")
	}
}

// Errors list what there is, and name the fault of the first parameter by name.
func TestErrorsOfMakeListTheChoices(t *testing.T) {
	_, err := Make("gear", nil)
	if err == nil {
		t.Fatal("there is a gear")
	}
	for _, k := range Kinds() {
		if !strings.Contains(err.Error(), k.Name) {
			t.Errorf("%v does not list %s", err, k.Name)
		}
	}
	for range 5 { // maps are in random order: the message is not
		_, err := Make("spur", map[string][]float64{"zeta": {1}, "alpha": {1}, "teeth": {1.5}})
		if err == nil || !strings.Contains(err.Error(), `"alpha"`) || !strings.Contains(err.Error(), "face_width") {
			t.Errorf("%v", err)
		}
	}
}

// Mates of any kind follow what both must share, and mate.
func TestMatesOfAllKindsMate(t *testing.T) {
	left := worm()
	left.Left = true
	helical := DefaultSpur()
	helical.Helix = rad(12)
	for _, c := range []struct {
		p    Part
		kind string
		with map[string][]float64
	}{
		{DefaultSpur(), "spur", map[string][]float64{"teeth": {33}}}, {helical, "spur", map[string][]float64{"teeth": {33}}},
		{DefaultSpur(), "rack", nil}, {helical, "rack", nil}, {DefaultSpur(), "ring_gear", nil}, {helical, "ring_gear", nil},
		{worm(), "worm_wheel", map[string][]float64{"bore": {2e-3}}}, {left, "worm_wheel", map[string][]float64{"bore": {2e-3}}},
		{DefaultScrew(), "nut", nil}, {leadScrew(), "nut", map[string][]float64{"outer": {18e-3}, "length": {8e-3}}},
	} {
		mate, err := MakeMate(c.p, c.kind, c.with)
		if err != nil {
			t.Errorf("%s for %T: %v", c.kind, c.p, err)
			continue
		}
		if _, err := NewPair(c.p, mate); err != nil {
			t.Errorf("%s for %T: %v", c.kind, c.p, err)
		}
	}
	for _, p := range []Part{DefaultRack(), DefaultCup(), DefaultNut()} {
		if _, err := MakeMate(p, "spur", nil); err == nil || !strings.Contains(err.Error(), "start from a spur, worm or screw") {
			t.Errorf("%T: %v", p, err)
		}
	}
	// What is given wins over what follows.
	mate, err := MakeMate(DefaultSpur(), "spur", map[string][]float64{"face_width": {5e-3}})
	if err != nil || mate.(Spur).FaceWidth != 5e-3 || mate.(Spur).Module != 1e-3 {
		t.Errorf("%+v, %v", mate, err)
	}
}

// Pairs of unlike parts are refused by name, in either order.
func TestUnlikePartsAreRefusedByName(t *testing.T) {
	all := []Part{DefaultSpur(), DefaultRingGear(), DefaultRack(), DefaultWorm(), DefaultWormWheel(), DefaultScrew(), DefaultNut(), DefaultRing(), DefaultCup(), DefaultShaft()}
	likes := map[string][]string{"spur": {"spur", "ring gear", "rack"}, "worm": {"worm wheel"}, "screw": {"nut"}}
	for _, a := range all {
		for _, b := range all {
			_, err := NewPair(a, b)
			stranger := err != nil && strings.Contains(err.Error(), "do not make a pair")
			if like := slices.Contains(likes[nameOf(a)], nameOf(b)); like == stranger {
				t.Errorf("%s with %s: %v", nameOf(a), nameOf(b), err)
			}
			if stranger && (!strings.Contains(err.Error(), nameOf(a)) || !strings.Contains(err.Error(), nameOf(b))) {
				t.Errorf("%v does not name both", err)
			}
		}
	}
}

// The checker keeps the first fault and formats it with the part's name.
func TestCheckerKeepsTheFirstFault(t *testing.T) {
	c := checker{part: "cog"}
	c.require(true, "never")
	c.positive("depth", 1)
	c.notNegative("bore", 0)
	c.within("ratio", 2, 1, 3)
	c.angle("lean", rad(30), 0, 45)
	if c.err != nil {
		t.Fatal(c.err)
	}
	for want, f := range map[string]func(c *checker){
		"parts: cog: depth is 0 m: it must be positive":       func(c *checker) { c.positive("depth", 0) },
		"parts: cog: depth is NaN m":                          func(c *checker) { c.positive("depth", math.NaN()) },
		"parts: cog: bore is -1 m: it must not be negative":   func(c *checker) { c.notNegative("bore", -1) },
		"parts: cog: bore is 2000 m":                          func(c *checker) { c.notNegative("bore", 2000) },
		"parts: cog: ratio is 4: it must lie between 1 and 3": func(c *checker) { c.within("ratio", 4, 1, 3) },
		"parts: cog: lean is 60°: it must lie between 0° and": func(c *checker) { c.angle("lean", rad(60), 0, 45) },
		"parts: cog: it takes about 3e+06 vertices":           func(c *checker) { c.room(3e6) },
		"parts: cog: across is 99":                            func(c *checker) { c.resolution(Resolution{Across: 99}, 1e-5, 1e-3) },
	} {
		c := checker{part: "cog"}
		f(&c)
		first := c.err
		c.require(false, "a later fault")
		if first == nil || c.err != first || !strings.HasPrefix(first.Error(), want) {
			t.Errorf("%v, want %q", c.err, want)
		}
	}
}

// Facts are finite, have units that readers accept, and names of their own.
func TestFactsOfAllPartsAreSound(t *testing.T) {
	for name, p := range samples() {
		seen := map[string]bool{}
		for _, f := range p.Facts() {
			if seen[f.Name] || f.Name == "" || math.IsNaN(f.Value) || math.IsInf(f.Value, 0) || !slices.Contains([]string{"m", "rad", "m³", "rad/m", ""}, f.Unit) {
				t.Errorf("%s: %+v", name, f)
			}
			seen[f.Name] = true
			if strings.Contains(f.Name, "diameter") && f.Value <= 0 {
				t.Errorf("%s: %s is %g", name, f.Name, f.Value)
			}
		}
	}
	for name, parts := range couples() {
		p, err := NewPair(parts[0], parts[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Facts() {
			if f.Name == "" || math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if p.ContactRatio+p.OverlapRatio < 1 || p.FlankClearance < 0 || p.BasePitch <= 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
