package urdf

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// repaired checks that a text, the inside of a <robot>, is read with one warning that it was repaired,
// at a line and with a text, and returns the robot.
func mended(t *testing.T, inside string, line int, want string) *robot.Robot {
	t.Helper()
	return robottest.Repaired(t, Parse, "<robot name='r'>\n"+inside+"</robot>", "r.urdf", line, want)
}

// massive is a link with mass and inertia, in one line.
func massive(name string) string {
	return "<link name='" + name + "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>\n"
}

// heavy are three links with masses, in lines 2 to 4.
var heavy = massive("a") + massive("b") + massive("c")

func TestFaultyTreesAreRepaired(t *testing.T) {
	abc := turns("ab", "a", "b", "") + turns("bc", "b", "c", "")
	m := mended(t, heavy+abc+turns("ac", "a", "c", ""), 7, `joint "ac" is left out: link "c" is the child of "bc" already`)
	if len(m.Joints) != 2 || m.Joints[1].Name != "bc" {
		t.Errorf("joints %+v", m.Joints)
	}
	m = mended(t, heavy+turns("ab", "a", "b", ""), 4, `links "a" and "c" both have no parent: "a" is the base, "c" moves freely`)
	if len(m.Joints) != 2 || m.Joints[1].Type != robot.Floating {
		t.Errorf("joints %+v", m.Joints)
	}
	// a world that the file does not describe is no fault
	m, warnings, err := Parse(strings.NewReader("<robot name='r'>"+massive("a")+turns("wa", "world", "a", "")+"</robot>"), "r.urdf")
	if err != nil || len(warnings) > 0 || m.Links[m.Root].Name != "world" || len(m.Links) != 2 {
		t.Errorf("%+v, %v, %v", m, warnings, err)
	}
}

func TestFaultyShapesAreLeftOut(t *testing.T) {
	if m := mended(t, "<link name='a'><visual/></link>", 2, "a <visual> has no <geometry>: left out"); len(m.Links[0].Visuals) != 0 {
		t.Errorf("%+v", m.Links[0])
	}
	if m := mended(t, shape("<cdf filename='x'/>"), 3, "is not simulated, it touches nothing"); len(m.Links[0].Collisions) != 0 {
		t.Errorf("%+v", m.Links[0])
	}
}

// Signs behind a number, as slips of the pen leave them.
func TestStraySignsBehindNumbersAreRepaired(t *testing.T) {
	for text, want := range map[string]float64{"0.07,": 0.07, "-1.57.": -1.57, "2.5&quot;": 2.5, "1e-3;": 1e-3} {
		m := mended(t, "<link name='a'><inertial><origin xyz='"+text+" 0 0'/><mass value='1'/></inertial></link>", 2, "not a number")
		if got := m.Links[0].Inertial.Com[0]; got != want {
			t.Errorf("%s: %g, want %g", text, got, want)
		}
	}
}

// A planar joint slides in the plane across its axis and turns about it; Drake's universal one
// turns about x, then about y.
func TestJointsOfSeveralAxes(t *testing.T) {
	m, warnings, err := Parse(strings.NewReader("<robot name='r'>"+heavy+
		"<joint name='p' type='planar'><parent link='a'/><child link='b'/><origin xyz='1 2 3'/><axis xyz='0 2 0'/><dynamics damping='1 2 3'/></joint>"+
		"<drake:joint name='u' type='universal'><parent link='b'/><child link='c'/><dynamics damping='0.1'/></drake:joint></robot>"), "r.urdf")
	if err != nil || len(warnings) > 0 || len(m.Joints) != 5 || len(m.Links) != 6 {
		t.Fatalf("%+v, %v, %v", m, warnings, err)
	}
	robottest.Check(t, m)
	j := m.Joints
	if n := j[0].Axis.Cross(j[1].Axis); j[0].Type != robot.Prismatic || j[1].Type != robot.Prismatic || n.Sub(j[2].Axis).Norm() > 1e-15 || j[2].Axis != [3]float64{0, 1, 0} ||
		j[0].Damping != 1 || j[1].Damping != 2 || j[2].Damping != 3 || j[0].X_PF.P != [3]float64{1, 2, 3} {
		t.Errorf("%+v", j[:3])
	}
	if j[3].Axis != [3]float64{1, 0, 0} || j[4].Axis != [3]float64{0, 1, 0} || j[3].Damping != 0.1 || j[4].Name != "u_2" || m.Links[j[4].Child].Name != "c" {
		t.Errorf("%+v", j[3:])
	}
}

// A mesh that Drake has to take as convex touches as its hull, wherever the tag stands.
func TestMeshesDeclaredConvex(t *testing.T) {
	for _, s := range []string{"<mesh filename='x.obj'><drake:declare_convex/></mesh>", "<mesh filename='x.obj'/><drake:declare_convex/>"} {
		m, warnings, err := Parse(strings.NewReader("<robot name='r'>"+shape(s)+"</robot>"), "r.urdf")
		if err != nil || len(warnings) > 0 || !m.Links[0].Collisions[0].Mesh.ConvexHull {
			t.Errorf("%s: %v %v", s, warnings, err)
		}
	}
}

func TestFaultyJointsAreRepaired(t *testing.T) {
	j := mended(t, heavy+"<joint name='bc' type='fixed'><parent link='b'/><child link='c'/></joint>\n"+
		"<joint name='j' type='revolute'><parent link='a'/><child link='b'/><limit lower='2' upper='1'/></joint>", 6, "lower limit 2 exceeds the upper 1: taken as unlimited").Joints[1]
	if !math.IsInf(j.Lower, -1) || !math.IsInf(j.Upper, 1) {
		t.Errorf("limits %g to %g", j.Lower, j.Upper)
	}
	abc := turns("bc", "b", "c", "") + turns("j", "a", "b", "\n<mimic joint='k'/>")
	if m := mended(t, heavy+abc, 7, `mimics "k", which is no joint`); m.Joints[1].Mimic != nil {
		t.Errorf("mimic %+v", m.Joints[1].Mimic)
	}
	if m := mended(t, massive("a")+"<link name='b'/>"+turns("j", "a", "b", ""), 3, `joint "j" moves link "b", which has no mass`); m.Joints[0].Type != robot.Fixed {
		t.Errorf("type %s", m.Joints[0].Type)
	}
	motors := "<transmission><joint name='x'/><actuator><drake:rotor_inertia value='1'/></actuator></transmission>\n" +
		"<transmission><joint name='j'/><actuator><drake:rotor_inertia value='2'/></actuator></transmission>"
	if m := mended(t, massive("a")+massive("b")+turns("j", "a", "b", "")+motors, 5, `transmission: there is no joint "x": left out`); m.Joints[0].RotorInertia != 2 {
		t.Errorf("rotor inertia %g", m.Joints[0].RotorInertia)
	}
	// Bullet's name of a ball joint
	m, _, err := Parse(strings.NewReader("<robot name='r'>"+massive("a")+massive("b")+strings.Replace(turns("j", "a", "b", ""), "revolute", "spherical", 1)+"</robot>"), "r.urdf")
	if err != nil || m.Joints[0].Type != robot.Ball {
		t.Errorf("%+v, %v", m, err)
	}
}

// −1 stands for an effort or speed without a bound.
func TestNegativeBoundsAreNone(t *testing.T) {
	for _, name := range []string{"effort", "velocity"} {
		m := mended(t, massive("a")+massive("b")+"<joint name='j' type='continuous'><parent link='a'/><child link='b'/><limit "+name+"='-1'/></joint>", 4, `joint "j": its `+name+` limit is -1: taken as unlimited`)
		if j := m.Joints[0]; !math.IsInf(j.EffortLimit, 1) || !math.IsInf(j.VelocityLimit, 1) {
			t.Errorf("%+v", j)
		}
	}
}

func TestFaultyShapesAreRepaired(t *testing.T) {
	for inside, want := range map[string]string{
		"<box size='1 0 1'/>":               "a <box> with a size of 0 is left out",
		"<sphere radius='0'/>":              "a <sphere> with a size of 0 is left out",
		"<cylinder radius='1' length='0'/>": "a <cylinder> with a size of 0 is left out",
		"<plane normal='0 0 1'/>":           "a <plane> has no end and is left out",
	} {
		if m := mended(t, shape(inside), 3, want); len(m.Links[0].Collisions) != 0 {
			t.Errorf("%s: %+v", inside, m.Links[0].Collisions)
		}
	}
	m := mended(t, shape("<mesh filename='x.stl' scale='0.001'/>"), 3, "this one is taken for all axes")
	if s := m.Links[0].Collisions[0].Mesh.Scale; s != [3]float64{0.001, 0.001, 0.001} {
		t.Errorf("scale %v", s)
	}
	in := mended(t, "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='4'/></inertial></link>", 2, "no body has its principal moments").Links[0].Inertial
	if in.Inertia[0]+in.Inertia[4] < in.Inertia[8]*(1-1e-12) {
		t.Errorf("inertia %v", in.Inertia)
	}
}
