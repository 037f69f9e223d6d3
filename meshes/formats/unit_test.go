package formats

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

func TestUnitsHaveTheirLengths(t *testing.T) {
	for unit, want := range map[string]float64{
		"": 1, "m": 1, "metre": 1, "mm": 1e-3, "MM": 1e-3, " cm ": 1e-2, "dm": 0.1, "um": 1e-6, "µm": 1e-6, "km": 1e3,
		"in": 0.0254, "inch": 0.0254, `"`: 0.0254, "ft": 0.3048, "foot": 0.3048, "Millimeters": 1e-3,
	} {
		if got, err := UnitScale(unit); err != nil || got != want {
			t.Errorf("%q: %g, %v; want %g", unit, got, err, want)
		}
	}
	if _, err := UnitScale("furlong"); err == nil || !strings.Contains(err.Error(), "m, mm, cm, dm, um, km, in, ft") {
		t.Errorf("%v", err)
	}
}

// The likely unit of a part: the one in which it is nearest to the size of a hand.
func TestLikelyUnits(t *testing.T) {
	for _, c := range []struct {
		units float64
		want  string
	}{{150, "mm"}, {40, "mm"}, {0.15, "m"}, {1.2, "m"}, {1e-4, "km"}, {2e5, "um"}, {1e4, "mm"}} {
		got, size := likelyUnit(c.units)
		if got != c.want {
			t.Errorf("a part of %g units is taken for %s, want %s", c.units, got, c.want)
		}
		if scale, err := UnitScale(got); err != nil || math.Abs(size-c.units*scale) > 1e-12*size {
			t.Errorf("%g %s has %g m: %v", c.units, got, size, err)
		}
	}
}

func TestUnlikelySizesWarnWithAdvice(t *testing.T) {
	for _, c := range []struct {
		size float64
		unit string
		want string
	}{
		{0.1, "", ""}, {4.9, "", ""}, {0.0011, "m", ""}, {0, "", ""},
		{60, "", "no unit is given, so that it was taken for metres: if that is wrong, say `unit: mm`"},
		{60, "m", "it was read with unit: m: if that is wrong, say `unit: mm`"},
		{6e-5, "mm", "say `unit: m` in a scene, --unit m"},
		{9, "m", "9 m across"},
	} {
		var f meshes.Findings
		warnUnlikelyUnit(&f, r3.Box{Max: r3.Vec{c.size, c.size / 2, c.size / 3}}, c.unit)
		if (c.want == "") != (len(f.List) == 0) || c.want != "" && !strings.Contains(f.String(), c.want) {
			t.Errorf("%g m read as %q: %s", c.size, c.unit, f.String())
		}
	}
}

// Positions out of range are refused in any unit.
func TestCoordinatesOutOfRangeAreRefused(t *testing.T) {
	for _, c := range []struct {
		x    float64
		unit string
		ok   bool
	}{{9.9e6, "", true}, {1.1e7, "", false}, {1.1e7, "mm", true}, {1.1e5, "km", false}, {-2e7, "m", false}} {
		m := &RawMesh{Verts: []r3.Vec{{0, c.x, 0}}}
		var f meshes.Findings
		if err := m.metres(ReadOptions{Unit: c.unit}, &f); (err == nil) != c.ok {
			t.Errorf("%g %s: %v", c.x, c.unit, err)
		}
	}
}

func TestMillimetresTakenForMetresAreWarnedOf(t *testing.T) {
	for _, c := range []struct {
		size float64
		unit string
		want string // the unit the warning names, "" for no warning
	}{
		{60, "", "mm"}, {120, "m", "mm"}, {0.06, "", ""}, {0.00006, "", "km"}, {60, "mm", ""}, {0.06, "mm", "m"}, {4, "", ""}, {4, "in", ""}, {0.002, "", ""},
	} {
		var b bytes.Buffer
		if err := writeTriTo(&b, ".obj", samples.CubeTri(r3.Vec{}, c.size)); err != nil {
			t.Fatal(err)
		}
		_, rep, err := ReadTriFrom(&b, ".obj", ReadOptions{Unit: c.unit})
		if err != nil {
			t.Fatal(err)
		}
		w := rep.Warnings()
		if c.want == "" {
			if len(w) > 0 {
				t.Errorf("%g %s: %s", c.size, c.unit, rep.String())
			}
			continue
		}
		if len(w) != 1 || !bytes.Contains([]byte(w[0].Text), []byte("`unit: "+c.want+"`")) {
			t.Errorf("%g %s: %s, want unit: %s", c.size, c.unit, rep.String(), c.want)
		}
	}
	var b bytes.Buffer
	if err := writeTriTo(&b, ".obj", samples.CubeTri(r3.Vec{}, 2)); err != nil {
		t.Fatal(err)
	}
	m, _, err := ReadTriFrom(&b, ".obj", ReadOptions{Unit: "in"})
	if err != nil || math.Abs(m.Volume()-0.0508*0.0508*0.0508) > 1e-18 {
		t.Errorf("2 inches: %v", err)
	}
}
