package sdf

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// model reads the inside of a <model> and fails on faults; lines count from 1 in
// the line of the model.
func model(t *testing.T, inside string) (*robot.Robot, []robot.Warning) {
	t.Helper()
	m, warnings, err := Parse(strings.NewReader("<sdf version='1.9'><model name='m'>"+inside+"</model></sdf>"), "m.sdf", nil)
	if err != nil {
		t.Fatal(err)
	}
	robottest.Check(t, m)
	return m, warnings
}

// one returns the only robot of a file without warnings.
func one(t *testing.T, inside string) *robot.Robot {
	t.Helper()
	m, warnings := model(t, inside)
	for _, w := range warnings {
		t.Errorf("warning in line %d: %s", w.Line, w.Text)
	}
	return m
}

func joint(t *testing.T, m *robot.Robot, name string) *robot.Joint {
	t.Helper()
	i := slices.IndexFunc(m.Joints, func(j robot.Joint) bool { return j.Name == name })
	if i < 0 {
		t.Fatalf("no joint %q", name)
	}
	return &m.Joints[i]
}

const body = `<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>`

// link returns a link with a pose, in a line of its own.
func link(name, pose string) string {
	return "<link name='" + name + "'>" + pose + body + "</link>\n"
}

// turns returns a joint between two links, in a line of its own.
func turns(name, parent, child, inside string) string {
	return "<joint name='" + name + "' type='revolute'><parent>" + parent + "</parent><child>" + child + "</child>" + inside + "</joint>\n"
}

const about = "<axis><xyz>0 0 1</xyz></axis>"

func near(t *testing.T, what string, got, want r3.Pose) {
	t.Helper()
	if d := got.P.Sub(want.P).Norm() + math.Sqrt(got.R.Sub(want.R).Norm2()); !(d < 1e-14) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func at(x, y, z, yaw float64) r3.Pose { return r3.Pose{R: r3.RotRPY(0, 0, yaw), P: r3.Vec{x, y, z}} }

const right = math.Pi / 2

// Links are measured from the model, joints from their children, axes in joints.
// The second link stands at (2, 0, 0), turned by 90° about z; its joint lies 1 m
// along its x, that is at (2, 1, 0), with the same turn.
func TestJointsAreRelativeToTheirChildren(t *testing.T) {
	m := one(t, `<pose>0 0 5 0 0 0</pose>`+link("a", "<pose>1 0 0 0 0 0</pose>")+link("b", "<pose degrees='true'>2 0 0 0 0 90</pose>")+link("c", "<pose>3 0 0 0 0 0</pose>")+
		turns("ab", "a", "b", "<pose>1 0 0 0 0 0</pose><axis><xyz>1 0 0</xyz></axis>")+
		turns("bc", "b", "c", "<axis><xyz expressed_in='__model__'>1 0 0</xyz></axis>"))
	near(t, "base", m.X_FR, at(1, 0, 5, 0))
	ab := joint(t, m, "ab")
	near(t, "X_PF", ab.X_PF, at(1, 1, 0, right))
	near(t, "X_CM", ab.X_CM, at(1, 0, 0, 0))
	if ab.Axis != (r3.Vec{1, 0, 0}) {
		t.Errorf("axis %v in the joint's frame, want x", ab.Axis)
	}
	bc := joint(t, m, "bc")
	near(t, "X_PF", bc.X_PF, at(0, -1, 0, -right)) // c seen from b
	near(t, "X_CM", bc.X_CM, r3.PoseIdentity())
	if bc.Axis != (r3.Vec{1, 0, 0}) {
		t.Errorf("axis %v: c is turned as the model, so it stays x", bc.Axis)
	}
}

// A frame on b, 1 m along its x, carries the joint; another carries a collision.
func TestFramesCarryJointsPosesAndAxes(t *testing.T) {
	m := one(t, link("a", "")+link("b", "<pose relative_to='mark'>0 0 1 0 0 0</pose>")+
		"<frame name='mark'><pose>2 0 0 0 0 1.5707963267948966</pose></frame>"+
		"<frame name='end' attached_to='b'><pose>1 0 0 0 0 0</pose></frame>"+
		"<frame name='far' attached_to='end'><pose relative_to='__model__'>7 8 9 0 0 0</pose></frame>"+
		"<link name='c'><pose relative_to='far'/>"+body+"<collision name='k'><pose relative_to='end'>0 0 0.5 0 0 0</pose><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>"+
		turns("ab", "__model__", "end", "<axis><xyz expressed_in='a'>0 1 0</xyz></axis>")+
		turns("bc", "far", "c", about))
	ab, bc := joint(t, m, "ab"), joint(t, m, "bc")
	if m.Links[ab.Parent].Name != "a" || m.Links[ab.Child].Name != "b" || m.Links[bc.Parent].Name != "b" {
		t.Errorf("joints of frames join %q, %q and %q", m.Links[ab.Parent].Name, m.Links[ab.Child].Name, m.Links[bc.Parent].Name)
	}
	near(t, "X_PF of a joint at a frame", ab.X_PF, at(2, 1, 1, right)) // (2, 0, 1) and 1 m along its x, which is y
	near(t, "X_CM of a joint at a frame", ab.X_CM, at(1, 0, 0, 0))
	if d := ab.Axis.Sub(r3.Vec{1, 0, 0}).Norm(); d > 1e-15 {
		t.Errorf("axis %v: y of a is x of the joint", ab.Axis)
	}
	near(t, "X_PF in the parent's link", bc.X_PF, at(8, -5, 8, -right)) // (7,8,9) − (2,0,1) seen from b
	near(t, "collision", m.Links[2].Collisions[0].X_LG, at(-5, -7, -7.5, right))
}

// Axes of 1.4 are in the model's frame, of 1.5 in the joint's; both can say.
func TestAxesOfOldFiles(t *testing.T) {
	for _, c := range []struct {
		version, inside string
		want            r3.Vec
	}{
		{"1.4", "", r3.Vec{0, -1, 0}}, {"1.5", "", r3.Vec{1, 0, 0}}, {"1.6", "", r3.Vec{1, 0, 0}},
		{"1.4", "<use_parent_model_frame>0</use_parent_model_frame>", r3.Vec{1, 0, 0}},
		{"1.5", "<use_parent_model_frame>true</use_parent_model_frame>", r3.Vec{0, -1, 0}},
	} {
		text := "<sdf version='" + c.version + "'><model name='m'>" + link("a", "") +
			link("b", "<pose>0 0 1 0 0 1.5707963267948966</pose>") + turns("ab", "a", "b", "<axis><xyz>1 0 0</xyz>"+c.inside+"</axis>") + "</model></sdf>"
		m, _, err := Parse(strings.NewReader(text), "m.sdf", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := joint(t, m, "ab").Axis; got.Sub(c.want).Norm() > 1e-15 {
			t.Errorf("%s %s: axis %v, want %v", c.version, c.inside, got, c.want)
		}
	}
}

func TestModelsArePlacedByAFrame(t *testing.T) {
	text := func(attr string) string {
		return "<sdf version='1.11'><world name='w'><light/><model name='m' " + attr + "><pose relative_to='world'>0 0 1 0 0 0</pose>" +
			link("a", "") + link("b", "<pose>1 0 0 0 0 1.5707963267948966</pose>") + turns("ab", "a", "b", about) + "</model></world></sdf>"
	}
	m, _, err := Parse(strings.NewReader(text("placement_frame='b' canonical_link='b'")), "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "base", m.X_FR, at(0, 1, 1, -right)) // b at (0, 0, 1), unturned
}

// Frames of the world are measured in each other, or in what they are attached to.
func TestModelsArePlacedByFramesOfTheWorld(t *testing.T) {
	m, warnings, err := Parse(strings.NewReader("<sdf version='1.11'><world name='w'><frame name='f' attached_to='g'><pose>1 0 0 0 0 0</pose></frame>"+
		"<model name='m'><pose relative_to='f'>0 2 0 0 0 0</pose>"+link("a", "")+"</model>"+
		"<frame name='g'><pose relative_to='world'>5 0 0 0 0 1.5707963267948966</pose></frame></world></sdf>"), "x", nil)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	// f is at (5, 1), and its y is −x of the world
	near(t, "base", m.X_FR, at(3, 1, 0, right))
}

// A joint to the world makes the world the root, and the model's pose its place.
func TestTheWorldIsARoot(t *testing.T) {
	m := one(t, "<pose>0 0 2 0 0 0</pose>"+link("a", "<pose>1 0 0 0 0 0</pose>")+
		"<joint name='rail' type='prismatic'><parent>world</parent><child>a</child><axis><xyz>1 0 0</xyz></axis></joint>")
	if m.Links[m.Root].Name != "world" || len(m.Links) != 2 || m.Links[m.Root].Inertial != nil {
		t.Errorf("root %+v", m.Links[m.Root])
	}
	near(t, "base", m.X_FR, r3.PoseIdentity())
	near(t, "X_PF", joint(t, m, "rail").X_PF, at(1, 0, 2, 0))
}

// Whatever the joints are, a static model stays where it is, links in the air too.
func TestStaticModelsStay(t *testing.T) {
	m, _ := model(t, "<static>true</static><pose>0 0 2 0 0 0</pose>"+link("a", "")+link("b", "<pose>1 0 0 0 0 0</pose>")+link("c", "<pose>5 0 0 0 0 0</pose>")+
		turns("ab", "a", "b", about))
	for _, j := range m.Joints {
		if j.Type != robot.Fixed {
			t.Errorf("joint %q is %s", j.Name, j.Type)
		}
	}
	if len(m.Joints) != 3 || m.Links[m.Root].Name != "world" {
		t.Fatalf("%d joints, root %q", len(m.Joints), m.Links[m.Root].Name)
	}
	near(t, "c", joint(t, m, "world_c").X_PF, at(5, 0, 2, 0))
}

func TestRotationsAreReadInEveryFormat(t *testing.T) {
	h := math.Sqrt(0.5)
	for _, pose := range []string{
		"<pose>1 2 3 0 0 1.5707963267948966</pose>", "<pose degrees='true'>1 2 3 0 0 90</pose>", "<pose degrees='true'>1 2 3 0 0 450</pose>",
		fmt.Sprintf("<pose rotation_format='quat_xyzw'>1 2 3 0 0 %g %g</pose>", h, h), "<pose rotation_format='quat_xyzw'>1 2 3 0 0 5 5</pose>",
		"<pose frame=''>\n 1 2 3\n 0 0 1.5707963267948966 </pose>",
	} {
		near(t, pose, one(t, link("a", pose)).X_FR, at(1, 2, 3, right))
	}
}

func TestBallsNeedNoAxis(t *testing.T) {
	m := one(t, link("a", "")+link("b", "<pose>1 0 0 0 0 0</pose>")+"<joint name='j' type='ball'><pose>0 1 0 0 0 0</pose><parent>a</parent><child>b</child></joint>")
	j := joint(t, m, "j")
	if j.Type != robot.Ball {
		t.Errorf("a %s joint", j.Type)
	}
	near(t, "X_PF", j.X_PF, at(1, 1, 0, 0))
}

// A pitch of a right-handed thread is positive, m a turn; the old key means rad/m
// of a left-handed one: 2π rad/mm goes back a millimetre a turn.
func TestScrewsAreReadInBothUnits(t *testing.T) {
	for pitch, want := range map[string]float64{
		"<screw_thread_pitch>0.002</screw_thread_pitch>": 0.002,
		"<thread_pitch>6283.185307179586</thread_pitch>": -0.001,
		"<thread_pitch>-500</thread_pitch>":              2 * math.Pi / 500,
	} {
		m := one(t, link("a", "")+link("b", "")+strings.Replace(turns("ab", "a", "b", about+pitch), "revolute", "screw", 1))
		if j := m.Joints[0]; j.Type != robot.Screw || math.Abs(j.Pitch-want) > 1e-18 {
			t.Errorf("%s: a pitch of %g, want %g", pitch, j.Pitch, want)
		}
	}
}

func TestScrewsTravelAMetreWhereTheFileDoesNotSay(t *testing.T) {
	m, warnings := model(t, "\n"+twoLinks+strings.Replace(turns("ab", "a", "b", about), "revolute", "screw", 1))
	if m.Joints[0].Pitch != 1 || len(warnings) != 1 || warnings[0].Line != 4 || !strings.Contains(warnings[0].Text, "1 m per revolution, as the format says") {
		t.Errorf("%+v, %v", m.Joints[0], warnings)
	}
}

func TestLimitsAndDynamicsAreReadAsWritten(t *testing.T) {
	inf := math.Inf(1)
	for inside, want := range map[string]robot.Joint{
		"": {Lower: -inf, Upper: inf, EffortLimit: inf, VelocityLimit: inf},
		"<limit><lower>-1</lower><upper>2</upper><effort>3</effort><velocity>4</velocity></limit>":                                                    {Lower: -1, Upper: 2, EffortLimit: 3, VelocityLimit: 4},
		"<limit><lower>-1e16</lower><upper>1e+16</upper><effort>-1</effort><velocity>-1</velocity></limit>":                                           {Lower: -inf, Upper: inf, EffortLimit: inf, VelocityLimit: inf},
		"<limit><lower>-inf</lower><upper>0.5</upper><effort>inf</effort></limit>":                                                                    {Lower: -inf, Upper: 0.5, EffortLimit: inf, VelocityLimit: inf},
		"<dynamics><damping>1</damping><friction>2</friction><spring_stiffness>3</spring_stiffness><spring_reference>4</spring_reference></dynamics>": {Lower: -inf, Upper: inf, EffortLimit: inf, VelocityLimit: inf, Damping: 1, Friction: 2, Stiffness: 3, RestPosition: 4},
	} {
		j := one(t, link("a", "")+link("b", "")+turns("ab", "a", "b", "<axis><xyz>0 0 2</xyz>"+inside+"</axis>")).Joints[0]
		got := robot.Joint{Lower: j.Lower, Upper: j.Upper, EffortLimit: j.EffortLimit, VelocityLimit: j.VelocityLimit, Damping: j.Damping, Friction: j.Friction, Stiffness: j.Stiffness, RestPosition: j.RestPosition}
		if got != want || j.Axis != (r3.Vec{0, 0, 1}) {
			t.Errorf("%s: %+v, want %+v", inside, j, want)
		}
	}
}

// q = multiplier (q_leader − reference) + offset, or as Drake writes it.
func TestMimicsAreReadInBothForms(t *testing.T) {
	for _, c := range []struct {
		axis, drake string
		want        robot.Mimic
	}{
		{"<mimic joint='ab' axis='axis'><multiplier>2</multiplier><offset>0.5</offset><reference>0.125</reference></mimic>", "", robot.Mimic{Multiplier: 2, Offset: 0.25}},
		{"", "<drake:mimic joint='ab' multiplier='-1' offset='0.1'/>", robot.Mimic{Multiplier: -1, Offset: 0.1}},
	} {
		m := one(t, link("a", "")+link("b", "")+link("c", "")+turns("ab", "a", "b", about)+turns("bc", "b", "c", "<axis><xyz>0 0 1</xyz>"+c.axis+"</axis>"+c.drake))
		if got := joint(t, m, "bc").Mimic; got == nil || *got != c.want {
			t.Errorf("%s%s: %+v, want %+v", c.axis, c.drake, got, c.want)
		}
	}
}

func TestFrictionIsReadAsGazeboWritesIt(t *testing.T) {
	for surface, want := range map[string][2]float64{
		"<mu>0.7</mu><mu2>0.7</mu2>": {0.7, 0.7}, "<mu>0.3</mu><mu2>0.4</mu2>": {0.4, 0.3}, "<mu>0.3</mu>": {0.3, 0.3}, "<mu2>0.2</mu2>": {0.2, 0.2},
	} {
		m, warnings := model(t, "<link name='a'>"+body+"<collision name='k'><geometry><drake:ellipsoid><a>1</a><b>2</b><c>3</c></drake:ellipsoid></geometry><surface><friction><ode>"+surface+"</ode></friction></surface></collision></link>")
		g := m.Links[0].Collisions[0]
		if s := g.Material; *s.StaticFriction != want[0] || *s.Friction != want[1] || s.Stiffness != nil {
			t.Errorf("%s: %+v", surface, s)
		}
		if *g.Ellipsoid != (r3.Vec{1, 2, 3}) {
			t.Errorf("semi-axes %v", *g.Ellipsoid)
		}
		if (len(warnings) > 0) != (want[0] != want[1]) {
			t.Errorf("%s: warnings %v", surface, warnings)
		}
	}
}

// Frames far apart are related through the model; near ones as they are written.
// Both ways agree.
func TestFramesOfLongChainsAreRelated(t *testing.T) {
	var b strings.Builder
	b.WriteString(link("l0", ""))
	for i := range 200 {
		fmt.Fprintf(&b, "<link name='l%d'><pose relative_to='l%d'>0.1 0 0 0.1 0.2 0.3</pose>%s</link>", i+1, i, body)
		b.WriteString(turns(fmt.Sprintf("j%d", i), fmt.Sprintf("l%d", i), fmt.Sprintf("l%d", i+1), about))
	}
	b.WriteString(link("end", "<pose relative_to='l200'/>") + turns("last", "l100", "end", about))
	m := one(t, b.String())
	X := r3.Pose{R: r3.RotRPY(0.1, 0.2, 0.3), P: r3.Vec{0.1, 0, 0}}
	want := r3.PoseIdentity()
	for range 100 {
		want = want.Mul(X)
	}
	got := joint(t, m, "last").X_PF
	if d := got.P.Sub(want.P).Norm() + math.Sqrt(got.R.Sub(want.R).Norm2()); d > 1e-12 {
		t.Errorf("off by %g", d)
	}
	if joint(t, m, "j50").X_PF != X {
		t.Errorf("neighbours: %v, want %v as written", joint(t, m, "j50").X_PF, X)
	}
}

// Models of thousands of links, each measured from the one before and shown beside
// the last, or in one circle, are judged in a moment.
func TestLongChainsEnd(t *testing.T) {
	const n = 5000
	chain := func(first string) string {
		var b strings.Builder
		b.WriteString("<sdf version='1.9'><model name='m'>")
		for i := range n {
			up := fmt.Sprint("l", i-1)
			if i == 0 {
				up = first
			}
			fmt.Fprintf(&b, "<link name='l%d'><pose relative_to='%s'>0 0 1 0 0 0</pose>%s<visual name='v'><pose relative_to='l%d'/><geometry><sphere><radius>1</radius></sphere></geometry></visual></link>", i, up, body, n-1)
			if i > 0 {
				b.WriteString(turns(fmt.Sprint("j", i), up, fmt.Sprint("l", i), about))
			}
		}
		return b.String() + "</model></sdf>"
	}
	m, _, err := Parse(strings.NewReader(chain(modelName)), "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the last link from the first", m.Links[0].Visuals[0].X_LG, at(0, 0, n-1, 0))
	if _, _, err := Parse(strings.NewReader(chain(fmt.Sprint("l", n-1))), "x", nil); err == nil || !strings.Contains(err.Error(), "leads back to it") {
		t.Errorf("error %.200v, want one of a circle", err)
	}
}
