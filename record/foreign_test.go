package record

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A run whose disk is full leaves nothing, whichever of its files fails first.
func TestFilesThatFailLeaveNothing(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	defer func() { openGrowing = os.OpenFile }()
	for _, name := range []string{StepsFile, SignalsFile, RecordingFile} {
		openGrowing = func(path string, flag int, mode os.FileMode) (*os.File, error) {
			if filepath.Base(path) == name+partial {
				return os.OpenFile("/dev/full", os.O_RDWR, 0)
			}
			return os.OpenFile(path, flag, mode)
		}
		dir, rec := t.TempDir(), swing()
		f, err := Create(dir, &rec.Static, []string{"time_s"}, []string{"time_s"})
		for k := 0; err == nil && k < rec.Len(); k++ {
			err = errors.Join(f.Frame(rec.At(k)), f.Step([]float64{1}), f.Signals([]float64{1}), f.Flush())
		}
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v", name, err)
		}
		if e, err := os.ReadDir(dir); err != nil || len(e) > 0 {
			t.Errorf("%s: the folder contains %v (%v)", name, e, err)
		}
	}
}

// Neither a new run nor one that continues follows a link in its folder.
func TestLinksInARunFolderAreNotFollowed(t *testing.T) {
	dir, rec := t.TempDir(), swing()
	precious := filepath.Join(t.TempDir(), "precious")
	text := strings.Repeat("precious", 1000)
	link := func(name string) {
		path := filepath.Join(dir, name)
		os.Remove(path)
		if err := errors.Join(os.WriteFile(precious, []byte(text), 0o600), os.Symlink(precious, path)); err != nil {
			t.Fatal(err)
		}
		if f := ForeignFiles(dir); !slices.Contains(f, path) {
			t.Errorf("a link %s: foreign are %v", name, f)
		}
	}
	for _, name := range []string{StepsFile, SignalsFile, RecordingFile} {
		link(name + partial)
		f, err := Create(dir, &rec.Static, []string{"time_s"}, []string{"time_s"})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Frame(rec.At(0)), f.Checkpoint(stateAt(2), "model", 1, nil)); err != nil {
			t.Fatal(err)
		}
		f.Close()
		link(name + partial)
		if _, err := Resume(dir, "model"); err == nil || !strings.Contains(err.Error(), "not a regular file") {
			t.Errorf("%s: got %v", name, err)
		}
		if b, err := os.ReadFile(precious); err != nil || string(b) != text {
			t.Errorf("%s: the file behind the link has %d bytes, %v", name, len(b), err)
		}
		os.Remove(filepath.Join(dir, name+partial))
	}
}

// What a run leaves is known as its own, whatever its signals are called; files of
// others with the same names are not.
func TestForeignFilesOfAFolderAreThoseOfOthers(t *testing.T) {
	dir, rec := t.TempDir(), swing()
	if f := ForeignFiles(filepath.Join(dir, "none")); f != nil {
		t.Errorf("no folder: %v", f)
	}
	f, err := Create(dir, &rec.Static, []string{"time_s", "newton_iterations", "line_search_evaluations", "x"}, []string{"time_s", "a b", "µ"})
	if err == nil {
		err = errors.Join(f.Frame(rec.At(0)), f.Step([]float64{1, 2, 3, 4}), f.Signals([]float64{1, 2, 3}))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Checkpoint(stateAt(2), "model", 1, nil); err != nil {
		t.Fatal(err)
	}
	if got := ForeignFiles(dir); got != nil {
		t.Errorf("while it runs: %v", got)
	}
	if err := f.Finish(&Summary{Scene: "a\"b\n.yaml"}); err != nil {
		t.Fatal(err)
	}
	if got := ForeignFiles(dir); got != nil {
		t.Errorf("after its end: %v", got)
	}
	for _, name := range append(resultFiles, checkpointFile) {
		for _, name := range []string{name, name + partial} {
			other := t.TempDir()
			if err := os.WriteFile(filepath.Join(other, name), []byte("time_s,force\n0,1\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := ForeignFiles(other); len(got) != 1 || got[0] != filepath.Join(other, name) {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
}
