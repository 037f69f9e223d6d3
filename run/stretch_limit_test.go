package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

const stretchedBar = `
time: {step: 0.05, duration: 1}
gravity: [0, 0, 0]
materials: {rubber: {constitutive_law: yeoh, c1: 2e4, c2: 1e3, c3: -10, stretch_limit: LIMIT, density: 1000, mass_damping: 5}}
meshes: {bar: {box: {size: [0.04, 0.01, 0.01], cells: [4, 1, 1]}}}
deformables:
  bar: {mesh: bar, material: rubber, attach: [{body: world, where: {x_max: -0.0199}}]}
loads:
  pull: {force: [8, 0, 0], body: bar, where: {x_min: 0.0199}}
`

// A bar that is pulled beyond the stretch of the data of its law is named in a warning, one within is not; the largest
// stretch is in checkpoints.
func TestStretchesBeyondTheDataAreWarnedOf(t *testing.T) {
	for limit, want := range map[string]bool{"1.5": true, "6": false} {
		s := mustRun(t, load(t, strings.Replace(stretchedBar, "LIMIT", limit, 1)), Options{Dir: t.TempDir()})
		i := slices.IndexFunc(s.Warnings, func(w string) bool { return strings.Contains(w, "its law was fitted up to a stretch of "+limit) })
		if (i >= 0) != want {
			t.Errorf("limit %s: %q", limit, s.Warnings)
		}
	}
	l := stretchLimit{1.2, 4.8, 0.5, 3}
	if m := l.appendTo([]float64{7}); stretchLimitOf(m[1:]) != l || len(m) != 1+stretchLimitNumbers {
		t.Errorf("%v", m)
	}
	if (&stretchLimit{}).warning((*sim.Stepper)(nil)) != "" {
		t.Error("a warning of nothing")
	}
}
