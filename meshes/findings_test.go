package meshes

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

func TestFindingsCountFilterAndPrint(t *testing.T) {
	var f Findings
	if f.Err() != nil || f.String() != "" || f.Count("x") != 0 || f.Warnings() != nil {
		t.Error("an empty list finds something")
	}
	f.Addf(Note, "weld", 3, "%d vertices welded", 3)
	f.Addf(Warning, "hole", 2, "two holes")
	f.Addf(Error, "flat", 1, "a flat tet")
	var more Findings
	more.Addf(Error, "flat", 4, "more of them")
	f.Append(more)
	if f.Count("flat") != 5 || f.Count("weld") != 3 || len(f.Warnings()) != 3 || f.Warnings()[0].String() != "two holes" {
		t.Errorf("%+v", f)
	}
	if err := f.Err(); err == nil || err.Error() != "meshes: a flat tet; more of them" {
		t.Errorf("%v", err)
	}
	if want := "note: 3 vertices welded\nwarning: two holes\nerror: a flat tet\nerror: more of them\n"; f.String() != want {
		t.Errorf("%q", f.String())
	}
	data, err := json.Marshal(f)
	if err != nil || !strings.HasPrefix(string(data), `{"findings":[{"severity":"note","kind":"weld","count":3,"text":"3 vertices welded"},`) {
		t.Errorf("%s, %v", data, err)
	}
}

func TestPluralsAndLists(t *testing.T) {
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{
		{1, "triangle", "1 triangle"}, {0, "triangle", "0 triangles"}, {2, "vertex", "2 vertices"}, {1, "vertex", "1 vertex"},
		{5, "tetrahedron", "5 tetrahedra"}, {3, "index", "3 indices"}, {7, "piece", "7 pieces"},
	} {
		if got := plural(c.n, c.noun); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	at := func(i int) string { return string(rune('a' + i)) }
	for n, want := range []string{"", "a", "a, b", "a, b, c", "a, b, c, and 1 more", "a, b, c, and 2 more"} {
		if got := some(n, at); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

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
		var f Findings
		warnUnlikelyUnit(&f, r3.Box{Max: r3.Vec{c.size, c.size / 2, c.size / 3}}, c.unit)
		if (c.want == "") != (len(f.List) == 0) || c.want != "" && !strings.Contains(f.String(), c.want) {
			t.Errorf("%g m read as %q: %s", c.size, c.unit, f.String())
		}
	}
}

func TestLengthsAreEasyToRead(t *testing.T) {
	for x, want := range map[float64]string{0: "0 m", 2.5e-7: "0.25 µm", 0.0004: "400 µm", 0.001: "1 mm", 0.12345: "123.5 mm", 1: "1 m", 12.3456: "12.35 m", -0.02: "-20 mm"} {
		if got := length(x); got != want {
			t.Errorf("%g: %q, want %q", x, got, want)
		}
	}
	if got := point(r3.Vec{1, -0.25, 1.0 / 3}); got != "(1, -0.25, 0.33333) m" {
		t.Errorf("%q", got)
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
		var f Findings
		if err := m.metres(ReadOptions{Unit: c.unit}, &f); (err == nil) != c.ok {
			t.Errorf("%g %s: %v", c.x, c.unit, err)
		}
	}
}
