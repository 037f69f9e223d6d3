package check_test

import (
	"strings"
	"testing"
)

func TestSoftSurfacesAreWarnedOf(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"rubber", "materials: {default: {youngs_modulus: 1e8, pressure_gradient: 1e8}}\n" + soft + ball, "deformables.bar: its surface, of a pressure gradient of 1e+08 Pa/m, gives way before its inside does: a pressure that strains the inside by 2 % presses the surface in by 20 mm, 20 % of its least extent; give its material pressure_gradient: 1e+09 or more"},
		{"firm layer", "materials: {default: {youngs_modulus: 1e8, pressure_gradient: 1e9}}\n" + soft + ball, ""},
		{"default of rubber", "materials: {default: {youngs_modulus: 1e8}}\n" + soft + ball, ""},
		{"soft body", "materials: {default: {youngs_modulus: 1e6}}\n" + soft + ball, ""},
		{"nothing to touch", "materials: {default: {youngs_modulus: 1e8}}\n" + soft, ""},
		{"ribs", "materials: {default: {youngs_modulus: 3e7, pressure_gradient: 1e8}}\n" + strings.Replace(soft, "mesh: bar}", "mesh: bar, self_contact: true}", 1), "the length of an element, about the thickness of its ribs"},
		{"default of ribs", "materials: {default: {youngs_modulus: 3e7}}\n" + strings.Replace(soft, "mesh: bar}", "mesh: bar, self_contact: true}", 1), ""},
	} {
		expectWarning(t, c.name, warned(t, timeOf+c.text, "pressure gradient"), c.want)
	}
}
