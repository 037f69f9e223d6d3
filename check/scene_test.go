package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

// Pieces of the tests' scenes.
const (
	timeOf    = "time: {step: 0.01, duration: 0.1}\n"
	noGravity = "gravity: [0, 0, 0]\n"
	ball      = "bodies: {ball: {shapes: [{sphere: {radius: 0.1}}]}}\n"
	soft      = "meshes: {bar: {box: {size: [0.2, 0.1, 0.1], cells: [2, 1, 1]}}}\ndeformables: {bar: {mesh: bar}}\n"
)

// load loads a scene of this text, which runs the checks.
func load(t *testing.T, text string) *scene.Scene {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	sc, err := scene.Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// warned returns the warnings of a scene that contain a text.
func warned(t *testing.T, text, of string) string {
	t.Helper()
	got := ""
	for _, w := range load(t, text).Warnings {
		if strings.Contains(w, of) {
			got += w + "\n"
		}
	}
	return got
}

// expectWarning reports warnings that lack the wanted text, or are there where none
// is wanted.
func expectWarning(t *testing.T, name, got, want string) {
	t.Helper()
	if want == "" && got != "" || !strings.Contains(got, want) {
		t.Errorf("%s: %q, want %q in it", name, got, want)
	}
}

// simulate steps a scene to a time, s, and returns the value of a signal then.
func simulate(t *testing.T, sc *scene.Scene, until float64, signal string) float64 {
	t.Helper()
	st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, memory, h := sc.Model.Start.Clone(), sc.Signals.NewMemory(), sc.File.Time.Step
	st.Place(x, h)
	v := sc.Signals.Evaluate(st, x, memory, nil)
	for x.Time < until-h/2 {
		if err := st.Step(x, h); err != nil {
			t.Fatal(err)
		}
		st.Place(x, h)
		v = sc.Signals.Evaluate(st, x, memory, v[:0])
	}
	for i, n := range sc.Signals.Names() {
		if n == signal {
			return v[i]
		}
	}
	t.Fatalf("no signal %s", signal)
	return 0
}
