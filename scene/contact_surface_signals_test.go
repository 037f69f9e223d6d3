package scene

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

const touching = pressed + `  area: {body: ball, contact_surface: area, from: [ground]}
  peak_kPa: {body: ball, contact_surface: max_pressure, scale: 1e-3}
  mean: {body: ball, contact_surface: mean_pressure}
  at_x: {body: ball, contact_surface: center_x}
  other: {body: ball, contact_surface: area, from: [bar]}
`

func TestSignalsOfContactSurfaces(t *testing.T) {
	sc, err := load(t, fixtures(t), touching)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := sc.Model.Start.Clone()
	v := sc.Signals.Evaluate(s, x, sc.Signals.NewMemory(), nil)
	if v[2] != 0 || !math.IsNaN(v[5]) {
		t.Errorf("before the first step: %v", v)
	}
	if err := s.Step(x, 1e-3); err != nil {
		t.Fatal(err)
	}
	v = sc.Signals.Evaluate(s, x, sc.Signals.NewMemory(), nil)
	force, area, peak, mean := v[0], v[2], v[3], v[4]
	if !(area > 0) || math.Abs(mean*area-force) > 1e-3*force || 1e3*peak < mean || math.Abs(v[5]) > 1e-4 || v[6] != 0 {
		t.Errorf("signals %v", v)
	}
}

func TestFaultySignalsOfContactSurfacesSayWhy(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"contact_surface: area", "contact_surface: aera", `signals.area.contact_surface is "aera": did you mean "area"?`},
		{"body: ball, contact_surface: area", "contact_surface: area", "signals.area.body is required"},
		{"from: [ground]}\n  peak", "from: [gruond]}\n  peak", `unknown body "gruond"`},
		{"contact_surface: max_pressure", "contact_surface: max_pressure, point: [0, 0, 0]", "point has no meaning"},
		{"body: ball, contact_surface: mean_pressure", "body: post, contact_surface: mean_pressure", "post has point contact only"},
	} {
		text := strings.Replace(touching, "  rod:", "  post: {fixed: true}\n  rod:", 1)
		_, err := load(t, fixtures(t), strings.Replace(text, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.new, err, c.want)
		}
	}
}
