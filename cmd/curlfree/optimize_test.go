package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	// a table of iterations, without --json
	if code, stdout, _ := command(t, "optimize", filepath.Join(dir, "task.yaml")); code != 0 || !strings.Contains(stdout, "iteration") || !strings.Contains(stdout, "cost 0.0") {
		t.Errorf("code %d: %s", code, stdout)
	}
	if code, _, stderr := command(t, "optimize", filepath.Join(dir, "cart.yaml")); code != exitInput || !strings.Contains(stderr, "unknown key") {
		t.Errorf("a scene in place of a task: code %d: %s", code, stderr)
	}
}
