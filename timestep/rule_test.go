package timestep

import (
	"math"
	"testing"
)

// oscillator takes a step of a unit mass on a spring k with the damping d by (4), and updates x, v and its memory.
func oscillator(r Rule, h, k, d float64, x, v *float64, m *Memory, before *float64) (w float64) {
	s := r.Step(h, *m, *before)
	A := 1/s.Theta + h*d + s.Kappa*h*h*k
	p := h * (-k*(*x+s.Alpha*h**v) - d**v)
	var dv float64
	if s.Delta > 0 {
		p -= s.E * h * h * k * (*v - s.Ratio*m.W[0])
		p -= s.Delta * s.Ratio * m.DV[0] / s.Theta
		dv = m.DV[0]
	}
	w = *v + p/A
	change := s.Change(w, *v, dv)
	*x, *v = *x+h*w, *v+change
	*m, *before = Memory{W: []float64{w}, DV: []float64{change}}, h
	return w
}

// Values by an independent implementation in Python (numpy) of the damped midpoint rule, e = δ = 0.05, from x = 1 at
// rest: x, v and w after each of three steps of 10 ms.
func TestStepsOfAnOscillator(t *testing.T) {
	for _, c := range []struct {
		hz, zeta float64
		want     [3][3]float64
	}{
		{7.8, 0.056, [3][3]float64{
			{0.8895684864000796, -22.086302719984083, -11.043151359992041},
			{0.5920983993889315, -38.0227047511294, -29.747008701114805},
			{0.181849376654049, -44.93000952188598, -41.02490227348825},
		}},
		{1000, 0, [3][3]float64{
			{-0.9979756274453868, -399.59512548907736, -199.79756274453868},
			{0.6303490962104352, 586.6736773840239, 162.8324723655822},
			{-0.36237970540998166, -570.8410815294496, -99.27288016204169},
		}},
	} {
		omega := 2 * math.Pi * c.hz
		x, v, m, before := 1.0, 0.0, Memory{}, 0.0
		for i, want := range c.want {
			w := oscillator(Rule{Midpoint: true, Damping: DefaultDamping}, 0.01, omega*omega, 2*c.zeta*omega, &x, &v, &m, &before)
			for j, got := range []float64{x, v, w} {
				if math.Abs(got-want[j]) > 1e-11*math.Max(1, math.Abs(want[j])) {
					t.Errorf("%g Hz, step %d: number %d is %.17g, want %.17g", c.hz, i+1, j, got, want[j])
				}
			}
		}
	}
}

// An undamped oscillator with e = δ = 0 keeps its energy, with damping it loses it by ζ = ½ e (ω h)³, and with Euler
// nearly all.
func TestEnergyOfAnOscillator(t *testing.T) {
	const h, k = 0.01, 2500.0
	turn := h * math.Sqrt(k)
	byDamping := math.Exp(-DefaultDamping * turn * turn * turn * 100 * turn) // after 100 steps: exp(−2 ζ ω t)
	for _, c := range []struct {
		rule        Rule
		least, most float64 // energy after a second over that before
	}{
		{Rule{Midpoint: true}, 1 - 1e-12, 1 + 1e-12},
		{Rule{Midpoint: true, Damping: DefaultDamping}, 0.9 * byDamping, 1.1 * byDamping},
		{Rule{}, 0, 1e-3},
	} {
		x, v, m, before := 1.0, 0.0, Memory{}, 0.0
		for range 100 {
			oscillator(c.rule, h, k, 0, &x, &v, &m, &before)
		}
		if e := v*v/k + x*x; !(e >= c.least && e <= c.most) {
			t.Errorf("%+v: the energy is %g of that of the start, want %g to %g", c.rule, e, c.least, c.most)
		}
	}
}

func TestDampingOutOfRange(t *testing.T) {
	for _, d := range []float64{-1, 0.6, math.NaN(), math.Inf(1)} {
		if (Rule{Midpoint: true, Damping: d}).Check() == nil {
			t.Errorf("a damping of %g is no error", d)
		}
	}
}
