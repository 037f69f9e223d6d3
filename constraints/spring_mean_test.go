package constraints

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/timestep"
)

// vibrate returns the damping ratio of a mass of 1 kg on a spring of frequency f (Hz) in steps of h under the midpoint
// rule, from its energy after some periods.
func vibrate(f, h float64, mean bool) float64 {
	omega := 2 * math.Pi * f
	k := omega * omega
	rule := timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}
	x, v, dv, memory := 1.0, 0.0, 0.0, timestep.Memory{}
	steps := int(10/(f*h) + 0.5)
	for range steps {
		s := rule.Step(h, memory, h)
		e := row{g0: x, k: k, vmax: math.Inf(1), lo: math.Inf(-1), hi: math.Inf(1), single: true, mean: mean}
		e.prepare(h, s.Theta)
		// A (w − v) = γ − δ Δv₋/θ, γ = (v̂ − w)/R, with A = 1/θ
		w := ((v-s.Delta*dv)/s.Theta + e.v/e.r) / (1/s.Theta + 1/e.r)
		dv = s.Change(w, v, dv)
		v += dv
		memory = timestep.Memory{W: []float64{w}, DV: []float64{dv}}
		x += h * w
	}
	return -math.Log(0.5*(x*x+v*v/k)/0.5) / (2 * omega * h * float64(steps))
}

// A spring between bodies has the mean force of the step: what remains of its numerical damping is the share of the
// end.
func TestSpringsUnderTheMidpointRule(t *testing.T) {
	for _, c := range []struct {
		fh, end, mean float64 // of an independent implementation in Python, over the frequency of the vibration, which is up to 3 % lower
	}{{0.008, 0.013, 0}, {0.02, 0.031, 0.0001}, {0.078, 0.117, 0.0058}} {
		end, mean := vibrate(c.fh/0.01, 0.01, false), vibrate(c.fh/0.01, 0.01, true)
		if !(math.Abs(end-c.end) <= 0.035*c.end) || !(math.Abs(mean-c.mean) <= 0.1*c.mean+0.00005) {
			t.Errorf("%g steps a period: ζ = %.4f and %.4f, want %g and %g", 1/c.fh, end, mean, c.end, c.mean)
		}
	}
}

// A controller under the midpoint rule tracks the target of the middle of the step, with what the share of the end
// leaves.
func TestControllerUnderTheMidpointRule(t *testing.T) {
	f := scene()
	const h, kp, kd = 0.01, 50.0, 2.0
	ramp := rampTarget{at: f.q[0], rate: 3}
	c := &PD{Dof: 0, Kp: kp, Kd: kd, Min: -1e9, Max: 1e9, Target: ramp}
	var p cliques.Problem
	f.v = []float64{3, 0, 0}
	f.begin(&p, 0, h)
	p.BeginMidpoint()
	c.Append(f, &p)
	law := p.Constraints[0].Law
	law.Prepare(h, []float64{1})
	gamma, G := make([]float64, 1), make([]float64, 1)
	// moving with the target: what is left of the error is the share of the end
	law.Eval([]float64{3}, gamma, G)
	eta := EndShare(h, kp, 2)
	if want := -h * kp * 0.5 * eta * h * 3; !(math.Abs(gamma[0]-want) <= 1e-12) {
		t.Errorf("impulse %g, want %g", gamma[0], want)
	}
	if want := h * (0.5*(1+eta)*h*kp + kd); !(math.Abs(G[0]-want) <= 1e-12) {
		t.Errorf("slope %g, want %g", G[0], want)
	}
}

// rampTarget is a target that moves at a constant rate.
type rampTarget struct{ at, rate float64 }

func (r rampTarget) At(t float64) (x, dx float64) { return r.at + r.rate*t, r.rate }
