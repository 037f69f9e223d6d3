package study

import (
	"context"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/run"
)

const bounceScene = `
time: {step: 0.005, duration: 0.2}
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], pose: {xyz: [0, 0, 0.15]}, velocity: [0.2, 0, 0]}
signals:
  z: {body: ball, position: z}
  f: {body: ball, contact_force: z}
`

const bounceStudy = `
scene: scene.yaml
cases: {bodies.ball.mass: [1, 2], time.step: [0.01, 0.005]}
reference: {time.step: 0.0025}
measures: {drop: {signal: z}, error: {rms_difference: [z]}, hit: {first: f > 0}, steps_taken: {run: steps}}
`

// bounce writes the study of a ball that falls on a floor.
func bounce(t *testing.T) *Study {
	t.Helper()
	path := write(t, bounceStudy)
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "scene.yaml"), []byte(bounceScene), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path)
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// results is the table of a study without the wall-clock time, as one text.
func results(t *testing.T, dir string) string {
	t.Helper()
	c := readCases(t, dir)
	delete(c, "wall_s")
	var b strings.Builder
	for _, name := range sortedKeys(c) {
		b.WriteString(name + ": " + strings.Join(c[name], " ") + "\n")
	}
	return b.String()
}

// recordings returns the recording of each case.
func recordings(t *testing.T, s *Study, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, c := range s.Cases {
		b, err := os.ReadFile(filepath.Join(dir, casesFolder, c.Name, record.RecordingFile))
		if err != nil {
			t.Fatal(err)
		}
		out[c.Name] = string(b)
	}
	return out
}

// Wherever a study is interrupted, at any case and at any step of it, it continues to the
// table and the recordings of one that was not interrupted, for any number of jobs.
func TestInterruptedStudiesContinueToTheSameResults(t *testing.T) {
	s := bounce(t)
	straight := t.TempDir()
	if _, err := s.Run(t.Context(), Options{Dir: straight, Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	want, frames := results(t, straight), recordings(t, s, straight)
	total := 0
	for _, i := range s.order(0) {
		total += int(s.Cases[i].Steps + 0.5)
	}
	r := rand.New(rand.NewSource(1))
	stops := []int{1, total - 1}
	sum := 0
	for _, i := range s.order(0) { // within each case, and right at its end
		n := int(s.Cases[i].Steps + 0.5)
		stops = append(stops, sum+1+r.Intn(n-1), sum+n)
		sum += n
	}
	for _, stop := range stops {
		dir, jobs := t.TempDir(), 1+stop%2
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		_, err := s.Run(ctx, Options{Dir: dir, Jobs: jobs, Progress: func(int, int, float64) {
			if calls++; calls == stop {
				cancel()
			}
		}})
		cancel()
		if stop < total && !errors.Is(err, run.ErrInterrupted) {
			t.Fatalf("stop at %d of %d: %v", stop, total, err)
		}
		if _, err := os.Stat(filepath.Join(dir, TableFile)); stop < total && err == nil {
			t.Errorf("stop at %d: an interrupted study has a table", stop)
		}
		rows, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 3 - jobs})
		if err != nil || len(rows) != len(s.Cases) {
			t.Fatalf("stop at %d: %d rows, %v", stop, len(rows), err)
		}
		if got := results(t, dir); got != want {
			t.Errorf("stop at %d of %d:\n%s\nwant\n%s", stop, total, got, want)
		}
		for name, b := range recordings(t, s, dir) {
			if b != frames[name] {
				t.Errorf("stop at %d: the recording of %s differs", stop, name)
			}
		}
	}
}

// Of a study whose folders are partly gone or damaged, these cases run again and no others.
func TestOnlyCasesWithoutAResultRunAgain(t *testing.T) {
	s := bounce(t)
	dir := t.TempDir()
	if _, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	want := results(t, dir)
	folder := func(k int, name ...string) string {
		return filepath.Join(append([]string{dir, casesFolder, s.Cases[k].Name}, name...)...)
	}
	damage := []func() error{
		0: func() error { return os.RemoveAll(folder(0)) },
		1: func() error { return os.Remove(folder(1, outcomeFile)) },
		2: func() error { return os.WriteFile(folder(2, outcomeFile), []byte("{"), 0o666) },
		3: func() error {
			return os.WriteFile(folder(3, outcomeFile), []byte(`{"fingerprint": "x", "status": "done"}`), 0o666)
		},
		4: func() error { return os.Remove(folder(4, record.SummaryFile)) },
		5: func() error { return nil },
	}
	for k, spoil := range damage {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		var done []int
		if _, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 1, Progress: func(n, _ int, _ float64) { done = append(done, n) }}); err != nil {
			t.Fatal(err)
		}
		if got := results(t, dir); got != want {
			t.Errorf("damage of case %d:\n%s\nwant\n%s", k, got, want)
		}
		// a case with a result reports twice: that it is no work, and that it is done
		if reports := 2 * len(s.Cases); k == 0 && len(done) <= reports || k == 5 && len(done) != reports {
			t.Errorf("damage of case %d: progress %v", k, done)
		}
	}
}

// The table does not depend on the number of cases that run at a time.
func TestJobsDoNotChangeTheTable(t *testing.T) {
	s := bounce(t)
	var first string
	for _, jobs := range []int{0, 1, 3, 1_000_000_000} {
		dir := t.TempDir()
		if _, err := s.Run(t.Context(), Options{Dir: dir, Jobs: jobs, Program: "a"}); err != nil {
			t.Fatal(err)
		}
		if got := results(t, dir); first == "" {
			first = got
		} else if got != first {
			t.Errorf("%d jobs:\n%s\nwant\n%s", jobs, got, first)
		}
	}
}

// The longest cases start first, each folder once.
func TestLongCasesStartFirst(t *testing.T) {
	s := bounce(t)
	s.Cases = append(s.Cases, s.Cases[0])
	order := s.order(0)
	if len(order) != 6 || slices.Contains(order, 6) {
		t.Errorf("order %v", order)
	}
	for k := range order[1:] {
		if s.Cases[order[k]].Steps < s.Cases[order[k+1]].Steps {
			t.Errorf("case %d before %d", order[k], order[k+1])
		}
	}
}

// A case that cannot run is a row with its reason; others are not affected.
func TestCasesThatCannotRunAreRows(t *testing.T) {
	s := mustLoad(t, "scene: scene.yaml\ncases: {time.step: [0.01, -1]}\nmeasures: {drop: {signal: z}}\nplots: {a: {x: time.step, y: drop}, b: {signals: [z], where: time.step < 0}}\n")
	dir := t.TempDir()
	rows, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if !rows[0].Done() || rows[1].Done() || !strings.Contains(rows[1].Status, "time.step is -1") {
		t.Errorf("statuses %q and %q", rows[0].Status, rows[1].Status)
	}
	if c := readCases(t, dir); c["drop"][1] != "NaN" || c["steps"][1] != "0" || c["status"][1] != rows[1].Status {
		t.Errorf("table %v", c)
	}
	// a chart that is empty because of failures is left out
	if _, err := os.Stat(filepath.Join(dir, "a.png")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b.png")); err == nil {
		t.Error("there is a chart of cases that failed")
	}
}

func TestStudyFoldersThatCannotBeWrittenAreErrors(t *testing.T) {
	s := mustLoad(t, "scene: scene.yaml\nmeasures: {drop: {signal: z}}\n")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), Options{Dir: file, Jobs: 1}); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("got %v", err)
	}
	// the table is a folder
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, TableFile), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 1}); err == nil || !strings.Contains(err.Error(), TableFile) {
		t.Errorf("got %v", err)
	}
}

// The folder of a study finds its file, also after both were moved together.
func TestStudyFoldersMoveWithTheirStudy(t *testing.T) {
	root := t.TempDir()
	old := filepath.Join(root, "old")
	out := filepath.Join(old, "runs", "out")
	if err := os.MkdirAll(out, 0o777); err != nil {
		t.Fatal(err)
	}
	s := &Study{Path: filepath.Join(old, "study.yaml")}
	if err := s.writeMarker(out); err != nil {
		t.Fatal(err)
	}
	if file, ok := FileOf(out); !ok || file != s.Path {
		t.Errorf("%q, want %q", file, s.Path)
	}
	moved := filepath.Join(root, "new")
	if err := os.Rename(old, moved); err != nil {
		t.Fatal(err)
	}
	if file, ok := FileOf(filepath.Join(moved, "runs", "out")); !ok || file != filepath.Join(moved, "study.yaml") {
		t.Errorf("after moving: %q", file)
	}
}
