package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/record"
)

// A result that was lost or damaged in any way is none: its case runs again, and the study
// ends with the table of before.
func TestLostAndDamagedResultsAreMadeAgain(t *testing.T) {
	s, dir := bounce(t), t.TempDir()
	if _, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	want := results(t, dir)
	folder := filepath.Join(dir, casesFolder, s.Cases[1].Name)
	for _, name := range []string{record.SignalsFile, record.StepsFile, record.SummaryFile, record.RecordingFile} {
		path := filepath.Join(folder, name)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for what, damage := range map[string]func() error{
			"lost":  func() error { return os.Remove(path) },
			"cut":   func() error { return os.Truncate(path, int64(len(whole)/2)) },
			"other": func() error { return os.WriteFile(path, []byte("{}"), 0o600) },
		} {
			if err := damage(); err != nil {
				t.Fatal(err)
			}
			// charts and tables of the other cases can still be drawn
			rows, err := s.Redraw(dir)
			if err != nil || rows[1].Done() || !rows[0].Done() || !strings.Contains(rows[1].Status, "run the study again") {
				t.Errorf("%s %s: %v, %q", name, what, err, rows[1].Status)
			}
			if _, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 1}); err != nil {
				t.Errorf("%s %s: %v", name, what, err)
			}
			if got := results(t, dir); got != want {
				t.Errorf("%s %s: got\n%s", name, what, got)
			}
		}
	}
}

// A scene that is edited while a study runs is refused: its table has one scene.
func TestScenesThatChangeDuringAStudyAreRefused(t *testing.T) {
	s, dir := bounce(t), t.TempDir()
	file := filepath.Join(filepath.Dir(s.Path), "scene.yaml")
	changed := false
	rows, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 1, Progress: func(int, int, float64) {
		if !changed {
			changed = true
			if err := os.WriteFile(file, []byte(strings.Replace(bounceScene, "0.1", "0.12", 1)), 0o600); err != nil {
				t.Error(err)
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for i := range rows {
		switch {
		case rows[i].Done():
			done++
		case !strings.Contains(rows[i].Status, "scene.yaml: changed since"):
			t.Errorf("status %q", rows[i].Status)
		}
	}
	if !changed || done == 0 || done > 1 {
		t.Errorf("%d cases are done", done)
	}
	// loaded again, all cases are of the new scene
	again, err := Load(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = again.Run(t.Context(), Options{Dir: dir, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	straight := t.TempDir()
	if _, err := again.Run(t.Context(), Options{Dir: straight, Jobs: 2}); err != nil {
		t.Fatal(err)
	}
	if got, want := results(t, dir), results(t, straight); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Two studies in one folder would mix their files.
func TestAStudyFolderHasOneStudyAtATime(t *testing.T) {
	s, dir := bounce(t), t.TempDir()
	unlock, err := record.LockFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 1}); err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "another run") {
		t.Errorf("got %v", err)
	}
	unlock()
	if _, err := s.Run(t.Context(), Options{Dir: dir, Jobs: 1}); err != nil {
		t.Error(err)
	}
}
