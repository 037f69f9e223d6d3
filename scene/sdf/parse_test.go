package sdf

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
	"github.com/curlfree/curlfree/scene/urdf"
)

// model reads the inside of a <model> and fails on faults; lines count from 1 in
// the line of the model.
func model(t *testing.T, inside string) (*robot.Robot, []robot.Warning) {
	t.Helper()
	m, warnings, err := Parse(strings.NewReader("<sdf version='1.9'><model name='m'>"+inside+"</model></sdf>"), "m.sdf")
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
		t.Errorf("joints of frames hold %q, %q and %q", m.Links[ab.Parent].Name, m.Links[ab.Child].Name, m.Links[bc.Parent].Name)
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
		m, _, err := Parse(strings.NewReader(text), "m.sdf")
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
	m, _, err := Parse(strings.NewReader(text("placement_frame='b' canonical_link='b'")), "x")
	if err != nil {
		t.Fatal(err)
	}
	near(t, "base", m.X_FR, at(0, 1, 1, -right)) // b at (0, 0, 1), unturned
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
		if s := g.Material; s.StaticFriction != want[0] || s.Friction != want[1] || !math.IsNaN(s.Stiffness) {
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

// read returns a robot file of testdata with its lines forgotten.
func read(t *testing.T, name string) *robot.Robot {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	parse := Parse
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
			forget(&l.Visuals[k])
		}
		for k := range l.Collisions {
			forget(&l.Collisions[k])
		}
	}
	for i := range m.Joints {
		m.Joints[i].Line = 0
	}
	return m
}

// forget lets shapes be compared: without lines, and −1 where a surface says
// nothing.
func forget(g *robot.Geometry) {
	g.Line = 0
	s := &g.Material
	for _, x := range []*float64{&s.Stiffness, &s.Dissipation, &s.RelaxationTime, &s.StaticFriction, &s.Friction, &s.HydroelasticModulus, &s.ResolutionHint} {
		if math.IsNaN(*x) {
			*x = -1
		}
	}
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
	m, _, err := Parse(strings.NewReader(chain(modelName)), "x")
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the last link from the first", m.Links[0].Visuals[0].X_LG, at(0, 0, n-1, 0))
	if _, _, err := Parse(strings.NewReader(chain(fmt.Sprint("l", n-1))), "x"); err == nil || !strings.Contains(err.Error(), "leads back to it") {
		t.Errorf("error %.200v, want one of a circle", err)
	}
}

func TestFaultsNameLineAndCure(t *testing.T) {
	ab := link("a", "") + link("b", "")
	shape := func(s string) string {
		return "<link name='a'>" + body + "\n<collision name='k'><geometry>" + s + "</geometry></collision></link>"
	}
	axis := func(s string) string { return ab + turns("j", "a", "b", "\n<axis>"+s+"</axis>") }
	kind := func(s string) string { return ab + strings.Replace(turns("j", "a", "b", about), "revolute", s, 1) }
	for _, c := range []struct {
		name, inside string
		line         int
		want         string
	}{
		{"no links", "", 1, "the model has no links"},
		{"link without a name", "<link/>", 2, "<link> has no name"},
		{"same name twice", ab + "<frame name='b'/>", 4, `a second <frame> is called "b" (the first, a link, is in line 3)`},
		{"reserved name", link("world", ""), 2, "the format reserves this name"},
		{"reserved name of a frame", ab + "<frame name='__x__'/>", 4, "the format reserves this name"},
		{"two roots", ab, 3, `links "a" and "b" both have no parent: connect them with a joint`},
		{"two parents", ab + link("c", "") + turns("ab", "a", "b", about) + turns("cb", "c", "b", about), 6, `two joints, "ab" and "cb", a loop: robots are trees`},
		{"circle", ab + link("c", "") + turns("bc", "b", "c", about) + turns("cb", "c", "b", about), 5, "a loop"},
		{"unknown frame", ab + "<frame name='f'>\n<pose relative_to='g'/></frame>", 5, `the pose of frame "f" names "g": there is no such link, joint or frame`},
		{"unknown frame of a shape", "<link name='a'>" + body + "<visual name='v'>\n<pose relative_to='g'/><geometry><sphere><radius>1</radius></sphere></geometry></visual></link>", 3, `the pose of <visual> names "g"`},
		{"frame of another model", ab + "<frame name='f' attached_to='m::g'/>", 4, "only one model is read"},
		{"frame of the world", ab + "<frame name='f'><pose relative_to='world'/></frame>", 4, "inside a model write __model__"},
		{"frames in a circle", ab + "<frame name='f'><pose relative_to='g'/></frame>\n<frame name='g'><pose relative_to='f'/></frame>", 4, `frame "f": its pose is relative to "g", which leads back to it: one of them`},
		{"link on its own joint", link("a", "") + link("b", "<pose relative_to='j'/>") + turns("j", "a", "b", about), 3, `link "b": its pose is relative to "j", which leads back to it`},
		{"frame on itself", ab + "<frame name='f'><pose relative_to='f'/></frame>", 4, "leads back to it"},
		{"attached in a circle", ab + "<frame name='f' attached_to='g'><pose relative_to='a'/></frame>\n<frame name='g' attached_to='f'><pose relative_to='a'/></frame>", 4, `frame "f": it moves with "g", which leads back`},
		{"attached to nothing", ab + "<frame name='f' attached_to='x'><pose relative_to='a'/></frame>", 4, `frame "f" names "x"`},
		{"missing child", ab + turns("j", "a", "c", about), 4, `names "c": there is no such link, joint or frame`},
		{"no child", ab + "<joint name='j' type='fixed'><parent>a</parent></joint>", 4, "<joint> has no <child>"},
		{"no parent", ab + "<joint name='j' type='fixed'><child>a</child></joint>", 4, "<joint> has no <parent>"},
		{"missing parent", ab + turns("j", "c", "b", about), 4, `the parent of joint "j" names "c"`},
		{"child is the world", ab + turns("j", "a", "world", about), 4, `the child of joint "j" is the world, which nothing moves: swap parent and child`},
		{"universal", kind("universal"), 4, "write two revolute joints"},
		{"revolute2", kind("revolute2"), 4, "write two revolute joints"},
		{"gearbox", kind("gearbox"), 4, "a coupler among the constraints"},
		{"unknown type", kind("hinge"), 4, `the type "hinge": fixed, revolute`},
		{"no axis", ab + turns("j", "a", "b", ""), 4, `joint "j" has no <axis>: a revolute joint has one`},
		{"zero axis", axis("<xyz>0 0 0</xyz>"), 5, `joint "j": its axis is zero: give a direction`},
		{"axis without end", axis("<xyz>1e200 0 0</xyz>"), 5, "its axis is too long"},
		{"axis in no frame", axis("<xyz expressed_in='f'>1 0 0</xyz>"), 5, `the axis of joint "j" names "f"`},
		{"crossed limits", axis("<limit><lower>2</lower><upper>1</upper></limit>"), 5, "lower limit 2 exceeds the upper 1"},
		{"limit at infinity", axis("<limit><lower>inf</lower></limit>"), 5, "exceeds the upper"},
		{"limit that is none", axis("<limit><lower>nan</lower></limit>"), 5, "a finite number is wanted"},
		{"negative spring", axis("<dynamics><spring_stiffness>-1</spring_stiffness></dynamics>"), 5, "must not be negative"},
		{"screw without pitch", kind("screw"), 4, "<screw_thread_pitch>, m per revolution"},
		{"screw of no thread", ab + strings.Replace(turns("j", "a", "b", about+"<thread_pitch>0</thread_pitch>"), "revolute", "screw", 1), 4, "<screw_thread_pitch>, m per revolution"},
		{"huge gear", ab + turns("j", "a", "b", about+"<drake:gear_ratio>1e200</drake:gear_ratio><drake:rotor_inertia>1</drake:rotor_inertia>"), 4, "gear ratio 1e+200 is too large"},
		{"negative rotor", ab + turns("j", "a", "b", about+"<drake:rotor_inertia>-1</drake:rotor_inertia>"), 4, "rotor inertia -1"},
		{"mimic of nobody", axis("\n<mimic joint='k'/>"), 6, `mimics "k": name another joint`},
		{"mimic of an axis2", axis("\n<mimic joint='k' axis='axis2'/>"), 6, "joints have one axis"},
		{"mimics in a circle", ab + link("c", "") + turns("j", "a", "b", about+"<drake:mimic joint='k'/>") + turns("k", "b", "c", about+"<drake:mimic joint='j'/>"), 6, "in a circle"},
		{"planar joint", ab + "<drake:joint name='j' type='planar'><drake:parent>a</drake:parent><drake:child>b</drake:child></drake:joint>", 4, `type "planar" is not read: planar ones are two prismatic joints and a continuous one, with massless links between; without it links "a" and "b"`},
		{"include", ab + "<include>\n<uri>model://x</uri></include>", 4, `<include> of "model://x": models are not put together here`},
		{"model in a model", "<model name='n'/>" + ab, 2, "a <model> in a model"},
		{"filter of no link", link("a", "") + "<drake:collision_filter_group name='g'>\n<drake:member>x</drake:member></drake:collision_filter_group>", 4, `"g": there is no link "x"`},
		{"negative mass", "<link name='a'><inertial>\n<mass>-2</mass></inertial></link>", 2, "its mass is -2 kg"},
		{"computed inertia", "<link name='a'><inertial auto='true'/></link>", 2, "write <mass> and <inertia>"},
		{"turned inertial", "<link name='a'><inertial><pose relative_to='__model__'/></inertial></link>", 2, "leave out relative_to"},
		{"not a number", "<link name='a'><inertial>\n<mass>2,5</mass></inertial></link>", 3, `<mass> "2,5": not a number: write such as`},
		{"five numbers", link("a", "\n<pose>1 2 3 4 5</pose>"), 3, `<pose> "1 2 3 4 5": 6 numbers are wanted`},
		{"six numbers of a quaternion", link("a", "<pose rotation_format='quat_xyzw'>1 2 3 4 5 6</pose>"), 2, "7 numbers are wanted"},
		{"zero quaternion", link("a", "<pose rotation_format='quat_xyzw'>1 2 3 0 0 0 0</pose>"), 2, "the quaternion is zero"},
		{"unknown rotation", link("a", "<pose rotation_format='axis'>1 2 3 0 0 0 0</pose>"), 2, "euler_rpy or quat_xyzw"},
		{"far away", link("a", "<pose>1e13 0 0 0 0 0</pose>"), 2, "1e+13 is too large"},
		{"neither true nor false", "<static>maybe</static>" + ab, 2, "true or false is wanted"},
		{"no geometry", "<link name='a'>" + body + "<collision name='k'/></link>", 2, "<collision> has no <geometry>"},
		{"no shape", shape(""), 3, "exactly one of box"},
		{"two shapes", shape("<sphere><radius>1</radius></sphere><empty/>"), 3, "exactly one of box"},
		{"unsupported shape", shape("<cone><radius>1</radius></cone>"), 3, "the shape <cone> of a <collision> is not supported: use box"},
		{"flat box", shape("<box><size>1 0 1</size></box>"), 3, "three positive numbers"},
		{"no radius", shape("<sphere/>"), 3, "<sphere> has no <radius>"},
		{"negative length", shape("<capsule><radius>1</radius><length>-1</length></capsule>"), 3, "a positive number is wanted"},
		{"mesh without file", shape("<mesh/>"), 3, "<mesh> has no <uri>"},
		{"mesh scaled flat", shape("<mesh><uri>x</uri><scale>1 1 0</scale></mesh>"), 3, "flattens the mesh"},
		{"two geometries", shape("<sphere><radius>1</radius></sphere></geometry><geometry>"), 3, "a second <geometry>"},
		{"negative friction", "<link name='a'>" + body + "<collision name='k'><geometry><sphere><radius>1</radius></sphere></geometry>\n<surface><friction><ode><mu>-1</mu></ode></friction></surface></collision></link>", 3, "friction must not be negative"},
		{"two poses", link("a", "<pose/><pose/>"), 2, "a second <pose>"},
		{"xacro", ab + "<xacro:arm/>", 4, "give the SDFormat that comes out"},
		{"unclosed", "<link name='a'>", 2, "not well-formed XML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Parse(strings.NewReader("<sdf version='1.9'><model name='m'>\n"+c.inside+"</model></sdf>"), "m.sdf")
			var e *robot.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want one with a line", err)
			}
			if e.Line != c.line || !strings.Contains(e.Msg, c.want) {
				t.Errorf("%v, want line %d and %q", err, c.line, c.want)
			}
		})
	}
}

func TestOtherFilesAreNoModels(t *testing.T) {
	for _, c := range [][2]string{
		{"", "empty: a <sdf> is wanted"},
		{"<robot/>", "begins with <sdf"},
		{"<sdf/>", "<sdf> has no version"},
		{"<sdf version='2.0'/>", "versions 1.4 to 1.11 are read"},
		{"<sdf version='1.3'><model name='m'/></sdf>", "convert the file with gz sdf -p"},
		{"<sdf version='1.6'/>", "holds no <model>"},
		{"<sdf version='1.6'><include><uri>x</uri></include></sdf>", "<include>"},
		{"<sdf version='1.6'><world name='w'/></sdf>", "holds no <model>"},
		{"<sdf version='1.6'><world name='w'><include><uri>x</uri></include></world></sdf>", "<include>"},
		{"<sdf version='1.6'><world name='w'><joint/><model name='m'/></world></sdf>", "move it into the model"},
		{"<sdf version='1.6'><model name='m'/><model name='n'/></sdf>", `holds 2 models, "m", "n": a robot is one model: give each a file`},
		{"<sdf version='1.6'><model name='m' canonical_link='x'>" + link("a", "") + "</model></sdf>", `canonical_link="x": there is no such link`},
		{"<sdf version='1.6'><model name='m' placement_frame='x'>" + link("a", "") + "</model></sdf>", `placement_frame names "x"`},
		{"<sdf version='1.6'><model name='m'><pose relative_to='shelf'/>" + link("a", "") + "</model></sdf>", "give its pose in the world"},
		{"<sdf version='1.6'><model>" + link("a", "") + "</model></sdf>", "<model> has no name"},
	} {
		if _, _, err := Parse(strings.NewReader(c[0]), "x"); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%.40q: error %v, want %q", c[0], err, c[1])
		}
	}
}

func TestWhatIsIgnoredIsListedOnce(t *testing.T) {
	_, warnings, err := Parse(strings.NewReader(`<sdf version='1.12'><world name='w'><physics/><model name='m'>
<plugin filename='p'/><self_collide>1</self_collide><allow_auto_disable>true</allow_auto_disable>
<link name='a'><gravity>false</gravity><sensor/>
 <inertial><mass>1</mass><fluid_added_mass/></inertial>
 <collision name='k'><geometry><plane><normal>0 0 1</normal></plane></geometry></collision>
 <visual name='v'><geometry><cone/></geometry></visual></link>
<link name='b'><gravity>1</gravity><kinematic>0</kinematic></link>
<joint name='ab' type='continuous'><parent>a</parent><child>b</child><axis><limit><lower>-1</lower><effort>0</effort><stiffness>1</stiffness></limit></axis><physics/></joint>
<drake:joint name='j' type='planar'><drake:parent>a</drake:parent></drake:joint>
</model><include/></world></sdf>`), "m.sdf")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range warnings {
		got = append(got, fmt.Sprintf("%d: %s", w.Line, w.Text))
	}
	want := []string{
		`1: <sdf version="1.12"> is newer than 1.11: read as that`,
		"1: <self_collide> is ignored: write self_collision: true in the scene",
		"1: ignored: <sdf/world/physics>",
		"2: ignored: <sdf/world/model/plugin>",
		"3: ignored: <sdf/world/model/link/gravity>",
		"3: ignored: <sdf/world/model/link/sensor>",
		`4: link "a": its <inertial> has no <inertia>: moments of 1 kg m², as the format says`,
		"4: ignored: <sdf/world/model/link/inertial/fluid_added_mass>",
		`5: link "a": its <plane> is ignored: give the scene a body with a half_space`,
		"6: ignored: <sdf/world/model/link/visual/geometry/cone>",
		`7: link "b" has no <inertial>: its mass is 1 kg and its moments 1 kg m², as the format says`,
		`8: joint "ab" is continuous: its lower and upper limits are ignored`,
		`8: joint "ab": its effort limit is 0: taken as unlimited`,
		"8: ignored: <sdf/world/model/joint/axis/limit/stiffness>",
		"8: ignored: <sdf/world/model/joint/physics>",
		`9: <drake:joint> of type "planar" is not read: planar ones are two prismatic joints and a continuous one, with massless links between`,
		"10: ignored: <sdf/world/include>",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
