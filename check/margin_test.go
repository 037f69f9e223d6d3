package check_test

import (
	"strings"
	"testing"
)

func TestWideMarginsAreWarnedOf(t *testing.T) {
	wide := timeOf + `materials: {default: {hydroelastic_modulus: 1e6}}
solver: {hydroelastic_margin: M}
bodies: {b: {shapes: [{sphere: {radius: 0.1}}]}}
`
	if got := warned(t, strings.Replace(wide, "M}", "0.1}", 1), "margin"); !strings.Contains(got, "solver.hydroelastic_margin and bodies.b: a margin of 0.1 m is 50 % of the least extent of b") || !strings.Contains(got, "0.01 m would do") {
		t.Errorf("a margin of 0.1 m: %q", got)
	}
	if got := warned(t, strings.Replace(wide, "M}", "0.01}", 1), "margin"); got != "" {
		t.Errorf("a margin of 0.01 m: %q", got)
	}
}
