package check_test

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/timestep"
)

// The step adds about ω h/2 of critical damping to a mass on a spring, ω² = k/m, whether the spring is
// on a joint or between bodies: a vibration decays by e^(−2πζ/√(1−ζ²)) a period.
func TestStepsDampSpringsAsReported(t *testing.T) {
	const k, m, h = 400.0, 1.0, 2e-3
	omega := math.Sqrt(k / m)
	sc := load(t, "time: {step: 2e-3, duration: 0.1}\n"+noGravity+`
bodies:
  slide: {mass: 1, joint: {type: prismatic, axis: [1, 0, 0], stiffness: 400, position: 0.01}, shapes: [{sphere: {radius: 0.01}}]}
  ball: {mass: 1, pose: {xyz: [0, 1, 0]}, shapes: [{sphere: {radius: 0.01}}]}
constraints:
  spring: {distance: {b: ball, point_a: [0, 0, 0], stiffness: 400}}
signals: {x: {joint: slide, joint_state: position}}
`)
	got := sc.StepDamping()
	if len(got) != 2 {
		t.Fatalf("%v", got)
	}
	for i, want := range []string{"spring slide", "spring spring"} {
		e := got[i]
		if e.Where != want || math.Abs(e.Frequency/(omega/2/math.Pi)-1) > 1e-6 || math.Abs(e.Share/(omega*h/2)-1) > 0.01 {
			t.Errorf("%s", &e)
		}
	}
	// after ten periods, where the slide is again at a turning point, but for the step that it falls into
	zeta := got[0].Share
	periods := 10.0
	until := math.Round(periods*2*math.Pi/omega/math.Sqrt(1-zeta*zeta)/h) * h
	if x, want := simulate(t, sc, until, "x"), 0.01*math.Exp(-zeta*omega*until); math.Abs(x/want-1) > 0.02 {
		t.Errorf("after %g s: %g m, want %g m", until, x, want)
	}
}

// A floating block has the frequency of its first elastic motion, not of a rigid one.
func TestStepsDampDeformablesAsReported(t *testing.T) {
	sc := load(t, timeOf+"materials: {default: {youngs_modulus: 1e5}}\n"+soft)
	got := sc.StepDamping()
	if len(got) != 1 || got[0].Frequency < 1 || !strings.Contains(got[0].String(), "bar: the step adds") {
		t.Fatalf("%v", got)
	}
}

// The damping of Euler's rule in closed form, and that of the midpoint rule by the decay of a vibration that was
// integrated by an independent program (numpy): shares of critical damping, with that of the material 0.056 taken out
// for small steps.
func TestDampingOfRules(t *testing.T) {
	for _, turn := range []float64{1e-3, 0.1, 0.5, 2, 12} {
		ln, arg := 0.5*math.Log1p(turn*turn), math.Atan(turn)
		if got, want := check.StepDampingOf(timestep.Rule{}, turn, 1), ln/math.Hypot(ln, arg); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("Euler, ωh = %g: ζ %g, want %g", turn, got, want)
		}
	}
	midpoint := timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}
	for _, turn := range []float64{0.01, 0.03, 0.1} {
		if got, want := check.StepDampingOf(midpoint, turn, 1), 0.5*midpoint.Damping*turn*turn*turn; math.Abs(got/want-1) > 0.02 {
			t.Errorf("midpoint, ωh = %g: ζ %g, want %g", turn, got, want)
		}
	}
	if got := check.StepDampingOf(timestep.Rule{Midpoint: true}, 0.5, 1); math.Abs(got) > 1e-12 {
		t.Errorf("midpoint without damping: ζ %g", got)
	}
}
