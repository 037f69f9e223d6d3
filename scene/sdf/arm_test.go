package sdf

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
	"github.com/curlfree/curlfree/scene/urdf"
)

// read returns a robot file of testdata with its lines forgotten.
func read(t *testing.T, name string) *robot.Robot {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	parse := alone
	if strings.HasSuffix(name, ".urdf") {
		parse = urdf.Parse
	}
	m, warnings, err := parse(strings.NewReader(string(text)), name)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range warnings {
		if !strings.Contains(w.Text, "has no <limit>") {
			t.Errorf("%s:%d: %s", name, w.Line, w.Text)
		}
	}
	robottest.Check(t, m)
	for i := range m.Links {
		l := &m.Links[i]
		l.Line = 0
		for k := range l.Visuals {
			l.Visuals[k].Line = 0
		}
		for k := range l.Collisions {
			l.Collisions[k].Line = 0
		}
	}
	for i := range m.Joints {
		m.Joints[i].Line = 0
	}
	return m
}

// One robot written in both formats is the same data, bit for bit.
func TestBothFormatsGiveTheSameRobot(t *testing.T) {
	a, b := read(t, "arm.urdf"), read(t, "arm.sdf")
	for i := range a.Links {
		if !reflect.DeepEqual(a.Links[i], b.Links[i]) {
			t.Errorf("link %q:\n%+v\n%+v", a.Links[i].Name, a.Links[i], b.Links[i])
		}
	}
	for i := range a.Joints {
		if !reflect.DeepEqual(a.Joints[i], b.Joints[i]) {
			t.Errorf("joint %q:\n%+v\n%+v", a.Joints[i].Name, a.Joints[i], b.Joints[i])
		}
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%+v\n%+v", a, b)
	}
}
