package run

import (
	"path/filepath"
	"testing"

	"github.com/curlfree/curlfree/scene"
)

// Robots whose joints have followers or close loops, which float or which stand, do what their closed forms say. Inputs
// are reports of users, built again with numbers of their own.
func TestRobotsCarryAllThatMovesWithTheirJoints(t *testing.T) {
	files, err := filepath.Glob("testdata/robots/*.yaml")
	if err != nil || len(files) != 5 {
		t.Fatalf("%d scenes, %v", len(files), err)
	}
	for _, file := range files {
		s, err := scene.Load(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range mustRun(t, s, Options{Dir: t.TempDir()}).Checks {
			if !c.OK {
				t.Errorf("%s: %s is %v", file, c.Name, c.Value)
			}
		}
	}
}
