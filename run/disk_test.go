package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/curlfree/curlfree/record"
)

// full makes writes to a file of a run folder fail as on a full disk.
func full(t *testing.T, dir, name string) {
	t.Helper()
	if f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err != nil {
		t.Skip("no /dev/full here")
	} else {
		f.Close()
	}
	if err := os.Symlink("/dev/full", filepath.Join(dir, name+".partial")); err != nil {
		t.Fatal(err)
	}
}

func TestAFullDiskLeavesNothingHalfWritten(t *testing.T) {
	for _, name := range []string{record.StepsFile, record.SignalsFile, record.RecordingFile} {
		dir := t.TempDir()
		full(t, dir, name)
		_, err := Run(context.Background(), load(t, squash, "time.duration=0.02"), Options{Dir: dir})
		if !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrSolver) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v", name, err)
		}
		if got := files(t, dir); len(got) > 0 {
			t.Errorf("%s: the folder holds %v", name, got)
		}
	}
}

func TestAFullDiskKeepsTheRunOfBefore(t *testing.T) {
	dir, sc := t.TempDir(), load(t, squash, "time.duration=0.02")
	mustRun(t, sc, Options{Dir: dir})
	before := read(t, dir, record.SignalsFile)
	full(t, dir, record.SignalsFile)
	if _, err := Run(context.Background(), load(t, squash), Options{Dir: dir}); err == nil {
		t.Fatal("no error")
	}
	if got := files(t, dir); !slices.Equal(got, completeFiles) || read(t, dir, record.SignalsFile) != before {
		t.Errorf("the folder holds %v", got)
	}
}

func TestAFullFileSystemLeavesNothingHalfWritten(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, 64<<10)
	sc := load(t, squash, "time.duration=3", "output.rate=200")
	_, err := Run(context.Background(), sc, Options{Dir: filepath.Join(dir, "run")})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v", err)
	}
	if got := files(t, filepath.Join(dir, "run")); len(got) > 0 {
		t.Errorf("the folder holds %v", got)
	}
}

func TestFoldersThatCannotBeWrittenAreNamed(t *testing.T) {
	sc := load(t, squash)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	readOnly := t.TempDir()
	if err := os.Chmod(readOnly, 0o555); err != nil {
		t.Fatal(err)
	}
	dirs := []string{file}
	if os.Geteuid() > 0 { // nothing is read-only to root
		dirs = append(dirs, readOnly)
	}
	for _, dir := range dirs {
		if _, err := Run(context.Background(), sc, Options{Dir: dir}); err == nil || errors.Is(err, ErrSolver) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v", dir, err)
		}
	}
}
