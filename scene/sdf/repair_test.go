package sdf

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// alone reads a file that includes no others.
func alone(in io.Reader, name string) (*robot.Robot, []robot.Warning, error) {
	return Parse(in, name, nil)
}

// repaired checks that a text, the inside of a <model> placed at x = 5, is read with one warning that
// it was repaired, at a line and with a text, and returns the robot.
func mended(t *testing.T, inside string, line int, want string) *robot.Robot {
	t.Helper()
	return robottest.Repaired(t, alone, "<sdf version='1.9'><model name='m'><pose>5 0 0 0 0 0</pose>\n"+inside+"</model></sdf>", "m.sdf", line, want)
}

func TestFaultyModelsAreRepaired(t *testing.T) {
	// Bullet describes the world as a link
	m := mended(t, link("world", "")+link("a", "")+turns("j", "world", "a", about), 2, `<link> "world": the format reserves this name`)
	if len(m.Links) != 2 || m.Links[m.Root].Name != "world" {
		t.Errorf("%+v", m.Links)
	}
	// a link without a joint floats where its pose puts it
	m = mended(t, link("a", "<pose>1 0 0 0 0 0</pose>")+link("b", "<pose>1 2 3 0 0 0</pose>"), 3, `links "a" and "b" both have no parent`)
	if p := m.Joints[0].X_PF.P; p != [3]float64{0, 2, 3} || m.X_FR.P != [3]float64{6, 0, 0} {
		t.Errorf("b floats at %v from a, a at %v", p, m.X_FR.P)
	}
	// beside a joint to the world, it floats in the world
	m = mended(t, link("a", "")+link("b", "<pose>1 2 3 0 0 0</pose>")+turns("j", "world", "a", about), 3, `"world" is the base, "b" moves freely`)
	if p := m.Joints[1].X_PF.P; p != [3]float64{6, 2, 3} {
		t.Errorf("b floats at %v in the world", p)
	}
}

func TestFaultyValuesAreRepaired(t *testing.T) {
	for _, limit := range []string{"<lower>2</lower><upper>1</upper>", "<lower>inf</lower>"} {
		j := mended(t, axis("<limit>"+limit+"</limit>"), 5, "exceeds the upper").Joints[0]
		if !math.IsInf(j.Lower, -1) || !math.IsInf(j.Upper, 1) {
			t.Errorf("limits %g to %g", j.Lower, j.Upper)
		}
	}
	if m := mended(t, axis("\n<mimic joint='k'/>"), 6, `mimics "k", which is no joint`); m.Joints[0].Mimic != nil {
		t.Errorf("mimic %+v", m.Joints[0].Mimic)
	}
	for inside, want := range map[string]string{
		"<box><size>1 0 1</size></box>":                             "a <box> with a size of 0 is left out",
		"<sphere><radius>0</radius></sphere>":                       "a <sphere> with a size of 0 is left out",
		"<cylinder><radius>0</radius><length>0</length></cylinder>": "a <cylinder> with a size of 0 is left out",
	} {
		if m := mended(t, shape(inside), 3, want); len(m.Links[0].Collisions) != 0 {
			t.Errorf("%s: %+v", inside, m.Links[0].Collisions)
		}
	}
	for _, kind := range []string{"image", "torus"} {
		m := mended(t, shape("<"+kind+"><size>1</size></"+kind+">"), 3, "the shape <"+kind+"> of a <collision> is not simulated")
		if len(m.Links[0].Collisions) != 0 {
			t.Errorf("%s: %+v", kind, m.Links[0].Collisions)
		}
	}
	for _, inside := range []string{"<collision name='k'/>", "<collision name='k'><geometry/></collision>"} {
		m := mended(t, "<link name='a'>"+body+inside+"</link>", 2, `link "a": a <collision> without a shape in its <geometry> is left out`)
		if len(m.Links[0].Collisions) != 0 {
			t.Errorf("%s: %+v", inside, m.Links[0].Collisions)
		}
	}
	m := mended(t, shape("<sphere><radius>1</radius></sphere>\n<empty/>"), 4, "a second shape, <empty>, in a <geometry> is left out: the first, <sphere>, counts")
	if m.Links[0].Collisions[0].Sphere != 1 {
		t.Errorf("%+v", m.Links[0].Collisions)
	}
	m = mended(t, shape("<sphere><radius>1</radius></sphere></geometry><geometry><box><size>1 1 1</size></box>"), 3, "a second <geometry> in <collision> is left out")
	if m.Links[0].Collisions[0].Sphere != 1 {
		t.Errorf("%+v", m.Links[0].Collisions)
	}
	m = mended(t, link("a", "<pose>1 2 3 0 0 0</pose><pose>4 5 6 0 0 0</pose>"), 2, "a second <pose> in <link> is left out")
	if m.X_FR.P != [3]float64{6, 2, 3} {
		t.Errorf("the base is at %v", m.X_FR.P)
	}
}

// The engines of Gazebo turn a universal joint without axes about x and y.
func TestUniversalJointsWithoutAxes(t *testing.T) {
	m := mended(t, twoLinks+strings.Replace(turns("j", "a", "b", ""), "revolute", "universal", 1), 4, `joint "j" has neither <axis> nor <axis2>`)
	if x, y := joint(t, m, "j").Axis, joint(t, m, "j_2").Axis; x != [3]float64{1, 0, 0} || y != [3]float64{0, 1, 0} {
		t.Errorf("axes %v and %v", x, y)
	}
}

// A visual has no part in the mechanics: whatever is wrong in it, the model is read without it.
func TestFaultyVisualsAreLeftOut(t *testing.T) {
	for _, c := range []struct {
		inside string
		line   int
		want   string
	}{
		{"", 3, "a <visual> without a shape"},
		{"<geometry/>", 3, "a <visual> without a shape"},
		{"<geometry><sphere/></geometry>", 3, "a <visual> is left out: <sphere> has no <radius>"},
		{"<geometry><box><size>1 2</size></box></geometry>", 3, "a <visual> is left out: <size> \"1 2\": 3 numbers are required"},
		{"<geometry><mesh><uri>a.stl</uri><scale>1 0 1</scale></mesh></geometry>", 3, "flattens the mesh"},
		{"\n<pose relative_to='x'/><geometry><sphere><radius>1</radius></sphere></geometry>", 4, "a <visual> is left out: the pose of <visual> names \"x\""},
		{"<geometry><sphere><radius>1</radius></sphere></geometry><material>\n<diffuse>red</diffuse></material>", 4, "a <visual> is left out: <diffuse>"},
	} {
		m := mended(t, "<link name='a'>"+body+"\n<visual name='v'>"+c.inside+"</visual>"+
			"<visual name='w'><geometry><sphere><radius>2</radius></sphere></geometry></visual></link>", c.line, c.want)
		if v := m.Links[0].Visuals; len(v) != 1 || v[0].Sphere != 2 {
			t.Errorf("%s: %+v", c.inside, v)
		}
	}
}

// Gazebo replaces negative coefficients of friction by its greatest number.
func TestNegativeFrictionHasNoLimit(t *testing.T) {
	for ode, want := range map[string][2]float64{
		"<mu>-1</mu><mu2>-1</mu2>": {1e6, 1e6}, "<mu>-1</mu>": {1e6, 1e6}, "<mu2>-2</mu2>": {1e6, 1e6}, "<mu>0.5</mu><mu2>-1</mu2>": {1e6, 0.5},
	} {
		m := mended(t, "<link name='a'>"+body+"<collision name='k'><geometry><sphere><radius>1</radius></sphere></geometry>\n<surface><friction><ode>"+ode+"</ode></friction></surface></collision></link>", 3, "negative friction stands for friction without a limit in Gazebo: 1e+06 is taken")
		if s := m.Links[0].Collisions[0].Material; [2]float64{*s.StaticFriction, *s.Friction} != want {
			t.Errorf("%s: %+v", ode, s)
		}
	}
}

// Of several models the first is read.
func TestTheFirstOfSeveralModelsIsRead(t *testing.T) {
	m, warnings, err := Parse(strings.NewReader("<sdf version='1.6'><model name='m'>"+twoLinks+turns("j", "a", "b", about)+"</model>\n<model name='n'/></sdf>"), "m.sdf", nil)
	if err != nil || m.Name != "m" {
		t.Fatalf("%+v, %v", m, err)
	}
	for _, w := range warnings {
		if w.Repaired && strings.Contains(w.Text, `the file has 2 models, "m", "n": the first is read`) {
			return
		}
	}
	t.Errorf("warnings %v", warnings)
}
