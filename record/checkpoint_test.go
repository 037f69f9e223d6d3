package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

var columns = []string{"time_s", "a_m"}

// writeRun writes the rows and frames from step a up to step b of a made-up run.
func writeRun(t *testing.T, f *Folder, rec *Recording, a, b int) {
	t.Helper()
	for k := a; k < b; k++ {
		row := []float64{rec.Frames[k].Time, math.Sqrt(float64(k))}
		if err := errors.Join(f.Step(row), f.Signals(row), f.Frame(&rec.Frames[k])); err != nil {
			t.Fatal(err)
		}
	}
}

// stateAt is a state whose numbers have no short decimal fraction.
func stateAt(step int) *sim.State {
	return &sim.State{
		Time: 0.1 * float64(step), Step: step, Q: []float64{math.Pi, -1e-300, math.Nextafter(1, 2)}, V: []float64{math.Sqrt2},
		LaggedContacts:  []sim.LaggedContact{{Body: [2]int32{-1, 0}, Elem: [2]int32{3, 4}, P: [2]r3.Vec{{0.1, 0.2, 0.3}, {1. / 3, 0, 0}}, Force: 1.0 / 7}},
		EnergyReference: []float64{math.Inf(1), 1. / 3},
		Memory:          sim.StepMemory{H: 0.1, W: []float64{1. / 7}, DV: []float64{-1e-300}},
	}
}

// stopped is a run folder with a checkpoint after two of five steps, and a third step
// that the checkpoint does not cover.
func stopped(t *testing.T) (dir string, rec *Recording) {
	t.Helper()
	dir, rec = t.TempDir(), swing()
	f, err := Create(dir, &rec.Static, columns, columns)
	if err != nil {
		t.Fatal(err)
	}
	writeRun(t, f, rec, 0, 2)
	if err := f.Checkpoint(stateAt(2), "model", 1.5, []float64{7, math.E}); err != nil {
		t.Fatal(err)
	}
	writeRun(t, f, rec, 2, 3)
	if err := f.Flush(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	return dir, rec
}

// A run that was stopped and resumed leaves the same bytes as one that was not.
func TestResumedRunsLeaveTheSameFiles(t *testing.T) {
	whole := t.TempDir()
	rec := swing()
	f, err := Create(whole, &rec.Static, columns, columns)
	if err != nil {
		t.Fatal(err)
	}
	writeRun(t, f, rec, 0, 5)
	if err := f.Finish(&Summary{Inputs: "model", Steps: 5}); err != nil {
		t.Fatal(err)
	}

	dir, _ := stopped(t)
	r, err := Resume(dir, "model")
	if err != nil {
		t.Fatal(err)
	}
	want := stateAt(2)
	if r.State.Hash() != want.Hash() || r.State.Step != 2 || !slices.Equal(r.State.LaggedContacts, want.LaggedContacts) {
		t.Errorf("state %+v, want %+v", r.State, want)
	}
	if r.Wall != 1.5 || !slices.Equal(r.Memory, []float64{7, math.E}) || r.Folder.Recorded() != rec.Frames[1].Time {
		t.Errorf("%g s, memory %v, recorded up to %g s", r.Wall, r.Memory, r.Folder.Recorded())
	}
	writeRun(t, r.Folder, rec, 2, 5)
	if err := r.Folder.Finish(&Summary{Inputs: "model", Steps: 5}); err != nil {
		t.Fatal(err)
	}
	for _, name := range resultFiles {
		a, err1 := os.ReadFile(filepath.Join(whole, name))
		b, err2 := os.ReadFile(filepath.Join(dir, name))
		if err := errors.Join(err1, err2); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != len(resultFiles) {
		t.Errorf("%d files are left, want %d", len(entries), len(resultFiles))
	}
}

// edit changes the checkpoint of a folder.
func edit(t *testing.T, dir string, change func(*checkpoint)) {
	t.Helper()
	path := filepath.Join(dir, checkpointFile)
	b, err := os.ReadFile(path)
	var c checkpoint
	if err := errors.Join(err, json.Unmarshal(b, &c)); err != nil {
		t.Fatal(err)
	}
	change(&c)
	c.Digest = c.digest() // only what was edited is wrong
	if err := WriteJSON(path, &c); err != nil {
		t.Fatal(err)
	}
}

// Each fault of a checkpoint is named, and leaves the files as they were.
func TestFaultyCheckpointsAreRefused(t *testing.T) {
	cut := func(name string, size int64) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, name+partial), size); err != nil {
				t.Fatal(err)
			}
		}
	}
	change := func(do func(*checkpoint)) func(*testing.T, string) {
		return func(t *testing.T, dir string) { edit(t, dir, do) }
	}
	for _, c := range []struct {
		name, want string
		spoil      func(*testing.T, string)
	}{
		{"no JSON", "damaged", func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, checkpointFile), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"another model", "belongs to another scene", change(func(c *checkpoint) { c.Model = "other" })},
		{"base64", "numbers cannot be read", change(func(c *checkpoint) { c.Q = "?" })},
		{"7 bytes", "numbers cannot be read", change(func(c *checkpoint) { c.V = "AAAAAAAAAA==" })},
		{"no time", "it has no time", change(func(c *checkpoint) { c.Time = "" })},
		{"an unsealed one", "another version of curlfree", func(t *testing.T, dir string) {
			path := filepath.Join(dir, checkpointFile)
			b, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, regexp.MustCompile(`"Digest": "[^"]*"`).ReplaceAll(b, []byte(`"Digest": ""`)), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}},
		{"another state", "its hash differs", change(func(c *checkpoint) { c.V = bits([]float64{1}) })},
		{"signals.csv shorter", "shorter than it was at the checkpoint", cut(SignalsFile, 3)},
		{"recording shorter", "shorter than it was at the checkpoint", cut(RecordingFile, 50)},
		{"no steps.csv", "no such file", func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, StepsFile+partial)) }},
		{"end within a frame", "is damaged", change(func(c *checkpoint) { c.Frames-- })},
		{"a wrong byte", "is damaged", func(t *testing.T, dir string) {
			path := filepath.Join(dir, RecordingFile+partial)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r, err := open(b)
			if err != nil {
				t.Fatal(err)
			}
			b[r.file.c.frames[1].at+3] ^= 4
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"an older version", "another version of curlfree", func(t *testing.T, dir string) {
			b := version2(t, swing())
			if err := os.WriteFile(filepath.Join(dir, RecordingFile+partial), b, 0o600); err != nil {
				t.Fatal(err)
			}
			edit(t, dir, func(c *checkpoint) { c.Frames = int64(len(b)) })
		}},
	} {
		dir, _ := stopped(t)
		c.spoil(t, dir)
		before := snapshot(t, dir)
		_, err := Resume(dir, "model")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "run without --resume") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if after := snapshot(t, dir); after != before {
			t.Errorf("%s: files have changed", c.name)
		}
	}
	if _, err := Resume(t.TempDir(), "model"); !errors.Is(err, ErrNoCheckpoint) {
		t.Errorf("an empty folder: %v", err)
	}
}

// snapshot is the content of all files of a folder.
func snapshot(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(e.Name() + "\x00" + string(text) + "\x00")
	}
	return b.String()
}

// A checkpoint of an earlier version, which called lagged contacts bearings, is read.
func TestOlderCheckpointsAreRead(t *testing.T) {
	dir, _ := stopped(t)
	b, err := os.ReadFile(filepath.Join(dir, checkpointFile))
	if err != nil || !strings.Contains(string(b), `"Bearing": [`) {
		t.Errorf("the key is not Bearing: %v", err)
	}
}

// Finished distinguishes a complete run from one to continue and from none.
func TestFinishedRunsAreKnown(t *testing.T) {
	dir, rec := stopped(t)
	if s, err := Finished(dir, "model"); s != nil || err != nil {
		t.Errorf("a run to continue: %v, %v", s, err)
	}
	r, err := Resume(dir, "model")
	if err != nil {
		t.Fatal(err)
	}
	writeRun(t, r.Folder, rec, 2, 5)
	if err := r.Folder.Finish(&Summary{Inputs: "model", Steps: 5}); err != nil {
		t.Fatal(err)
	}
	if s, err := Finished(dir, "model"); err != nil || s == nil || s.Steps != 5 {
		t.Errorf("a complete run: %v, %v", s, err)
	}
	if _, err := Finished(dir, "other"); err == nil || !strings.Contains(err.Error(), "of another scene") {
		t.Errorf("another run: %v", err)
	}
	if _, err := Finished(t.TempDir(), "model"); !errors.Is(err, ErrNoCheckpoint) {
		t.Errorf("no run: %v", err)
	}
}

// Numbers of a checkpoint keep their bits, also those that JSON does not have.
func TestBitsOfNumbersSurvive(t *testing.T) {
	want := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, math.MaxFloat64, 0.1}
	got, err := unbits(bits(want))
	if err != nil || len(got) != len(want) {
		t.Fatal(got, err)
	}
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Errorf("%g becomes %g", want[i], got[i])
		}
	}
}
