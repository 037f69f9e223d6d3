package mjcf

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
)

// fault is a text that is refused.
type fault struct {
	name, inside string
	line         int    // where the error is
	want         string // in its message
}

// refused checks that texts, each the inside of a <mujoco>, are refused with file, line and message.
func refused(t *testing.T, faults []fault) {
	t.Helper()
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Parse(strings.NewReader("<mujoco>\n"+c.inside+"</mujoco>"), "m.xml", files(map[string]string{"none.obj": "f 1 2 3\n", "m.xml": "<mujoco/>"}))
			var e *robot.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want one with a line", err)
			}
			if e.File != "m.xml" || e.Line != c.line || !strings.Contains(e.Msg, c.want) {
				t.Errorf("%v, want line %d and %q", err, c.line, c.want)
			}
		})
	}
}

// inBody returns a world with a body that has a text in line 3.
func inBody(inside string) string {
	return "<worldbody><body name='a'>" + heavy + "\n" + inside + "</body></worldbody>"
}

// twoJoints is a world of two bodies with the joints i and j, in lines 2 to 4.
var twoJoints = inBody("<joint name='i'/>\n<body name='b'>" + heavy + "<joint name='j'/></body>")

func TestFaultyBodiesAreRefused(t *testing.T) {
	refused(t, []fault{
		{"no worldbody", "", 1, "the model has no <worldbody>"},
		{"no bodies", "<worldbody><site/></worldbody>", 2, "<worldbody> has no bodies"},
		{"joint of the world", "<worldbody><joint/></worldbody>", 2, "the world does not move: put it into a body"},
		{"same body twice", "<worldbody><body name='a'/>\n<body name='a'/></worldbody>", 3, `a second body is called "a" (the first is in line 2)`},
		{"body called world", "<worldbody><body name='world'/></worldbody>", 2, "choose another name"},
		{"same joint twice", inBody("<joint name='j'/>\n<joint name='j' axis='1 0 0'/>"), 4, `a second joint is called "j" (the first is in line 3)`},
		{"composite", inBody("<composite/>"), 3, "<composite>: bodies are not made here: write out"},
		{"replicate without a count", inBody("<replicate/>"), 3, "<replicate> has no count"},
		{"replicate too often", inBody("<replicate count='1e6'><site/></replicate>"), 3, "a number from 1 to"},
		{"replicate nothing", inBody("<replicate count='0'/>"), 3, "a number from 1 to"},
		{"free inside", inBody("<body name='b'><freejoint/></body>"), 3, `body "b" is free, but hangs on another: move it into <worldbody>`},
		{"free and more", inBody("<freejoint/><joint/>"), 3, `body "a" is free and has other joints`},
	})
}

func TestFaultyJointsAreRefused(t *testing.T) {
	refused(t, []fault{
		{"unknown joint type", inBody("<joint type='screw'/>"), 3, `<joint type="screw">: one of hinge, slide, ball, free is required`},
		{"zero axis", inBody("<joint axis='0 0 0'/>"), 3, "it points nowhere: give a direction such as 0 0 1"},
		{"two numbers", inBody("<joint axis='0 1'/>"), 3, `<joint axis="0 1">: 3 numbers are required`},
		{"negative damping", inBody("<joint damping='-1'/>"), 3, "must not be negative"},
		{"crossed limits", inBody("<joint range='2 1' limited='true'/>"), 3, "the first number must be less than the second"},
		{"limits without a range", inBody("<joint limited='true'/>"), 3, "<joint> has limited but no range"},
		{"limited or not", inBody("<joint limited='perhaps' range='0 1'/>"), 3, "one of auto, true, false"},
		{"far ref", inBody("<joint type='slide' ref='1e13'/>"), 3, "its ref 1e+13 is too large"},
		{"not a number", inBody("<joint damping='1,5'/>"), 3, `<joint damping="1,5">: not a number: write such as`},
		{"nan", inBody("<joint damping='nan'/>"), 3, "a finite number is required"},
	})
}

func TestFaultyFramesAndClassesAreRefused(t *testing.T) {
	refused(t, []fault{
		{"two orientations", "<worldbody><body quat='1 0 0 0' euler='0 0 0'/></worldbody>", 2, "<body> has both quat and euler: one orientation"},
		{"zero quaternion", "<worldbody><body quat='0 0 0 0'/></worldbody>", 2, "the quaternion is zero: 1 0 0 0 does not turn"},
		{"parallel axes", "<worldbody><body xyaxes='1 0 0 2 0 0'/></worldbody>", 2, "it points nowhere"},
		{"far away", "<worldbody><body pos='0 0 1e13'/></worldbody>", 2, "1e+13 is too large"},
		{"global coordinates", "<compiler coordinate='global'/>", 2, "poses in the world are not read"},
		{"angle", "<compiler angle='turn'/>", 2, "one of degree, radian is required"},
		{"eulerseq", "<compiler eulerseq='xyw'/>", 2, "three of x, y, z, X, Y, Z are required"},
		{"unknown class", inBody("<geom class='c' size='1'/>"), 3, `there is no class "c"`},
		{"unknown childclass", "<worldbody>\n<body childclass='c'><inertial mass='1'/></body></worldbody>", 3, `there is no class "c"`},
		{"nameless class", "<default>\n<default/></default>", 3, "<default> has no class"},
		{"same class twice", "<default><default class='c'/>\n<default class='c'/></default>", 3, `a second class is called "c" (the first is in line 2)`},
		{"fault in a class", "<default>\n<geom size='one'/></default>" + inBody("<geom/>"), 3, `<geom size="one">: not a number`},
	})
}

func TestFaultyShapesAreRefused(t *testing.T) {
	refused(t, []fault{
		{"unknown shape", inBody("<geom type='cone'/>"), 3, "one of sphere, capsule, cylinder, box, ellipsoid, mesh, plane, hfield, sdf"},
		{"no size", inBody("<geom/>"), 3, `<geom type="sphere">: its size needs a positive number, m: its radius`},
		{"few sizes", inBody("<geom type='box' size='1 2'/>"), 3, "its size needs three positive numbers, m: half its edges"},
		{"no length", inBody("<geom type='capsule' size='1'/>"), 3, "radius and half the length, or radius and fromto"},
		{"no radius", inBody("<geom type='capsule' fromto='0 0 0 1 0 0'/>"), 3, "radius and half the length, or radius and fromto"},
		{"negative size", inBody("<geom size='-1'/>"), 3, "positive"},
		{"four sizes", inBody("<geom size='1 2 3 4'/>"), 3, "1 to 3 numbers"},
		{"ends of a sphere", inBody("<geom size='1' fromto='0 0 0 1 0 0'/>"), 3, "a sphere has no ends"},
		{"ends in one point", inBody("<geom type='capsule' size='1' fromto='1 0 0 1 0 0'/>"), 3, "the ends are one point"},
		{"fitted to nothing", inBody("<geom type='box' mesh='m'/>"), 3, `there is no mesh "m"`},
		{"plugin", inBody("<geom type='sdf'/>"), 3, "the shape of a <geom> is a plugin's"},
		{"mask", inBody("<geom size='1' contype='1.5'/>"), 3, "a whole number of 32 bits"},
		{"negative friction", inBody("<geom size='1' friction='-1'/>"), 3, "friction must not be negative"},
		{"unknown material", inBody("<geom size='1' material='m'/>"), 3, `there is no material "m"`},
		{"colour", inBody("<geom size='1' rgba='red'/>"), 3, `<geom rgba="red">: 3 to 4 numbers`},
	})
}

func TestFaultyMeshesAreRefused(t *testing.T) {
	refused(t, []fault{
		{"mesh of no name", inBody("<geom type='mesh'/>"), 3, "has no mesh: name one of <asset>"},
		{"unknown mesh", inBody("<geom type='mesh' mesh='m'/>"), 3, `there is no mesh "m": add one to <asset>`},
		{"same mesh twice", "<asset><mesh file='m.stl'/>\n<mesh file='x/m.obj'/></asset>", 3, `a second mesh is called "m" (the first is in line 2)`},
		{"mesh of nothing", "<asset><mesh name='m'/></asset>" + inBody("<geom type='mesh' mesh='m'/>"), 3, "has no file, vertices or parameters"},
		{"three vertices", "<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0'/></asset>", 3, "at least 12 numbers are required"},
		{"part of a vertex", "<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1 1'/></asset>", 3, "three numbers each time: 13 and 0 are given"},
		{"vertices in a plane", "<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 0'/></asset>", 3, "<mesh vertex>: "},
		{"face beyond", "<asset>\n<mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 4'/></asset>", 3, "4 is no vertex: whole numbers from 0 to 3"},
		{"flat mesh", "<asset>\n<mesh file='m.stl' scale='1 1 0'/></asset>", 3, "flattens the mesh"},
		{"sheared mesh", "<asset>\n<mesh file='m.stl' refquat='1 1 0 0' scale='1 1 2'/></asset>", 3, "shears: turn the mesh in its file"},
		{"mesh that is gone", "<asset><mesh file='m.stl'/></asset><worldbody><body>\n<geom type='mesh' mesh='m'/></body></worldbody>", 3, `mesh "m", from which its body's mass comes: m.stl: there is no such file: give the body an <inertial>, or the geom mass="0"`},
		{"mesh that is none", "<asset><mesh file='none.obj'/></asset><worldbody><body>\n<geom type='mesh' mesh='none'/></body></worldbody>", 3, `mesh "none", from which its body's mass comes: `},
	})
}

func TestFaultyInertiasAreRefused(t *testing.T) {
	refused(t, []fault{
		{"negative mass", "<worldbody><body name='a'>\n<inertial pos='0 0 0' mass='-1' diaginertia='1 1 1'/></body></worldbody>", 3, "its mass is -1 kg"},
		{"no mass", "<worldbody><body name='a'>\n<inertial pos='0 0 0' diaginertia='1 1 1'/></body></worldbody>", 3, "<inertial> has no mass"},
		{"two inertias", "<worldbody><body name='a'>\n<inertial mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/></body></worldbody>", 3, "keep one"},
		{"turned full inertia", "<worldbody><body name='a'>\n<inertial mass='1' quat='1 0 0 0' fullinertia='1 1 1 0 0 0'/></body></worldbody>", 3, "leave that out, or give diaginertia"},
		{"two inertials", inBody(heavy), 3, "a second <inertial>"},
		{"negative density", "<worldbody><body>\n<geom size='1' density='-1'/></body></worldbody>", 3, "negative"},
		{"heavy as nothing", "<worldbody><body>\n<geom size='1e8' density='1e300'/></body></worldbody>", 3, "its mass cannot be computed"},
	})
}

func TestReferencesToNothingAreRefused(t *testing.T) {
	refused(t, []fault{
		{"exclude of nobody", twoJoints + "<contact>\n<exclude body1='a' body2='c'/></contact>", 5, `<exclude body2="c">: there is no such body`},
		{"tie of nobody", twoJoints + "<equality>\n<joint joint1='k' joint2='i'/></equality>", 5, `<joint joint1="k">: there is no such joint`},
		{"ties in a circle", twoJoints + "<equality><joint joint1='j' joint2='i'/><joint joint1='i' joint2='j'/></equality>", 4, "in a cycle"},
		{"tie on itself", twoJoints + "<equality><joint joint1='j' joint2='j'/></equality>", 4, "name another joint"},
		{"actuator of nobody", twoJoints + "<actuator>\n<motor joint='k'/></actuator>", 5, `<motor joint="k">: there is no such joint`},
		{"include of nothing", "<include/>", 2, "<include> has no file"},
		{"include that is gone", "<include file='gone.xml'/>", 2, "gone.xml: there is no such file"},
		{"absolute include", "<include file='/etc/x.xml'/>", 2, "a path relative to the robot's file"},
		{"include of a page", "<include file='http://x/y.xml'/>", 2, "a path relative to the robot's file"},
		{"include of itself", "<include file='m.xml'/>", 2, "the file is included already"},
		{"xacro", "<xacro:arm/>", 2, "run xacro on it first and give the MJCF that comes out"},
		{"unclosed", "<worldbody>", 2, "not well-formed XML"},
	})
}

// Faults in included files are reported by those files and their lines; a file is
// included once; what lies in a folder includes what lies beside it.
func TestFaultsOfIncludedFilesNameThem(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"in a file", map[string]string{"p/b.xml": "<mujocoinclude>\n\n<worldbody>\n<body><geom/></body></worldbody></mujocoinclude>"}, "dir/p/b.xml:4: <geom"},
		{"beside a file", map[string]string{"p/b.xml": "<mujocoinclude>\n<include file='c.xml'/></mujocoinclude>", "p/c.xml": "<mujocoinclude>\n<worldbody>\n<body quat='0 0 0 0'/></worldbody></mujocoinclude>"}, "dir/p/c.xml:3: <body quat"},
		{"not XML", map[string]string{"p/b.xml": "<mujocoinclude>\n<body></mujocoinclude>"}, "dir/p/b.xml:2: not well-formed"},
		{"in a circle", map[string]string{"p/b.xml": "<mujocoinclude>\n<include file='c.xml'/></mujocoinclude>", "p/c.xml": "<mujocoinclude><include file='b.xml'/></mujocoinclude>"}, "dir/p/c.xml:1: <include file=\"b.xml\">: the file is included already"},
		{"a name twice", map[string]string{"p/b.xml": "<mujocoinclude>\n<worldbody><body name='x'/>\n<body name='x'/></worldbody></mujocoinclude>"}, `dir/p/b.xml:3: a second body is called "x" (the first is in line 2)`},
	} {
		_, _, err := Parse(strings.NewReader("<mujoco>\n\n<include file='p/b.xml'/></mujoco>"), "dir/a.xml", files(c.files))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, _, err := Parse(strings.NewReader("<mujoco>\n<include file='b.xml'/></mujoco>"), "a.xml", nil); err == nil || !strings.Contains(err.Error(), "write its elements in its place") {
		t.Errorf("error %v", err)
	}
}

func TestOtherFilesAreNoModels(t *testing.T) {
	for _, c := range [][2]string{
		{"", "x:1: the file is empty: a <mujoco> is required"},
		{"<robot/>", "begins with <mujoco>"},
		{"<mujoco/>", "no <worldbody>"},
	} {
		if _, _, err := Parse(strings.NewReader(c[0]), "x", nil); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%q: error %v, want %q", c[0], err, c[1])
		}
	}
}

// Files of thousands of bodies beside each other are judged in a moment.
func TestManyBodiesEnd(t *testing.T) {
	var b strings.Builder
	b.WriteString("<mujoco><worldbody>")
	for i := range maxBodies + 10 {
		fmt.Fprintf(&b, "<body><joint/><geom size='1' contype='%d' conaffinity='%d'/></body>\n", 1<<(i%2), 1<<(i%2)) // of two kinds that do not touch each other
	}
	b.WriteString("</worldbody></mujoco>")
	if _, _, err := Parse(strings.NewReader(b.String()), "x", nil); err == nil || !strings.Contains(err.Error(), "x:4096: the file has too many bodies") {
		t.Errorf("error %v", err)
	}
	fewer := strings.Join(strings.SplitN(b.String(), "\n", maxBodies-9)[:maxBodies-10], "\n") + "</worldbody></mujoco>"
	if _, _, err := Parse(strings.NewReader(fewer), "x", nil); err == nil || !strings.Contains(err.Error(), "too many pairs of bodies apart") {
		t.Errorf("error %v", err)
	}
}
