package scene

import (
	"strings"
	"testing"
)

// A ball of 0.1 m of radius and 2 MPa starts 20 mm deep in the ground, or where fields
// have no sense.
func TestDeepStartsOfPressureFieldsAreDoubted(t *testing.T) {
	base := timeOf + `
materials: {hard: {}, soft: {hydroelastic_modulus: 2e6}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}, material: hard}]}
  block: {fixed: true, pose: {xyz: [5, 0, 0]}, shapes: [{box: {size: [1, 1, 1]}, material: soft}]}
  ball: {pose: {xyz: [0, 0, Z]}, shapes: [{sphere: {radius: 0.1}, material: M}]}
`
	for _, c := range []struct{ name, at, material, want string }{
		{"resting", "0, 0, 0.099", "soft", ""},
		{"deep", "0, 0, 0.08", "soft", "ground and ball press 19 mm deep into each other at the start, 9 % of the thinner one's extent"},
		{"wholly within", "5, 0, 0", "hard", "ball is wholly within block at the start: pressure fields that deep do not push it out"},
		{"apart", "3, 0, 1", "soft", ""},
	} {
		text := strings.NewReplacer("0, 0, Z", c.at, "material: M", "material: "+c.material).Replace(base)
		got := warned(t, text, "at the start")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q in it", c.name, got, c.want)
		}
	}
	partly := strings.NewReplacer("0, 0, Z", "5, 0, 0.55", "material: M", "material: hard").Replace(base)
	if got := warned(t, partly, "wholly within"); got != "" {
		t.Error(got)
	}
	same := strings.NewReplacer("0, 0, Z", "3, 0, 1", "material: M", "material: soft").Replace(base) +
		"  twin: {pose: {xyz: [3, 0, 1]}, shapes: [{sphere: {radius: 0.1}, material: soft}]}\n"
	if got := warned(t, same, "wholly within"); got != "ball is wholly within twin at the start: pressure fields that deep do not push it out; start them apart, or name one in the other's no_contact\n" {
		t.Errorf("two balls in one place: %q", got)
	}
	// and it runs
	sc := mustLoad(t, fixtures(t), strings.NewReplacer("0, 0, Z", "0, 0, 0.08", "material: M", "material: soft").Replace(base))
	simulate(t, sc, 0.05)
}

func TestWideMarginsLargePartsAndCutSurfacesAreDoubted(t *testing.T) {
	cut := `meshes: {m: {part: {ring: {outer: 10, inner: 5, length: 3}}}}
bodies: {b: {shapes: [{mesh: {mesh: m}}]}}
`
	if got := warned(t, timeOf+cut, "large"); !strings.Contains(got, "meshes.m.part.ring is 10 m large: lengths are in m") {
		t.Errorf("a ring of 10 m: %q", got)
	}
	wide := timeOf + `materials: {default: {hydroelastic_modulus: 1e6}}
solver: {hydroelastic_margin: M}
bodies: {b: {shapes: [{sphere: {radius: 0.1}}]}}
`
	if got := warned(t, strings.Replace(wide, "M}", "0.1}", 1), "margin"); !strings.Contains(got, "solver.hydroelastic_margin of 0.1 m is 50 % of the least extent of b") || !strings.Contains(got, "0.01 m would do") {
		t.Errorf("a margin of 0.1 m: %q", got)
	}
	if got := warned(t, strings.Replace(wide, "M}", "0.01}", 1), "margin"); got != "" {
		t.Errorf("a margin of 0.01 m: %q", got)
	}
	crossed := `meshes: {m: {file: crossed.obj}}
deformables: {d: {mesh: m}}
`
	if got := warned(t, timeOf+crossed, "cuts itself"); !strings.Contains(got, "mesh m: the surface cuts itself (") {
		t.Errorf("two cubes that cut each other: %q", got)
	}
	if _, err := load(t, fixtures(t), timeOf+"materials: {default: {hydroelastic_modulus: 1e6}}\nmeshes: {m: {file: crossed.obj}}\nbodies: {b: {shapes: [{mesh: {mesh: m}}]}}\n"); err == nil || !strings.Contains(err.Error(), "the surface cuts itself") {
		t.Errorf("a field of two cubes that cut each other: %v", err)
	}
}
