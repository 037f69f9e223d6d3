package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestFilesAppearWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	holds := func(want string) {
		t.Helper()
		if b, err := os.ReadFile(path); err != nil || string(b) != want {
			t.Errorf("the file has %q (%v), want %q", b, err, want)
		}
		if e, err := os.ReadDir(dir); err != nil || len(e) != 1 {
			t.Errorf("the folder contains %v (%v)", e, err)
		}
	}
	if err := Write(path, text("first")); err != nil {
		t.Fatal(err)
	}
	holds("first")
	fault := errors.New("the disk is full")
	err := Write(path, func(w io.Writer) error {
		_ = text(strings.Repeat("x", 1<<20))(w)
		return fault
	})
	if !errors.Is(err, fault) || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
	holds("first")
	if err := Write(path, text("second")); err != nil {
		t.Fatal(err)
	}
	holds("second")
	if err := Write(filepath.Join(dir, "no", "f"), text("")); err == nil || !strings.Contains(err.Error(), "no/f cannot be written") {
		t.Errorf("got %v", err)
	}
}
