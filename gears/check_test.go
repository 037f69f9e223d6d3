package gears

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Messages give a value that would do: a pair with it is taken.
func TestErrorsGiveAValueThatWorks(t *testing.T) {
	for _, c := range []struct {
		name     string
		a, b     Gear
		distance float64
		value    string // regular expression of the value
		mend     func(a, b *Gear, distance *float64, v float64)
	}{
		{"undercut by shift", Default(1e-3, 10), Default(1e-3, 30), 0, `shift of at least ([-\d.]+)`,
			func(a, _ *Gear, _ *float64, v float64) { a.Shift = v }},
		{"undercut by teeth", Default(1e-3, 10), Default(1e-3, 30), 0, `at least (\d+) teeth`,
			func(a, _ *Gear, _ *float64, v float64) { a.Teeth = int(v) }},
		{"too near", Default(1e-3, 20), Default(1e-3, 30), 24.9e-3, `: give ([\d.]+) m`,
			func(_, _ *Gear, d *float64, v float64) { *d = v }},
		{"too far", Default(1e-3, 20), Default(1e-3, 30), 26.5e-3, `distance of at most ([\d.]+) m`,
			func(_, _ *Gear, d *float64, v float64) { *d = v }},
		{"modules", Default(1e-3, 20), Default(2e-3, 30), 0, `modules ([\d.]+) m`,
			func(_, b *Gear, _ *float64, v float64) { b.Module, b.FaceWidth = v, 1e-2 }},
		{"tip of a ring", Default(1e-3, 24), with(Default(1e-3, 72), func(g *Gear) { g.Form = Internal }), 0, `tip diameter of at least ([\d.]+)`,
			func(_, b *Gear, _ *float64, v float64) { b.TipDiameter = v }},
		{"tip of a rack", Default(1e-3, 18), with(Default(1e-3, 30), func(g *Gear) { g.Form, g.Addendum, g.Clearance, g.Fillet = Rack, 1.25, .1, .3 }), 0,
			`addendum of at most ([\d.]+)`, func(_, b *Gear, _ *float64, v float64) { b.Addendum = v }},
	} {
		_, err := NewPair(c.a, c.b, c.distance)
		if err == nil {
			t.Errorf("%s: taken", c.name)
			continue
		}
		m := regexp.MustCompile(c.value).FindStringSubmatch(err.Error())
		if m == nil {
			t.Errorf("%s: no value in %q", c.name, err)
			continue
		}
		v, _ := strconv.ParseFloat(m[1], 64)
		a, b, d := c.a, c.b, c.distance
		c.mend(&a, &b, &d, v)
		if _, again := NewPair(a, b, d); again != nil {
			t.Errorf("%s: %q, but with that: %v", c.name, err, again)
		}
	}
}

func with(g Gear, change func(*Gear)) Gear {
	change(&g)
	return g
}

func TestParametersOutOfRangeAreNamed(t *testing.T) {
	for want, change := range map[string]func(*Gear){
		"module":          func(g *Gear) { g.Module = 0 },
		"number of teeth": func(g *Gear) { g.Teeth = 3 },
		"pressure angle":  func(g *Gear) { g.PressureAngle = 0.1 },
		"tip relief":      func(g *Gear) { g.TipRelief = Relief{Amount: 1} },
		"displacements":   func(g *Gear) { g.Displacements = make([]float64, 3) },
		"pointed":         func(g *Gear) { g.Shift = 1.2 },
		"eccentricity":    func(g *Gear) { g.Eccentricity = 1 },
	} {
		if g := with(Default(1e-3, 20), change); g.Check() == nil || !strings.Contains(g.Check().Error(), want) {
			t.Errorf("%s: %v", want, g.Check())
		}
	}
}

func TestPlanetsThatCannotBeAssembled(t *testing.T) {
	gear := func(form Form, z int) Gear {
		g := Default(1e-3, z)
		if g.Form = form; form == Internal {
			g.TipDiameter = 70.3e-3
		}
		return g
	}
	if err := CheckPlanets(gear(External, 24), gear(External, 24), gear(Internal, 72), 3); err != nil {
		t.Error(err)
	}
	if err := CheckPlanets(gear(External, 24), gear(External, 24), gear(Internal, 72), 5); err == nil || !strings.Contains(err.Error(), "cannot be assembled") {
		t.Error(err)
	}
	if err := CheckPlanets(gear(External, 24), gear(External, 24), gear(Internal, 72), 6); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Error(err)
	}
}
