package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const ballScene = `
time: {step: 0.01, duration: 0.1}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], pose: {xyz: [0, 0, 0.11]}}
signals:
  z: {body: ball, position: z}
  vz: {body: ball, velocity: z}
`

// studyOf writes a scene and a study of it into a new folder.
func studyOf(t *testing.T, study string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"scene.yaml": ballScene, "study.yaml": "scene: scene.yaml\n" + study} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// command runs the program and returns its exit code and what it said.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = newApp(&out, &errs).execute(t.Context(), args)
	return code, out.String(), errs.String()
}

func TestStudiesAreListedRunAndRedrawn(t *testing.T) {
	dir := studyOf(t, `
cases: {time.step: [0.01, 0.005]}
measures: {drop: {signal: z}}
plots: {heights: {signals: [z, vz]}, drops: {x: time.step, y: drop}}
`)
	file, out := filepath.Join(dir, "study.yaml"), filepath.Join(dir, "out")
	code, said, _ := command(t, "study", file, "-o", out, "--dry-run")
	if code != 0 || strings.Count(said, "\n") != 3 || !strings.Contains(said, "time.step") || !strings.Contains(said, "20") {
		t.Fatalf("dry run: %d\n%s", code, said)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a dry run leaves a folder")
	}
	code, said, _ = command(t, "study", file, "--dry-run", "--json")
	var listed []map[string]any
	if err := json.Unmarshal([]byte(said), &listed); code != 0 || err != nil || len(listed) != 2 {
		t.Errorf("dry run as JSON: %d, %v\n%s", code, err, said)
	}
	if code, _, said = command(t, "study", file, "-o", out, "--plots-only"); code != exitOutput || !strings.Contains(said, "run the study first") {
		t.Errorf("plots of nothing: %d %s", code, said)
	}
	code, said, warned := command(t, "study", file, "-o", out, "--json", "--jobs", "1000000000")
	if want := fmt.Sprintf("--jobs 1000000000: %d cases run at a time", 4*runtime.NumCPU()); !strings.Contains(warned, want) {
		t.Errorf("a billion jobs: %s, want …%s…", warned, want)
	}
	var result studyResult
	if err := json.Unmarshal([]byte(said), &result); code != 0 || err != nil || result.Cases != 2 || result.Failed != 0 || len(result.Plots) != 2 {
		t.Fatalf("%d, %v\n%s", code, err, said)
	}
	for _, again := range [][]string{{"study", file, "-o", out, "--plots-only"}, {"plot", out}} {
		for _, p := range result.Plots {
			if err := os.Remove(p); err != nil {
				t.Fatal(err)
			}
		}
		if code, said, _ := command(t, again...); code != 0 || !strings.Contains(said, "2 cases, 0 failed") {
			t.Errorf("%v: %d %s", again, code, said)
		}
		for _, p := range result.Plots {
			if _, err := os.Stat(p); err != nil {
				t.Errorf("%v: %v", again, err)
			}
		}
	}
	if code, _, said := command(t, "plot", out, "z"); code != exitUsage || !strings.Contains(said, "folder of a study") {
		t.Errorf("a column of a study: %d %s", code, said)
	}
}

func TestStudiesWithFailedCasesSaySo(t *testing.T) {
	dir := studyOf(t, `
rows: [{solver.max_iterations: 50}, {solver.max_iterations: 1, solver.tolerance: 1e-14}]
measures: {drop: {signal: z}}
`)
	code, said, errs := command(t, "study", filepath.Join(dir, "study.yaml"), "-o", filepath.Join(dir, "out"))
	if code != exitSolver || !strings.Contains(said, "2 cases, 1 failed") || !strings.Contains(errs, "iterations") {
		t.Errorf("%d\n%s\n%s", code, said, errs)
	}
	if code, _, errs := command(t, "study", filepath.Join(dir, "none.yaml")); code != exitInput || !strings.Contains(errs, "no such file") {
		t.Errorf("a missing study: %d %s", code, errs)
	}
}

// Cases of a study may leave the expectations of the scene on purpose: they are listed, and the
// study does not fail.
func TestStudiesListCasesThatDoNotMeetExpectations(t *testing.T) {
	dir := studyOf(t, "cases: {bodies.ball.pose.xyz.2: [0.11, 0.3, 0.5]}\nmeasures: {drop: {signal: z}}\n")
	scene := ballScene + "expect: {near: {signal: z, max: 0.2}, high: {signal: z, stat: max, max: 0.4}, whole: {run: steps, value: 10, within: 0}}\n"
	if err := os.WriteFile(filepath.Join(dir, "scene.yaml"), []byte(scene), 0o666); err != nil {
		t.Fatal(err)
	}
	study, out := filepath.Join(dir, "study.yaml"), filepath.Join(dir, "out")
	for range 2 { // the second time from what the first left
		code, said, errs := command(t, "study", study, "-o", out)
		if code != exitOK || !strings.Contains(said, "0 failed, 2 do not meet an expectation") || !strings.Contains(errs, "expectation not met: near, high: cases 0.5_") {
			t.Errorf("%d\n%s\n%s", code, said, errs)
		}
	}
	// a study may say which ones its cases must meet
	for _, c := range []struct {
		expect, said, errs string
		code               int
	}{
		{"[whole]", "0 do not meet", "", exitOK},
		{"[]", "0 do not meet", "", exitOK},
		{"[whole, high]", "1 do not meet", "1 of 3 cases do not meet an expectation of the study", exitCheck},
		{"[hihg]", "", `other-study.yaml:1:1: expect: the scene has no expectation "hihg": did you mean "high"?`, exitInput},
	} {
		text, err := os.ReadFile(study)
		if err != nil {
			t.Fatal(err)
		}
		other := filepath.Join(dir, "other-study.yaml")
		if err := os.WriteFile(other, append([]byte("expect: "+c.expect+"\n"), text...), 0o666); err != nil {
			t.Fatal(err)
		}
		if code, said, errs := command(t, "study", other, "-o", out+"2"); code != c.code || !strings.Contains(said, c.said) || !strings.Contains(errs, c.errs) {
			t.Errorf("%s: %d\n%s\n%s", c.expect, code, said, errs)
		}
	}
	if got := atMost(2, []string{"a", "b", "c", "d"}); got != "a, b and 2 more cases" {
		t.Error(got)
	}
	f, err := os.Open(filepath.Join(out, "cases.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	k := slices.Index(rows[0], "expectations")
	if k < 0 || rows[1][k] != "ok" || rows[2][k] != "near" || rows[3][k] != "near, high" {
		t.Errorf("table\n%v", rows)
	}
}

// Cases that a study makes shorter than its scene name the expectations that they do not reach.
func TestStudiesListExpectationsThatShortCasesDoNotReach(t *testing.T) {
	dir := studyOf(t, "expect: [late, whole]\ncases: {time.duration: [0.03, 0.05, 0.1]}\nmeasures: {drop: {signal: z}}\n")
	scene := ballScene + "expect: {late: {signal: z, over: [0.05, 0.1], max: 0.2}, whole: {signal: z, max: 0.2, over: [0.04, .inf]}}\n"
	if err := os.WriteFile(filepath.Join(dir, "scene.yaml"), []byte(scene), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	for range 2 { // the second time from what the first left
		code, said, errs := command(t, "study", filepath.Join(dir, "study.yaml"), "-o", out)
		if code != exitOK || !strings.Contains(said, "0 failed, 0 do not meet an expectation") ||
			!strings.Contains(errs, "expectation not reached: late: cases 0.05") || !strings.Contains(errs, "expectation not reached: late, whole: cases 0.03") {
			t.Errorf("%d\n%s\n%s", code, said, errs)
		}
	}
	f, err := os.Open(filepath.Join(out, "cases.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	k := slices.Index(rows[0], "expectations")
	if rows[1][k] != "" || rows[2][k] != "ok" || rows[3][k] != "ok" {
		t.Errorf("table\n%v", rows)
	}
}

func TestPlotsOfOneRunTakeOptions(t *testing.T) {
	dir := fallingBox(t)
	out := filepath.Join(t.TempDir(), "a.svg")
	for _, c := range []struct {
		args string
		code int
		says string   // on either stream
		has  []string // texts of the chart
	}{
		{"box_z table_N --x-unit ms", 0, "a.svg", []string{"time (ms)", "box z (m)", "table (N)", ">200<"}},
		{"--panel box_z,table_N --panel 10*table_N --columns 2 --title both", 0, "", []string{"both", "10*table_N", "value"}},
		{"table_N --x box_z --y-range :1.5 --hline 1=level", 0, "", []string{"box z (m)", "level"}},
		{"table_N --over 0.05:0.2 --log-y --y-label push --legend none", 0, "", []string{"push"}},
		{"table_N --y-unit mm", exitUsage, "table_N is in N, which is not mm", nil},
		{"table_N --over 0.1", exitUsage, "FROM:TO", nil},
		{"table_N --x-range 2:1", exitUsage, "FROM:TO", nil},
		{"table_N --hline up", exitUsage, "VALUE or VALUE=LABEL", nil},
		{"table_N --panel box_z", exitUsage, "not both", nil},
		{"--panel box_q", exitUsage, `did you mean "box_z"`, nil},
		{"table_N+", exitUsage, "character", nil},
		{"--steps", exitInput, "steps.csv", nil},
		{"table_N --legend left", exitUsage, "legend", nil},
	} {
		args := append([]string{"plot", dir, "-o", out}, strings.Fields(c.args)...)
		code, said, errs := command(t, args...)
		if code != c.code || !strings.Contains(said+errs, c.says) {
			t.Errorf("%s: %d, want %d; it says\n%s%s", c.args, code, c.code, said, errs)
		}
		b, err := os.ReadFile(out)
		for _, text := range c.has {
			if err != nil || !bytes.Contains(b, []byte(text)) {
				t.Errorf("%s: no text %q", c.args, text)
			}
		}
		os.Remove(out)
	}
	if got := splitColumns("a, max(b, c),d"); len(got) != 3 || got[1] != "max(b, c)" || got[2] != "d" {
		t.Errorf("%q", got)
	}
}
