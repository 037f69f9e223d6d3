package check_test

import (
	"github.com/curlfree/curlfree/check"
	"math"
	"strings"
	"testing"
)

func TestEstimatesOfDeformables(t *testing.T) {
	sc := load(t, timeOf+`
materials:
  default: {friction: 0.5}
  rubber: {youngs_modulus: 1e6, pressure_gradient: 4e8, friction: 1}
  gel: {youngs_modulus: 2e4, pressure_gradient: 1e8, friction: 1}
  foam: {hydroelastic_modulus: 1e6}
meshes:
  coarse: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}
  fine: {box: {size: [0.2, 0.1, 0.1], cells: [4, 2, 2]}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}]}
  away: {fixed: true, shapes: [{box: {size: [1, 1, 1]}, material: foam}], pose: {xyz: [0, 0, 9]}, no_contact: [thick, thin, jelly]}
deformables:
  thick: {mesh: coarse, material: rubber, pose: {xyz: [0, 0, 1]}}
  thin: {mesh: fine, material: rubber, pose: {xyz: [0, 0, 2]}}
  jelly: {mesh: fine, material: gel, pose: {xyz: [0, 0, 3]}}
`)
	var got []string
	for i := range sc.DeformableContacts {
		got = append(got, sc.DeformableContacts[i].Materials[0]+" on "+sc.DeformableContacts[i].Materials[1])
	}
	if want := "gel on default, gel on rubber, rubber on default, rubber on rubber"; strings.Join(got, ", ") != want {
		t.Fatalf("reports %v, want %s", got, want)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	rubber := sc.DeformableContacts[2]
	e := check.MeanEdge(sc.Model.Deformables[1].Mesh())
	if rubber.Bodies != [2]string{"thin", "ground"} {
		t.Errorf("speaks of %v, not of the shortest elements", rubber.Bodies)
	}
	near("friction", rubber.Friction, 2*0.5*1/1.5)
	near("sink", rubber.Depth, 1e4/4e8)
	near("element", rubber.Element, e)
	near("squeeze", rubber.Squeeze, 1e4*e/1e6)
	if s := rubber.String(); !strings.Contains(s, "rubber on default, by pressure gradient: 4e+08 Pa/m, dissipation") || !strings.Contains(s, "10 kPa press the surfaces in by 25 µm and squeeze the outermost elements (of thin, ") {
		t.Error(s)
	}
	near("two layers", sc.DeformableContacts[1].Gradient, 8e7)
	near("load of gel", sc.DeformableContacts[1].Pressure, 2e3)
	near("both squeezed", sc.DeformableContacts[1].Squeeze, 2e3*(e/1e6+e/2e4))
}

func TestPressureGradientsOfPairsAreWarnedOf(t *testing.T) {
	on := func(young, layer string) string {
		return timeOf + "materials: {default: {}, rubber: {pressure_gradient: 1e10, youngs_modulus: " + young + "}}\n" +
			"pairs: [{materials: [rubber, default], pressure_gradient: " + layer + "}]\n" +
			"bodies: {ground: {fixed: true, shapes: [{half_space: {}}]}}\n" + strings.Replace(soft, "mesh: bar}", "mesh: bar, material: rubber}", 1)
	}
	for _, c := range []struct{ name, text, want string }{
		{"fitting", on("1e6", "1e8"), ""},
		{"thin", on("1e6", "1e5"), "materials.rubber and materials.default: 10 kPa press the surfaces in by 100 mm, 100 % of the least extent"},
		{"softer than the body", on("1e8", "2e6"), "times as much as the outermost elements"},
		{"stiff", on("1e6", "1e20"), "is too stiff for steps of 0.01 s"},
		{"barriers", strings.Replace(on("1e6", "1e5"), "materials:", "solver: {normal_law: ipc}\nmaterials:", 1), ""},
	} {
		sc := load(t, c.text)
		got := ""
		for _, w := range sc.Warnings {
			if strings.HasPrefix(w, "materials.") {
				got += w
			}
		}
		if len(sc.DeformableContacts) != 1 {
			t.Fatalf("%s: %+v", c.name, sc.DeformableContacts)
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q in it", c.name, got, c.want)
		}
		if s := sc.DeformableContacts[0].String(); c.name == "barriers" != strings.Contains(s, "barriers keep them apart") {
			t.Error(s)
		}
	}
}

// A block without lateral strain rests evenly: its surface is pressed in by its pressure
// ρ g H over the pressure gradient.
func TestSurfacesArePressedInAsDeepAsEstimated(t *testing.T) {
	for _, solver := range []string{"{}", "{normal_law: hertz, hertz_overlap: 1e-5}", "{contact: sap}"} {
		sc := load(t, `
time: {step: 5e-3, duration: 2}
solver: `+solver+`
materials: {default: {youngs_modulus: 1e6, poissons_ratio: 0, stiffness_damping: 0.02, pressure_gradient: 2e7, friction: 0}}
meshes: {block: {box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}}}
bodies: {ground: {fixed: true, shapes: [{half_space: {}}]}}
deformables: {block: {mesh: block, pose: {xyz: [0, 0, 0.05]}}}
signals: {sunk: {penetration: max}}
`)
		a := sc.DeformableContacts[0]
		p, power := 1000*9.81*0.1, 1.0
		if strings.Contains(solver, "hertz") {
			power = 2. / 3
		}
		want := a.Depth * math.Pow(p/a.Pressure, power)
		if got := simulate(t, sc, 2, "sunk"); math.Abs(got/want-1) > 0.02 {
			t.Errorf("%s: sinks by %g m, estimated %g m", solver, got, want)
		}
	}
}
