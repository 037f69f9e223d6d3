package check_test

import (
	"fmt"
	"strings"
	"testing"
)

// A coarse hint of a ball at rest is warned of with its error; a fine one and the default
// are not.
func TestCoarseRoundFieldsAreWarnedOf(t *testing.T) {
	scene := timeOf + `materials: {default: {hydroelastic_modulus: 1e6}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}]}
  b: {mass: 8, pose: {xyz: [0, 0, 0.1]}, shapes: [{SHAPE%s}]}
`
	for _, c := range []struct{ shape, hint, want string }{
		// δ = √(78.5/(1e7 π 0.1)) = 5 mm: 0.5 · 0.024²/(0.1 · 0.005) = 0.58
		{"sphere: {radius: 0.1}", ", resolution_hint: 0.024", "change its contact force by up to 58 % where a weight of 78.5 N presses it in by 5 mm; a resolution_hint of 0.0045 m keeps it below 2 %"},
		{"sphere: {radius: 0.1}", ", resolution_hint: 0.0044", ""},
		{"sphere: {radius: 0.1}", "", ""},
		{"capsule: {radius: 0.1, length: 0.2}", ", resolution_hint: 0.03", "the facets of the pressure field of b, 0.03 m long"},
		{"capsule: {radius: 0.1, length: 0.2}", "", ""},
		{"cylinder: {radius: 0.1, length: 0.2}", ", resolution_hint: 0.03", "the facets of the pressure field of b, 0.03 m long"},
		{"cylinder: {radius: 0.1, length: 0.2}", "", ""},
		{"ellipsoid: {semi_axes: [0.12, 0.1, 0.1]}", ", resolution_hint: 0.03", "the facets of the pressure field of b, 0.03 m long"},
		{"ellipsoid: {semi_axes: [0.12, 0.1, 0.1]}", "", ""},
		{"box: {size: [0.2, 0.2, 0.2]}", ", resolution_hint: 0.1", ""},
	} {
		got := warned(t, strings.Replace(fmt.Sprintf(scene, c.hint), "SHAPE", c.shape, 1), "resolution")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s%s: warns %q, want %q", c.shape, c.hint, got, c.want)
		}
	}
}
