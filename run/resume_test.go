package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
	"github.com/curlfree/curlfree/scene"
)

// completeFiles are the files of a run folder after the run.
var completeFiles = []string{"recording.curl", "run.json", "signals.csv", "steps.csv"}

func TestResumedRunsAreTheSameToTheLastBit(t *testing.T) {
	sc := load(t, squash)
	straight, stopped := t.TempDir(), t.TempDir()
	want := mustRun(t, sc, Options{Dir: straight, Threads: 1})
	// stopped twice, before and after the moment that a signal measures from
	interrupt(t, sc, Options{Dir: stopped, Threads: 2}, 13)
	if got := files(t, stopped); slices.Contains(got, "run.json") || !slices.Contains(got, "checkpoint.json") {
		t.Errorf("after an interruption the folder contains %v", got)
	}
	if rec, err := record.ReadRun(stopped); err != nil || rec.Len() != 3 {
		t.Errorf("frames so far: %v, %v", rec, err)
	}
	interrupt(t, sc, Options{Dir: stopped, Threads: 2, Resume: true}, 25)
	got := mustRun(t, sc, Options{Dir: stopped, Threads: 2, Resume: true})
	if got.StateHash != want.StateHash || got.Steps != want.Steps {
		t.Errorf("%d steps to the state %s, want %d to %s", got.Steps, got.StateHash, want.Steps, want.StateHash)
	}
	for _, name := range []string{record.SignalsFile, record.RecordingFile} {
		if read(t, stopped, name) != read(t, straight, name) {
			t.Errorf("%s differs", name)
		}
	}
	if a, b := physics(t, stopped), physics(t, straight); a != b {
		t.Errorf("steps.csv differs:\n%s\n%s", a, b)
	}
	if got := files(t, stopped); !slices.Equal(got, completeFiles) {
		t.Errorf("the folder contains %v, want %v", got, completeFiles)
	}
}

// A scene that a program has edited is resumed only where it names its edits.
func TestRunsOfEditedScenesAreResumedByTheNameOfTheEdits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(squash), 0o666); err != nil {
		t.Fatal(err)
	}
	edited := func(name string) *scene.Scene {
		d, err := scene.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		d.Builder.Gravity[2], d.Edits = -5, name
		sc, err := d.Load()
		if err != nil {
			t.Fatal(err)
		}
		return sc
	}
	want := mustRun(t, edited(""), Options{Dir: t.TempDir()})
	dir := t.TempDir()
	interrupt(t, edited(""), Options{Dir: dir}, 13)
	if _, err := Run(context.Background(), edited(""), Options{Dir: dir, Resume: true}); !errors.Is(err, ErrResume) || !strings.Contains(err.Error(), "Draft.Edits") {
		t.Errorf("edits without a name: %v", err)
	}
	dir = t.TempDir()
	interrupt(t, edited("g 5"), Options{Dir: dir}, 13)
	for _, other := range []*scene.Scene{edited("g 6"), load(t, squash)} {
		if _, err := Run(context.Background(), other, Options{Dir: dir, Resume: true}); !errors.Is(err, ErrResume) {
			t.Errorf("other edits: %v", err)
		}
	}
	if got := mustRun(t, edited("g 5"), Options{Dir: dir, Resume: true}); got.StateHash != want.StateHash {
		t.Errorf("the resumed run ends at %s, want %s", got.StateHash, want.StateHash)
	}
}

func TestThreadsAndRerunsGiveTheSameBits(t *testing.T) {
	sc := load(t, squash, "time.duration=0.1")
	dir := t.TempDir()
	var first *record.Summary
	for _, threads := range []int{1, 2, 4, 1} {
		s := mustRun(t, sc, Options{Dir: dir, Threads: threads})
		if first == nil {
			first = s
		}
		if s.StateHash != first.StateHash || s.Threads != threads {
			t.Errorf("%d threads: the state is %s, want %s", threads, s.StateHash, first.StateHash)
		}
	}
}

func TestCheckpointsOfOtherScenesAndDamagedOnesAreRefused(t *testing.T) {
	sc, dir := load(t, squash), t.TempDir()
	interrupt(t, sc, Options{Dir: dir}, 5)
	other := load(t, squash, "materials.default.friction=0.3")
	if _, err := Run(context.Background(), other, Options{Dir: dir, Resume: true}); err == nil || !strings.Contains(err.Error(), "belongs to another scene") {
		t.Errorf("another scene: %v", err)
	}
	good := read(t, dir, "checkpoint.json")
	for name, c := range map[string]struct{ old, new, want string }{
		"not JSON":       {"{", "", "damaged"},
		"another step":   {`"Step": 5`, `"Step": 6`, "its hash differs"},
		"no numbers":     {`"Q": "`, `"Q": "!`, "cannot be read"},
		"longer than is": {`"Steps": `, `"Steps": 9`, "its digest differs"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "checkpoint.json"), []byte(strings.Replace(good, c.old, c.new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(context.Background(), sc, Options{Dir: dir, Resume: true}); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "without --resume") {
			t.Errorf("%s: got %v, want %q in it", name, err, c.want)
		}
	}
	// without --resume the run starts again, and nothing of the old one is left; a file without its
	// head is not known as the program's own
	if err := os.WriteFile(filepath.Join(dir, "checkpoint.json"), []byte(good), 0o666); err != nil {
		t.Fatal(err)
	}
	mustRun(t, sc, Options{Dir: dir})
	if got := files(t, dir); !slices.Equal(got, completeFiles) {
		t.Errorf("the folder contains %v, want %v", got, completeFiles)
	}
}

func TestResumeWithoutACheckpointStartsAtTheBeginning(t *testing.T) {
	s := mustRun(t, load(t, squash, "time.duration=0.02"), Options{Dir: t.TempDir(), Resume: true})
	if s.Steps != 4 {
		t.Errorf("%d steps, want 4", s.Steps)
	}
}

func TestAFullRunFolderIsResumedFromItsCheckpoint(t *testing.T) {
	sc, dir := load(t, squash, "output.checkpoint=0.05"), t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	steps := 0
	_, err := Run(ctx, sc, Options{Dir: dir, Progress: func(float64, float64) {
		if steps++; steps == 30 {
			// the process dies here, with rows of later steps already in the files
			b := read(t, dir, "checkpoint.json")
			if err := os.WriteFile(filepath.Join(dir, "kept"), []byte(b), 0o666); err != nil {
				t.Error(err)
			}
			cancel()
		}
	}})
	if !errors.Is(err, ErrInterrupted) {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "kept"), filepath.Join(dir, "checkpoint.json")); err != nil {
		t.Fatal(err)
	}
	mustRun(t, sc, Options{Dir: dir, Resume: true})
	straight := t.TempDir()
	mustRun(t, sc, Options{Dir: straight})
	if read(t, dir, record.SignalsFile) != read(t, straight, record.SignalsFile) || physics(t, dir) != physics(t, straight) {
		t.Error("the run from a checkpoint before the end differs")
	}
}
