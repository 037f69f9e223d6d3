package optimize

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/optimal"
)

// The published tasks, from efforts that only keep the arm: contact is made without being prescribed, and the cost is
// that of an ordinary run with the efforts.
func TestArmPushesABallToItsTarget(t *testing.T) {
	for _, c := range []struct {
		file           string
		cost, distance float64 // m
	}{{"side", 1.80, 0.05}, {"forward", 3.05, 0.05}} {
		task, err := Load("../examples/kinova-push/" + c.file + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var rows []optimal.Iteration
		s, err := task.Solve(1, func(r optimal.Iteration) bool { rows = append(rows, r); return true })
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) > 60 || len(rows) != len(s.Iterations) {
			t.Errorf("%s: %d iterations", c.file, len(rows))
		}
		for _, r := range rows {
			if !(r.Actual >= 0) {
				t.Errorf("%s: cost rises by %g in iteration %d", c.file, -r.Actual, r.Number)
			}
		}
		cost, err := task.CostOf(s.U)
		if err != nil || math.Abs(cost/s.Cost-1) > 1e-9 || cost > c.cost {
			t.Errorf("%s: cost %g, of a run %g, want %g at most; error %v", c.file, s.Cost, cost, c.cost, err)
		}
		ball := task.Scene.Model.Rigid.QStart(task.Scene.Model.Body("ball")) + 4
		end, off := s.X[len(s.X)-1], 0.0
		for k := range 3 {
			off = math.Hypot(off, end[ball+k]-task.cost.Target[ball+k])
		}
		t.Logf("%s: cost %.4f from %.4f after %d iterations, ball %.1f mm from its target", c.file, s.Cost, rows[0].Cost+rows[0].Actual, len(rows), 1e3*off)
		if off > c.distance {
			t.Errorf("%s: the ball ends %.1f mm from its target", c.file, 1e3*off)
		}
	}
}

// cart is a body on rails that a drive pulls, with a closed form for its efforts.
const cart = `
title: cart
time: {step: 0.1, duration: 1}
gravity: [0, 0, 0]
bodies:
  cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}
drives:
  pull: {joint: cart}
`

func write(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for name, s := range map[string]string{"cart.yaml": cart, "task.yaml": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "task.yaml")
}

// solved solves the task of a text on threads.
func solved(t *testing.T, threads int, text string) *Solution {
	t.Helper()
	task, err := Load(write(t, text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := task.Solve(threads, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The distance after N steps of h is Σ h² u_k (N − k)/m: without weights of rates the least efforts are in the
// proportion N − k.
func TestCartIsPulledByEffortsInProportionToTheTimeLeft(t *testing.T) {
	s := solved(t, 2, `
scene: cart.yaml
drives: [pull]
effort: 1e-6
loss:
  place: {joints: [cart], target: [0.3], at_end: 1}
decrease: 1e-12
`)
	const N, h, m = 10, 0.1, 2.0
	sum := 0.0
	for k := range N {
		sum += float64((N - k) * (N - k))
	}
	// min (x − 0.3)² + h w Σ u², u_k = λ (N − k): λ h²/m Σ (N−k)² = x, (0.3 − x) h²/m = h w λ
	a, w := h*h/m, 1e-6
	lambda := 0.3 * a / (a*a*sum + h*w)
	for k, u := range s.U {
		if want := lambda * float64(N-k); math.Abs(u[0]-want) > 1e-6*lambda {
			t.Errorf("effort %d is %.9g N, want %.9g", k, u[0], want)
		}
	}
}

// Efforts of a cart that are planned again every 0.2 s for all that is left are those of one plan: the rest of an
// optimum is the optimum of the rest. With plans of 0.4 s the cart hurries to be there at the end of each.
func TestPlansOnTheWayLeadToTheTarget(t *testing.T) {
	const task = `
scene: cart.yaml
drives: [pull]
effort: 1e-6
decrease: 1e-12
loss:
  place: {joints: [cart], target: [0.3], at_end: 1, rate_at_end: 0.1}
`
	whole, again := solved(t, 2, task), solved(t, 2, task+"horizon: 1\nreplan: 0.2\n")
	for k, u := range again.U {
		if math.Abs(u[0]-whole.U[k][0]) > 1e-6*math.Abs(whole.U[0][0]) {
			t.Errorf("effort %d is %.9g N, that of one plan %.9g", k, u[0], whole.U[k][0])
		}
	}
	short := solved(t, 1, task+"horizon: 0.4\nreplan: 0.1\n")
	if a, b := short.X[5][0], whole.X[5][0]; a < b+0.05 {
		t.Errorf("the cart is at %g m half-way, at %g m with one plan", a, b)
	}
	if x := short.X[10][0]; math.Abs(x-0.3) > 0.005 {
		t.Errorf("the cart ends at %g m", x)
	}
}

func TestLimitsApplyInEveryStage(t *testing.T) {
	s := solved(t, 1, `
scene: cart.yaml
drives: [pull]
limits: [0.7]
loss:
  place: {joints: [cart], target: [0.3], at_end: 1}
stages: [{bodies.cart.mass: "4"}, {}]
`)
	for k, u := range s.U {
		if math.Abs(u[0]) > 0.7 {
			t.Errorf("effort %d is %g N", k, u[0])
		}
	}
	if x := s.X[10][0]; x < 0.15 || x > 0.3+1e-6 { // 0.7 N for 1 s moves 2 kg by 0.19 m
		t.Errorf("the cart ends at %g m", x)
	}
}

// With efforts that cost nothing, m v0 must be taken away, in whatever way: the target of velocities is rest, also for
// bodies that move at the start. The least squares of efforts are equal ones, −m v0/T.
func TestMovingBodiesAreBroughtToRest(t *testing.T) {
	s := solved(t, 1, `
scene: cart.yaml
set: {bodies.cart.joint.velocity: "0.5"}
drives: [pull]
effort: 1e-9
loss:
  rest: {joints: [cart], rate_at_end: 1}
decrease: 1e-12
`)
	for k, u := range s.U {
		if want := -2 * 0.5 / 1.0; math.Abs(u[0]/want-1) > 1e-6 {
			t.Errorf("effort %d is %.9g N, want %g", k, u[0], want)
		}
	}
}

func TestFaultsOfTheFileAreNamed(t *testing.T) {
	const head = "scene: cart.yaml\ndrives: [pull]\nloss:\n"
	for text, want := range map[string]string{
		head + "  a: {body: cart, at_end: 1}\n":                                        "cart has a joint",
		head + "  a: {body: nothing}\n":                                                `no rigid body "nothing"`,
		head + "  a: {joints: [nothing]}\n":                                            `no joint "nothing"`,
		head + "  a: {joints: [cart], target: [1, 2]}\n":                               "target has 2 numbers",
		head + "  a: {joints: [cart], body: cart}\n":                                   "not both",
		head + "  a: {joints: [cart], weigth: 1}\n":                                    "weight",
		"starts: {number: 2, spread: [1, 2]}\n" + head + "  a: {joints: [cart]}\n":     "spread has 2 numbers",
		"starts: {number: 2, spread: [-1]}\n" + head + "  a: {joints: [cart]}\n":       "not negative",
		"starts: {number: 0, spread: [1]}\n" + head + "  a: {joints: [cart]}\n":        "number",
		"horizon: 0.2\nreplan: 0.3\n" + head + "  a: {joints: [cart]}\n":               "longer than the horizon",
		"limits: [1, 2]\n" + head + "  a: {joints: [cart]}\n":                          "limits has 2 numbers for 1 drives",
		strings.Replace(head, "cart.yaml", "none.yaml", 1) + "  a: {joints: [cart]}\n": "none.yaml",
	} {
		if _, err := Load(write(t, text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that contains %q", err, want)
		}
	}
}
