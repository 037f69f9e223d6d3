package optimize

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// push is a cart on rails under a constant force: after k steps it is at h² F/m k (k + 1)/2.
const push = `
title: cart
time: {step: 0.1, duration: 1}
gravity: [0, 0, 0]
bodies:
  cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}
drives:
  pull: {joint: cart, feed_forward: 3}
signals:
  x: {body: cart, position: x}
  v: {body: cart, velocity: x}
`

// records writes a folder with the scene, a task and a record of the positions under a force and mass, each with noise.
func records(t *testing.T, task string, force, mass float64, noise func() float64) string {
	t.Helper()
	var csv strings.Builder
	csv.WriteString("time_s,x\n")
	for k := 1; k <= 10; k++ {
		fmt.Fprintf(&csv, "%.3g,%.17g\n", 0.1*float64(k), 0.01*force/mass*float64(k*(k+1))/2+noise())
	}
	dir := t.TempDir()
	for name, s := range map[string]string{"cart.yaml": push, "task.yaml": task, "record.csv": csv.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "task.yaml")
}

func none() float64 { return 0 }

const findMass = `
scene: cart.yaml
unknowns:
  m: {path: bodies.cart.mass, start: 4}
loss:
  place: {signal: x, record: record.csv}
`

func solve(t *testing.T, path string, threads int) *ParameterSolution {
	t.Helper()
	task, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := task.SolveParameters(threads, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestMassIsFoundFromARecordedMotion(t *testing.T) {
	s := solve(t, records(t, findMass, 3, 2, none), 2)
	if !s.Converged || math.Abs(s.Values[0]-2) > 1e-6 || len(s.Iterations) > 8 {
		t.Errorf("mass %.9g kg after %d iterations, converged %v", s.Values[0], len(s.Iterations), s.Converged)
	}
	if !slices.Contains(s.Set, fmt.Sprintf("bodies.cart.mass=%v", s.Values[0])) {
		t.Errorf("overrides %v do not give the value found", s.Set)
	}
	// the same bits on one thread
	if one := solve(t, records(t, findMass, 3, 2, none), 1); one.Values[0] != s.Values[0] || one.Runs != s.Runs {
		t.Errorf("one thread finds %.17g, two find %.17g", one.Values[0], s.Values[0])
	}
}

// The interval is that of linear regression of x = c/m, and contains the truth in 95 of 100 draws.
func TestIntervalOfAMassContainsTheTruth(t *testing.T) {
	const draws = 60
	rng := rand.New(rand.NewPCG(5, 6))
	inside := 0
	for range draws {
		s := solve(t, records(t, findMass, 3, 2, func() float64 { return 0.01 * rng.NormFloat64() }), 1)
		if s.Low[0] <= 2 && 2 <= s.High[0] {
			inside++
		}
		if s.Deviation < 0.003 || s.Deviation > 0.03 {
			t.Errorf("deviation %g m of noise of 0.01 m", s.Deviation)
		}
	}
	// 57 are expected; fewer than 51 or all 60 with chances of 1 and 5 in a hundred
	if inside < 51 {
		t.Errorf("%d of %d intervals contain the truth", inside, draws)
	}
}

// Force and mass together move the cart as their quotient does: each alone is not determined.
func TestUnknownsThatTheRecordDoesNotDetermineAreNamed(t *testing.T) {
	s := solve(t, records(t, `
scene: cart.yaml
unknowns:
  m: {path: bodies.cart.mass, start: 9}
  f: {path: drives.pull.feed_forward, start: 1}
loss:
  place: {signal: x, record: record.csv}
`, 3, 2, none), 2)
	if len(s.Undetermined) != 1 || math.Abs(s.Undetermined[0][0]-s.Undetermined[0][1]) > 1e-3 {
		t.Fatalf("undetermined combinations %v, want m and f alike", s.Undetermined)
	}
	for i := range 2 {
		if s.Low[i] != 0 || !math.IsInf(s.High[i], 1) {
			t.Errorf("unknown %d: interval %g to %g, want 0 to +Inf", i, s.Low[i], s.High[i])
		}
	}
	if q := s.Values[1] / s.Values[0]; math.Abs(q-1.5) > 1e-6 {
		t.Errorf("f/m = %.9g m/s², want 1.5", q)
	}
}

func TestAnUnknownStaysAtItsBound(t *testing.T) {
	s := solve(t, records(t, strings.Replace(findMass, "start: 4", "start: 9, min: 4, max: 20", 1), 3, 2, none), 1)
	if math.Abs(s.Values[0]-4) > 1e-12 || !math.IsNaN(s.Low[0]) {
		t.Errorf("mass %g kg with interval from %g, want 4 without interval", s.Values[0], s.Low[0])
	}
}

// The mean of x over the last step is 1.5·0.55 m per newton and kilogram; the square of its distance from 0.3 m and a
// price of 0.01 on speed have a minimum in closed form.
func TestOtherMethodsFindTheSameMinimum(t *testing.T) {
	const x, v = 0.55 / 2, 1.0 / 2 // at the end, per newton
	// (x f − 0.3)² + 0.01 v f: f = (0.3 x − 0.005 v)/x²
	want := (0.3*x - 0.005*v) / (x * x)
	for _, c := range []struct {
		method, bounds string
		tol            float64
	}{
		{"bfgs", "", 1e-4}, {"bfgs", ", min: 0.1, max: 10", 1e-4}, {"bfgs", ", min: 0.1", 1e-4}, {"bfgs", ", max: 10", 1e-4},
		{"bfgs\nderivatives: exact", ", min: 0.1, max: 10", 1e-4}, {"adam\nderivatives: exact", ", min: 0.1, max: 10", 1e-2}, {"adam", "", 1e-2},
		{"nelder_mead", ", min: 0.1, max: 10", 1e-3}, {"cma_es", ", min: 0.1, max: 10", 1e-2},
	} {
		var values []float64
		for _, threads := range []int{1, 2} {
			s := solve(t, records(t, `
scene: cart.yaml
method: `+c.method+`
unknowns:
  f: {path: drives.pull.feed_forward, start: 3, scale: linear`+c.bounds+`}
loss:
  place: {signal: x, target: [0.3], over: [1, 1]}
  speed: {signal: v, norm: mean, weight: 0.01, over: [1, 1]}
iterations: 60
decrease: 1e-10
`, 3, 2, none), threads)
			values = append(values, s.Values[0])
		}
		if math.Abs(values[0]/want-1) > c.tol || values[0] != values[1] {
			t.Errorf("%s%s: %.9g N on one thread, %.9g on two, want %.9g", c.method, c.bounds, values[0], values[1], want)
		}
	}
}

func TestFaultsOfUnknownsAreNamed(t *testing.T) {
	const loss = "loss:\n  place: {signal: x, record: record.csv}\n"
	const m = "scene: cart.yaml\nunknowns:\n  m: {path: bodies.cart.mass, start: 9}\n"
	for text, want := range map[string]string{
		"scene: cart.yaml\n" + loss:                                        "give drives",
		m + "drives: [pull]\n" + loss:                                      "not both",
		m + "method: ilqr\n" + loss:                                        "method ilqr",
		m + "method: bgfs\n" + loss:                                        "bfgs",
		m + "derivatives: exact\n" + loss:                                  "not of gauss_newton",
		m + "stages: [{}]\n" + loss:                                        "stages",
		strings.Replace(m, "start: 9", "start: 9, max: 3", 1) + loss:       "outside",
		strings.Replace(m, "start: 9", "start: -9, scale: log", 1) + loss:  "above 0",
		strings.Replace(m, "path: bodies.cart.mass,", "", 1) + loss:        "path",
		strings.Replace(m, "cart.mass", "cart.mas", 1) + loss:              "mas",
		m + "loss:\n  place: {signal: y, record: record.csv}\n":            `no signal "y"`,
		m + "loss:\n  place: {signal: x}\n":                                "record",
		m + "loss:\n  place: {signal: x, record: none.csv}\n":              "none.csv",
		m + "loss:\n  place: {signal: x, record: record.csv, column: y}\n": `no column "y"`,
		m + "loss:\n  place: {signal: x, target: [1], over: [2, 3]}\n":     "no sample",
		m + "loss:\n  place: {signal: x, target: [1], over: [2]}\n":        "two times",
		m + "loss:\n  place: {joints: [cart], target: [1]}\n":              "signals as terms",
		m + "loss:\n  place: {signal: x, norm: mean}\n":                    "no sum of squares",
		m + "loss:\n  place: {signal: x, target: [1], weight: -1}\n":       "negative",
		m + "loss:\n  place: {signal: x, norm: mean, target: [1]}\n":       "no target",
		"scene: cart.yaml\ndrives: [pull]\nloss:\n  place: {signal: x}\n":  "terms of unknowns",
	} {
		if _, err := Load(records(t, text, 3, 2, none)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that contains %q", err, want)
		}
	}
	path := records(t, findMass, 3, 2, none)
	csv := filepath.Join(filepath.Dir(path), "record.csv")
	for text, want := range map[string]string{
		"t,x\n0,1\n1,2\n":        "time_s",
		"time_s,x\n0,1\n0,2\n":   "record.csv:3",
		"time_s,x\n0,1\n1,nan\n": "record.csv:3",
		"time_s,x\n5,1\n6,2\n":   "no sample",
	} {
		if err := os.WriteFile(csv, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("record %q: error %v, want one that contains %q", text, err, want)
		}
	}
}

// writeBeside writes a file into the folder of another.
func writeBeside(t *testing.T, path, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
