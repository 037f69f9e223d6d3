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

func TestAFullDiskKeepsTheRunOfBefore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	mount(t, dir, 64<<10)
	mustRun(t, load(t, squash, "time.duration=0.02"), Options{Dir: dir})
	before := read(t, dir, record.SignalsFile)
	_, err := Run(context.Background(), load(t, squash, "time.duration=3", "output.rate=200"), Options{Dir: dir})
	if !errors.Is(err, syscall.ENOSPC) || errors.Is(err, ErrSolver) || !strings.Contains(err.Error(), dir) {
		t.Fatalf("got %v", err)
	}
	if got := files(t, dir); !slices.Equal(got, completeFiles) || read(t, dir, record.SignalsFile) != before {
		t.Errorf("the folder contains %v", got)
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
		t.Errorf("the folder contains %v", got)
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
