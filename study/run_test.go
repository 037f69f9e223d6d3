package study

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/curlfree/curlfree/record"
)

// fakeCase writes the folder of a case that is done, with tables of its own.
func fakeCase(t *testing.T, dir, name, signals, steps string) {
	t.Helper()
	folder := filepath.Join(dir, casesFolder, name)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		record.SignalsFile: signals, record.StepsFile: steps, record.SummaryFile: `{"steps": 3}`, outcomeFile: `{"status": "done"}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// readCases reads cases.csv by column.
func readCases(t *testing.T, dir string) map[string][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, TableFile))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for k, name := range rows[0] {
		for _, r := range rows[1:] {
			out[name] = append(out[name], r[k])
		}
	}
	return out
}

// The reference is piecewise linear, z = 2t up to 0.5 and then 1 + 4 (t − 0.5), with rows at
// other times; the case differs from it by 0.1, 0.2 and 0.2.
func TestMeasuresOfKnownTables(t *testing.T) {
	s := mustLoad(t, `
scene: scene.yaml
cases: {time.step: [0.02]}
reference: {time.step: 0.001}
measures:
  rms: {rms_difference: [z]}
  late: {rms_difference: [z], over: [0.5, 2]}
  largest: {max_difference: [z]}
  part: {rms_difference: [z], relative_to: range}
  share: {rms_difference: [z], relative_to: rms}
  scaled: {rms_difference: [z], relative_to: 0.5}
  none: {rms_difference: [z], over: [5, 6]}
  first: {first: z > 1}
  last: {last: abs(z - 1.4) < 1}
  never: {first: z > 100}
  count: {count: z > 1, over: [0, 0.7]}
  steps_with: {count: contacts > 0}
  square: {signal: z*z, stat: max}
  work: {steps: newton_iterations, stat: mean}
  more: {expr: "count*time.step + largest"}
  ran: {run: steps}
  theirs: {of_reference: square}
  error: {expr: "square/theirs - 1"}
  not_theirs: {of_reference: rms}
`)
	dir := t.TempDir()
	steps := "time_s,contacts,newton_iterations\n0.3,0,2\n0.6,1,4\n0.9,2,6\n"
	fakeCase(t, dir, s.Cases[0].Name, "time_s,z\n0,9\n0.3,0.7\n0.6,1.6\n0.9,2.4\n1.2,99\n", steps)
	fakeCase(t, dir, s.Cases[1].Name, "time_s,z\n0,0\n0.25,0.5\n0.5,1\n0.75,2\n1,3\n", steps)
	rows, err := s.Redraw(dir)
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	want := map[string]float64{
		"rms": math.Sqrt(0.09 / 3), "late": math.Sqrt(0.08 / 2), "largest": 0.2, "part": math.Sqrt(0.09/3) / 2,
		"share": math.Sqrt(0.09 / (0.36 + 1.96 + 6.76)), "scaled": 2 * math.Sqrt(0.09/3), "none": nan, "first": 0, "last": 0.6,
		"never": nan, "count": 2, "steps_with": 2, "square": 99 * 99, "work": 4, "more": 2*0.02 + 0.2, "ran": 3,
		"theirs": 9, "error": 99*99/9. - 1, "not_theirs": 0,
	}
	// 0.9: the reference is at 1 + 4·0.4 = 2.6
	for k, name := range s.File.Measures.Keys {
		got, w := rows[0].Values[k], want[name]
		if math.Abs(got-w) > 1e-12*(1+math.Abs(w)) || math.IsNaN(got) != math.IsNaN(w) {
			t.Errorf("%s is %v, want %v", name, got, w)
		}
	}
	if rows[1].Values[0] != 0 {
		t.Errorf("the reference differs from itself by %v", rows[1].Values[0])
	}
	if c := readCases(t, dir); c["never"][0] != "NaN" || c["reference"][0] != s.Cases[1].Name || c["status"][1] != "done" {
		t.Errorf("table %v", c)
	}
}

// Piecewise linear functions are followed exactly, whichever rows are asked for.
func TestInterpolationIsExactForBrokenLines(t *testing.T) {
	at := []float64{0, 0.1, 0.1, 0.4, 1}
	x := []float64{1, 2, 5, -1, 2}
	k := 0
	for _, c := range [][2]float64{{-1, 1}, {0, 1}, {0.05, 1.5}, {0.1, 2}, {0.25, 2}, {0.4, -1}, {0.7, 0.5}, {1, 2}, {3, 2}} {
		var got float64
		if got, k = interpolate(at, x, c[0], k); math.Abs(got-c[1]) > 1e-14 {
			t.Errorf("at %v: %v, want %v", c[0], got, c[1])
		}
	}
}

const failStudy = `
scene: scene.yaml
set: {bodies.ball.pose.xyz.2: 0.11}
rows:
  - {solver.max_iterations: 100}
  - {solver.max_iterations: 1, solver.tolerance: 1e-14}
measures: {drop: {signal: z}, hit: {first: z < 0.1}}
plots:
  a: {x: solver.max_iterations, y: drop}
`

// A ball that touches the floor needs several iterations; with one, its step fails.
func TestFailedCasesAreRowsAndNotTriedAgain(t *testing.T) {
	path := write(t, failStudy)
	floor := strings.Replace(fallScene, "bodies:", "bodies:\n  floor: {fixed: true, shapes: [{half_space: {}}]}", 1)
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "scene.yaml"), []byte(floor), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	rows, err := s.Run(context.Background(), Options{Dir: out, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !rows[0].Done() || rows[1].Done() || !strings.Contains(rows[1].Status, "iterations") {
		t.Fatalf("statuses %q, %q", rows[0].Status, rows[1].Status)
	}
	c := readCases(t, out)
	if c["status"][0] != "done" || c["status"][1] != rows[1].Status || c["drop"][1] != "NaN" || c["drop"][0] == "NaN" {
		t.Errorf("table %v", c)
	}
	changed := func(retry bool) bool {
		file := filepath.Join(out, casesFolder, s.Cases[1].Name, outcomeFile)
		if err := os.Chtimes(file, fixed, fixed); err != nil {
			t.Fatal(err)
		}
		again, err := s.Run(context.Background(), Options{Dir: out, Jobs: 1, Retry: retry})
		if err != nil || again[1].Status != rows[1].Status {
			t.Fatalf("%v, %q", err, again[1].Status)
		}
		st, err := os.Stat(file)
		return err != nil || !st.ModTime().Equal(fixed)
	}
	if changed(false) {
		t.Error("a case that failed ran again with the same inputs")
	}
	if !changed(true) {
		t.Error("a case that failed did not run again although that was asked for")
	}
	// redrawn rows say the same
	redrawn, err := s.Redraw(out)
	if err != nil || redrawn[1].Status != rows[1].Status || redrawn[0].Values[0] != rows[0].Values[0] {
		t.Errorf("%v, %+v", err, redrawn)
	}
}

func TestStudiesWithoutResultsAreNotRedrawn(t *testing.T) {
	s := mustLoad(t, fallStudy)
	if _, err := s.Redraw(t.TempDir()); err == nil || !strings.Contains(err.Error(), "run the study first") {
		t.Errorf("got %v", err)
	}
}

func TestFoldersNameTheirStudyFile(t *testing.T) {
	path := write(t, fallStudy)
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(filepath.Dir(path), "out")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := s.writeMarker(dir); err != nil {
		t.Fatal(err)
	}
	got, ok := FileOf(dir)
	if !ok || got != path {
		t.Errorf("%q, want %q", got, path)
	}
	if _, ok := FileOf(t.TempDir()); ok {
		t.Error("any folder is one of a study")
	}
}

// The share of the work is measured in steps and never decreases.
func TestProgressIsOfTheWork(t *testing.T) {
	s := &Study{Cases: []Case{{Name: "a", Steps: 900}, {Name: "b", Steps: 100}, {Name: "b", Steps: 100}}}
	var got []string
	p := newProgress(s, s.order(0), func(done, total int, share float64) { got = append(got, fmt.Sprintf("%d/%d %.2f", done, total, share)) })
	p.set(0, 0.5)
	p.set(1, 1)
	p.set(0, 1)
	p = newProgress(s, s.order(0), p.report)
	p.set(0, -1) // was there
	p.set(1, 0.5)
	if want := []string{"0/2 0.45", "1/2 0.55", "2/2 1.00", "1/2 0.00", "1/2 0.50"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

var fixed = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
