package mjcf

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

// model reads the inside of a <mujoco>; lines count from 1 in the line of that.
func model(t *testing.T, inside string) (*robot.Robot, []robot.Warning) {
	t.Helper()
	m, warnings, err := Parse(strings.NewReader("<mujoco>"+inside+"</mujoco>"), "m.xml", files(map[string]string{"cube.obj": cube, "sub/cube.obj": cube}))
	if err != nil {
		t.Fatal(err)
	}
	robottest.Check(t, m)
	return m, warnings
}

// one returns the robot of a file without warnings.
func one(t *testing.T, inside string) *robot.Robot {
	t.Helper()
	m, warnings := model(t, inside)
	for _, w := range warnings {
		t.Errorf("warning in line %d: %s", w.Line, w.Text)
	}
	return m
}

// world returns a model of these bodies.
func world(inside string) string { return "<worldbody>" + inside + "</worldbody>" }

const heavy = `<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>`

func near(t *testing.T, what string, got, want r3.Pose) {
	t.Helper()
	if d := got.P.Sub(want.P).Norm() + math.Sqrt(got.R.Sub(want.R).Norm2()); !(d < 1e-14) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func link(t *testing.T, m *robot.Robot, name string) *robot.Link {
	t.Helper()
	i := slices.IndexFunc(m.Links, func(l robot.Link) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("no link %q", name)
	}
	return &m.Links[i]
}

func joint(t *testing.T, m *robot.Robot, name string) *robot.Joint {
	t.Helper()
	i := slices.IndexFunc(m.Joints, func(j robot.Joint) bool { return j.Name == name })
	if i < 0 {
		t.Fatalf("no joint %q", name)
	}
	return &m.Joints[i]
}

// columns returns the rotation whose axes x, y, z point there.
func columns(x, y, z r3.Vec) r3.Mat { return r3.FromColumns(x, y, z) }

var (
	x = r3.Vec{1, 0, 0}
	y = r3.Vec{0, 1, 0}
	z = r3.Vec{0, 0, 1}
)

// By hand: intrinsic xyz of 90°, 90°, 0 first turns about x, which brings y to z,
// then about the new y, which is z: x goes to y. Of XYZ the second is about the old
// y.
func TestOrientationsAreReadInEveryForm(t *testing.T) {
	const deg, rad = `<compiler angle="degree"/>`, `<compiler angle="radian"/>`
	yaw := columns(y, x.Neg(), z)
	for _, c := range []struct {
		settings, orientation string
		want                  r3.Mat
	}{
		{"", `euler="0 0 90"`, yaw},
		{deg, `euler="0 0 450"`, yaw},
		{rad, `euler="0 0 1.5707963267948966"`, yaw},
		{deg, `axisangle="0 0 2 90"`, yaw},
		{rad, `axisangle="0 0 0.1 1.5707963267948966"`, yaw},
		{"", `quat="3 0 0 3"`, yaw},
		{"", `xyaxes="0 5 0 -1 3 0"`, yaw},
		{"", `zaxis="0 0 3"`, r3.Identity()},
		{"", `zaxis="0 0 -3"`, columns(x, y.Neg(), z.Neg())},
		{"", `zaxis="2 0 0"`, columns(z.Neg(), y, x)},
		{"", `euler="90 90 0"`, columns(y, z, x)},
		{`<compiler eulerseq="XYZ"/>`, `euler="90 90 0"`, columns(z.Neg(), x, y.Neg())},
		{`<compiler eulerseq="zyx"/>`, `euler="90 0 0"`, yaw},
		{`<compiler eulerseq="ZYX"/>`, `euler="90 90 0"`, columns(y, z, x)},
	} {
		m := one(t, c.settings+world(`<body pos="1 2 3" `+c.orientation+`/>`))
		near(t, c.settings+c.orientation, m.X_FR, r3.Pose{R: c.want, P: r3.Vec{1, 2, 3}})
	}
}

// Angles that look like those of the other unit are warned of, and ranges without effect.
func TestAnglesAndRangesAreWarnedOf(t *testing.T) {
	turning := func(range1, range2 string) string {
		return world("<body name='a'>" + heavy + "<joint range='" + range1 + "'/>\n<body name='b'>" + heavy + "<joint range='" + range2 + "'/></body></body>")
	}
	const radians = `1: hinges (2 times) reach 3.14 degrees at most: are these radians? then write <compiler angle="radian"/>, else angle="degree"`
	const loose = "1: a range limits nothing: its second number must exceed the first, and where autolimits is false limited must be true"
	for _, c := range []struct {
		text    string
		want    []string
		limited bool
	}{
		{turning("-3.1416 3.1416", "0 1.5"), []string{radians}, true},
		{turning("-3.1416 3.1416", "0 90"), nil, true},
		{`<compiler angle="degree"/>` + turning("-3 3", "0 1.5"), nil, true},
		{`<compiler angle="radian"/>` + turning("-3.1416 3.1416", "0 1.5"), nil, true},
		{`<compiler angle="radian"/>` + world("<body name='a' euler='0 6.2832 -90'>"+heavy+"</body>"), []string{"1: <body euler>: -90 is more than a turn: are these degrees? angles of the file are in radians"}, false},
		{`<compiler angle="degree"/>` + turning("90 -90", "0 0"), []string{loose}, false},
		{`<compiler autolimits="false"/>` + world("<body name='a'>"+heavy+"<joint range='-90 90'/></body>"), []string{loose}, false},
	} {
		m, warnings := model(t, c.text)
		expect(t, warnings, c.want)
		for i := range m.Joints {
			if limited := m.Joints[i].Type == robot.Revolute; limited != c.limited {
				t.Errorf("%s: joint %d is limited: %v", c.text, i, limited)
			}
		}
	}
}

// Sizes are halves; fromto gives the length, the middle and z from its second end
// to its first.
func TestSizesAreHalves(t *testing.T) {
	m := one(t, world(`<body name="a">`+heavy+
		`<geom type="box" size="1 2 3"/><geom size="4"/><geom type="capsule" size="1 2"/><geom type="cylinder" size="3 4" pos="1 0 0"/><geom type="ellipsoid" size="1 2 3"/>`+
		`<geom type="capsule" fromto="1 0 0 1 0 4" size="0.5"/><geom type="cylinder" fromto="1 0 0 5 0 0" size="0.5"/>`+
		`<geom type="box" fromto="0 4 0 0 0 0" size="0.5"/><geom type="ellipsoid" fromto="0 0 4 0 0 0" size="0.5 7 7"/></body>`))
	at := func(R r3.Mat, x, y, z float64) r3.Pose { return r3.Pose{R: R, P: r3.Vec{x, y, z}} }
	I := r3.Identity()
	want := []robot.Geometry{
		{Box: &r3.Vec{2, 4, 6}, X_LG: at(I, 0, 0, 0)}, {Sphere: 4, X_LG: at(I, 0, 0, 0)}, {Capsule: &robot.Round{Radius: 1, Length: 4}, X_LG: at(I, 0, 0, 0)},
		{Cylinder: &robot.Round{Radius: 3, Length: 8}, X_LG: at(I, 1, 0, 0)}, {Ellipsoid: &r3.Vec{1, 2, 3}, X_LG: at(I, 0, 0, 0)},
		{Capsule: &robot.Round{Radius: 0.5, Length: 4}, X_LG: at(columns(x, y.Neg(), z.Neg()), 1, 0, 2)},
		{Cylinder: &robot.Round{Radius: 0.5, Length: 4}, X_LG: at(columns(z, y, x.Neg()), 3, 0, 0)},
		{Box: &r3.Vec{1, 1, 4}, X_LG: at(columns(x, z.Neg(), y), 0, 2, 0)},
		{Ellipsoid: &r3.Vec{0.5, 0.5, 2}, X_LG: at(I, 0, 0, 2)},
	}
	got := m.Links[0].Collisions
	if len(got) != len(want) {
		t.Fatalf("%d shapes, want %d", len(got), len(want))
	}
	for i := range want {
		near(t, fmt.Sprint("shape ", i), got[i].X_LG, want[i].X_LG)
		g, w := got[i], want[i]
		g.Line, g.X_LG, g.Material, w.X_LG = 0, r3.Pose{}, robot.ContactMaterial{}, r3.Pose{}
		if a, b := describe(g), describe(w); a != b {
			t.Errorf("shape %d: %s, want %s", i, a, b)
		}
	}
}

func describe(g robot.Geometry) string {
	return fmt.Sprint(g.Box, g.Sphere, g.Cylinder, g.Capsule, g.Ellipsoid, g.Mesh)
}

// Angles are degrees unless the file says otherwise; lengths and torques are not.
func TestJointsAreReadAsWritten(t *testing.T) {
	inf := math.Inf(1)
	d := math.Pi / 180
	for _, c := range []struct {
		settings, joint string
		want            robot.Joint
	}{
		{"", `<joint/>`, robot.Joint{Type: robot.Continuous, Axis: z, Lower: -inf, Upper: inf}},
		{"", `<joint axis="0 3 0" range="-90 45" damping="1" frictionloss="2" armature="3" stiffness="4" springref="30"/>`,
			robot.Joint{Type: robot.Revolute, Axis: y, Lower: -90 * d, Upper: 45 * d, Damping: 1, Friction: 2, RotorInertia: 3, Stiffness: 4, RestPosition: 30 * d}},
		{`<compiler angle="radian"/>`, `<joint range="-1 2" ref="0.5"/>`, robot.Joint{Type: robot.Revolute, Axis: z, Lower: -1, Upper: 2, StartPosition: 0.5}},
		{"", `<joint type="slide" range="-90 45" springref="30" ref="1"/>`, robot.Joint{Type: robot.Prismatic, Axis: z, Lower: -90, Upper: 45, RestPosition: 30, StartPosition: 1}},
		{"", `<joint range="0 0"/>`, robot.Joint{Type: robot.Continuous, Axis: z, Lower: -inf, Upper: inf}},
		{"", `<joint range="-1 1" limited="false"/>`, robot.Joint{Type: robot.Continuous, Axis: z, Lower: -inf, Upper: inf}},
		{`<compiler autolimits="false"/>`, `<joint range="-90 90" limited="true"/>`, robot.Joint{Type: robot.Revolute, Axis: z, Lower: -90 * d, Upper: 90 * d}},
		{"", `<joint type="ball" damping="2"/>`, robot.Joint{Type: robot.Ball, Axis: z, Lower: -inf, Upper: inf, Damping: 2}},
	} {
		j := *joint(t, one(t, c.settings+world(`<body name="a">`+heavy+c.joint+`</body>`)), "a_joint")
		got := robot.Joint{Type: j.Type, Axis: j.Axis, Lower: j.Lower, Upper: j.Upper, Damping: j.Damping, Friction: j.Friction, RotorInertia: j.RotorInertia, Stiffness: j.Stiffness, RestPosition: j.RestPosition, StartPosition: j.StartPosition}
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.joint, got, c.want)
		}
	}
}

// Frames of joints lie at pos, with the body's axes, as it stands at ref.
func TestFramesOfJointsLieOnTheBody(t *testing.T) {
	m := one(t, world(`<body name="a" pos="1 0 0" euler="0 0 90">`+heavy+`<joint name="j" pos="0 2 0" ref="90"/>`+
		`<frame pos="0 0 1" euler="0 90 0"><body name="b" pos="3 0 0">`+heavy+`<joint name="k" type="slide" ref="2"/><frame pos="0 0 5"><joint name="l" pos="1 0 0"/></frame></body></frame></body>`))
	j := joint(t, m, "j")
	near(t, "X_PF of j: at (1, 0, 0) and 2 m along its y, turned back by 90°", j.X_PF, r3.Pose{R: r3.Identity(), P: r3.Vec{-1, 0, 0}})
	near(t, "X_CM of j", j.X_CM, r3.Pose{R: r3.Identity(), P: r3.Vec{0, 2, 0}})
	if m.Links[j.Parent].Name != "world" || m.Root != j.Parent {
		t.Errorf("j hangs on %q", m.Links[j.Parent].Name)
	}
	k, l := joint(t, m, "k"), joint(t, m, "l")
	pitch := columns(z.Neg(), y, x)
	near(t, "X_PF of k: 3 m along the frame's x, which is −z, less 2 m along its z, which is x", k.X_PF, r3.Pose{R: pitch, P: r3.Vec{-2, 0, -2}})
	near(t, "X_PF of l", l.X_PF, r3.Pose{R: r3.Identity(), P: r3.Vec{1, 0, 5}})
	between := &m.Links[k.Child]
	if l.Parent != k.Child || m.Links[l.Child].Name != "b" || between.Name != "b_1" || between.Inertial != nil {
		t.Errorf("%+v, %+v", k, l)
	}
}

// Ropes nest as deep as they have bodies.
func TestLongRopesAreRead(t *testing.T) {
	const n = 500
	text := "<mujoco><worldbody>" + strings.Repeat("<body pos='0 0 0.1'><joint/><geom size='0.05'/>", n) + strings.Repeat("</body>", n) + "</worldbody></mujoco>"
	m, _, err := Parse(strings.NewReader(text), "rope.xml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Joints) != n || m.Joints[n-1].Parent != n-1 {
		t.Errorf("%d joints, the last on link %d", len(m.Joints), m.Joints[len(m.Joints)-1].Parent)
	}
}

// Defaults nest; childclass applies to a body and all in it, class for one element;
// the main class for the rest. What an element says counts first, size by size.
func TestClassesNest(t *testing.T) {
	m := one(t, `<default><geom size="1 1 1" friction="0.9"/><joint damping="1"/>
<default class="c"><geom type="box" size="2 2 2" euler="0 0 90"/><joint damping="2" armature="2"/>
<default class="d"><geom size="3" quat="1 0 0 0" rgba="1 0 0 1"/></default></default></default>`+
		world(`<body name="a">`+heavy+`<joint name="ja"/><geom/><body name="b" childclass="c">`+heavy+`<joint name="jb" damping="3"/><geom/><geom class="d" friction="0.1 0.2 0.3"/><geom class="main"/>
<body name="e">`+heavy+`<joint class="d" name="je"/><geom/><frame childclass="d"><geom euler="0 90 0"/></frame></body></body></body>`))
	for _, c := range []struct {
		link  string
		i     int
		size  string
		color string
		mu    float64
		X     r3.Mat
	}{
		{"a", 0, "<nil> 1 <nil> <nil> <nil> <nil>", "", 0.9, r3.Identity()},
		{"b", 0, "&[4 4 4] 0 <nil> <nil> <nil> <nil>", "", 0.9, columns(y, x.Neg(), z)},
		{"b", 1, "&[6 4 4] 0 <nil> <nil> <nil> <nil>", "#ff0000", 0.1, r3.Identity()},
		{"b", 2, "<nil> 1 <nil> <nil> <nil> <nil>", "", 0.9, r3.Identity()},
		{"e", 0, "&[4 4 4] 0 <nil> <nil> <nil> <nil>", "", 0.9, columns(y, x.Neg(), z)},
		{"e", 1, "&[6 4 4] 0 <nil> <nil> <nil> <nil>", "#ff0000", 0.9, columns(z.Neg(), y, x)},
	} {
		g := link(t, m, c.link).Collisions[c.i]
		if got := describe(g); got != c.size || g.Color != c.color || *g.Material.Friction != c.mu || *g.Material.StaticFriction != c.mu {
			t.Errorf("shape %d of %s: %s %q %g, want %s %q %g", c.i, c.link, got, g.Color, *g.Material.Friction, c.size, c.color, c.mu)
		}
		near(t, fmt.Sprintf("shape %d of %s", c.i, c.link), r3.Pose{R: g.X_LG.R}, r3.Pose{R: c.X})
	}
	for name, want := range map[string][2]float64{"ja": {1, 0}, "jb": {3, 2}, "je": {2, 2}} {
		if j := joint(t, m, name); j.Damping != want[0] || j.RotorInertia != want[1] {
			t.Errorf("%s: damping %g, armature %g, want %g", name, j.Damping, j.RotorInertia, want)
		}
	}
}

// Shapes of masks 0 are only seen. What collides is seen too, beside those, in the
// groups 0 to 2; what is clear is not.
func TestMasksSayWhatIsOnlySeen(t *testing.T) {
	m := one(t, `<asset><material name="m" rgba="0 1 0 1"/><material name="glass" rgba="0 1 0 0"/></asset>`+world(`<body name="a">`+heavy+
		`<geom size="5" contype="0" conaffinity="0" rgba="1 0 0 0"/><geom size="6" material="glass"/>`+
		`<geom size="1" contype="0" conaffinity="0" material="m"/><geom size="2" contype="0"/><geom size="3" group="3"/><geom size="4" material="m" rgba="0 0 1 1"/></body>`))
	l := m.Links[0]
	radii := func(s []robot.Geometry) (r []float64) {
		for _, g := range s {
			r = append(r, g.Sphere)
		}
		return r
	}
	if v, c := radii(l.Visuals), radii(l.Collisions); !slices.Equal(v, []float64{1, 2, 4}) || !slices.Equal(c, []float64{6, 2, 3, 4}) {
		t.Errorf("seen %v, touched %v", v, c)
	}
	if l.Visuals[0].Color != "#00ff00" || l.Visuals[2].Color != "#0000ff" || l.Visuals[1].Color != "" {
		t.Errorf("colours %q %q %q", l.Visuals[0].Color, l.Visuals[1].Color, l.Visuals[2].Color)
	}
}

// A chain of bodies: those fixed together are one, parents and children do not
// touch, but for those of the world; masks and <exclude> keep apart further.
func TestPairsThatDoNotTouch(t *testing.T) {
	body := func(name, joint, masks, inside string) string {
		return `<body name="` + name + `">` + heavy + joint + `<geom size="1" ` + masks + `/>` + inside + `</body>`
	}
	const hinge = "<joint/>"
	m, _ := model(t, world(`<geom type="box" size="1 1 1"/>`+
		body("fixed", "", "", body("a", hinge, "", body("plate", "", "", body("b", hinge, "", ""))+body("c", hinge, "", "")))+
		body("p", hinge, `contype="2" conaffinity="2"`, body("q", hinge, "", body("r", hinge, `contype="2" conaffinity="1"`, "")))+
		body("lone", hinge, `contype="8" conaffinity="8"`, ""))+
		`<contact><exclude body1="r" body2="a"/><exclude name="x" body1="world" body2="b"/></contact>`)
	var got []string
	for _, p := range m.ExcludedPairs {
		if a, b := m.Links[p[0]].Name, m.Links[p[1]].Name; b != "lone" {
			got = append(got, a+" "+b)
		}
	}
	want := []string{
		"world b",                                                   // excluded
		"world p", "fixed p", "a p", "plate p", "b p", "c p", "p q", // p has masks of its own
		"a b", "a c", "plate b", "plate c", // a and its plate are one, which is no pair; b and c hang on it
		"a r", // excluded
		"q r", // parent and child
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("apart: %q\nwant: %q", got, want)
	}
	if n := len(m.ExcludedPairs) - len(got); n != len(m.Links)-1 {
		t.Errorf("lone is kept apart from %d links of %d", n, len(m.Links)-1)
	}
}

// A joint that follows keeps its distance from where both stand in the file.
func TestEqualitiesBecomeMimics(t *testing.T) {
	m, warnings := model(t, `<compiler angle="radian"/>`+world(`<body name="a">`+heavy+`<joint name="i" ref="1"/><body name="b">`+heavy+`<joint name="j" ref="2"/><body name="c">`+heavy+`<joint name="k"/></body></body></body>`)+
		`<equality><joint joint1="j" joint2="i" polycoef="0.5 3"/><joint joint1="k" joint2="i" polycoef="0 1 1"/><joint joint1="k"/><joint joint1="k" joint2="j" active="false"/>
<connect body1="a" body2="c" anchor="1 2 3"/><weld body1="a"/><connect site1="s" site2="t"/><tendon/></equality>`)
	// q_j − 2 = 0.5 + 3 (q_i − 1)
	if got := joint(t, m, "j").Mimic; got == nil || *got != (robot.Mimic{Joint: 0, Multiplier: 3, Offset: -0.5}) {
		t.Errorf("j mimics %+v", got)
	}
	if joint(t, m, "k").Mimic != nil {
		t.Error("k mimics")
	}
	// k alone is fixed where the file puts it
	if c := m.Couplings; len(c) != 1 || c[0].Joints[0] != 2 || c[0].Lower != 0 || c[0].Upper != 0 {
		t.Errorf("couplings %+v", c)
	}
	expect(t, warnings, []string{
		`1: ignored: <equality/joint> of joints "k" and "i": joints follow others along a line here, and polycoef has higher powers`,
		`2: ignored: <equality/connect> of sites: close the loop with a ball among the constraints of the scene`,
		`2: ignored: <equality/tendon> of tendons "" and "", of which one is not fixed`,
	})
}

func expect(t *testing.T, warnings []robot.Warning, want []string) {
	t.Helper()
	var got []string
	for _, w := range warnings {
		got = append(got, fmt.Sprintf("%d: %s", w.Line, w.Text))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Limits of force act through gears; several motors of a joint add up.
func TestActuatorsLimitEffort(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		joint, motors string
		want          float64
	}{
		{"", `<motor joint="j"/>`, inf},
		{"", `<motor joint="j" ctrlrange="-1 2" gear="10 0 0"/>`, 20},
		{"", `<motor joint="j" ctrlrange="-1 2" gear="-10" forcerange="-1.5 1"/>`, 15},
		{"", `<motor joint="j" ctrlrange="-1 1" ctrllimited="false"/>`, inf},
		{"", `<position joint="j" ctrlrange="-1 1" forcerange="-3 3" kp="100"/>`, 3},
		{"", `<position joint="j" ctrlrange="-1 1"/>`, inf},
		{"", `<motor joint="j" ctrlrange="-1 1"/><general jointinparent="j" forcerange="0 2"/>`, 3},
		{"", `<motor joint="j" ctrlrange="-1 1"/><velocity joint="j"/>`, inf},
		{`actuatorfrcrange="-5 4"`, `<motor joint="j" ctrlrange="-9 9"/>`, 5},
		{`actuatorfrcrange="-5 4"`, `<motor joint="j" ctrlrange="-2 2"/>`, 2},
		{`actuatorfrcrange="-5 4"`, ``, 5},
	} {
		m, _ := model(t, world(`<body name="a">`+heavy+`<joint name="j" `+c.joint+`/></body>`)+"<actuator>"+c.motors+"</actuator>")
		if got := m.Joints[0].EffortLimit; got != c.want {
			t.Errorf("%s %s: effort %g, want %g", c.joint, c.motors, got, c.want)
		}
	}
}

// Motors of a base that floats push it from nowhere: they are left to the scene.
func TestActuatorsOfFreeJointsAreNoFault(t *testing.T) {
	for _, ground := range []string{"", `<geom type="box" size="1 1 1"/>`} {
		m, warnings := model(t, world(ground+`<body name="a">`+heavy+`<joint name="root" type="free"/></body>`)+`<actuator><motor joint="root" gear="0 0 1 0 0 0" ctrlrange="-1 1"/></actuator>`)
		if m.Floating != (ground == "") || len(m.Joints) != len(m.Links)-1 || !strings.Contains(warnings[len(warnings)-1].Text, "of a joint with several degrees of freedom") {
			t.Errorf("%+v, %v", m, warnings)
		}
	}
}

func TestWhatIsIgnoredIsListedOnce(t *testing.T) {
	m, warnings := model(t, `<size njmax="1"/><visual><map/></visual><option timestep="1" gravity="0 0 -1"/>
<default><geom margin="1"/><site size="1"/><default class="c"><geom margin="2" solref="1 1"/></default></default>
<asset><texture name="t"/><texture name="u"/><hfield/><material name="m" texture="t"/></asset>
<worldbody><light/><camera/><geom type="plane" size="1 1 1"/><geom type="plane" size="1 1 1"/><geom type="hfield" hfield="h"/>
<body name="a" gravcomp="1">`+heavy+`<camera/><site/><geom size="1" margin="3" gap="1" condim="1" solimp="1 1 1"/><joint solreflimit="1 1"/>
<frame><site/><body name="b">`+heavy+`<site/><light/><geom size="1" gap="2" condim="3"/><joint type="ball" range="0 1" stiffness="1"/></body></frame></body></worldbody>
<contact><pair geom1="a" geom2="b"/></contact>
<tendon><spatial/></tendon><sensor><touch/><touch/></sensor><keyframe><key/></keyframe><custom/>
<actuator><motor joint="a_joint" kp="2"/><motor joint="a_joint"/><position tendon="t"/><muscle tendon="t"/></actuator>`)
	if m.Gravity == nil || *m.Gravity != (r3.Vec{0, 0, -1}) {
		t.Errorf("gravity %v", m.Gravity)
	}
	for _, l := range m.Links {
		if c := l.WeightCompensation; (c == 1) != (l.Name == "a") || (c == 0) != (l.Name != "a") {
			t.Errorf("link %s has the weight compensation %g", l.Name, c)
		}
	}
	expect(t, warnings, []string{
		"1: ignored: <mujoco/size>",
		"1: ignored: <mujoco/visual>",
		"1: ignored: attribute timestep of <mujoco/option>",
		"2: ignored: solref and solimp (3 times): they soften MuJoCo's constraints and have no exact twin in physics: give stiffness and dissipation to materials of the scene",
		"2: ignored: attribute margin of <mujoco/geom> (3 times)",
		"2: ignored: <mujoco/site> (4 times)",
		`3: ignored: <hfield name="">: it has 0 × 0 points: 2 × 2 to 524288 are required`,
		"3: ignored: <mujoco/asset/texture> (2 times)",
		`4: ignored: a <geom> of type hfield: there is no height field "h" that can be read`,
		"4: ignored: a <geom> of type plane (2 times): give the scene a body with a half_space",
		"4: ignored: <mujoco/light> (2 times)",
		"4: ignored: <mujoco/camera> (2 times)",
		"5: ignored: condim other than 3: friction is against sliding and nothing else: what has none, condim 1, wants a material of the scene",
		"5: ignored: attribute gap of <mujoco/geom> (2 times)",
		`6: joint "b_joint" is a ball: its range is ignored: where it matters, write three hinges`,
		`6: joint "b_joint" is a ball: its stiffness is ignored: where it matters, write three hinges`,
		"7: ignored: <mujoco/contact/pair>",
		"8: ignored: <tendon/spatial>, and what acts on it",
		"8: ignored: <mujoco/sensor>",
		"8: ignored: <mujoco/custom>",
		"9: ignored: <mujoco/actuator/position> that pulls at no joint and no fixed tendon",
		"9: ignored: <mujoco/actuator/muscle> that pulls at no joint and no fixed tendon",
	})
}
