package check_test

import (
	"strings"
	"testing"
)

// A ball of 0.1 m of radius and 2 MPa starts 20 mm deep in the ground, or where fields
// have no sense.
func TestDeepStartsOfPressureFieldsAreWarnedOf(t *testing.T) {
	base := timeOf + `
materials: {hard: {}, soft: {hydroelastic_modulus: 2e6}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}, material: hard}]}
  block: {fixed: true, pose: {xyz: [5, 0, 0]}, shapes: [{box: {size: [1, 1, 1]}, material: soft}]}
  ball: {pose: {xyz: [0, 0, Z]}, shapes: [{sphere: {radius: 0.1}, material: M}]}
`
	for _, c := range []struct{ name, at, material, want string }{
		{"resting", "0, 0, 0.099", "soft", ""},
		{"deep", "0, 0, 0.08", "soft", "bodies.ground and bodies.ball: they press 20 mm deep into each other at the start, 10 % of the thinner one's extent"},
		{"wholly within", "5, 0, 0", "hard", "bodies.ball and bodies.block: the first is wholly within the second at the start, where pressure fields do not push it out"},
		{"apart", "3, 0, 1", "soft", ""},
	} {
		text := strings.NewReplacer("0, 0, Z", c.at, "material: M", "material: "+c.material).Replace(base)
		expectWarning(t, c.name, warned(t, text, "at the start"), c.want)
	}
	partly := strings.NewReplacer("0, 0, Z", "5, 0, 0.55", "material: M", "material: hard").Replace(base)
	if got := warned(t, partly, "wholly within"); got != "" {
		t.Error(got)
	}
	same := strings.NewReplacer("0, 0, Z", "3, 0, 1", "material: M", "material: soft").Replace(base) +
		"  twin: {pose: {xyz: [3, 0, 1]}, shapes: [{sphere: {radius: 0.1}, material: soft}]}\n"
	if got := warned(t, same, "wholly within"); got != "bodies.ball and bodies.twin: the first is wholly within the second at the start, where pressure fields do not push it out; start them apart, or name one in the other's no_contact\n" {
		t.Errorf("two balls in one place: %q", got)
	}
	// and it runs
	sc := load(t, "signals: {z: {body: ball, position: z}}\n"+strings.NewReplacer("0, 0, Z", "0, 0, 0.08", "material: M", "material: soft").Replace(base))
	simulate(t, sc, 0.05, "z")
}
