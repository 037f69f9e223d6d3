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

// Damping and frequency of Euler's rule in closed form, λ = 1/(1 ± iωh), and those of the midpoint rule by their
// expansions in ωh.
func TestDampingOfRules(t *testing.T) {
	for _, turn := range []float64{1e-3, 0.1, 0.5, 2, 12} {
		ln, arg := 0.5*math.Log1p(turn*turn), math.Atan(turn)
		zeta, seen := check.Vibration(timestep.Rule{}, turn, 1)
		if want := math.Hypot(ln, arg); !(math.Abs(zeta*want/ln-1) <= 1e-9) || !(math.Abs(seen/want-1) <= 1e-9) {
			t.Errorf("Euler, ωh = %g: ζ %g, want %g, and ω_h h %g, want %g", turn, zeta, ln/want, seen, want)
		}
	}
	midpoint := timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}
	for _, turn := range []float64{0.01, 0.03, 0.1} {
		zeta, seen := check.Vibration(midpoint, turn, 1)
		if want := 0.5 * midpoint.Damping * turn * turn * turn; !(math.Abs(zeta/want-1) <= 0.02) {
			t.Errorf("midpoint, ωh = %g: ζ %g, want %g", turn, zeta, want)
		}
		if want := -(1./12 + midpoint.Damping) * turn * turn; !(math.Abs((seen/turn-1)/want-1) <= 0.02) {
			t.Errorf("midpoint, ωh = %g: the frequency is off by %g, want %g", turn, seen/turn-1, want)
		}
	}
	if got, _ := check.Vibration(timestep.Rule{Midpoint: true}, 0.5, 1); !(math.Abs(got) <= 1e-12) {
		t.Errorf("midpoint without damping: ζ %g", got)
	}
}

// The damping and the frequency are those with which the rules of package timestep vibrate, at any frequency that steps
// can have.
func TestVibrationsAreThoseOfSteps(t *testing.T) {
	for _, rule := range []timestep.Rule{{}, {Midpoint: true}, {Midpoint: true, Damping: 0.05}, {Midpoint: true, Damping: 0.15}} {
		for _, turn := range []float64{0.05, 0.3, 1, 2} {
			zeta, seen := check.Vibration(rule, turn, 1)
			y := [4]float64{1, 0, 0, 0}
			var x []float64
			for i := range 80 {
				memory := timestep.Memory{}
				if i > 0 {
					memory = timestep.Memory{W: []float64{y[2]}, DV: []float64{y[3]}}
				}
				y = check.Oscillate(rule.Step(1, memory, 1), turn, y)
				x = append(x, y[0])
			}
			// two later steps continue the recurrence x₊ = 2 e^(−ζ ω_h) cos(√(1 − ζ²) ω_h) x − e^(−2 ζ ω_h) x₋
			b := math.Exp(-zeta * seen)
			a := 2 * b * math.Cos(math.Sqrt(1-zeta*zeta)*seen)
			for i := 40; i+1 < 60; i++ {
				scale := math.Hypot(x[i-1], x[i])
				if d := x[i+1] - a*x[i] + b*b*x[i-1]; !(math.Abs(d) <= 1e-8*scale) {
					t.Errorf("%+v, ωh = %g, step %d: off by %g of %g", rule, turn, i, d, scale)
					break
				}
			}
		}
	}
}
