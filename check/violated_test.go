package check_test

import (
	"strings"
	"testing"
)

// A ball on a slide is kept 30 mm from where it starts, by each kind of constraint; what follows from the
// start, what is satisfied, and springs give no warning. Robots list their joints by name.
func TestConstraintsThatAreViolatedAtTheStartAreWarnedOf(t *testing.T) {
	base := timeOf + `
bodies:
  a: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}}], joint: {type: prismatic, axis: [0, 0, 1]}}
  b: {pose: {xyz: [1, 0, 1]}, shapes: [{sphere: {radius: 0.1}}], joint: {type: prismatic, axis: [0, 0, 1]}}
constraints: {c: C}
`
	for _, c := range []struct{ name, constraint, want string }{
		{"ball", "{ball: {a: a, b: b, point_a: [1, 0, 0.03]}}", "constraints.c: it is violated at the start: a and b are off by 30 mm"},
		{"ball to the world", "{ball: {b: b, point_a: [1, 0, 1.03]}}", "constraints.c: it is violated at the start: b and the world are off by 30 mm"},
		{"ball from the start", "{ball: {a: a, b: b}}", ""},
		{"weld", "{weld: {a: a, b: b, pose_a: {xyz: [1, 0, 0], rpy: [0, 0, 0.2]}}}", "a and b are off by 0.2 rad,"},
		{"weld of both", "{weld: {a: a, b: b, pose_a: {xyz: [1, 0, 0.03], rpy: [0, 0, 0.2]}}}", "a and b are off by 30 mm and 0.2 rad,"},
		{"weld from the start", "{weld: {a: a, b: b}}", ""},
		{"rod", "{distance: {a: a, b: b, length: 0.97}}", "a and b are off by 30 mm"},
		{"spring", "{distance: {a: a, b: b, length: 0.97, stiffness: 100}}", ""},
		{"rope", "{distance: {a: a, b: b, length: 1.1, rope: true}}", ""},
		{"coupler", "{coupler: {a: a, b: b, ratio: 2, offset: 0.25}}", "joints a and b are off by 0.25 (rad, of slides m)"},
		{"coupler that is satisfied", "{coupler: {a: a, b: b, ratio: 2}}", ""},
	} {
		got := warned(t, strings.Replace(base, "C}\n", c.constraint+"}\n", 1), "is violated")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
