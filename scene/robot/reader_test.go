package robot_test

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
)

// firstFault returns the error of reading one value from the element in text, or an
// empty text.
func firstFault(t *testing.T, text string, read func(r *robot.Reader, e *robot.Element)) string {
	t.Helper()
	r := &robot.Reader{File: "f"}
	read(r, elements(t, text))
	if r.Err == nil {
		return ""
	}
	return r.Err.Error()
}

func TestValuesAreReadAndFaultsSayHowToCorrect(t *testing.T) {
	var x float64
	var v r3.Vec
	number := func(r *robot.Reader, e *robot.Element) { x = r.Number(e, "a", 7) }
	vec := func(r *robot.Reader, e *robot.Element) { v = r.Vec(e, "a", r3.Vec{7, 8, 9}) }
	child := func(r *robot.Reader, e *robot.Element) { x = r.ChildValue(e, "c", 7) }
	for _, c := range []struct {
		text  string
		read  func(r *robot.Reader, e *robot.Element)
		fault string
		x     float64
		v     r3.Vec
	}{
		{"<e a=' 2.5e-1 '/>", number, "", 0.25, r3.Vec{}},
		{"<e/>", number, "", 7, r3.Vec{}},
		{"<e a='2,5'/>", number, `f:1: <e a="2,5">: not a number: write such as 0.05 or 5e-2`, 0, r3.Vec{}},
		{"<e a='nan'/>", number, "a finite number is required", 0, r3.Vec{}},
		{"<e a='-inf'/>", number, "a finite number is required", 0, r3.Vec{}},
		{"<e a='1e999'/>", number, "a finite number is required", 0, r3.Vec{}},
		{"<e a='1e-999'/>", number, "", 0, r3.Vec{}},
		{"<e a='1 2\n3'/>", vec, "", 0, r3.Vec{1, 2, 3}},
		{"<e/>", vec, "", 0, r3.Vec{7, 8, 9}},
		{"<e a='1 2'/>", vec, "three numbers are required", 0, r3.Vec{7, 8, 9}},
		{"<e a='1 2 x'/>", vec, "not a number", 0, r3.Vec{1, 2, 0}},
		{"<e><c value='3'/></e>", child, "", 3, r3.Vec{}},
		{"<e/>", child, "", 7, r3.Vec{}},
		{"<e>\n<c/></e>", child, "f:2: <c> has no value", 7, r3.Vec{}},
		{"<e><c value='1'/>\n<c value='2'/></e>", child, "", 1, r3.Vec{}},
		{"<e a='1 2 3 4'/>", vec, "", 0, r3.Vec{1, 2, 3}},
	} {
		x, v = 0, r3.Vec{}
		fault := firstFault(t, c.text, c.read)
		if (fault == "") != (c.fault == "") || !strings.Contains(fault, c.fault) || x != c.x || v != c.v {
			t.Errorf("%s: %g, %v, fault %q; want %g, %v, %q", c.text, x, v, fault, c.x, c.v, c.fault)
		}
	}
	for _, text := range []string{"<e/>", "<e a=''/>"} {
		if fault := firstFault(t, text, func(r *robot.Reader, e *robot.Element) { r.RequiredText(e, "a") }); fault != "f:1: <e> has no a" {
			t.Errorf("%s: fault %q", text, fault)
		}
	}
}

func TestTheFirstFaultCounts(t *testing.T) {
	r := robot.Reader{File: "f"}
	r.Fail(3, "one of %d", 2)
	r.Fail(1, "another")
	if r.Err.Error() != "f:3: one of 2" {
		t.Error(r.Err)
	}
}

// Roll, pitch and yaw turn about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll).
func TestRPYTurnsAboutFixedAxes(t *testing.T) {
	about := func(axis r3.Vec, x float64) r3.Mat { return r3.RotExp(axis.Scale(x)) }
	want := about(r3.Vec{0, 0, 1}, 0.3).Mul(about(r3.Vec{0, 1, 0}, -0.2)).Mul(about(r3.Vec{1, 0, 0}, 0.1))
	r := robot.Reader{}
	if d := r.RPY(1, "a", r3.Vec{0.1, -0.2, 0.3}).Sub(want).Norm2(); d > 1e-28 || len(r.Warnings) > 0 {
		t.Errorf("off by %g, warnings %v", math.Sqrt(d), r.Warnings)
	}
	// more than a turn is warned of, and reduced to one
	got := r.RPY(4, "<origin rpy>", r3.Vec{0, 0, 90})
	if d := got.Sub(about(r3.Vec{0, 0, 1}, 90)).Norm2(); d > 1e-24 {
		t.Errorf("90 rad: off by %g", math.Sqrt(d))
	}
	if want := (robot.Warning{Line: 4, Text: "<origin rpy>: 90 is more than a turn: are these degrees? rpy is in radians"}); len(r.Warnings) != 1 || r.Warnings[0] != want {
		t.Errorf("warnings %v", r.Warnings)
	}
}

func TestColorsAreClamped(t *testing.T) {
	for want, rgb := range map[string][3]float64{
		"#000000": {}, "#ff8000": {1, 0.5, 0}, "#ffff00": {2, 1, -1}, "#010203": {1. / 255, 2. / 255, 3. / 255},
	} {
		if got := robot.HexColor(rgb); got != want {
			t.Errorf("%v: %s, want %s", rgb, got, want)
		}
	}
}

// The kinetic energy of a rotor of inertia I behind a gear of ratio n is ½ I (n q̇)².
func TestRotorsAreFeltThroughTheSquareOfTheGear(t *testing.T) {
	r := robot.Reader{File: "f"}
	if got := r.ReflectedInertia(1, "motor", -50, 1e-5); math.Abs(got-0.025) > 1e-15 || r.Err != nil {
		t.Errorf("%g, %v", got, r.Err)
	}
	for _, c := range []struct {
		ratio, inertia float64
		want           string
	}{{1, -1, "f:2: motor: its rotor inertia -1 must not be negative"}, {1e200, 1, "f:2: motor: its gear ratio 1e+200 is too large"}} {
		r := robot.Reader{File: "f"}
		if r.ReflectedInertia(2, "motor", c.ratio, c.inertia); r.Err == nil || r.Err.Error() != c.want {
			t.Errorf("%v, want %s", r.Err, c.want)
		}
	}
}

func TestProximityProperties(t *testing.T) {
	read := func(inside string) (robot.ContactMaterial, error) {
		r := robot.Reader{File: "f"}
		e := elements(t, "<collision>"+inside+"</collision>")
		m := r.ProximityProperties(e, r.ChildValue)
		r.WarnUnread(e)
		if len(r.Warnings) > 0 {
			t.Errorf("%s: %v", inside, r.Warnings)
		}
		return m, r.Err
	}
	in := func(s string) string { return "<drake:proximity_properties>" + s + "</drake:proximity_properties>" }
	for _, inside := range []string{"", in("")} {
		m, err := read(inside)
		if m != (robot.ContactMaterial{}) || err != nil {
			t.Errorf("%q: %+v, %v", inside, m, err)
		}
	}
	const modulus = "<drake:hydroelastic_modulus value='3e6'/>"
	for inside, want := range map[string]*float64{
		modulus: new(3e6), modulus + "<drake:compliant_hydroelastic/>": new(3e6),
		"<drake:compliant_hydroelastic/>": new(1e7), modulus + "<drake:rigid_hydroelastic/>": nil,
	} {
		m, err := read(in(inside))
		if d := robottest.Differences(m.HydroelasticModulus, want, 0); err != nil || len(d) > 0 {
			t.Errorf("%s: modulus %q, %v", inside, d, err)
		}
	}
	m, err := read(in("<drake:mu_static value='0.9'/><drake:mu_dynamic value='0.8'/><drake:point_contact_stiffness value='1e6'/>" +
		"<drake:hunt_crossley_dissipation value='2'/><drake:relaxation_time value='0.1'/><drake:mesh_resolution_hint value='0.01'/>"))
	if d := robottest.Differences(m, robot.ContactMaterial{
		GivenParameters: constraints.GivenParameters{Stiffness: new(1e6), Dissipation: new(2.0), RelaxationTime: new(0.1)},
		StaticFriction:  new(0.9), Friction: new(0.8), ResolutionHint: new(0.01),
	}, 0); err != nil || len(d) > 0 {
		t.Errorf("%q, %v", d, err)
	}
	for inside, want := range map[string]string{
		"<drake:mu_static value='-1'/>":                              "<drake:mu_static>: -1 must not be negative",
		"<drake:rigid_hydroelastic/><drake:compliant_hydroelastic/>": "exclude each other",
	} {
		if _, err := read(in(inside)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", inside, err, want)
		}
	}
}
