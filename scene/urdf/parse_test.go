package urdf

import (
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
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
	if s := b.Collisions[0].Material; s != (robot.ContactMaterial{}) {
		t.Errorf("a surface without properties: %+v, want none", s)
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
	if g := u.Collisions[0]; *g.Cylinder != (robot.Round{Radius: 0.02, Length: 0.2}) || !reflect.DeepEqual(g.Material, robot.ContactMaterial{
		GivenParameters: constraints.GivenParameters{Stiffness: new(1e6), Dissipation: new(1.5), RelaxationTime: new(0.1), HydroelasticModulus: new(1e7)},
		StaticFriction:  new(0.9), Friction: new(0.8), ResolutionHint: new(0.01),
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
<link name='b'><inertial><origin xyz='0 1 0'/><mass value='1'/></inertial></link>
<link name='c'><inertial><origin xyz='0 1 0'/><mass value='1'/></inertial></link>
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
	if _, _, err := Parse(strings.NewReader(b.String()), "x"); err == nil || !strings.Contains(err.Error(), "in a cycle") {
		t.Errorf("error %.200v, want one of a cycle", err)
	}
}
