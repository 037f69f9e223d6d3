package scene

import (
	"math"
	"strings"
	"testing"
)

func TestAdviceSaysHowDeepThingsSink(t *testing.T) {
	sc, err := load(t, fixtures(t), timeOf+`
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
	if err != nil {
		t.Fatal(err)
	}
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
	near("foam's sink", foam.Sink, 3*9.81/foam.Stiffness)
	k := 1e6 * 1e8 / (1e6 + 1e8)
	near("steel's sink", steel.Sink, 2*9.81/k)
	near("steel's period", steel.Period, 2*math.Pi*math.Sqrt(2/k))
	if s := steel.String(); !strings.Contains(s, "steel on default, at points (neither material has a hydroelastic_modulus): 9.9e+05 N/m") || !strings.Contains(s, "heavy (2 kg) sinks by 20 µm") {
		t.Error(s)
	}
}

func TestAdviceDoubtsWhatAStepCannotCarry(t *testing.T) {
	for _, c := range []struct{ k, want string }{
		{"1e3", "ball sinks by 42 mm"}, {"1e17", "too stiff for steps of 0.01 s"}, {"1e6", ""},
	} {
		sc, err := load(t, fixtures(t), timeOf+"materials: {default: {stiffness: "+c.k+"}}\nbodies:\n  ground: {fixed: true, shapes: [{half_space: {}}]}\n"+
			"  ball: {pose: {xyz: [0, 0, 1]}, shapes: [{sphere: {radius: 0.08}}]}\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(sc.Warnings, ""); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("stiffness %s: warnings %q, want %q", c.k, got, c.want)
		}
	}
}
