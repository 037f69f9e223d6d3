//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package record

import (
	"errors"
	"os"
	"path/filepath"
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
	if _, err := Create(dir, st, columns, columns); !errors.Is(err, errBusy) {
		t.Fatalf("a second run in the same folder: %v, want %v", err, errBusy)
	}
	if _, err := (&checkpoint{}).reopen(dir); !errors.Is(err, errBusy) {
		t.Errorf("a resumed run in the same folder: %v, want %v", err, errBusy)
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
