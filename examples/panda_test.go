package examples_test

import (
	"fmt"
	"math"
	"testing"
)

// circlePhase is the angle on the circle of panda-circle at a time, rad: its rate rises to 1 rad/s
// within 1 s, and falls likewise at the end of the turn.
func circlePhase(t float64) float64 {
	rise := func(s float64) float64 { return s * s * s * s * (2.5 - 3*s + s*s) }
	switch full := 2 * math.Pi; {
	case t <= 1:
		return rise(t)
	case t <= full:
		return t - 0.5
	case t <= full+1:
		return full - rise(full+1-t)
	default:
		return full
	}
}

// The tool draws a circle of 0.1 m at 0.1 m/s under gravity: within 1 mm where the controller is
// with a payload of the 0.5 kg that the hand carries, within 5 mm where it is not, at all steps.
func TestPandaDrawsACircle(t *testing.T) {
	for _, c := range []struct {
		payload float64
		most    float64 // m, root of the mean square
	}{{0.5, 1e-3}, {0, 5e-3}} {
		for _, h := range []float64{0.001, 0.002, 0.005, 0.01} {
			r := begin(t, "panda-circle/scene.yaml", fmt.Sprint("time.step=", h), fmt.Sprint("drives.arm.payload.mass=", c.payload)).run()
			sum, largest := 0.0, 0.0
			x0, z0 := 0.30689, 0.59028-0.1034
			time := r.history["time_s"]
			for i, now := range time {
				sin, cos := math.Sincos(circlePhase(now))
				dx := r.history["tool_x"][i] - (x0 + 0.1*(1-cos))
				dy := r.history["tool_y"][i] - 0.1*sin
				dz := r.history["tool_z"][i] - z0
				e := dx*dx + dy*dy + dz*dz
				sum += e
				largest = max(largest, math.Sqrt(e))
			}
			rms := math.Sqrt(sum / float64(len(time)))
			t.Logf("payload %g kg known, step %g s: %.3g mm RMS, %.3g mm at most", c.payload, h, 1e3*rms, 1e3*largest)
			if !(rms < c.most) {
				t.Errorf("payload %g kg known, step %g s: %.3g mm RMS, want less than %g mm", c.payload, h, 1e3*rms, 1e3*c.most)
			}
		}
	}
}
