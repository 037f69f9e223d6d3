package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A block that friction stops has gone v²/(2 μ g): the derivatives are −x/μ and 2 x/v.
func TestGradientOfASlidingBlockInClosedForm(t *testing.T) {
	const x, mu, v = 0.407747, 0.5, 2.0
	scene := "../../examples/sliding-block/scene.yaml"
	args := []string{"gradient", scene, "--of", "block_x@last", "--by", "materials.default.friction,bodies.block.velocity.0", "--set", "time.step=1e-3", "--set", "solver.friction_lag=geometry"}
	code, stdout, stderr := command(t, append(args, "--json")...)
	var r gradientResult
	if err := json.Unmarshal([]byte(stdout), &r); code != 0 || err != nil || len(r.By) != 2 {
		t.Fatalf("code %d, %v: %s%s", code, err, stdout, stderr)
	}
	for i, want := range []float64{-x / mu, 2 * x / v} {
		b := &r.By[i]
		// steps of 1 ms are exact to 0.3 %
		if math.Abs(b.Gradient-want) > 3e-3*math.Abs(want) {
			t.Errorf("by %s %g, want %g", b.Path, b.Gradient, want)
		}
		if b.Narrow == nil || math.Abs(b.Gradient-*b.Narrow) > 1e-5*math.Abs(want) {
			t.Errorf("by %s %g, difference %v", b.Path, b.Gradient, b.Narrow)
		}
		if b.Wide == nil || math.Abs(*b.Wide-want) > 5e-3*math.Abs(want) {
			t.Errorf("by %s difference over 1 %% %v, want %g", b.Path, b.Wide, want)
		}
	}
	code, stdout, stderr = command(t, args...)
	if code != 0 || !strings.Contains(stdout, "materials.default.friction  0.5") || !strings.Contains(stdout, "difference 1 %") {
		t.Errorf("code %d: %s%s", code, stdout, stderr)
	}
}

// What cannot be differentiated is named, and so is what to do.
func TestGradientNamesWhatHasNoDerivative(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scene.yaml")
	text := "title: ball\ntime: {step: 0.01, duration: 0.1}\nsolver: {contact: lagged, friction_lag: geometry}\nbodies:\n  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}]}\n" +
		"signals:\n  speed: {speed: max}\n  z: {body: ball, position: z}\n  since: {body: ball, position: z, since: 0.05, scale: 1000}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--of", "speed@last", "--by", "bodies.ball.mass"}, `signal "speed" is the largest of several speeds`},
		{[]string{"--of", "z@last", "--by", "time.step"}, "time.step changes the step"},
		{[]string{"--of", "y@last", "--by", "bodies.ball.mass"}, `there is no signal "y"`},
		{[]string{"--of", "z@0.015", "--by", "bodies.ball.mass"}, "no step ends at 0.015 s"},
		{[]string{"--of", "z@late", "--by", "bodies.ball.mass"}, `"late" is neither a time nor last, mean or sum`},
		{[]string{"--of", "z@last", "--by", "solver.max_iterations"}, "solver.max_iterations is a count"},
		{[]string{"--of", "z@last", "--by", "title"}, "title is not a number"},
		{[]string{"--of", "z@last", "--by", "solver.contact"}, "solver.contact is the name of a kind"},
		{[]string{"--of", "z@last", "--by", "bodies.ball.mass", "--method", "magic"}, "--method magic"},
	} {
		code, stdout, stderr := command(t, append([]string{"gradient", file}, c.args...)...)
		if code == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: code %d: %s%s, want %q", c.args, code, stdout, stderr, c.want)
		}
	}
	// z falls by h² Σ k g: since 0.05 s, in mm, that is 1000 · 1e-4 · (6+…+10) for each m/s² of gravity
	code, stdout, stderr := command(t, "gradient", file, "--of", "since@last", "--by", "gravity.2", "--json")
	var r gradientResult
	if err := json.Unmarshal([]byte(stdout), &r); code != 0 || err != nil || math.Abs(r.By[0].Gradient-4) > 1e-8 {
		t.Errorf("code %d, %v: %s%s, want 4 mm s²/m", code, err, stdout, stderr)
	}
}
