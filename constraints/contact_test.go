package constraints

import (
	"fmt"
	"math"
	"testing"
)

// normalStep solves m (v − v0) = p(v) for one particle of unit mass.
func normalStep(n NormalLaw, v0 float64) float64 {
	v := v0
	for range 100 {
		_, p, dp := n.Eval(v)
		d := (v - v0 - p) / (1 - dp)
		if v -= d; math.Abs(d) < 1e-15 {
			break
		}
	}
	return v
}

// rebound drops a unit mass at speed vi on a Hunt–Crossley plane without
// gravity and returns its speed after.
func rebound(h, k, d, vi float64) float64 {
	x, v := 0.0, -vi
	for range int(1e6) {
		n := new(huntCrossley)
		n.init(h, k, d, x)
		v = normalStep(n, v)
		if x += h * v; x > 0 {
			return v
		}
	}
	return math.NaN()
}

// TestReboundMatchesHuntCrossley integrates the law exactly: d vi − ln(1 + d vi)
// = −d vo − ln(1 − d vo), whatever stiffness and mass; first order in the step.
func TestReboundMatchesHuntCrossley(t *testing.T) {
	for _, tc := range []struct{ dv, e float64 }{{0.05, 0.96774}, {0.2, 0.88219}, {1, 0.59362}, {10, 0.099982}} {
		for _, k := range []float64{1e3, 1e5} {
			h := 1e-4 / math.Sqrt(k)
			const d = 2.0
			e := rebound(h, k, d, tc.dv/d) / (tc.dv / d)
			half := rebound(h/2, k, d, tc.dv/d) / (tc.dv / d)
			if math.Abs(e-tc.e) > 3e-3*tc.e {
				t.Errorf("d v = %g, k = %g: restitution %g, want %g", tc.dv, k, e, tc.e)
			}
			if math.Abs(half-tc.e) > 0.6*math.Abs(e-tc.e)+1e-5 {
				t.Errorf("d v = %g, k = %g: error %g, at half the step %g", tc.dv, k, e-tc.e, half-tc.e)
			}
			if e*tc.dv >= 1 {
				t.Errorf("d v = %g: rebound faster than 1/d", tc.dv)
			}
		}
	}
}

// TestCostStaysExactAtHighStiffness compares P with its leading term
// −½ k x² just inside break-off, where the textbook form has lost all digits.
func TestCostStaysExactAtHighStiffness(t *testing.T) {
	const h, k, phi = 1e-3, 1e12, 0.1 // 10 cm ahead: ½ k φ0² = 5e9 J
	n := new(huntCrossley)
	n.init(h, k, 0, phi)
	for _, du := range []float64{1e-3, 1e-6, 1e-9} {
		vn := n.vBreak - du
		x := h * (n.vBreak - vn) // as rounded
		P, p, _ := n.Eval(vn)
		closeTo(t, "P, p", []float64{P, p}, []float64{-0.5 * k * x * x, h * k * x}, 1e-12)
	}
}

func TestNormalForceBreaksOffInDeepOverlap(t *testing.T) {
	n := new(huntCrossley)
	n.init(1e-3, 1e4, 100, -0.05) // 1/d = 1 cm/s is before −φ0/h = 50 m/s
	if _, p, _ := n.Eval(0.011); p != 0 {
		t.Errorf("impulse %g at v > 1/d", p)
	}
	if _, p, _ := n.Eval(0.009); p <= 0 {
		t.Errorf("impulse %g at v < 1/d", p)
	}
}

// TestStickCreepsAtTheStatedSpeed balances a tangential load on lagged friction.
func TestStickCreepsAtTheStatedSpeed(t *testing.T) {
	const n0, mu, eps = 0.3, 0.7, 1e-4
	l := &lagged{normal: new(huntCrossley), friction: friction{mu: mu, n0: n0, eps: eps}}
	for _, share := range []float64{0.1, 0.5, 0.99} {
		T := share * mu * n0
		v := eps * T / math.Sqrt(mu*n0*mu*n0-T*T)
		var g [3]float64
		var G [9]float64
		l.Eval([]float64{0.6 * v, 0.8 * v, 0}, g[:], G[:])
		closeTo(t, "friction", g[:2], []float64{-0.6 * T, -0.8 * T}, 1e-12)
	}
}

// TestSlidingLiftsSAPOnly lifts a sliding contact by μ (h + τ)|vt| over −(1 + μ̃²) m g/k,
// where lagged friction leaves it at −m g/k.
func TestSlidingLiftsSAPOnly(t *testing.T) {
	const h, k, tau, mu, g, vt = 1e-3, 1e6, 1e-2, 0.5, 9.81, 1.0
	var gamma [3]float64
	var G [9]float64
	s := &sap{SAP: SAP{Sigma: 1e-3}, mu: mu, k: k, tau: tau}
	s.Prepare(h, []float64{1, 1, 1})
	s.phi = -g/k*(1+mu*mu*s.rt/s.rn) + mu*(h+tau)*vt
	s.Prepare(h, []float64{1, 1, 1})
	s.Eval([]float64{vt, 0, 0}, gamma[:], G[:])
	closeTo(t, "SAP", gamma[:], []float64{-mu * h * g, 0, h * g}, 1e-9)

	n := new(huntCrossley)
	n.init(h, k, 10, -g/k)
	l := &lagged{normal: n, friction: friction{mu: mu, n0: n.Lag(0), eps: 1e-9}}
	l.Eval([]float64{vt, 0, 0}, gamma[:], G[:])
	closeTo(t, "lagged", gamma[:], []float64{-mu * h * g, 0, h * g}, 1e-9)
}

// TestDampingFromTouchActsForTheOverlapsShareOfTheStep compares with the force of a spring and
// damper, the spring at the overlap at the end of the step, the damper for the share of the
// step in which the surfaces overlap at constant speed. Gaps that stay open transmit nothing, and the law is continuous
// where the gap vanishes.
func TestDampingFromTouchActsForTheOverlapsShareOfTheStep(t *testing.T) {
	const h, k, tau = 2e-3, 1e5, 0.2
	impulse := func(phi, vn float64) float64 {
		s := &sap{SAP: SAP{Sigma: 1e-3, DampingFromTouch: true}, k: k, tau: tau, phi: phi}
		s.Prepare(h, []float64{1, 1, 1})
		var gamma [3]float64
		var G [9]float64
		s.Eval([]float64{0, 0, vn}, gamma[:], G[:])
		return gamma[2]
	}
	for _, phi := range []float64{1e-6, 1e-4, 1e-3} {
		for _, part := range []float64{0.1, 0.9, 1, 1.1, 2, 10} { // of the speed that closes the gap
			vn := -part * phi / h
			want := 0.0
			if touch := phi / -vn; touch < h { // the time of touch in the step
				overlap := -vn * (h - touch)
				want = h * k * (overlap + tau*-vn*(h-touch)/h)
			}
			closeTo(t, fmt.Sprintf("gap %g m at %g m/s", phi, vn), []float64{impulse(phi, vn)}, []float64{want}, 1e-12)
		}
	}
	closeTo(t, "across touch", []float64{impulse(1e-15, -1)}, []float64{impulse(-1e-15, -1)}, 1e-11)
}

// TestFrictionlessSAPDoesNotStick has zero tangential Hessian even at rest.
func TestFrictionlessSAPDoesNotStick(t *testing.T) {
	s := &sap{SAP: SAP{Sigma: 1e-3}, k: 1e5, phi: -1e-3}
	s.Prepare(1e-3, []float64{1, 1, 1})
	var gamma [3]float64
	var G [9]float64
	s.Eval([]float64{0, 0, 0}, gamma[:], G[:])
	closeTo(t, "gamma", gamma[:], []float64{0, 0, 0.1}, 1e-12)
	closeTo(t, "G", G[:], []float64{0, 0, 0, 0, 0, 0, 0, 0, 0.1}, 1e-12)
}

// TestSAPIsOpenAtTheApexOfItsCone has a particle at rest that just touches: no
// impulse, and nothing that stops it.
func TestSAPIsOpenAtTheApexOfItsCone(t *testing.T) {
	s := &sap{SAP: SAP{Sigma: 1e-3}, mu: 0.5, k: 1e5}
	s.Prepare(1e-3, []float64{1, 1, 1})
	var gamma [3]float64
	var G [9]float64
	if cost := s.Eval([]float64{0, 0, 0}, gamma[:], G[:]); cost != 0 || gamma != [3]float64{} || G != [9]float64{} {
		t.Errorf("ℓ %g γ %v G %v, want zeros", cost, gamma, G)
	}
}
