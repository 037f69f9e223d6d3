package study

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/curlfree/curlfree/internal/authorship"
	"github.com/curlfree/curlfree/record"
)

// A study in a folder of somebody else replaces nothing there, in its cases neither.
func TestStudiesDoNotReplaceFilesOfOthers(t *testing.T) {
	s := mustLoad(t, "scene: scene.yaml\ncases: {time.step: [0.01]}\nplots: {fall: {signals: [z]}}\n")
	inCase := filepath.Join(casesFolder, s.Cases[0].Name)
	for _, name := range []string{studyFile, TableFile, "fall.png", "fall.svg", filepath.Join(inCase, outcomeFile), filepath.Join(inCase, record.SignalsFile)} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte("mine"), 0o600)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 1})
			if b, _ := os.ReadFile(path); !errors.Is(err, authorship.ErrForeign) || string(b) != "mine" {
				t.Errorf("%s has %q after %v", name, b, err)
			}
		}
	}
}
