package constraints

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/cliques"
)

// Along l = Σ c q of joints of unit inertia, with w = Σ c², one step ends at
//
//	l̇ = (l̇₀ + h w (f₀ − k l₀))/(1 + h w (h k + d))
//
// where the gains are those by the control of that time, and each joint moves by c_i of the impulse.
func TestActuatorMatchesItsImplicitStep(t *testing.T) {
	const h = 1e-2
	c := &Actuator{
		JointSum: JointSum{[]int{2, 0}, []float64{0.5, -2}},
		Gain:     [3]float64{3, -4, -0.5}, Bias: [3]float64{0.7, -30, -2},
		Min: math.Inf(-1), Max: math.Inf(1), Control: func(t float64) float64 { return 10 * t },
	}
	f := &fake{q: []float64{0.3, 9, -0.4}, v: []float64{-0.2, 5, 1.5}}
	l0, rate0 := 0.5*-0.4-2*0.3, 0.5*1.5-2*-0.2
	u := 10 * h // the end of the step
	f0, k, d, w := 3*u+0.7, 4*u+30, 0.5*u+2, 0.25+4.0
	rate := (rate0 + h*w*(f0-k*l0)) / (1 + h*w*(h*k+d))
	force := f0 - k*(l0+h*rate) - d*rate
	var p cliques.Problem
	f.stepJoints(t, &p, h, []float64{0, 0, 0}, c)
	closeTo(t, "v", f.v, []float64{-0.2 - 2*h*force, 5, 1.5 + 0.5*h*force}, 1e-13)
	closeTo(t, "force", []float64{Effort(&p, 0)}, []float64{force}, 1e-12)
}

// A force of a control alone, and one at its bound, is the force of the step; what pushes away acts with
// its value at the start.
func TestActuatorBoundsItsForce(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		name     string
		a        Actuator
		min, max float64
		want     float64
	}{
		{"motor", Actuator{Gain: [3]float64{2}}, -inf, inf, 6},
		{"motor at its bound", Actuator{Gain: [3]float64{2}}, -5, 4, 4},
		{"servo at its lower bound", Actuator{Gain: [3]float64{-1e6}, Bias: [3]float64{0, -1e6, 0}}, -3, 4, -3},
		{"away by position", Actuator{Bias: [3]float64{1, 2, 0}}, -inf, inf, 1 + 2*0.3*2},
		{"away by rate", Actuator{Bias: [3]float64{0, 0, 2}}, -inf, inf, 2 * -0.2 * 2},
	} {
		f, c := joint(0.3, -0.2), tc.a
		c.Dofs, c.Coefficients, c.Min, c.Max = []int{0}, []float64{2}, tc.min, tc.max
		c.Control = func(float64) float64 { return 3 }
		var p cliques.Problem
		f.stepJoints(t, &p, 1e-3, []float64{0}, &c)
		closeTo(t, tc.name, []float64{Effort(&p, 0), f.v[0]}, []float64{tc.want, -0.2 + 1e-3*2*tc.want}, 1e-12)
	}
}

// A servo with critical damping under a load rests where its spring carries it, at any gear:
// q = (u + load/(c kp))/c.
func TestActuatorCarriesALoadAtRest(t *testing.T) {
	for _, gear := range []float64{1, -3, 0.02} {
		const kp, load, u = 2e4, 25.0, 0.4
		c := &Actuator{JointSum: JointSum{[]int{0}, []float64{gear}}, Gain: [3]float64{kp}, Bias: [3]float64{0, -kp, -2 * math.Sqrt(kp) / math.Abs(gear)}, Min: math.Inf(-1), Max: math.Inf(1),
			Control: func(float64) float64 { return u }}
		f := joint(0, 0)
		var p cliques.Problem
		for range 4000 {
			f.stepJoints(t, &p, 1e-2, []float64{load}, c)
		}
		closeTo(t, "position", f.q, []float64{(u + load/(gear*kp)) / gear}, 1e-9)
	}
}

// A coupling of three joints keeps its sum under a load, and shares it by the coefficients.
func TestJointSumsCoupleJoints(t *testing.T) {
	c := &JointSumLimit{JointSum: JointSum{[]int{0, 1, 2}, []float64{1, -2, 0.5}}, Lower: 0.3, Upper: 0.3}
	f := &fake{q: []float64{0.3, 0, 0}, v: make([]float64, 3)}
	var p cliques.Problem
	for range 50 {
		f.stepJoints(t, &p, 1e-3, []float64{5.25, 0, 0}, c)
	}
	// of unit inertia: a = load − c (c·load)/(c·c), c·c = 5.25
	closeTo(t, "velocity", f.v, []float64{0.05 * (5.25 - 1), 0.05 * 2, 0.05 * -0.5}, 1e-3)
	if e := c.excess(f); math.Abs(e) > 1e-6 {
		t.Errorf("the sum is off by %g", e)
	}
}

// Limits of a sum carry a load from their side.
func TestJointSumsAreLimited(t *testing.T) {
	for _, load := range []float64{4, -4} {
		c := &JointSumLimit{JointSum: JointSum{[]int{0, 1}, []float64{1, 1}}, Lower: -0.1, Upper: 0.2}
		f := &fake{q: []float64{0, 0}, v: make([]float64, 2)}
		var p cliques.Problem
		for range 1000 {
			f.stepJoints(t, &p, 1e-3, []float64{load, 0}, c)
		}
		want := 0.2
		if load < 0 {
			want = -0.1
		}
		if l, _ := c.At(f); math.Abs(l-want) > 1e-5 {
			t.Errorf("load %g: the sum is %g, want %g", load, l, want)
		}
		if got := math.Abs(c.excess(f)); got > 1e-5 {
			t.Errorf("load %g: error %g", load, got)
		}
	}
}

func TestActuatorsAndSumsRefuseWhatIsNone(t *testing.T) {
	one, inf := JointSum{[]int{0}, []float64{1}}, math.Inf(1)
	for want, c := range map[string]Checker{
		"give one coefficient for each joint": &JointSum{Dofs: []int{1}},
		"at least one":                        &Actuator{Min: -1, Max: 1},
		"twice":                               &JointSum{[]int{0, 0}, []float64{1, 2}},
		"coefficient of dof 1 is 0":           &JointSum{[]int{0, 1}, []float64{1, 0}},
		"gain is NaN":                         &Actuator{JointSum: one, Gain: [3]float64{math.NaN()}},
		"bias is +Inf":                        &Actuator{JointSum: one, Bias: [3]float64{0, inf}},
		"limited to 2 to 1":                   &Actuator{JointSum: one, Min: 2, Max: 1},
		"limited to 3 to 1":                   &JointSumLimit{JointSum: one, Lower: 3, Upper: 1},
		"stiffness is -1":                     &JointSumLimit{JointSum: one, Spring: Spring{Stiffness: -1}},
	} {
		if err := c.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
