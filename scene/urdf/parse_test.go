package urdf

import (
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// arm reads testdata/arm.urdf.
func arm(t *testing.T) *robot.Robot {
	t.Helper()
	f, err := os.Open("testdata/arm.urdf")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, warnings, err := Parse(f, "arm.urdf")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range warnings {
		t.Errorf("warning in line %d: %s", w.Line, w.Text)
	}
	return r
}

func joint(t *testing.T, r *robot.Robot, name string) *robot.Joint {
	t.Helper()
	i := slices.IndexFunc(r.Joints, func(j robot.Joint) bool { return j.Name == name })
	if i < 0 {
		t.Fatalf("no joint %q", name)
	}
	return &r.Joints[i]
}

func TestInertiaIsTurnedIntoTheLinksAxes(t *testing.T) {
	r := arm(t)
	in := r.Links[1].Inertial
	// about z by 90°: x' = y, y' = −x
	want := r3.Mat{2, -0.1, -0.3, -0.1, 1, 0.2, -0.3, 0.2, 2.5}
	if in.Mass != 2 || in.Com != (r3.Vec{0, 0, 0.1}) || in.Inertia.Sub(want).Norm2() > 1e-28 {
		t.Errorf("got %+v, want the inertia %v", in, want)
	}
}

func TestJointsAreReadAsWritten(t *testing.T) {
	r := arm(t)
	inf := math.Inf(1)
	s := joint(t, r, "shoulder")
	if r.Links[s.Parent].Name != "base" || r.Links[s.Child].Name != "upper" {
		t.Errorf("shoulder connects %q to %q", r.Links[s.Parent].Name, r.Links[s.Child].Name)
	}
	if s.Type != robot.Revolute || s.Lower != -2.5 || s.Upper != 2.5 || s.EffortLimit != 87 || s.VelocityLimit != 2.175 || s.Damping != 0.7 || s.Friction != 0.2 {
		t.Errorf("shoulder: %+v", s)
	}
	if math.Abs(s.RotorInertia-0.6) > 1e-15 {
		t.Errorf("the shoulder feels a rotor of %g, want 100²·6e-5", s.RotorInertia)
	}
	if d := s.X_PF.R.MulVec(r3.Vec{0, 1, 0}).Sub(r3.Vec{0, 0, -1}); s.X_PF.P != (r3.Vec{0, 0, 0.333}) || d.Norm() > 1e-15 {
		t.Errorf("shoulder's origin: %v", s.X_PF)
	}
	left, right := joint(t, r, "slide left"), joint(t, r, "slide right")
	if left.Axis != (r3.Vec{0, 1, 0}) || right.Axis != (r3.Vec{0, -1, 0}) {
		t.Errorf("axes %v and %v are not unit vectors", left.Axis, right.Axis)
	}
	if m := right.Mimic; m == nil || r.Joints[m.Joint].Name != "slide left" || m.Multiplier != -1 || m.Offset != 0.01 {
		t.Errorf("mimic: %+v", m)
	}
	if j := joint(t, r, "roll"); j.Axis != (r3.Vec{1, 0, 0}) || j.Lower != -inf || j.Upper != inf || j.EffortLimit != inf || j.VelocityLimit != inf {
		t.Errorf("defaults of a joint: %+v", j)
	}
	if j := joint(t, r, "thread"); j.Type != robot.Screw || j.Pitch != 0.002 {
		t.Errorf("thread: %+v", j)
	}
}

func TestShapesAreReadAsWritten(t *testing.T) {
	r := arm(t)
	b := &r.Links[0]
	if g := b.Visuals[0]; *g.Box != (r3.Vec{0.2, 0.3, 0.1}) || g.Color != "#808080" {
		t.Errorf("plate: %+v", g)
	}
	if s := b.Collisions[0].Material; !math.IsNaN(s.Stiffness) || !math.IsNaN(s.Friction) {
		t.Errorf("a surface without properties: %+v, want NaN", s)
	}
	u := &r.Links[1]
	if len(u.Visuals) != 2 || len(u.Collisions) != 3 {
		t.Fatalf("%d visuals and %d collisions, want two and three", len(u.Visuals), len(u.Collisions))
	}
	if g := u.Visuals[0]; g.Mesh.File != "package://arm/upper.stl" || g.Mesh.Scale != (r3.Vec{0.001, 0.001, -0.001}) || g.Color != "#ff8000" {
		t.Errorf("mesh: %+v %+v", g, g.Mesh)
	}
	if g := u.Visuals[1]; g.Sphere != 0.01 || g.Color != "#ff8000" {
		t.Errorf("sphere: %+v", g)
	}
	if g := u.Collisions[0]; *g.Cylinder != (robot.Round{Radius: 0.02, Length: 0.2}) || g.Material != (robot.ContactMaterial{
		Stiffness: 1e6, Dissipation: 1.5, RelaxationTime: 0.1, StaticFriction: 0.9, Friction: 0.8,
		HydroelasticModulus: 1e7, ResolutionHint: 0.01,
	}) {
		t.Errorf("cylinder: %+v", g)
	}
	if g := u.Collisions[2]; *g.Ellipsoid != (r3.Vec{0.01, 0.02, 0.03}) {
		t.Errorf("ellipsoid: %+v", g)
	}
	if g := u.Collisions[1]; *g.Capsule != (robot.Round{Radius: 0.02, Length: 0.1}) {
		t.Errorf("capsule: %+v", g)
	}
}

func TestOrderPutsParentsFirst(t *testing.T) {
	r := arm(t)
	if r.Links[r.Root].Name != "base" {
		t.Errorf("root %q", r.Links[r.Root].Name)
	}
	robottest.CheckOrder(t, r)
}

const (
	body  = `<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>`
	links = "<link name='a'>" + body + "</link>\n<link name='b'>" + body + "</link>\n<link name='c'>" + body + "</link>\n"
)

// turns returns a joint between two links, in a line of its own.
func turns(name, parent, child, inside string) string {
	return "<joint name='" + name + "' type='revolute'><parent link='" + parent + "'/><child link='" + child + "'/><limit lower='-1' upper='1'/>" + inside + "</joint>\n"
}

func TestFaultsNameLineAndCure(t *testing.T) {
	abc := turns("ab", "a", "b", "") + turns("bc", "b", "c", "")
	shape := func(s string) string {
		return "<link name='a'>\n<collision><geometry>" + s + "</geometry></collision></link>"
	}
	for _, c := range []struct {
		name, inside string
		line         int
		want         string
	}{
		{"two parents", links + abc + turns("ac", "a", "c", ""), 7, `two joints, "bc" and "ac", a loop: robots are trees; close loops with constraints`},
		{"circle with a root", links + turns("bc", "b", "c", "") + turns("cb", "c", "b", ""), 5, `which hangs on it, a loop`},
		{"circle without a root", links + abc + turns("ca", "c", "a", ""), 7, "a loop"},
		{"joint to itself", "<link name='a'/>\n" + turns("aa", "a", "a", ""), 3, "a loop"},
		{"two roots", links + turns("ab", "a", "b", ""), 4, `links "a" and "c" both have no parent: connect them with a joint`},
		{"no links", "", 1, "no links"},
		{"missing parent", links + turns("j", "d", "b", ""), 5, `joint "j": there is no link "d"`},
		{"missing child", links + turns("j", "a", "d", ""), 5, `joint "j": there is no link "d"`},
		{"no child", links + "<joint name='j' type='fixed'><parent link='a'/></joint>", 5, `joint "j" has no <child link=…>`},
		{"same link twice", links + "<link name='b'/>", 5, `a second link is called "b" (the first is in line 3)`},
		{"same joint twice", links + turns("j", "a", "b", "") + turns("j", "b", "c", ""), 6, `a second joint is called "j" (the first is in line 5)`},
		{"link without a name", "<link/>", 2, "<link> has no name"},
		{"unknown type", links + strings.Replace(abc, "revolute", "hinge", 1), 5, `type "hinge": fixed, revolute`},
		{"planar", links + strings.Replace(abc, "revolute", "planar", 1), 5, "write two prismatic joints and a continuous one"},
		{"zero axis", links + turns("j", "a", "b", "\n<axis xyz='0 0 0'/>"), 6, `joint "j": its axis is zero: give a direction`},
		{"axis without end", links + turns("j", "a", "b", "<axis xyz='1e200 0 0'/>"), 5, `joint "j": its axis is too long: give a direction`},
		{"filter of no link", links + abc + "<drake:collision_filter_group name='g'>\n<drake:member link='x'/></drake:collision_filter_group>", 8, `"g": there is no link "x"`},
		{"filter of no group", links + abc + "<drake:collision_filter_group name='g'>\n<drake:ignored_collision_filter_group name='h'/></drake:collision_filter_group>", 8, `"g": there is no group "h"`},
		{"same filter twice", links + abc + "<drake:collision_filter_group name='g'/>\n<drake:collision_filter_group name='g'/>", 8, `is called "g": names must differ`},
		{"filter without a name", links + abc + "<drake:collision_filter_group/>", 7, "has no name"},
		{"crossed limits", links + turns("j", "a", "b", "")[:len(turns("j", "a", "b", ""))-len("<limit lower='-1' upper='1'/></joint>\n")] + "<limit lower='2' upper='1'/></joint>", 5, "lower limit 2 exceeds the upper 1"},
		{"negative effort", links + "<joint name='j' type='continuous'><parent link='a'/><child link='b'/><limit effort='-1'/></joint>", 5, "effort limit -1 must not be negative"},
		{"negative damping", links + turns("j", "a", "b", "<dynamics damping='-1'/>"), 5, "must not be negative"},
		{"screw without pitch", links + strings.Replace(abc, "revolute", "screw", 1), 5, "drake:screw_thread_pitch"},
		{"mimic of nobody", links + turns("j", "a", "b", "\n<mimic joint='k'/>"), 6, `mimics "k": name another joint`},
		{"mimic of itself", links + turns("j", "a", "b", "<mimic joint='j'/>"), 5, "name another joint"},
		{"mimics in a circle", links + turns("j", "a", "b", "<mimic joint='k'/>") + turns("k", "b", "c", "<mimic joint='j'/>"), 6, "in a circle"},
		{"mimic of a fixed joint", links + turns("j", "a", "b", "<mimic joint='k'/>") + "<joint name='k' type='fixed'><parent link='b'/><child link='c'/></joint>", 5, `mimics "k", which is fixed and has no single position: make "j" fixed too`},
		{"motor of no joint", links + abc + "<transmission><joint name='x'/></transmission>", 7, `there is no joint "x"`},
		{"huge gear", links + abc + "<transmission><joint name='ab'/><actuator><drake:rotor_inertia value='1'/><drake:gear_ratio value='1e200'/></actuator></transmission>", 7, "gear ratio 1e+200 is too large"},
		{"negative rotor", links + abc + "<transmission><joint name='ab'/><actuator><drake:rotor_inertia value='-1'/></actuator></transmission>", 7, "rotor inertia -1"},
		{"negative mass", "<link name='a'><inertial>\n<mass value='-2'/></inertial></link>", 3, `link "a": its mass is -2 kg: it must not be negative`},
		{"no mass", "<link name='a'><inertial/></link>", 2, "has no <mass>"},
		{"no ixx", "<link name='a'><inertial><mass value='1'/>\n<inertia iyy='1' izz='1'/></inertial></link>", 3, "<inertia> has no ixx"},
		{"not a number", "<link name='a'><inertial><mass value='2,5'/></inertial></link>", 2, `<mass value="2,5">: not a number: write such as`},
		{"NaN", "<link name='a'><inertial><mass value='nan'/></inertial></link>", 2, "a finite number is wanted"},
		{"too large a number", "<link name='a'><inertial><mass value='1e999'/></inertial></link>", 2, "a finite number is wanted"},
		{"two numbers", "<link name='a'><visual><origin xyz='1 2'/><geometry><sphere radius='1'/></geometry></visual></link>", 2, "three numbers are wanted"},
		{"no geometry", "<link name='a'><visual/></link>", 2, "<visual> has no <geometry>"},
		{"no shape", shape(""), 3, "exactly one of box"},
		{"two shapes", shape("<sphere radius='1'/><box size='1 1 1'/>"), 3, "exactly one of box"},
		{"two spheres", shape("<sphere radius='1'/><sphere radius='1'/>"), 3, "a second <sphere>"},
		{"flat box", shape("<box size='1 0 1'/>"), 3, "three positive numbers"},
		{"box without size", shape("<box/>"), 3, "three positive numbers"},
		{"no radius", shape("<sphere/>"), 3, "<sphere> has no radius"},
		{"negative length", shape("<cylinder radius='1' length='-1'/>"), 3, "a positive number is wanted"},
		{"ellipsoid without c", shape("<drake:ellipsoid a='1' b='1'/>"), 3, "<drake:ellipsoid> has no c"},
		{"mesh without file", shape("<mesh/>"), 3, "<mesh> has no filename"},
		{"mesh scaled flat", shape("<mesh filename='x.obj' scale='1 1 0'/>"), 3, "flattens the mesh"},
		{"unknown collision shape", shape("<cone radius='1' length='1'/>"), 3, "is not supported: use box"},
		{"negative friction", "<link name='a'><collision><geometry><sphere radius='1'/></geometry>\n<drake:proximity_properties><drake:mu_dynamic value='-1'/></drake:proximity_properties></collision></link>", 3, "-1 must not be negative"},
		{"xacro macro", links + "<xacro:macro name='leg'/>", 5, "run xacro on it first"},
		{"xacro property", links + turns("j", "${prefix}a", "b", ""), 5, "run xacro on it first"},
		{"xacro argument", "<link name='$(arg name)'/>", 2, "run xacro on it first"},
		{"unclosed", "<link name='a'>", 2, "not well-formed XML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Parse(strings.NewReader("<robot name='r'>\n"+c.inside+"</robot>"), "r.urdf")
			var e *robot.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want one with a line", err)
			}
			if e.Line != c.line || !strings.Contains(e.Msg, c.want) {
				t.Errorf("%v, want line %d and %q", err, c.line, c.want)
			}
			if !strings.HasPrefix(err.Error(), "r.urdf:") {
				t.Errorf("%v does not name the file", err)
			}
		})
	}
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

func TestEncodingsOfOldExportersAreRead(t *testing.T) {
	for _, text := range []string{
		"<?xml version='1.0' encoding='ISO-8859-1'?><robot name='\xfc'><link name='\xe4'/></robot>",
		"\ufeff<?xml version='1.0' encoding='utf-8'?><robot name='ü'><link name='ä'/></robot>",
	} {
		r, _, err := Parse(strings.NewReader(text), "x")
		if err != nil || r.Name != "ü" || r.Links[0].Name != "ä" {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

func TestWhatIsIgnoredIsListedOnce(t *testing.T) {
	in := `<robot name='r'>
<link name='a' type='heavy'><visual><geometry><cone radius='1' length='1'/></geometry></visual></link>
<link name='b'><inertial><mass value='1'/></inertial></link>
<link name='c'><inertial><mass value='1'/></inertial></link>
<joint name='ab' type='revolute'><parent link='a'/><child link='b'/>
 <safety_controller k_velocity='1'/><calibration rising='0'/></joint>
<joint name='bc' type='continuous'><parent link='b'/><child link='c'/>
 <limit lower='-1' upper='1' effort='0' drake:acceleration='3'/><safety_controller/></joint>
<gazebo reference='a'><material/></gazebo>
<link name='d'><visual><origin rpy='90 0 0'/><geometry><sphere radius='1'/></geometry></visual></link>
<joint name='cd' type='fixed'><parent link='c'/><child link='d'/><mimic joint='ab'/></joint>
</robot>`
	_, warnings, err := Parse(strings.NewReader(in), "r.urdf")
	if err != nil {
		t.Fatal(err)
	}
	want := []robot.Warning{
		{Line: 2, Text: "ignored: attribute type of <robot/link>"},
		{Line: 2, Text: "ignored: <robot/link/visual/geometry/cone>"},
		{Line: 3, Text: `link "b" has a mass but no <inertia>: taken as a point mass`},
		{Line: 4, Text: `link "c" has a mass but no <inertia>: taken as a point mass`},
		{Line: 5, Text: `joint "ab" has no <limit>: taken as unlimited`},
		{Line: 6, Text: "ignored: <robot/joint/safety_controller> (2 times)"},
		{Line: 6, Text: "ignored: <robot/joint/calibration>"},
		{Line: 8, Text: `joint "bc" is continuous: its lower and upper limits are ignored`},
		{Line: 8, Text: `joint "bc": its effort limit is 0: taken as unlimited`},
		{Line: 8, Text: "ignored: attribute drake:acceleration of <robot/joint/limit>"},
		{Line: 9, Text: "ignored: <robot/gazebo>"},
		{Line: 10, Text: "<origin rpy>: 90 is more than a turn: are these degrees? rpy is in radians"},
		{Line: 11, Text: `joint "cd" is fixed: its <mimic> is ignored`},
	}
	if !slices.Equal(warnings, want) {
		t.Errorf("got\n%v\nwant\n%v", warnings, want)
	}
}

// The links of a group stay apart from those of the groups it ignores.
func TestFiltersKeepLinksApart(t *testing.T) {
	in := "<robot>" + links + turns("ab", "a", "b", "") + turns("bc", "b", "c", "") + `
<drake:collision_filter_group name='two'><drake:member link='c'/><drake:ignored_collision_filter_group name='one'/></drake:collision_filter_group>
<drake:collision_filter_group name='one'><drake:member link='b'/><drake:member link='a'/>
 <drake:ignored_collision_filter_group name='one'/><drake:ignored_collision_filter_group name='two'/></drake:collision_filter_group></robot>`
	r, warnings, err := Parse(strings.NewReader(in), "r.urdf")
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if want := [][2]int{{0, 1}, {0, 2}, {1, 2}}; !slices.Equal(r.ExcludedPairs, want) {
		t.Errorf("got %v, want %v", r.ExcludedPairs, want)
	}
}

// A short file cannot ask for a long list.
func TestFiltersOfTooManyPairsAreRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString("<robot name='r'><link name='a'/><drake:collision_filter_group name='g'>")
	for range 800 {
		b.WriteString("<drake:member link='a'/>")
	}
	b.WriteString("<drake:ignored_collision_filter_group name='g'/></drake:collision_filter_group></robot>")
	if _, _, err := Parse(strings.NewReader(b.String()), "x"); err == nil || !strings.Contains(err.Error(), "too many pairs") {
		t.Errorf("error %v, want one of too many pairs", err)
	}
}

// Robots of many thousand links, chained or in circles, are judged in a moment.
func TestLongChainsEnd(t *testing.T) {
	const n = 20000
	var b strings.Builder
	b.WriteString("<robot name='r'>")
	name := strconv.Itoa
	for i := range n {
		b.WriteString("<link name='" + name(i) + "'/>")
	}
	for i := range n - 1 {
		b.WriteString("<joint name='" + name(i) + "' type='continuous'><parent link='" + name(i) + "'/><child link='" + name(i+1) + "'/><mimic joint='" + name((i+1)%(n-1)) + "'/></joint>")
	}
	b.WriteString("</robot>")
	if _, _, err := Parse(strings.NewReader(b.String()), "x"); err == nil || !strings.Contains(err.Error(), "circle") {
		t.Errorf("error %.200v, want one of a circle", err)
	}
}
