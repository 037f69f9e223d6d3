package examples_test

import (
	"fmt"
	"math"
	"testing"
)

// fallingSphere runs the falling sphere under a law with steps of h.
func fallingSphere(t *testing.T, law string, h float64) *trial {
	t.Helper()
	return begin(t, "falling-sphere/scene.yaml", append(lawSettings(law), fmt.Sprint("time.step=", h))...).run()
}

// A sphere that lands without bouncing slides until the impulse of friction, μ
// times that of the floor, is 2/7 m U: t = 2U/(7 μ g), whatever the drop. Lagged
// friction uses a force a step late; under SAP and Similar the sphere rides at a
// gap a = μ h (as published, SAP: μ (h + τ)) of its slip and so sinks at a (7/2) μ g: the floor
// has yet to push that much more.
func TestFallingSphereRollsAtFiveSeventhsOfItsSpeed(t *testing.T) {
	const U, mu, g, tau, R = 2, 0.5, 9.81, 1e-3, 0.025
	for _, law := range append(laws, published) {
		for _, h := range []float64{4e-4, 2e-3, 1e-2} {
			r := fallingSphere(t, law, h)
			name := fmt.Sprintf("%s, step %g s", law, h)
			near(t, name+": final speed", r.last("vx"), 5.0/7*U, 1e-9)
			near(t, name+": final spin", r.last("omega_y"), 5.0/7*U/R, 1e-7)

			late := 0.0
			switch law {
			case "similar", "sap":
				late = 3.5 * mu * mu * h
			case published:
				late = 3.5 * mu * mu * (h + tau)
			}
			time, slip := r.history["time_s"], r.history["slip_velocity"]
			i := 0
			for slip[i] > 1e-2 {
				i++
			}
			i -= 1 // the last that surely slides; then the line runs out
			near(t, name+": sticks at", time[i]+slip[i]/(3.5*mu*g), 2*U/(7*mu*g)+late, 0.04*h)
		}
	}
}

// Where the gap at the end of a step would be less than what the slip U opens, 0
// for Lagged, μ h U for Similar and SAP, μ (h + τ) U for SAP as published (whose own
// prediction also looks τ ahead), there is force.
func TestFallingSphereMeetsTheFloorAheadByTheGlidingGap(t *testing.T) {
	const U, mu, g, tau = 2, 0.5, 9.81, 1e-3
	for _, law := range append(laws, published) {
		for _, h := range []float64{4e-4, 2e-3, 1e-2} {
			r := fallingSphere(t, law, h)
			ahead, slip := h, 0.0 // that the law looks ahead
			switch law {
			case "similar", "sap":
				slip = mu * U
			case published:
				ahead, slip = h+tau, mu*U
			}
			n := 0.0 // steps of free fall before
			for 0.025-g*h*h*n*(n+1)/2-ahead*g*h*(n+1) > ahead*slip {
				n++
			}
			got := r.first("normal_force_N", func(N float64) bool { return N > 0 })
			near(t, fmt.Sprintf("%s, step %g s: first force", law, h), got, (n+1)*h, 1e-9)
		}
	}
}

// An independent planar solver of the same laws (a few hundred lines of C) has
// these forces at a step of 2 ms: the largest, and that at the change from slip
// to stick, where Lagged has no spike. It estimates the near-rigid limit of SAP, which
// this landing reaches, from another norm of the effective mass.
func TestFallingSphereAgreesWithAnIndependentSolver(t *testing.T) {
	for _, c := range []struct {
		law         string
		peak, spike float64
	}{{"lagged", 141.7, 4.905}, {"similar", 79.2, 8.6}, {published, 49.5, 7.9}} {
		r := fallingSphere(t, c.law, 2e-3)
		peak, _ := r.most("normal_force_N")
		near(t, c.law+": largest force", peak, c.peak, 0.1)
		spike := 0.0
		for i, time := range r.history["time_s"] {
			if time > 0.11 && time < 0.13 {
				spike = max(spike, r.history["normal_force_N"][i])
			}
		}
		near(t, c.law+": force where it sticks", spike, c.spike, 0.1)
	}
}

// rebound solves d v − ln(1 + d v) = −d u − ln(1 − d u) for the speed u that a
// body leaves with which comes at v, by bisection.
func rebound(d, v float64) float64 {
	lo, hi := 0.0, math.Min(v, 1/d)
	for range 200 {
		u := (lo + hi) / 2
		if -d*u-math.Log1p(-d*u) < d*v-math.Log1p(d*v) {
			lo = u
		} else {
			hi = u
		}
	}
	return lo
}

// Hunt and Crossley's ball leaves at the speed of the closed form, whatever its
// stiffness and mass; the error is of first order in the step.
func TestReboundsConvergeToTheClosedForm(t *testing.T) {
	balls := []struct {
		signal string
		d      float64
	}{{"rebound_a", 0.05}, {"rebound_b", 0.2}, {"rebound_c", 1}, {"rebound_d", 3}, {"rebound_e", 10}}
	for _, set := range [][]string{nil, {"pairs.2.stiffness=4e5", "bodies.ball_c.mass=0.3"}} {
		for _, law := range []string{"lagged", "similar"} {
			var err [2][5]float64
			for i, h := range []float64{1e-5, 5e-6} {
				r := begin(t, "bounce/scene.yaml", append([]string{"solver.contact=" + law, fmt.Sprint("time.step=", h), "time.duration=0.032"}, set...)...).run()
				for k, b := range balls {
					err[i][k] = rebound(b.d, 1) - r.last(b.signal)
				}
			}
			for k, b := range balls {
				if e := math.Abs(err[1][k]); e > 0.02 {
					t.Errorf("%s, d = %g s/m: off by %.3g m/s at 5 μs", law, b.d, e)
				}
				near(t, fmt.Sprintf("%s, d = %g s/m: order", law, b.d), math.Log2(err[0][k]/err[1][k]), 1, 0.1)
			}
		}
	}
}

// On a slope of angle θ a box slides from rest at g (sin θ − μ cos θ) where
// tan θ > μ, and else creeps at v_s tan θ/√(μ² − tan² θ), under SAP slower.
func TestInclineSlidesOnlyAboveTheFrictionAngle(t *testing.T) {
	const g, h = 9.81, 1e-3
	s, c := math.Sincos(25 * math.Pi / 180)
	for _, law := range laws {
		for _, mu := range []float64{0.2, 0.4, 0.46, 0.475, 0.5, 0.8} {
			r := begin(t, "incline/scene.yaml", "solver.contact="+law, fmt.Sprint("pairs.1.friction=", mu)).run()
			v, name := r.last("velocity_slides"), fmt.Sprintf("%s, μ = %g", law, mu)
			creep := 1e-4 * s / math.Sqrt(mu*mu*c*c-s*s)
			switch {
			case mu < s/c:
				near(t, name+": speed", v, 0.6*g*(s-mu*c), 2*h*g*s)
			case law != "sap":
				near(t, name+": creep", v, creep, 1e-3*creep)
			case v > creep || v < 0:
				t.Errorf("%s: creeps at %g m/s, more than %g", name, v, creep)
			}
		}
	}
}

// Momentum changes by the impulse of gravity and of the contact forces that are
// reported, in every step.
func TestThrownBoxGainsWhatItsForcesGive(t *testing.T) {
	for _, law := range laws {
		r := begin(t, "thrown-box/scene.yaml", "solver.contact="+law).run()
		for axis, weight := range map[string]float64{"x": 0, "y": 0, "z": -0.5 * 9.81} {
			p, F := r.history["momentum_"+axis], r.history["force_"+axis+"_N"]
			for i := 1; i < len(p); i++ {
				// to the tolerance of the solver
				if d := p[i] - p[i-1] - r.h*(F[i]+weight); math.Abs(d) > 2e-5 {
					t.Errorf("%s: momentum %s at %g s gains %g N s too much", law, axis, r.history["time_s"][i], d)
					break
				}
			}
		}
	}
}
