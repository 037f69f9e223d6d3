package study

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
)

// planned plans a study for program a and returns the plan as another process reads it.
func planned(t *testing.T, s *Study, dir string) *Plan {
	t.Helper()
	if _, err := s.MakePlan(Options{Dir: dir, Program: "a"}); err != nil {
		t.Fatal(err)
	}
	return opened(t, dir)
}

// opened opens a plan.
func opened(t *testing.T, dir string) *Plan {
	t.Helper()
	p, err := OpenPlan(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// everything lists the indices of all cases.
func everything(p *Plan) []int {
	list, _ := p.Chunk(0, 1)
	return list
}

// A plan that is copied to another place, away from the files of the study, and run there in pieces,
// one of them interrupted within a case, ends with the table and the recordings of the local run.
func TestPlansRunInPiecesToTheBitsOfTheLocalRun(t *testing.T) {
	s := bounce(t)
	local, dir, other := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "other")
	if _, err := s.Run(t.Context(), Options{Dir: local, Jobs: 2, Program: "a"}); err != nil {
		t.Fatal(err)
	}
	planned(t, s, dir)
	if err := errors.Join(os.CopyFS(other, os.DirFS(dir)), os.RemoveAll(dir), os.RemoveAll(filepath.Dir(s.Path))); err != nil {
		t.Fatal(err)
	}
	p := opened(t, other)
	if len(p.Cases) != 6 {
		t.Fatalf("%d cases", len(p.Cases))
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := p.Exec(ctx, []int{1}, Options{Jobs: 1, Program: "a", Progress: func(int, int, float64) {
		if calls++; calls == 17 {
			cancel()
		}
	}})
	if !errors.Is(err, run.ErrInterrupted) {
		t.Fatalf("got %v", err)
	}
	if at := p.Status(true); at.Begun != 1 || at.Waiting != 5 || !exists(filepath.Join(other, casesFolder, p.Cases[1].Name, "checkpoint.json")) {
		t.Errorf("after an interruption: %+v", at)
	}
	for k := range 3 {
		chunk, err := p.Chunk(k, 3)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := opened(t, other).Exec(t.Context(), chunk, Options{Jobs: 1 + k, Program: "a"}); err != nil {
			t.Fatal(err)
		}
		if at := p.Status(true); at.Done != 2*(k+1) || len(at.Missing) != 6-at.Done {
			t.Errorf("after chunk %d: %+v", k, at)
		}
	}
	at, rows, err := p.Collect(false)
	if err != nil || len(rows) != len(s.Cases) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got, want := results(t, other), results(t, local); got != want {
		t.Errorf("table\n%s\nwant\n%s", got, want)
	}
	want := recordings(t, s, local)
	for name, b := range recordings(t, at, other) {
		if b != want[name] {
			t.Errorf("the recording of %s differs", name)
		}
	}
	left, _ := filepath.Glob(filepath.Join(other, casesFolder, "*", lockFile))
	if len(left) > 0 {
		t.Errorf("locks stay: %v", left)
	}
}

// What does not belong to a plan is refused, and what was done stays.
func TestPlansRefuseOtherInputs(t *testing.T) {
	s := bounce(t)
	dir := t.TempDir()
	p := planned(t, s, dir)
	if _, err := p.Exec(t.Context(), []int{0}, Options{Jobs: 1, Program: "b"}); err == nil || !strings.Contains(err.Error(), "another program") {
		t.Errorf("another program: %v", err)
	}
	if _, err := p.Exec(t.Context(), []int{0}, Options{Jobs: 1, Program: "a"}); err != nil {
		t.Fatal(err)
	}
	// the same plan again is no fault; another one is
	planned(t, s, dir)
	if at := p.Status(true); at.Done != 1 {
		t.Errorf("%+v", at)
	}
	heavier := strings.Replace(bounceStudy, "[1, 2]", "[1, 3]", 1)
	if err := os.WriteFile(s.Path, []byte(heavier), 0o666); err != nil {
		t.Fatal(err)
	}
	changed, err := Load(s.Path)
	if err == nil {
		err = changed.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := changed.MakePlan(Options{Dir: dir, Program: "a"}); err == nil || !strings.Contains(err.Error(), "plan of other inputs") {
		t.Errorf("another plan: %v", err)
	}
	if _, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 1}); err == nil || !strings.Contains(err.Error(), "has a plan") {
		t.Errorf("a local run in the folder of a plan: %v", err)
	}
	// with force, cases of both plans keep their results
	if _, err := changed.MakePlan(Options{Dir: dir, Program: "a", Force: true}); err != nil {
		t.Fatal(err)
	}
	p = opened(t, dir)
	if at := p.Status(true); at.Done != 1 || at.Cases != 6 {
		t.Errorf("a plan that replaces another: %+v", at)
	}
	scene := filepath.Join(dir, filepath.FromSlash(p.note.Files[0].Name))
	if err := os.WriteFile(scene, []byte(bounceScene+"# edited\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	rows, err := p.Exec(t.Context(), []int{0, 3}, Options{Jobs: 1, Program: "a"})
	if !errors.Is(err, ErrPlanChanged) || !strings.Contains(err.Error(), scene) || rows[1].Done() {
		t.Errorf("an edited scene: %v", err)
	}
	if at := p.Status(true); at.Done != 1 {
		t.Errorf("an edited scene harms results: %+v", at)
	}
	table := filepath.Join(dir, planTable)
	if err := os.WriteFile(table, []byte("index\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenPlan(dir); !errors.Is(err, ErrPlanChanged) || !strings.Contains(err.Error(), table) {
		t.Errorf("an edited table: %v", err)
	}
	if _, err := OpenPlan(t.TempDir()); !errors.Is(err, ErrNoPlan) {
		t.Errorf("no plan: %v", err)
	}
}

// Results that are damaged in any file run again, and no others.
func TestDamagedResultsOfPlansRunAgain(t *testing.T) {
	s := bounce(t)
	dir := t.TempDir()
	p := planned(t, s, dir)
	if _, err := p.Exec(t.Context(), everything(p), Options{Jobs: 2, Program: "a"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Collect(false); err != nil {
		t.Fatal(err)
	}
	want := results(t, dir)
	for k, name := range []string{outcomeFile, record.SignalsFile, record.StepsFile, record.SummaryFile, record.RecordingFile} {
		path := filepath.Join(dir, casesFolder, p.Cases[k].Name, name)
		if err := os.Truncate(path, 10); err != nil {
			t.Fatal(err)
		}
		at := p.Status(true)
		if at.Done != 5 || !slices.Equal(at.Missing, []int{k}) || !slices.Equal(at.Bad, []string{p.Cases[k].Name}) {
			t.Errorf("%s cut: %+v", name, at)
		}
		_, rows, err := p.Collect(false)
		if err != nil || rows[k].Done() {
			t.Errorf("%s cut: %v, status %q", name, err, rows[k].Status)
		}
		if _, err := p.Exec(t.Context(), everything(p), Options{Jobs: 2, Program: "a"}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.Collect(false); err != nil || results(t, dir) != want {
			t.Errorf("%s cut: %v, table\n%s\nwant\n%s", name, err, results(t, dir), want)
		}
	}
}

// Of two processes with one case the second is refused at once, or waits and takes the result of the
// first.
func TestACaseBelongsToOneProcessAtATime(t *testing.T) {
	s := bounce(t)
	p := planned(t, s, t.TempDir())
	inside := make(chan bool)
	first := make(chan error)
	opt := Options{Jobs: 1, Program: "a"}
	go func() {
		slow, steps := opt, 0
		slow.Progress = func(int, int, float64) {
			if steps++; steps == 5 {
				inside <- true
				<-inside
			}
		}
		_, err := p.Exec(t.Context(), []int{2}, slow)
		first <- err
	}()
	<-inside
	_, err := p.Exec(t.Context(), []int{2}, opt)
	if !errors.Is(err, errCaseBusy) || !strings.Contains(err.Error(), p.Cases[2].Name) {
		t.Errorf("got %v", err)
	}
	second := make(chan error)
	ran := 0
	go func() {
		opt := opt
		opt.Wait, opt.Progress = true, func(int, int, float64) { ran++ }
		rows, err := p.Exec(t.Context(), []int{2}, opt)
		if err == nil && !rows[0].Done() {
			err = errors.New(rows[0].Status)
		}
		second <- err
	}()
	inside <- true
	if err := errors.Join(<-first, <-second); err != nil {
		t.Error(err)
	}
	if ran != 2 { // no work, done
		t.Errorf("the second process took %d steps", ran)
	}
}

// A file that only this machine has, and a bundle of somebody else, are refused before a plan is made.
func TestPlansRefuseWhatTheyCannotCopy(t *testing.T) {
	mesh := filepath.Join(t.TempDir(), "box.obj")
	if err := os.WriteFile(mesh, []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := bounce(t)
	scene := bounceScene + "meshes: {box: {file: " + mesh + ", unit: m}}\n"
	scene = strings.Replace(scene, "[{sphere: {radius: 0.1}}]", "[{convex: {mesh: box}}]", 1)
	if err := os.WriteFile(filepath.Join(filepath.Dir(s.Path), "scene.yaml"), []byte(scene), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Load(s.Path)
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := s.MakePlan(Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), mesh) || !strings.Contains(err.Error(), "absolute") || isPlan(dir) {
		t.Errorf("got %v", err)
	}
	theirs := t.TempDir()
	if err := os.Mkdir(filepath.Join(theirs, bundleFolder), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := bounce(t).MakePlan(Options{Dir: theirs}); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("got %v", err)
	}
}

// Lists of indices are read as they are written, and what is outside of a plan is refused.
func TestIndicesOfPlans(t *testing.T) {
	p := &Plan{Cases: make([]Case, 30)}
	for _, list := range [][]int{{0}, {3, 4}, {0, 1, 2, 7, 9, 10, 29}, everything(p)} {
		got, err := p.Indices(FormatIndices(list))
		if err != nil || !slices.Equal(got, list) {
			t.Errorf("%v: %q gives %v, %v", list, FormatIndices(list), got, err)
		}
	}
	for _, text := range []string{"", "a", "30", "5-3", "-1", "1-", "1,,2", "0-99999999999999999999"} {
		if got, err := p.Indices(text); err == nil {
			t.Errorf("%q gives %v", text, got)
		}
	}
	seen := map[int]int{}
	for k := range 7 {
		list, err := p.Chunk(k, 7)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range list {
			seen[i]++
		}
	}
	if len(seen) != 30 {
		t.Errorf("chunks have %v", seen)
	}
	for _, c := range [][2]int{{-1, 3}, {3, 3}, {0, 0}} {
		if _, err := p.Chunk(c[0], c[1]); err == nil {
			t.Errorf("chunk %v is none", c)
		}
	}
}

// Names and values that begin as formulas of spreadsheets do stand behind an apostrophe in plan.csv and cases.csv;
// numbers do not. The plan reads back, and runs.
func TestTablesOfStudiesHaveNoFormulas(t *testing.T) {
	s := mustLoad(t, `
scene: scene.yaml
rows:
  - {=law: =1+1, bodies.ball.velocity: "[-1, 0, 0]", "@m": -2}
  - {=law: -x, bodies.ball.velocity: "[0, 0, 0]", "@m": 3}
set: {time.duration: 0.02}
measures: {+end: {signal: z}}
`)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p := planned(t, s, dir)
	for i := range p.Cases {
		if want := s.Cases[i]; p.Cases[i].Name != want.Name || !slices.Equal(p.Cases[i].Values, want.Values) {
			t.Errorf("case %d reads back as %q %q, not %q %q", i, p.Cases[i].Name, p.Cases[i].Values, want.Name, want.Values)
		}
	}
	out := t.TempDir()
	if _, err := s.Run(t.Context(), Options{Dir: out, Jobs: 1, Program: "a"}); err != nil {
		t.Fatal(err)
	}
	rows := readCases(t, out)
	if !slices.Equal(rows["'=law"], []string{"'=1+1", "'-x"}) || !slices.Equal(rows["'@m"], []string{"-2", "3"}) || len(rows["'+end"]) != 2 {
		t.Errorf("cases.csv has %q", rows)
	}
	for _, file := range []string{filepath.Join(dir, planTable), filepath.Join(out, TableFile)} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		table, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range slices.Concat(table...) {
			if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
				t.Errorf("%s has the formula %q", file, cell)
			}
		}
	}
}
