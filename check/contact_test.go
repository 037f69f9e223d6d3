package check_test

import (
	"math"
	"strings"
	"testing"
)

func TestEstimatesSayHowDeepBodiesSink(t *testing.T) {
	sc := load(t, timeOf+`
materials:
  default: {stiffness: 1e6, friction: 0.5}
  steel: {stiffness: 1e8, dissipation: 3}
  foam: {hydroelastic_modulus: 1e5}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}]}
  light: {mass: 1, pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.1}, material: steel}]}
  heavy: {mass: 2, pose: {xyz: [1, 0, 1]}, shapes: [{sphere: {radius: 0.1}, material: steel}]}
  block: {mass: 3, pose: {xyz: [2, 0, 1]}, shapes: [{box: {size: [0.1, 0.2, 0.3]}, material: foam}]}
`)
	if len(sc.Contacts) != 4 {
		t.Fatalf("%d pairs: %+v", len(sc.Contacts), sc.Contacts)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*math.Abs(want) {
			t.Errorf("%s is %g, want %g", what, got, want)
		}
	}
	foam, steel := sc.Contacts[0], sc.Contacts[2]
	if foam.Materials != [2]string{"foam", "default"} || foam.Kind != "pressure" || steel.Materials != [2]string{"steel", "default"} || steel.Body != "heavy" {
		t.Errorf("%+v", sc.Contacts)
	}
	near("foam's stiffness", foam.Stiffness, 1e5/0.05*0.1*0.2)
	near("foam's sink", foam.Depth, 3*9.81/foam.Stiffness)
	k := 1e6 * 1e8 / (1e6 + 1e8)
	near("steel's sink", steel.Depth, 2*9.81/k)
	near("steel's period", steel.Period, 2*math.Pi*math.Sqrt(2/k))
	if s := steel.String(); !strings.Contains(s, "steel on default, at points (neither material has a hydroelastic_modulus): 9.9e+05 N/m") || !strings.Contains(s, "heavy (2 kg) sinks by 20 µm") {
		t.Error(s)
	}
}

func TestContactsThatAStepCannotResolveAreWarnedOf(t *testing.T) {
	for _, c := range []struct{ k, want string }{
		{"1e3", "ball sinks by 42 mm"}, {"1e17", "too stiff for steps of 0.01 s"}, {"1e6", ""},
	} {
		sc := load(t, timeOf+"materials: {default: {stiffness: "+c.k+"}}\nbodies:\n  ground: {fixed: true, shapes: [{half_space: {}}]}\n"+
			"  ball: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.08}}]}\n")
		if got := strings.Join(sc.Warnings, ""); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("stiffness %s: warnings %q, want %q", c.k, got, c.want)
		}
	}
}

// Bodies of all curvatures come to rest at the estimated depth.
func TestBodiesRestAsDeepAsEstimated(t *testing.T) {
	const fine = "materials: {hard: {}, soft: {hydroelastic_modulus: 1e6, dissipation: 100, friction: 0}}\nbodies:\n" +
		"  ground: {fixed: true, shapes: [{half_space: {}, material: hard}]}\n"
	for _, c := range []struct {
		name, text string
		within     float64 // relative
	}{
		{"ball", fine + "  b: {mass: 0.5, pose: {xyz: [0, 0, 0.05]}, shapes: [{sphere: {radius: 0.05}, material: soft, resolution_hint: 2e-3}]}\n", 0.03},
		{"lying capsule", fine + "  b: {mass: 0.5, pose: {xyz: [0, 0, 0.02], rpy_deg: [0, 90, 0]}, shapes: [{capsule: {radius: 0.02, length: 0.06}, material: soft, resolution_hint: 1e-3}]}\n", 0.03},
		{"flat ellipsoid", fine + "  b: {mass: 0.5, pose: {xyz: [0, 0, 0.03]}, shapes: [{ellipsoid: {semi_axes: [0.05, 0.04, 0.03]}, material: soft, resolution_hint: 2e-3}]}\n", 0.03},
		{"block on its smallest side", fine + "  b: {mass: 0.5, pose: {xyz: [0, 0, 0.03]}, shapes: [{box: {size: [0.05, 0.04, 0.06]}, material: soft}]}\n", 0.01},
		{"Hertz's ball", "solver: {normal_law: hertz, hertz_overlap: 1e-6}\nmaterials: {default: {stiffness: 1e5}}\nbodies:\n" +
			"  ground: {fixed: true, shapes: [{half_space: {}}]}\n  b: {mass: 0.5, pose: {xyz: [0, 0, 0.05]}, shapes: [{sphere: {radius: 0.05}}]}\n", 1e-4},
	} {
		sc := load(t, "time: {step: 2e-3, duration: 1}\n"+c.text+"signals:\n  sunk: {body: b, position: z, since: 0, scale: -1}\n")
		if len(sc.Contacts) != 1 {
			t.Fatalf("%s: %d pairs", c.name, len(sc.Contacts))
		}
		a := sc.Contacts[0]
		if got := simulate(t, sc, 1, "sunk"); math.Abs(a.Depth/got-1) > c.within {
			t.Errorf("%s sinks by %g m, estimated %g m", c.name, got, a.Depth)
		}
	}
}
