package mjcf

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
	"github.com/curlfree/curlfree/scene/sdf"
	"github.com/curlfree/curlfree/scene/urdf"
)

// One robot written in three formats is the same data, up to the names of fixed
// joints, which MJCF does not give, and that MJCF's meshes touch as hulls.
func TestThreeFormatsGiveTheSameRobot(t *testing.T) {
	read := func(name string) *robot.Robot {
		t.Helper()
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		in := strings.NewReader(string(text))
		var m *robot.Robot
		switch {
		case strings.HasSuffix(name, ".urdf"):
			m, _, err = urdf.Parse(in, name)
		case strings.HasSuffix(name, ".sdf"):
			m, _, err = sdf.Parse(in, name, nil)
		default:
			var warnings []robot.Warning
			m, warnings, err = Parse(in, name, nil)
			if len(warnings) != 0 {
				t.Errorf("warnings %v", warnings)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		robottest.Check(t, m)
		return m
	}
	m := read("arm.xml")
	if want := [][2]int{{1, 2}, {1, 3}, {2, 3}}; !slices.Equal(m.ExcludedPairs, want) {
		t.Errorf("apart: %v, want children of what moves, and the fingers, which the file excludes: %v", m.ExcludedPairs, want)
	}
	if len(m.Actuators) != 3 {
		t.Errorf("%d actuators", len(m.Actuators))
	}
	m.ExcludedPairs, m.AdjacentContact, m.Actuators = nil, false, nil
	tool := &m.Joints[4]
	if tool.Name != "wheel_tip" {
		t.Errorf("%+v", tool)
	}
	tool.Name = "tool"
	m.Links[1].Visuals[0].Mesh.ConvexHull = false
	for _, name := range []string{"arm.urdf", "arm.sdf"} {
		for _, d := range robottest.Differences(*read(name), *m, 1e-15) {
			t.Errorf("%s%s", name, d)
		}
	}
}
