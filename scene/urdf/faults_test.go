package urdf

import (
	"errors"
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

// refused checks that texts, each the inside of a <robot>, are refused with file, line and message.
func refused(t *testing.T, faults []fault) {
	t.Helper()
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Parse(strings.NewReader("<robot name='r'>\n"+c.inside+"</robot>"), "r.urdf")
			var e *robot.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want one with a line", err)
			}
			if e.File != "r.urdf" || e.Line != c.line || !strings.Contains(e.Msg, c.want) {
				t.Errorf("%v, want line %d and %q", err, c.line, c.want)
			}
		})
	}
}

// shape returns a link with a collision shape, which is in line 3.
func shape(s string) string {
	return "<link name='a'>\n<collision><geometry>" + s + "</geometry></collision></link>"
}

func TestFaultyTreesAreRefused(t *testing.T) {
	abc := turns("ab", "a", "b", "") + turns("bc", "b", "c", "")
	refused(t, []fault{
		{"circle with a root", links + turns("bc", "b", "c", "") + turns("cb", "c", "b", ""), 5, `which hangs on it, a loop`},
		{"circle without a root", links + abc + turns("ca", "c", "a", ""), 7, "a loop"},
		{"joint to itself", "<link name='a'/>\n" + turns("aa", "a", "a", ""), 3, "a loop"},
		{"no links", "", 1, "no links"},
		{"missing parent", links + turns("j", "d", "b", ""), 5, `joint "j": there is no link "d"`},
		{"missing child", links + turns("j", "a", "d", ""), 5, `joint "j": there is no link "d"`},
		{"no child", links + "<joint name='j' type='fixed'><parent link='a'/></joint>", 5, `joint "j" has no <child link=…>`},
		{"same link twice", links + "<link name='b'/>", 5, `a second link is called "b" (the first is in line 3)`},
		{"same joint twice", links + turns("j", "a", "b", "") + turns("j", "b", "c", ""), 6, `a second joint is called "j" (the first is in line 5)`},
	})
}

func TestFaultyJointsAreRefused(t *testing.T) {
	abc := turns("ab", "a", "b", "") + turns("bc", "b", "c", "")
	refused(t, []fault{
		{"link without a name", "<link/>", 2, "<link> has no name"},
		{"unknown type", links + strings.Replace(abc, "revolute", "hinge", 1), 5, `type "hinge": fixed, revolute`},
		{"planar", links + strings.Replace(turns("j", "a", "b", "<dynamics damping='0 -1 0'/>"), "revolute", "planar", 1), 5, "damping must not be negative"},
		{"curvilinear", links + strings.Replace(abc, "revolute", "curvilinear", 1), 5, "screw, planar and universal are supported"},
		{"zero axis", links + turns("j", "a", "b", "\n<axis xyz='0 0 0'/>"), 6, `joint "j": its axis is zero: give a direction`},
		{"axis without end", links + turns("j", "a", "b", "<axis xyz='1e200 0 0'/>"), 5, `joint "j": its axis is too long: give a direction`},
		{"filter of no link", links + abc + "<drake:collision_filter_group name='g'>\n<drake:member link='x'/></drake:collision_filter_group>", 8, `"g": there is no link "x"`},
		{"filter of no group", links + abc + "<drake:collision_filter_group name='g'>\n<drake:ignored_collision_filter_group name='h'/></drake:collision_filter_group>", 8, `"g": there is no group "h"`},
		{"same filter twice", links + abc + "<drake:collision_filter_group name='g'/>\n<drake:collision_filter_group name='g'/>", 8, `is called "g": names must differ`},
		{"filter without a name", links + abc + "<drake:collision_filter_group/>", 7, "has no name"},
		{"negative damping", links + turns("j", "a", "b", "<dynamics damping='-1'/>"), 5, "must not be negative"},
		{"screw without pitch", links + strings.Replace(abc, "revolute", "screw", 1), 5, "drake:screw_thread_pitch"},
		{"mimic of itself", links + turns("j", "a", "b", "<mimic joint='j'/>"), 5, "name another joint"},
		{"mimics in a circle", links + turns("j", "a", "b", "<mimic joint='k'/>") + turns("k", "b", "c", "<mimic joint='j'/>"), 6, "in a cycle"},
		{"mimic of a fixed joint", links + turns("j", "a", "b", "<mimic joint='k'/>") + "<joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>", 5, `mimics "k", which is fixed and has no single position: make "j" fixed too`},
		{"huge gear", links + abc + "<transmission><joint name='ab'/><actuator><drake:rotor_inertia value='1'/><drake:gear_ratio value='1e200'/></actuator></transmission>", 7, "gear ratio 1e+200 is too large"},
		{"negative rotor", links + abc + "<transmission><joint name='ab'/><actuator><drake:rotor_inertia value='-1'/></actuator></transmission>", 7, "rotor inertia -1"},
	})
}

func TestFaultyInertiasAndNumbersAreRefused(t *testing.T) {
	refused(t, []fault{
		{"negative mass", "<link name='a'><inertial>\n<mass value='-2'/></inertial></link>", 3, `link "a": its mass is -2 kg: it must not be negative`},
		{"no mass", "<link name='a'><inertial/></link>", 2, "has no <mass>"},
		{"no ixx", "<link name='a'><inertial><mass value='1'/>\n<inertia iyy='1' izz='1'/></inertial></link>", 3, "<inertia> has no ixx"},
		{"not a number", "<link name='a'><inertial><mass value='2,5'/></inertial></link>", 2, `<mass value="2,5">: not a number: write such as`},
		{"NaN", "<link name='a'><inertial><mass value='nan'/></inertial></link>", 2, "a finite number is required"},
		{"too large a number", "<link name='a'><inertial><mass value='1e999'/></inertial></link>", 2, "a finite number is required"},
		{"two numbers", "<link name='a'><visual><origin xyz='1 2'/><geometry><sphere radius='1'/></geometry></visual></link>", 2, "three numbers are required"},
	})
}

func TestFaultyShapesAreRefused(t *testing.T) {
	refused(t, []fault{
		{"no shape", shape(""), 3, "exactly one of box"},
		{"two shapes", shape("<sphere radius='1'/><box size='1 1 1'/>"), 3, "exactly one of box"},
		{"box without size", shape("<box/>"), 3, "three positive numbers"},
		{"no radius", shape("<sphere/>"), 3, "<sphere> has no radius"},
		{"negative length", shape("<cylinder radius='1' length='-1'/>"), 3, "a positive number is required"},
		{"ellipsoid without c", shape("<drake:ellipsoid a='1' b='1'/>"), 3, "<drake:ellipsoid> has no c"},
		{"mesh without file", shape("<mesh/>"), 3, "<mesh> has no filename"},
		{"mesh scaled flat", shape("<mesh filename='x.obj' scale='1 1 0'/>"), 3, "flattens the mesh"},
		{"deformable", "<deformable name='d'/>", 2, "a <deformable> is no robot"},
		{"negative friction", "<link name='a'><collision><geometry><sphere radius='1'/></geometry>\n<drake:proximity_properties><drake:mu_dynamic value='-1'/></drake:proximity_properties></collision></link>", 3, "-1 must not be negative"},
	})
}

func TestMacrosAndDamagedXMLAreRefused(t *testing.T) {
	refused(t, []fault{
		{"xacro macro", links + "<xacro:macro name='leg'/>", 5, "run xacro on it first"},
		{"xacro property", links + turns("j", "${prefix}a", "b", ""), 5, "run xacro on it first"},
		{"xacro argument", "<link name='$(arg name)'/>", 2, "run xacro on it first"},
		{"unclosed", "<link name='a'>", 2, "not well-formed XML"},
	})
}

func TestOtherFilesAreNoRobots(t *testing.T) {
	for _, c := range [][2]string{
		{"", "empty"},
		{"time: 1", "empty"},
		{"<sdf/>", "begins with <robot>"},
		{"<robot/><robot/>", "second root"},
		{"<robot>" + strings.Repeat("<a>", 2000), "nests too deep"},
		{`<?xml version="1.0" encoding="koi8-r"?><robot/>`, "save the file as UTF-8"},
	} {
		if _, _, err := Parse(strings.NewReader(c[0]), "x"); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%.40q: error %v, want %q", c[0], err, c[1])
		}
	}
}
