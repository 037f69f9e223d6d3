//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package record

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of two runs in one folder the second is refused, and harms nothing of the first.
func TestARunFolderBelongsToOneRunAtATime(t *testing.T) {
	dir := t.TempDir()
	st := &Static{Title: "t"}
	columns := []string{"time_s"}
	first, err := Create(dir, st, columns, columns)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(first.Signals([]float64{1}), first.Flush()); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, st, columns, columns); !errors.Is(err, ErrBusy) {
		t.Fatalf("a second run in the same folder: %v, want %v", err, ErrBusy)
	}
	if _, err := (&checkpoint{}).reopen(dir); !errors.Is(err, ErrBusy) {
		t.Errorf("a resumed run in the same folder: %v, want %v", err, ErrBusy)
	}
	if text, err := os.ReadFile(filepath.Join(dir, SignalsFile+partial)); string(text) != "time_s\n1\n" {
		t.Errorf("the first run's table is %q, %v", text, err)
	}
	first.Close()
	again, err := Create(dir, st, columns, columns)
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	again.Close()
}

// A run whose files another one has replaced, as where locks are not seen, does not finish the files
// of the other.
func TestARunDoesNotFinishTheFilesOfAnother(t *testing.T) {
	dir := t.TempDir()
	st := &Static{Title: "t"}
	columns := []string{"time_s"}
	lost, err := Create(dir, st, columns, columns)
	if err != nil {
		t.Fatal(err)
	}
	lost.unlock() // as if its machine was gone
	lost.lock = nil
	next, err := Create(dir, st, columns, columns)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(lost.Signals([]float64{1}), next.Signals([]float64{1}), next.Signals([]float64{2})); err != nil {
		t.Fatal(err)
	}
	if err := lost.Finish(&Summary{}); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("the lost run finishes: %v", err)
	}
	if err := next.Finish(&Summary{}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, SignalsFile)); string(text) != "time_s\n1\n2\n" {
		t.Errorf("the table is %q, %v", text, err)
	}
}

// A lock file is one process's until it lets go; who waited for a file that is removed gets the next.
func TestLockFilesBelongToOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := LockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LockFile(path); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v", err)
	}
	unlock()
	for range 2 {
		again, err := LockFile(path)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(path)
		again()
	}
}
