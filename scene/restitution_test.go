package scene

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"
)

// A ball or a box that falls on the ground, and a ball that is thrown at it, leave the step of the impact with e times
// their speed of approach, under every law of friction, wherever in the step they touch.
func TestRestitutionIsTheRatioOfSpeeds(t *testing.T) {
	for _, contact := range []string{"lagged", "similar", "sap"} {
		for _, shape := range []string{"sphere: {radius: 0.05}", "box: {size: [0.1, 0.1, 0.1]}"} {
			for _, e := range []float64{0.05, 0.5, 0.9, 1} {
				for _, h := range []float64{2e-4, 1e-3, 1e-2} {
					for k, height := range []float64{0.3, 0.3 + 7.3*h/3, 0.31} {
						speed := 25*9.81*h + 1
						got, before := reboundOf(t, fmt.Sprintf(`time: {step: %g, duration: 1}
solver: {contact: %s}
materials: {bouncy: {restitution: %g, friction: 0.3}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {size: 1}}]}
  ball: {pose: {xyz: [0, 0, %g]}, velocity: [0, 0, %g], mass: 0.2, shapes: [{%s, material: bouncy}]}
`, h, contact, e, height, -speed, shape), h)
						what := fmt.Sprintf("%s, %s, e = %g, step %g, start %d", contact, shape, e, h, k)
						near(t, what, got/before, e, 0.01*e+0.002)
					}
				}
			}
		}
	}
}

// reboundOf returns the speeds of the body of a scene after and before its first impact.
func reboundOf(t *testing.T, text string, h float64) (after, before float64) {
	t.Helper()
	_, st, x := begun(t, text)
	for range int(1 / h) {
		before = -x.V[5]
		if err := st.Step(x, h); err != nil {
			t.Fatal(err)
		}
		if x.V[5] > -before*0.5 {
			return x.V[5], before
		}
	}
	return math.NaN(), before
}

// Heaps of balls and boxes that are thrown into a corner with restitution never have more energy than before, but for
// m g h v of a rebound, with and without friction, also with a restitution of each body of its own.
func TestRestitutionGainsNoEnergy(t *testing.T) {
	shots, seed := 6, uint64(1)
	if os.Getenv("CURLFREE_LONG") != "" {
		shots, seed = 300, uint64(time.Now().UnixNano())
	}
	if s := os.Getenv("CURLFREE_SEED"); s != "" {
		fmt.Sscan(s, &seed)
	}
	for shot := range shots {
		r := rand.New(rand.NewPCG(seed, uint64(shot)))
		h := []float64{5e-4, 2e-3, 1e-2}[r.IntN(3)]
		mu := []float64{0, 0.2, 0.8}[r.IntN(3)]
		own := r.IntN(2) == 0
		e := 0.3 + 0.7*r.Float64()
		text, bodies := "", ""
		for i := range 10 {
			if own {
				e = r.Float64()
			}
			text += fmt.Sprintf("  m%d: {restitution: %g, friction: %g}\n", i, e, mu)
			shape := fmt.Sprintf("sphere: {radius: %g}", 0.02+0.03*r.Float64())
			if r.IntN(2) == 0 {
				shape = fmt.Sprintf("box: {size: [%g, %g, %g]}", 0.03+0.05*r.Float64(), 0.03+0.05*r.Float64(), 0.03+0.05*r.Float64())
			}
			bodies += fmt.Sprintf("  b%d: {pose: {xyz: [%g, %g, %g], rpy_deg: [%g, %g, 0]}, velocity: [%g, %g, %g], shapes: [{%s, material: m%d}]}\n", i,
				0.1+0.12*float64(i%2), 0.1+0.12*float64(i/2%2), 0.1+0.12*float64(i/4), 360*r.Float64(), 360*r.Float64(),
				-2*r.Float64(), -2*r.Float64(), -3*r.Float64(), shape, i)
		}
		_, st, x := begun(t, fmt.Sprintf(`time: {step: %g, duration: 1}
materials:
  default: {friction: %g}
%sbodies:
  floor: {fixed: true, shapes: [{half_space: {size: 1}}]}
  wall: {fixed: true, pose: {rpy_deg: [0, 90, 0]}, shapes: [{half_space: {size: 1}}]}
  side: {fixed: true, pose: {rpy_deg: [-90, 0, 0]}, shapes: [{half_space: {size: 1}}]}
%ssignals: {E: {energy: total}}
`, h, mu, text, bodies))
		start := st.Read(x, nil)[0]
		least, worst, alarms := start, 0.0, 0
		for range int(0.6 / h) {
			if err := st.Step(x, h); err != nil {
				t.Fatal(err)
			}
			energy := st.Read(x, nil)[0]
			worst, least = max(worst, energy-least), min(least, energy)
			if st.Report.EnergyGained.Energy > 0 {
				alarms++
			}
		}
		// m g h v of two bodies of 0.5 kg at 6 m/s, which flight takes again
		if worst > 1e-3*start+60*h || alarms > 0 {
			t.Errorf("seed %d, shot %d: energy rises by %.3g of %.3g J (step %g s, friction %g, own %v), %d alarms", seed, shot, worst, start, h, mu, own, alarms)
		}
	}
}
