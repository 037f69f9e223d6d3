package scene

import (
	"fmt"
	"math"
	"testing"
)

// Prescribed motions of bodies against the formulas of their kinds at the times of steps.
// A body moves along the axes of its pose, which is turned by 90° about z here.
func TestBodiesFollowTheirMotions(t *testing.T) {
	const h = 0.0625
	minimumJerk := func(s float64) float64 { return s * s * s * (10 - 15*s + 6*s*s) }
	for _, c := range []struct {
		motion string
		x      func(t float64) float64
	}{
		{"0.25", func(float64) float64 { return 0.25 }},
		{"{value: -0.5}", func(float64) float64 { return -0.5 }},
		{"{sine: {amplitude: 0.2, frequency: 1.5, phase: 0.3, offset: 1}}", func(t float64) float64 { return 1 + 0.2*math.Sin(3*math.Pi*t+0.3) }},
		{"{sine: {amplitude: 0.2, frequency: 1, start: 0.25, ramp: 0.5}}", func(t float64) float64 {
			return 0.2 * math.Sin(2*math.Pi*t) * minimumJerk(min(max((t-0.25)/0.5, 0), 1))
		}},
		{"{times: [0.25, 0.75], values: [1, 3], smooth: false}", func(t float64) float64 { return 1 + 2*min(max((t-0.25)/0.5, 0), 1) }},
		{"{times: [0.25, 0.75], values: [1, 3]}", func(t float64) float64 { return 1 + 2*minimumJerk(min(max((t-0.25)/0.5, 0), 1)) }},
	} {
		t.Run(c.motion, func(t *testing.T) {
			sc := mustLoad(t, t.TempDir(), fmt.Sprintf("time: {step: %g, duration: 1}\n", h)+"bodies:\n"+
				"  b: {pose: {xyz: [5, 6, 7], rpy_deg: [0, 0, 90]}, shapes: [{sphere: {radius: 0.1}}]}\n  free: {shapes: [{sphere: {radius: 0.1}}]}\n"+
				"drives: {d: {body: b, x: "+c.motion+"}}\nsignals: {y: {body: b, position: y}}\n")
			for k, y := range record1(t, sc, sc.Signals.NewMemory(), 16) {
				near(t, fmt.Sprintf("y at %g s", h*float64(k)), y, 6+c.x(h*float64(k)), 1e-12)
			}
		})
	}
}

// A body of mass m under a constant effort F moves by F h² n (n+1)/(2 m) in n implicit
// steps; drives of one joint add up.
func TestEffortsOfSeveralDrivesAddUp(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), "time: {step: 0.01, duration: 1}\n"+noGravity+"bodies:\n"+slider+
		"drives: {a: {joint: slider, feed_forward: 3}, b: {joint: slider, feed_forward: -1}}\n"+
		"signals: {x: {joint: slider, joint_state: position}, v: {joint: slider, joint_state: velocity}, a: {drive_effort: a}, b: {drive_effort: b}}\n")
	const n, h = 50, 0.01
	v := simulate(t, sc, n*h)
	near(t, "x", v["x"], 2*h*h*n*(n+1)/(2*2), 1e-6)
	near(t, "v", v["v"], 2*n*h/2, 1e-6)
	near(t, "effort of a", v["a"], 3, 1e-6)
	near(t, "effort of b", v["b"], -1, 1e-6)
}
