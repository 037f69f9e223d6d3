package study

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
)

const fallScene = `
time: {step: 0.01, duration: 0.2}
bodies:
  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], pose: {xyz: [0, 0, 1]}}
signals:
  z: {body: ball, position: z}
`

const fallStudy = `
scene: scene.yaml
cases:
  time.step: [0.02, 0.01, 0.005]
  bodies.ball.mass: [1, 2]
reference: {time.step: 0.001}
measures:
  drop: {signal: z}
  error: {rms_difference: [z]}
  steps_taken: {run: steps}
plots:
  error: {x: time.step, y: error, group: bodies.ball.mass, log_x: true, log_y: true, order: 1}
`

// write makes a study of a falling ball in a new folder.
func write(t *testing.T, study string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"scene.yaml": fallScene, "study.yaml": study} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "study.yaml")
}

// A falling body's height after n steps of h is z0 − g h² n(n+1)/2, so that the
// error against a fine step is of first order.
func TestEveryCombinationRunsAndIsMeasured(t *testing.T) {
	path := write(t, fallStudy)
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	// the reference has the case's own mass
	if len(s.Cases) != 8 || !s.Cases[6].IsReference || s.Cases[0].Reference != s.Cases[6].Name || s.Cases[1].Reference != s.Cases[7].Name {
		t.Fatalf("%d cases", len(s.Cases))
	}
	out := filepath.Join(t.TempDir(), "out")
	rows, err := s.Run(context.Background(), Options{Dir: out, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range []float64{0.02, 0.02, 0.01, 0.01, 0.005, 0.005} {
		n := math.Round(0.2 / h)
		want := 1 - 9.81*h*h*n*(n+1)/2
		if got := rows[i].Values[0]; rows[i].Status != "done" || math.Abs(got-want) > 1e-12 {
			t.Errorf("case %d (%s): fell to %v, want %v", i, rows[i].Status, got, want)
		}
		if rows[i].Values[2] != n {
			t.Errorf("case %d took %v steps, want %v", i, rows[i].Values[2], n)
		}
	}
	if r := rows[0].Values[1] / rows[2].Values[1]; math.Abs(r-2) > 0.2 {
		t.Errorf("halving the step divides the error by %v, want 2", r)
	}
	if rows[6].Values[1] != 0 {
		t.Errorf("the reference differs from itself by %v", rows[6].Values[1])
	}
	f, err := os.ReadFile(filepath.Join(out, TableFile))
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(strings.NewReader(string(f))).ReadAll()
	if err != nil || len(table) != 9 || table[0][1] != "time.step" || table[1][1] != "0.02" {
		t.Errorf("table %v, %v", table, err)
	}
	for _, name := range []string{"error.png", "error.svg"} {
		if st, err := os.Stat(filepath.Join(out, name)); err != nil || st.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFinishedCasesAreNotRunAgain(t *testing.T) {
	path := write(t, fallStudy)
	out := filepath.Join(t.TempDir(), "out")
	program := ""
	run := func() map[string]int64 {
		s, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(context.Background(), Options{Dir: out, Jobs: 1, Program: program}); err != nil {
			t.Fatal(err)
		}
		times := map[string]int64{}
		for _, c := range s.Cases {
			st, err := os.Stat(filepath.Join(out, "cases", c.Name, record.SummaryFile))
			if err != nil {
				t.Fatal(err)
			}
			times[c.Name] = st.ModTime().UnixNano()
		}
		return times
	}
	first, second := run(), run()
	for name, at := range first {
		if second[name] != at {
			t.Errorf("case %s ran again", name)
		}
	}
	// a changed scene is another input
	scene := filepath.Join(filepath.Dir(path), "scene.yaml")
	if err := os.WriteFile(scene, []byte(strings.Replace(fallScene, "radius: 0.1", "radius: 0.2", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	third := run()
	for name, at := range third {
		if second[name] == at {
			t.Errorf("case %s did not run again after the scene changed", name)
		}
	}
	// another program may make something else of it
	program = "another"
	for name, at := range run() {
		if third[name] == at {
			t.Errorf("case %s did not run again after the program changed", name)
		}
	}
}

// The program is identified by the digest of its file.
func TestTheProgramIsKnownByItsFile(t *testing.T) {
	if p := programDigest(); len(p) != 64 {
		t.Errorf("the program is %q", p)
	}
	path := filepath.Join(t.TempDir(), "a")
	digest := func(text string) string {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		d, err := digestOfFile(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if a, b := digest("one"), digest("two"); a == b || a != digest("one") {
		t.Errorf("digests %s and %s", a, b)
	}
}

func TestInterruptedStudiesSaySo(t *testing.T) {
	s, err := Load(write(t, fallStudy))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Run(ctx, Options{Dir: t.TempDir(), Jobs: 2}); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("got %v", err)
	}
}

func TestMistakesShowBeforeAnythingRuns(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"scene: scene.yaml", "scene: missing.yaml", "no such file"},
		{"scene: scene.yaml", "", "the key scene is missing"},
		{"time.step: [0.02, 0.01, 0.005]", "time.stpe: [0.02]", `did you mean "step"`},
		{"time.step: [0.02, 0.01, 0.005]", "time.step: []", "no values"},
		{"time.step: [0.02, 0.01, 0.005]", "time.step: [0.02, -1]", "time.step is -1"},
		{"signal: z", "signal: zz", `unknown signal "zz"`},
		{"rms_difference: [z]", "rms_difference: [y]", `unknown signal "y"`},
		{"reference: {time.step: 0.001}\n", "", "a difference needs a reference"},
		{"run: steps", "run: stepz", `did you mean "steps"`},
		{"{signal: z}", "{signal: z, stat: mode}", `unknown "mode"`},
		{"y: error,", "y: eror,", `did you mean "error"`},
		{"group: bodies.ball.mass", "group: solver.contact", "is not varied"},
		{"measures:", "mesures:", `did you mean "measures"`},
	} {
		text := strings.Replace(fallStudy, c.old, c.new, 1)
		if text == fallStudy {
			t.Fatalf("%q is not in the study", c.old)
		}
		s, err := Load(write(t, text))
		if err == nil {
			err = s.Check()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", c.new, err, c.want)
		}
	}
}

func TestFittedOrderOfAPowerLaw(t *testing.T) {
	order, ok := fittedOrder([][2]float64{{0.1, 3e-2}, {0.2, 12e-2}, {0.4, 48e-2}, {0.8, -1}})
	if !ok || math.Abs(order-2) > 1e-12 {
		t.Errorf("order %v, %v", order, ok)
	}
	if _, ok := fittedOrder([][2]float64{{1, 1}}); ok {
		t.Error("one point has an order")
	}
}
