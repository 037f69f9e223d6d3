package optimize

import (
	"math"
	"strings"
	"testing"
)

// Under the midpoint rule without numerical damping the distance after N steps of h is Σ h² u_k (N − k − ½)/m: the
// least efforts are in the proportion N − k − ½.
func TestCartUnderMidpointIsPulledByEffortsInProportionToTheTimeLeft(t *testing.T) {
	s := solved(t, 2, `
scene: cart.yaml
set: {time.rule: midpoint, time.numerical_damping: "0"}
drives: [pull]
effort: 1e-6
loss:
  place: {joints: [cart], target: [0.3], at_end: 1}
decrease: 1e-12
`)
	const N, h, m = 10, 0.1, 2.0
	left := func(k int) float64 { return N - float64(k) - 0.5 }
	sum := 0.0
	for k := range N {
		sum += left(k) * left(k)
	}
	a, w := h*h/m, 1e-6
	lambda := 0.3 * a / (a*a*sum + h*w)
	for k, u := range s.U {
		if want := lambda * left(k); math.Abs(u[0]-want) > 1e-6*lambda {
			t.Errorf("effort %d is %.9g N, want %.9g", k, u[0], want)
		}
	}
}

// With numerical damping the state has a memory: the cost of the plan is that of a run, and no step is refused.
func TestPlansUnderMidpointHaveTheCostOfTheirRun(t *testing.T) {
	task, err := Load(write(t, `
scene: cart.yaml
set: {time.rule: midpoint, bodies.cart.joint.stiffness: "20", bodies.cart.joint.damping: "0.3"}
drives: [pull]
effort: 1e-3
start: hold
loss:
  place: {joints: [cart], target: [0.3], at_end: 1, rate_at_end: 0.1}
decrease: 1e-12
`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := task.Solve(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	cost, err := task.CostOf(s.U)
	if err != nil || math.Abs(cost/s.Cost-1) > 1e-12 {
		t.Errorf("cost %.15g, of a run %.15g; error %v", s.Cost, cost, err)
	}
	if s.Refused > 0 || len(s.Iterations) > 3 {
		t.Errorf("%d steps refused, %d iterations of a linear problem", s.Refused, len(s.Iterations))
	}
}

func TestStagesOfTwoRulesAreRefused(t *testing.T) {
	_, err := Load(write(t, "scene: cart.yaml\ndrives: [pull]\nloss:\n  a: {joints: [cart]}\nstages: [{time.rule: midpoint}, {time.rule: euler}]\n"))
	if err == nil || !strings.Contains(err.Error(), "time.rule") {
		t.Errorf("error %v", err)
	}
}
