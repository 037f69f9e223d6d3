package mjcf

import (
	"fmt"
	"math"
	"os"
	"reflect"
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
			m, _, err = sdf.Parse(in, name)
		default:
			var warnings []robot.Warning
			m, warnings, err = Parse(in, name, nil)
			if len(warnings) != 1 { // of actuators
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
	m.ExcludedPairs, m.AdjacentContact = nil, false
	tool := &m.Joints[4]
	if tool.Name != "wheel_tip" {
		t.Errorf("%+v", tool)
	}
	tool.Name = "tool"
	m.Links[1].Visuals[0].Mesh.ConvexHull = false
	for _, name := range []string{"arm.urdf", "arm.sdf"} {
		for _, d := range differences(name, reflect.ValueOf(*read(name)), reflect.ValueOf(*m)) {
			t.Error(d)
		}
	}
}

// differences lists where two values differ by more than rounding, but for lines.
func differences(path string, a, b reflect.Value) (all []string) {
	switch a.Kind() {
	case reflect.Float64:
		x, y := a.Float(), b.Float()
		if !(math.Abs(x-y) < 1e-15) && x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
			return []string{fmt.Sprintf("%s: %g and %g", path, x, y)}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i).Name; f != "Line" {
				all = append(all, differences(path+"."+f, a.Field(i), b.Field(i))...)
			}
		}
	case reflect.Pointer:
		if a.IsNil() != b.IsNil() {
			return []string{fmt.Sprintf("%s: %v and %v", path, a, b)}
		}
		if !a.IsNil() {
			return differences(path, a.Elem(), b.Elem())
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return []string{fmt.Sprintf("%s: %d and %d long", path, a.Len(), b.Len())}
		}
		for i := range a.Len() {
			all = append(all, differences(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))...)
		}
	default:
		if !a.Equal(b) {
			return []string{fmt.Sprintf("%s: %v and %v", path, a, b)}
		}
	}
	return all
}
