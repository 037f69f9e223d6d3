package sdf

import (
	"errors"
	"fmt"
	"slices"
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

// refused checks that texts, each the inside of a <model>, are refused with file, line and message.
func refused(t *testing.T, faults []fault) {
	t.Helper()
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Parse(strings.NewReader("<sdf version='1.9'><model name='m'>\n"+c.inside+"</model></sdf>"), "m.sdf", nil)
			var e *robot.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want one with a line", err)
			}
			if e.File != "m.sdf" || e.Line != c.line || !strings.Contains(e.Msg, c.want) {
				t.Errorf("%v, want line %d and %q", err, c.line, c.want)
			}
		})
	}
}

// twoLinks are the links a and b in lines 2 and 3.
var twoLinks = link("a", "") + link("b", "")

// shape returns a link with a collision shape, which is in line 3.
func shape(s string) string {
	return "<link name='a'>" + body + "\n<collision name='k'><geometry>" + s + "</geometry></collision></link>"
}

// axis returns two links and a joint whose axis, in line 5, has a text.
func axis(s string) string { return twoLinks + turns("j", "a", "b", "\n<axis>"+s+"</axis>") }

// kind returns two links and a joint of a type, in line 4.
func kind(s string) string {
	return twoLinks + strings.Replace(turns("j", "a", "b", about), "revolute", s, 1)
}

func TestFaultyTreesAreRefused(t *testing.T) {
	refused(t, []fault{
		{"no links", "", 1, "the model has no links"},
		{"link without a name", "<link/>", 2, "<link> has no name"},
		{"same name twice", twoLinks + "<frame name='b'/>", 4, `a second <frame> is called "b" (the first, a link, is in line 3)`},
		{"reserved name of a frame", twoLinks + "<frame name='__x__'/>", 4, "the format reserves this name"},
		{"circle", twoLinks + link("c", "") + turns("bc", "b", "c", about) + turns("cb", "c", "b", about), 5, "a loop"},
	})
}

func TestFaultyFramesAreRefused(t *testing.T) {
	refused(t, []fault{
		{"unknown frame", twoLinks + "<frame name='f'>\n<pose relative_to='g'/></frame>", 5, `the pose of frame "f" names "g": there is no such link, joint or frame`},
		{"unknown frame of a shape", "<link name='a'>" + body + "<collision name='v'>\n<pose relative_to='g'/><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>", 3, `the pose of <collision> names "g"`},
		{"frame of another model", twoLinks + "<frame name='f' attached_to='m::g'/>", 4, `names "m::g": there is no such link, joint or frame`},
		{"frame of the world", twoLinks + "<frame name='f'><pose relative_to='world'/></frame>", 4, "inside a model write __model__"},
		{"frames in a circle", twoLinks + "<frame name='f'><pose relative_to='g'/></frame>\n<frame name='g'><pose relative_to='f'/></frame>", 4, `frame "f": its pose is relative to "g", which leads back to it: one of them`},
		{"link on its own joint", link("a", "") + link("b", "<pose relative_to='j'/>") + turns("j", "a", "b", about), 3, `link "b": its pose is relative to "j", which leads back to it`},
		{"frame on itself", twoLinks + "<frame name='f'><pose relative_to='f'/></frame>", 4, "leads back to it"},
		{"attached in a circle", twoLinks + "<frame name='f' attached_to='g'><pose relative_to='a'/></frame>\n<frame name='g' attached_to='f'><pose relative_to='a'/></frame>", 4, `frame "f": it moves with "g", which leads back`},
		{"attached to nothing", twoLinks + "<frame name='f' attached_to='x'><pose relative_to='a'/></frame>", 4, `frame "f" names "x"`},
	})
}

func TestFaultyJointsAreRefused(t *testing.T) {
	refused(t, []fault{
		{"missing child", twoLinks + turns("j", "a", "c", about), 4, `the child of joint "j" names "c": there is no such link, joint or frame`},
		{"no child", twoLinks + "<joint name='j' type='fixed'><parent>a</parent></joint>", 4, "<joint> has no <child>"},
		{"no parent", twoLinks + "<joint name='j' type='fixed'><child>a</child></joint>", 4, "<joint> has no <parent>"},
		{"missing parent", twoLinks + turns("j", "c", "b", about), 4, `the parent of joint "j" names "c"`},
		{"child is the world", twoLinks + turns("j", "a", "world", about), 4, `the child of joint "j" is the world, which nothing moves: swap parent and child`},
		{"universal", kind("universal"), 4, `joint "j" has no <axis2>`},
		{"revolute2", kind("revolute2"), 4, `joint "j" has no <axis2>`},
		{"gearbox of nothing", kind("gearbox"), 4, "no <gearbox_reference_body>"},
		{"gearbox without hinges", twoLinks + link("c", "") + turns("ca", "c", "a", about) + gears("0.5"), 6, "a gearbox ties two revolute joints, of \"a\" and of \"b\" to \"c\""},
		{"gearbox of no ratio", hinged + gears("0"), 7, "its <gearbox_ratio> is 0"},
		{"curvilinear", twoLinks + "<drake:joint name='j' type='curvilinear'><drake:parent>a</drake:parent><drake:child>b</drake:child></drake:joint>", 4, `the type "curvilinear" is not simulated`},
		{"unknown type", kind("hinge"), 4, `the type "hinge": fixed, revolute`},
	})
}

func TestFaultyAxesAndMotorsAreRefused(t *testing.T) {
	refused(t, []fault{
		{"no axis", twoLinks + turns("j", "a", "b", ""), 4, `joint "j" has no <axis>: a revolute joint has one`},
		{"zero axis", axis("<xyz>0 0 0</xyz>"), 5, `joint "j": its axis is zero: give a direction`},
		{"axis without end", axis("<xyz>1e200 0 0</xyz>"), 5, "its axis is too long"},
		{"axis in no frame", axis("<xyz expressed_in='f'>1 0 0</xyz>"), 5, `the axis of joint "j" names "f"`},
		{"limit that is none", axis("<limit><lower>nan</lower></limit>"), 5, "a finite number is required"},
		{"negative spring", axis("<dynamics><spring_stiffness>-1</spring_stiffness></dynamics>"), 5, "must not be negative"},
		{"screw without travel", twoLinks + strings.Replace(turns("j", "a", "b", about+"<screw_thread_pitch>0</screw_thread_pitch>"), "revolute", "screw", 1), 4, "<screw_thread_pitch>, m per revolution"},
		{"screw of no thread", twoLinks + strings.Replace(turns("j", "a", "b", about+"<thread_pitch>0</thread_pitch>"), "revolute", "screw", 1), 4, "<screw_thread_pitch>, m per revolution"},
		{"huge gear", twoLinks + turns("j", "a", "b", about+"<drake:gear_ratio>1e200</drake:gear_ratio><drake:rotor_inertia>1</drake:rotor_inertia>"), 4, "gear ratio 1e+200 is too large"},
		{"negative rotor", twoLinks + turns("j", "a", "b", about+"<drake:rotor_inertia>-1</drake:rotor_inertia>"), 4, "rotor inertia -1"},
		{"mimics in a circle", twoLinks + link("c", "") + turns("j", "a", "b", about+"<drake:mimic joint='k'/>") + turns("k", "b", "c", about+"<drake:mimic joint='j'/>"), 6, "in a cycle"},
	})
}

func TestPartsThatAreNotReadButMatterAreRefused(t *testing.T) {
	refused(t, []fault{
		{"include", twoLinks + "<include>\n<uri>model://x</uri></include>", 4, `<include> of "model://x": other files are not read here`},
		{"empty model in a model", "<model name='n'/>" + twoLinks, 2, "the model has no links"},
		{"model in a model of its name", "<model name='a'>" + link("b", "") + "</model>" + twoLinks, 3, `a second <link> is called "a" (the first, a model, is in line 2)`},
		{"placement in nothing", twoLinks + "<model name='n' placement_frame='x'>" + link("b", "") + "</model>", 4, `placement_frame names "n::x"`},
		{"models around each other", twoLinks + "<model name='n'><pose relative_to='p'/>" + link("b", "") + "</model>\n<model name='p'><pose relative_to='n'/>" + link("b", "") + "</model>", 4, `model "n": its pose is relative to "p", which leads back to it`},
		{"filter of no link", link("a", "") + "<drake:collision_filter_group name='g'>\n<drake:member>x</drake:member></drake:collision_filter_group>", 4, `"g": there is no link "x"`},
	})
}

func TestFaultyInertiasAndPosesAreRefused(t *testing.T) {
	refused(t, []fault{
		{"negative mass", "<link name='a'><inertial>\n<mass>-2</mass></inertial></link>", 2, "its mass is -2 kg"},
		{"turned inertial", "<link name='a'><inertial><pose relative_to='__model__'/></inertial></link>", 2, "leave out relative_to"},
		{"not a number", "<link name='a'><inertial>\n<mass>2,5</mass></inertial></link>", 3, `<mass> "2,5": not a number: write such as`},
		{"five numbers", link("a", "\n<pose>1 2 3 4 5</pose>"), 3, `<pose> "1 2 3 4 5": 6 numbers are required`},
		{"six numbers of a quaternion", link("a", "<pose rotation_format='quat_xyzw'>1 2 3 4 5 6</pose>"), 2, "7 numbers are required"},
		{"zero quaternion", link("a", "<pose rotation_format='quat_xyzw'>1 2 3 0 0 0 0</pose>"), 2, "the quaternion is zero"},
		{"unknown rotation", link("a", "<pose rotation_format='axis'>1 2 3 0 0 0 0</pose>"), 2, "euler_rpy or quat_xyzw"},
		{"far away", link("a", "<pose>1e13 0 0 0 0 0</pose>"), 2, "1e+13 is too large"},
		{"neither true nor false", "<static>maybe</static>" + twoLinks, 2, "true or false is expected"},
	})
}

func TestFaultyShapesAreRefused(t *testing.T) {
	refused(t, []fault{
		{"no radius", shape("<sphere/>"), 3, "<sphere> has no <radius>"},
		{"negative length", shape("<capsule><radius>1</radius><length>-1</length></capsule>"), 3, "a positive number is required"},
		{"mesh without file", shape("<mesh/>"), 3, "<mesh> has no <uri>"},
		{"mesh scaled flat", shape("<mesh><uri>x</uri><scale>1 1 0</scale></mesh>"), 3, "flattens the mesh"},
		{"xacro", twoLinks + "<xacro:arm/>", 4, "give the SDFormat that comes out"},
		{"unclosed", "<link name='a'>", 2, "not well-formed XML"},
	})
}

func TestOtherFilesAreNoModels(t *testing.T) {
	for _, c := range [][2]string{
		{"", "empty: a <sdf> is required"},
		{"<robot/>", "begins with <sdf"},
		{"<sdf/>", "<sdf> has no version"},
		{"<sdf version='2.0'/>", "versions 1.4 to 1.11 are read"},
		{"<sdf version='1.3'><model name='m'/></sdf>", "convert the file with gz sdf -p"},
		{"<sdf version='1.6'/>", "has no <model>"},
		{"<sdf version='1.6'><include><uri>x</uri></include></sdf>", "<include>"},
		{"<sdf version='1.6'><world name='w'/></sdf>", "has no <model>"},
		{"<sdf version='1.6'><world name='w'><include><uri>x</uri></include></world></sdf>", "<include>"},
		{"<sdf version='1.6'><world name='w'><joint/><model name='m'/></world></sdf>", "the model has no links"},
		{"<sdf version='1.6'><model name='m' canonical_link='x'>" + link("a", "") + "</model></sdf>", `canonical_link="x": there is no such link`},
		{"<sdf version='1.6'><model name='m' placement_frame='x'>" + link("a", "") + "</model></sdf>", `placement_frame names "x"`},
		{"<sdf version='1.6'><model name='m'><pose relative_to='shelf'/>" + link("a", "") + "</model></sdf>", "give its pose in the world"},
		{"<sdf version='1.6'><world name='w'><frame name='f'><pose relative_to='g'/></frame><frame name='g' attached_to='f'/><model name='m'><pose relative_to='f'/>" + link("a", "") + "</model></world></sdf>", "not placed by frames of its world alone"},
		{"<sdf version='1.6'><model>" + link("a", "") + "</model></sdf>", "<model> has no name"},
	} {
		if _, _, err := Parse(strings.NewReader(c[0]), "x", nil); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%.40q: error %v, want %q", c[0], err, c[1])
		}
	}
}

func TestWhatIsIgnoredIsListedOnce(t *testing.T) {
	m, warnings, err := Parse(strings.NewReader(`<sdf version='1.12'><world name='w'><physics/><model name='m'>
<plugin filename='p'/><self_collide>1</self_collide><allow_auto_disable>true</allow_auto_disable>
<link name='a'><gravity>false</gravity><sensor/>
 <inertial><mass>1</mass><fluid_added_mass/></inertial>
 <collision name='k'><geometry><plane><normal>0 0 1</normal></plane></geometry></collision>
 <visual name='v'><geometry><heightmap/></geometry></visual></link>
<link name='b'><gravity>1</gravity><kinematic>0</kinematic></link>
<joint name='ab' type='continuous'><parent>a</parent><child>b</child><axis><limit><lower>-1</lower><effort>0</effort><stiffness>1</stiffness></limit></axis><physics/></joint>
<drake:linear_bushing_rpy/>
</model><include><uri>sun</uri></include></world></sdf>`), "m.sdf", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range m.Links {
		if (l.WeightCompensation == 1) != (l.Name == "a") {
			t.Errorf("link %s has the weight compensation %g", l.Name, l.WeightCompensation)
		}
	}
	var got []string
	for _, w := range warnings {
		got = append(got, fmt.Sprintf("%d: %s", w.Line, w.Text))
	}
	want := []string{
		`1: <sdf version="1.12"> is newer than 1.11: read as that`,
		"1: <self_collide> is ignored: write self_contact: true in the scene",
		"1: ignored: <sdf/world/physics>",
		"2: ignored: <sdf/world/model/plugin>",
		"3: ignored: <sdf/world/model/link/sensor>",
		`4: link "a": its <inertial> has no <inertia>: moments of 1 kg m², as the format says`,
		"4: ignored: <sdf/world/model/link/inertial/fluid_added_mass>",
		`5: link "a": its <plane> is ignored: give the scene a body with a half_space`,
		"6: a <heightmap> is left out: it has no <uri>, the image of its heights",
		`7: link "b" has no <inertial>: its mass is 1 kg and its moments 1 kg m², as the format says`,
		`8: joint "ab" is continuous: its lower and upper limits are ignored`,
		`8: joint "ab": its effort limit is 0: taken as unlimited`,
		"8: ignored: <sdf/world/model/joint/axis/limit/stiffness>",
		"8: ignored: <sdf/world/model/joint/physics>",
		"9: ignored: <sdf/world/model/drake:linear_bushing_rpy>",
		`10: the <include> of "sun" is left out: a robot is one model`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
