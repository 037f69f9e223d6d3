package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
)

func TestOptimizePrintsCostAndWritesEfforts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cart.yaml": "title: cart\ntime: {step: 0.1, duration: 1}\ngravity: [0, 0, 0]\nbodies:\n  cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}\ndrives:\n  pull: {joint: cart}\n",
		"task.yaml": "scene: cart.yaml\ndrives: [pull]\neffort: 0.01\nloss:\n  place: {joints: [cart], target: [0.3], at_end: 1, rate_at_end: 0.1}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out.json")
	code, stdout, stderr := command(t, "optimize", filepath.Join(dir, "task.yaml"), "-o", out, "--json")
	var r struct{ Cost, Iterations float64 }
	if err := json.Unmarshal([]byte(stdout), &r); code != 0 || err != nil || !(r.Cost > 0 && r.Cost < 0.09) || r.Iterations < 1 {
		t.Fatalf("code %d, cost %g after %g iterations, %v: %s%s", code, r.Cost, r.Iterations, err, stdout, stderr)
	}
	var file struct {
		Cost    float64
		Efforts [][]float64
		States  [][]float64
	}
	text, err := os.ReadFile(out)
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil || file.Cost != r.Cost || len(file.Efforts) != 10 || len(file.States) != 11 {
		t.Errorf("%d efforts and %d states at cost %g: %v", len(file.Efforts), len(file.States), file.Cost, err)
	}
	// the search begins with a cart at rest, and no efforts: 0.3² is all of its cost
	first := filepath.Join(dir, "first.json")
	code, _, stderr = command(t, "optimize", filepath.Join(dir, "task.yaml"), "--first", first)
	if text, err = os.ReadFile(first); err == nil {
		err = json.Unmarshal(text, &file)
	}
	if code != 0 || err != nil || math.Abs(file.Cost-0.09) > 1e-12 || len(file.Efforts) != 10 || len(file.States) != 11 || file.States[10][0] != 0 {
		t.Errorf("first: code %d, cost %g, %d states: %v %s", code, file.Cost, len(file.States), err, stderr)
	}
	// what it wrote it may replace
	if code, _, stderr := command(t, "optimize", filepath.Join(dir, "task.yaml"), "-o", out); code != 0 {
		t.Errorf("a second time: code %d: %s", code, stderr)
	}
	// a table of iterations, without --json
	if code, stdout, _ := command(t, "optimize", filepath.Join(dir, "task.yaml")); code != 0 || !strings.Contains(stdout, "iteration") || !strings.Contains(stdout, "cost 0.0") {
		t.Errorf("code %d: %s", code, stdout)
	}
	if code, _, stderr := command(t, "optimize", filepath.Join(dir, "cart.yaml")); code != exitInput || !strings.Contains(stderr, "unknown key") {
		t.Errorf("a scene in place of a task: code %d: %s", code, stderr)
	}
}

// A run with the policy of a plan goes where the plan ends, also with a cart that is heavier than planned, which
// without feedback would fall short.
func TestRunTracksAPolicy(t *testing.T) {
	dir := t.TempDir()
	const cart = "title: cart\ntime: {step: 0.1, duration: 1}\ngravity: [0, 0, 0]\nbodies:\n  cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}\nsignals:\n  x: {body: cart, position: x}\ndrives:\n  pull: {joint: cart}\n"
	for name, text := range map[string]string{
		"cart.yaml":  cart,
		"track.yaml": cart + "  plan: {policy: out.json}\n",
		"task.yaml":  "scene: cart.yaml\ndrives: [pull]\neffort: 1e-4\nloss:\n  place: {joints: [cart], target: [0.3], at_end: 1}\n",
		"bad.yaml":   cart + "  plan: {policy: task.yaml}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out.json")
	if code, _, stderr := command(t, "optimize", filepath.Join(dir, "task.yaml"), "-o", out); code != 0 {
		t.Fatal(stderr)
	}
	var plan struct{ States [][]float64 }
	text, err := os.ReadFile(out)
	if err == nil {
		err = json.Unmarshal(text, &plan)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := plan.States[10][0]
	end := func(set ...string) float64 {
		t.Helper()
		folder := t.TempDir()
		args := append([]string{"run", filepath.Join(dir, "track.yaml"), "-o", folder, "--no-picture", "--force"}, set...)
		if code, _, stderr := command(t, args...); code != 0 {
			t.Fatal(stderr)
		}
		table, err := record.ReadColumns(folder, record.SignalsFile, []string{"x"})
		if err != nil {
			t.Fatal(err)
		}
		x := table.Column("x")
		return x[len(x)-1]
	}
	if x := end(); math.Abs(x-want) > 1e-12 {
		t.Errorf("the run ends at %.15g m, the plan at %.15g", x, want)
	}
	// without feedback 20 % more mass would take it 17 % less far
	if x := end("--set", "bodies.cart.mass=2.4"); math.Abs(x/want-1) > 0.05 {
		t.Errorf("a heavier cart ends at %g m, the plan at %g", x, want)
	}
	for _, c := range []struct{ args, want string }{
		{"bad.yaml", "curlfree optimize wrote"},
		{"track.yaml --set time.step=0.05", "steps of 0.1 s"},
	} {
		words := strings.Fields(c.args)
		args := append([]string{"run", filepath.Join(dir, words[0]), "-o", t.TempDir(), "--no-picture"}, words[1:]...)
		if code, _, stderr := command(t, args...); code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: code %d, %s", c.args, code, stderr)
		}
	}
}

// The mass of a cart is found from the table of a run, twice into the same file, with what distinguishes it from the
// force.
func TestOptimizeFindsValuesFromASignalsTable(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cart.yaml": "title: cart\ntime: {step: 0.1, duration: 1}\ngravity: [0, 0, 0]\nbodies:\n  cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}\nsignals:\n  x: {body: cart, position: x}\ndrives:\n  pull: {joint: cart, feed_forward: 3}\n",
		"task.yaml": "scene: cart.yaml\nunknowns:\n  m: {path: bodies.cart.mass, start: 5}\n  f: {path: drives.pull.feed_forward, start: 3, min: 3, max: 4}\nloss:\n  place: {signal: x, record: run/signals.csv}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, stderr := command(t, "run", filepath.Join(dir, "cart.yaml"), "-o", filepath.Join(dir, "run"), "--no-picture"); code != 0 {
		t.Fatal(stderr)
	}
	out := filepath.Join(dir, "out.json")
	for range 2 {
		code, stdout, stderr := command(t, "optimize", filepath.Join(dir, "task.yaml"), "-o", out, "--json")
		var r struct {
			Cost     float64
			Unknowns []struct {
				Name       string
				Value      float64
				Determined bool
			}
			Set []string
		}
		if err := json.Unmarshal([]byte(stdout), &r); code != 0 || err != nil || len(r.Unknowns) != 2 {
			t.Fatalf("code %d, %v: %s%s", code, err, stdout, stderr)
		}
		if m, f := r.Unknowns[0], r.Unknowns[1]; math.Abs(f.Value/m.Value-1.5) > 1e-5 || r.Cost > 1e-9 {
			t.Errorf("m = %g kg, f = %g N at cost %g: f/m must be 1.5", m.Value, f.Value, r.Cost)
		}
	}
	code, stdout, _ := command(t, "optimize", filepath.Join(dir, "task.yaml"))
	if code != 0 || !strings.Contains(stdout, "iteration") || !strings.Contains(stdout, "--set bodies.cart.mass=") {
		t.Errorf("code %d: %s", code, stdout)
	}
}

// A search with exact derivatives says how many it took.
func TestOptimizeCountsGradients(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cart.yaml": "title: cart\ntime: {step: 0.1, duration: 1}\ngravity: [0, 0, 0]\nbodies:\n  cart: {mass: 2, joint: {type: prismatic, axis: [1, 0, 0]}}\nsignals:\n  x: {body: cart, position: x}\ndrives:\n  pull: {joint: cart, feed_forward: 1}\n",
		"task.yaml": "scene: cart.yaml\nmethod: bfgs\nderivatives: exact\nunknowns:\n  f: {path: drives.pull.feed_forward, start: 3, min: 0, max: 10}\nloss:\n  place: {signal: x, target: [0.3], over: [1, 1]}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, stdout, stderr := command(t, "optimize", filepath.Join(dir, "task.yaml"), "--json")
	var r parametersResult
	if err := json.Unmarshal([]byte(stdout), &r); code != 0 || err != nil {
		t.Fatalf("code %d, %v: %s%s", code, err, stdout, stderr)
	}
	// x = 0.55 f/m
	if want := 0.3 * 2 / 0.55; r.Gradients < 1 || r.Refused != 0 || math.Abs(r.Unknowns[0].Value/want-1) > 1e-3 {
		t.Errorf("%d gradients, %d refused, force %g N, want %g", r.Gradients, r.Refused, r.Unknowns[0].Value, want)
	}
}
