package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/record"
)

// Files of others stay as they are, unless they are given up.
func TestRunsDoNotReplaceFilesOfOthers(t *testing.T) {
	sc := load(t, squash, "time.duration=0.02")
	for _, name := range []string{record.StepsFile, record.SignalsFile, record.SummaryFile, record.RecordingFile, "checkpoint.json", record.StepsFile + ".partial"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Run(context.Background(), sc, Options{Dir: dir})
		if !errors.Is(err, authorship.ErrForeign) || read(t, dir, name) != "mine" || len(files(t, dir)) != 1 {
			t.Errorf("%s: %v, the folder contains %v", name, err, files(t, dir))
		}
		mustRun(t, sc, Options{Dir: dir, Force: true})
		mustRun(t, sc, Options{Dir: dir}) // all of its files are its own now
	}
}

// A run that continues would replace them at its end.
func TestRunsThatContinueDoNotReplaceFilesOfOthers(t *testing.T) {
	sc, dir := load(t, squash), t.TempDir()
	interrupt(t, sc, Options{Dir: dir}, 20)
	if err := os.WriteFile(filepath.Join(dir, record.StepsFile), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), sc, Options{Dir: dir, Resume: true}); !errors.Is(err, authorship.ErrForeign) || read(t, dir, record.StepsFile) != "mine" {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(filepath.Join(dir, record.StepsFile)); err != nil {
		t.Fatal(err)
	}
	mustRun(t, sc, Options{Dir: dir, Resume: true})
}
