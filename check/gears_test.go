package check_test

import (
	"strings"
	"testing"
)

// 20 and 30 teeth of 1 mm mesh 25 mm apart, the second turned by half a tooth.
const gears = timeOf + noGravity + `
meshes:
  p: {part: {spur: {module: 1e-3, teeth: 20, bore: 4e-3, face_width: 4e-3, chord: 5e-5}}}
  w: {part: {spur: {module: 1e-3, teeth: 30, bore: 4e-3, face_width: 4e-3, chord: 5e-5}}}
bodies:
  p: {joint: {type: revolute, axis: [0, 0, 1]}, shapes: [{mesh: {mesh: p}}]}
  w: {pose: {xyz: [25e-3, 0, 0], rpy_deg: [0, 0, 6]}, joint: {type: revolute, axis: [0, 0, 1]}, shapes: [{mesh: {mesh: w}}]}
`

func TestGearsThatDoNotRunTogetherAreWarnedOf(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"as they are", "", "", ""},
		{"module", "{module: 1e-3, teeth: 30", "{module: 1.1e-3, teeth: 30", "bodies.p and bodies.w: their teeth overlap, but they do not mesh: modules 0.001 m and 0.0011 m differ"},
		{"pressure angle", "teeth: 30", "teeth: 30, pressure_angle_deg: 22", "pressure angles 20° and 22° differ"},
		{"distance", "[25e-3, 0, 0]", "[24e-3, 0, 0]", "their axes are 24 mm apart, and should be 25 mm"},
		{"turn", "[0, 0, 6]", "[0, 0, 12]", "teeth of one meet teeth of the other, not gaps; turn w by"},
		{"turned by a tooth", "[0, 0, 6]", "[0, 0, 18]", ""},
		{"apart", "[25e-3, 0, 0]", "[40e-3, 0, 0]", ""},
		{"beside", "[25e-3, 0, 0]", "[25e-3, 0, 5e-3]", ""},
		{"on one axis", "[25e-3, 0, 0]", "[0, 0, 0]", ""},
		{"crossed", "[0, 0, 6]", "[90, 0, 0]", ""},
		{"filtered", "p: {joint", "p: {no_contact: [w], joint", ""},
	} {
		expectWarning(t, c.name, warned(t, strings.Replace(gears, c.old, c.new, 1), "they do not mesh"), c.want)
	}
}

func TestFieldsThatReachAcrossThePlayOfGearsAreWarnedOf(t *testing.T) {
	soft, play := "\nmaterials: {default: {hydroelastic_modulus: 1e8}}\n", strings.ReplaceAll(gears, "chord: 5e-5", "chord: 1e-4, backlash: 2e-5")
	margin := func(m string) string { return "\nsolver: {hydroelastic_margin: " + m + "}" }
	for _, c := range []struct{ name, text, want string }{
		{"points", play, ""},
		{"usual margin", play + soft, ""}, // a share of the size of the wheels
		{"0.1 mm", play + soft + margin("1e-4"), "bodies.p and bodies.w: their pressure fields reach 200 µm beyond their teeth, which have 38 µm of play: " +
			"both flanks of a tooth are then in contact, which takes time and makes fast teeth bind; with solver.hydroelastic_margin: 9e-06 only the loaded flank is in contact"},
		{"as advised", play + soft + margin("9e-6"), ""},
		{"one field of two", strings.Replace(play, "mesh: w}", "mesh: w}, material: soft", 1) + "\nmaterials: {soft: {hydroelastic_modulus: 1e8}}" + margin("3e-5"), ""},
		{"two of them", play + soft + margin("3e-5"), "reach 60 µm"},
		{"no play", gears + soft, ""},
		{"apart", strings.Replace(play, "[25e-3, 0, 0]", "[40e-3, 0, 0]", 1) + soft, ""},
	} {
		expectWarning(t, c.name, warned(t, c.text, "of play"), c.want)
	}
}

func TestWormsAndWheelsThatDoNotRunTogetherAreWarnedOf(t *testing.T) {
	// made as curlfree mesh make worm --with "worm_wheel teeth=30" says
	text := timeOf + noGravity + `
meshes:
  worm: {part: {worm: {chord: 1e-4}}}
  wheel: {part: {worm_wheel: {teeth: 30, lead_angle_deg: 3.576334375, chord: 5e-5}}}
bodies:
  worm: {joint: {type: revolute, axis: [0, 0, 1]}, shapes: [{mesh: {mesh: worm}}]}
  wheel: {pose: {xyz: [-23e-3, 0, 0], rpy_deg: [90, 0, 0]}, joint: {type: revolute, axis: [0, -1, 0]}, shapes: [{mesh: {mesh: wheel}}]}
`
	for _, c := range []struct{ name, old, new, want string }{
		{"as they are", "", "", ""},
		{"lead angle", "lead_angle_deg: 3.576334375", "lead_angle_deg: 5", "the worm's lead angle is 3.5763°, the wheel is made for 5°"},
		{"distance", "-23e-3", "-22e-3", "their axes are 22 mm apart, and should be 23 mm"},
		{"past its end", "-23e-3, 0, 0", "-23e-3, 0, 30e-3", ""},
	} {
		expectWarning(t, c.name, warned(t, strings.Replace(text, c.old, c.new, 1), "they do not mesh"), c.want)
	}
}
