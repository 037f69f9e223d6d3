package timestep

import (
	"math"
	"math/rand/v2"
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
		p -= s.Delta * s.ChangeRatio * m.DV[0] / s.Theta
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

// randomSteps are lengths of steps (s) as a run has them that divides steps: h in parts of sixteenths.
func randomSteps(r *rand.Rand, h float64, n int) (steps []float64) {
	for len(steps) < n {
		for left := 16; left > 0; {
			part := min(left, 1<<r.IntN(5))
			steps, left = append(steps, h*float64(part)/16), left-part
		}
	}
	return steps
}

// E + Π never rises in steps of any lengths, of vibrations that are slow or fast beside them.
func TestEnergyInUnequalSteps(t *testing.T) {
	for i := range uint64(200) {
		r := rand.New(rand.NewPCG(20261130, i))
		k, damping := math.Pow(10, 2+5*r.Float64()), 0.5*r.Float64()
		rule := Rule{Midpoint: true, Damping: damping}
		x, v, m, before, last := 1.0, r.NormFloat64(), Memory{}, 0.0, math.Inf(1)
		for j, h := range randomSteps(r, 0.01, 300) {
			w := oscillator(rule, h, k, 0, &x, &v, &m, &before)
			e := 0.5*v*v + 0.5*k*x*x + 0.5*damping*(m.DV[0]*m.DV[0]+h*h*k*w*w)
			if j > 1 && e > last*(1+1e-12) { // Π of the first step, which is not damped, is not paid
				t.Fatalf("%d: stiffness %g, damping %g, step %d of %g s: E + Π rises from %.17g to %.17g", i, k, damping, j, h, last, e)
			}
			last = e
		}
	}
}

// A fall is the parabola as long as steps do not grow, and else ahead of it by δ h (h − h₋) g.
func TestFallInUnequalSteps(t *testing.T) {
	const g = -9.81
	rule := Rule{Midpoint: true, Damping: DefaultDamping}
	x, v, m, before, end, ahead := 0.0, 3.0, Memory{}, 0.0, 0.0, 0.0
	for _, h := range []float64{0.02, 0.02, 0.01, 0.005, 0.005, 0.003, 0.02, 0.001, 0.015} {
		s := rule.Step(h, m, before)
		last := 0.0
		if s.Delta > 0 {
			last = m.DV[0]
		}
		w := v + s.Theta*h*g - s.Delta*s.ChangeRatio*last // (2) for Δv = h g
		change := s.Change(w, v, last)
		x, v, end = x+h*w, v+change, end+h
		if before > 0 {
			ahead += DefaultDamping * h * math.Max(0, h-before) * g
		}
		m, before = Memory{W: []float64{w}, DV: []float64{change}}, h
		if want := 3*end + 0.5*g*end*end + ahead; math.Abs(x-want) > 1e-14 || math.Abs(v-3-g*end) > 1e-14 {
			t.Errorf("after %g s: x = %.17g, want %.17g; v = %.17g", end, x, want, v)
		}
	}
}
