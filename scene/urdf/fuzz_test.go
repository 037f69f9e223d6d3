package urdf

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"curlfree/scene/robot"
	"curlfree/scene/robot/robottest"
)

// FuzzParse holds whatever is read to what Robot promises.
func FuzzParse(f *testing.F) {
	arm, err := os.ReadFile("testdata/arm.urdf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(arm))
	f.Add("<robot name='r'><link name='a'/></robot>")
	f.Add("<robot>" + links + turns("ab", "a", "b", "<mimic joint='bc'/>") + turns("bc", "b", "c", "") + "</robot>")
	f.Add("<robot>" + links + turns("bc", "b", "c", "") + turns("cb", "c", "b", "") + "</robot>")
	f.Add("<robot><link name='a'><visual><origin rpy='1e300 0 1'/><geometry><sphere radius='1e-300'/></geometry></visual></link></robot>")
	f.Add("<robot><link name='a'/><drake:collision_filter_group name='g'><drake:member link='a'/><drake:ignored_collision_filter_group name='g'/></drake:collision_filter_group></robot>")
	f.Fuzz(func(t *testing.T, text string) {
		r, warnings, err := Parse(strings.NewReader(text), "r.urdf")
		if err != nil {
			var e *robot.Error
			if !errors.As(err, &e) || e.Line < 1 || e.Msg == "" {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		robottest.Check(t, r)
		for _, w := range warnings {
			if w.Line < 1 || w.Line > 1+strings.Count(text, "\n") || w.Text == "" {
				t.Fatalf("warning %+v", w)
			}
		}
	})
}

// TestPublicRobotsLoad reads every URDF below the folder that CURLFREE_MODELS
// names.
func TestPublicRobotsLoad(t *testing.T) {
	dir := os.Getenv("CURLFREE_MODELS")
	if dir == "" {
		t.Skip("CURLFREE_MODELS names no folder of robots")
	}
	count := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".urdf") {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		r, warnings, err := Parse(file, filepath.Base(path))
		if err != nil {
			t.Errorf("%v", err)
			return nil
		}
		count++
		robottest.Check(t, r)
		for _, w := range warnings {
			t.Logf("%s:%d: %s", filepath.Base(path), w.Line, w.Text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if count == 0 {
		t.Errorf("no URDF below CURLFREE_MODELS")
	}
}
