package mjcf

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

const hand = `<mujoco model="hand"><compiler angle="radian" meshdir="meshes"/>
<default><joint damping="0.3"/><default class="finger"><joint range="-0.5 1"/></default></default>
<asset><mesh file="tip.stl"/></asset>
<worldbody><body name="arm"><inertial pos="0 0 0" mass="9" diaginertia="1 1 1"/><joint name="wrist"/>
 <body name="palm" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
  <body name="left" euler="0 0 1.5707963267948966"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><joint name="l" class="finger"/>
   <geom type="mesh" mesh="tip"/></body>
  <body name="right"><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><joint name="r" axis="1 0 0"/></body>
 </body></body></worldbody>
<actuator><motor joint="l" forcerange="-7 7"/><motor joint="wrist" forcerange="-1 1"/></actuator>
<equality><joint joint1="l" joint2="r" polycoef="0 2 0 0 0"/></equality></mujoco>`

// attached reads a file that attaches the hand.
func attached(inside string) (*robot.Robot, []robot.Warning, error) {
	text := `<mujoco><compiler angle="degree"/><asset><model name="h" file="parts/hand.xml"/></asset><worldbody>` + inside + `</worldbody></mujoco>`
	return Parse(strings.NewReader(text), "m.xml", func(name string) ([]byte, error) {
		if name == "parts/hand.xml" {
			return []byte(hand), nil
		}
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	})
}

const trunk = `<body name="trunk"><inertial pos="0 0 0" mass="5" diaginertia="1 1 1"/><joint name="turn" range="-90 90"/>`

// A body is attached twice, with names of its own each time; angles, classes, meshes, actuators and
// equalities are those of its file, and what belongs to bodies that stay behind stays there.
func TestAttachedModels(t *testing.T) {
	m, _, err := attached(trunk + `<frame pos="0 0 2"><attach model="h" body="palm" prefix="a_"/></frame><attach model="h" body="palm" prefix="b_"/></body>`)
	if err != nil {
		t.Fatal(err)
	}
	robottest.Check(t, m)
	var links []string
	for _, l := range m.Links {
		links = append(links, l.Name)
	}
	if want := []string{"world", "trunk", "a_palm", "a_left", "a_right", "b_palm", "b_left", "b_right"}; !slices.Equal(links, want) {
		t.Errorf("links %v, want %v", links, want)
	}
	byName := map[string]*robot.Joint{}
	for i := range m.Joints {
		byName[m.Joints[i].Name] = &m.Joints[i]
	}
	for _, prefix := range []string{"a_", "b_"} {
		l, r := byName[prefix+"l"], byName[prefix+"r"]
		if l == nil || r == nil || l.Lower != -0.5 || l.Upper != 1 || l.Damping != 0.3 || r.Damping != 0.3 || l.EffortLimit != 7 || !math.IsInf(r.EffortLimit, 1) {
			t.Fatalf("%+v, %+v", l, r)
		}
		if f := l.Mimic; f == nil || m.Joints[f.Joint].Name != prefix+"r" || f.Multiplier != 2 {
			t.Errorf("mimic %+v", f)
		}
		// a quarter of a turn in rad
		if x := l.X_PF.R[3]; math.Abs(x-1) > 1e-15 {
			t.Errorf("%s turns x to %v", l.Name, l.X_PF.R)
		}
		if file := m.Links[l.Child].Collisions[0].Mesh.File; file != "parts/meshes/tip.stl" {
			t.Errorf("mesh %q", file)
		}
	}
	if j := byName["turn"]; math.Abs(j.Upper-math.Pi/2) > 1e-15 || j.Damping != 0 {
		t.Errorf("%+v", j)
	}
	if z := byName["trunk_a_palm"].X_PF.P[2]; z != 3 {
		t.Errorf("a_palm is at %g", z)
	}
}

// Without a body the whole world of the file is attached.
func TestTheWorldOfAModelIsAttached(t *testing.T) {
	m, _, err := attached(trunk + `<attach model="h" prefix="w_"/></body>`)
	if err != nil || len(m.Links) != 6 || m.Links[2].Name != "w_arm" {
		t.Fatalf("%+v, %v", m, err)
	}
	for _, j := range m.Joints {
		if j.Name == "w_wrist" && (j.EffortLimit != 1 || j.Damping != 0.3) {
			t.Errorf("%+v", j)
		}
	}
}

func TestFaultyAttachmentsAreRefused(t *testing.T) {
	for inside, want := range map[string]string{
		`<attach model="x"/>`:                                            "there is no such <model> among the assets",
		`<attach model="h" body="foot"/>`:                                "has no such body",
		`<attach model="h" body="palm"/><attach model="h" body="palm"/>`: "names must differ",
	} {
		if _, _, err := attached(trunk + inside + "</body>"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", inside, err, want)
		}
	}
}
