package sdf

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// auto returns a link whose inertial, with a text inside, follows from its collisions.
func auto(inertial string, collisions ...string) string {
	s := "<link name='a'><inertial auto='true'>" + inertial + "</inertial>\n"
	for _, c := range collisions {
		s += "<collision name='c'>" + c + "</collision>\n"
	}
	return s + "</link>"
}

// inertialOf returns the inertial of the one link of a model that is read without warnings.
func inertialOf(t *testing.T, inside string) *robot.Inertial {
	t.Helper()
	return one(t, inside).Links[0].Inertial
}

// checkInertial checks a mass, a centre and principal moments to 1e-12.
func checkInertial(t *testing.T, what string, in *robot.Inertial, mass float64, com, moments r3.Vec) {
	t.Helper()
	if math.Abs(in.Mass/mass-1) > 1e-12 || in.Com.Sub(com).Norm() > 1e-12 || in.Inertia.Sub(r3.Diag(moments)).Norm2() > 1e-24*moments.Norm2() {
		t.Errorf("%s: %+v, want %g kg at %v, moments %v", what, in, mass, com, moments)
	}
}

const (
	cube  = "<geometry><box><size>0.2 0.4 0.6</size></box></geometry>"
	globe = "<geometry><sphere><radius>0.5</radius></sphere></geometry>"
)

func TestInertiasOfShapesHaveClosedForms(t *testing.T) {
	// m (b² + c²)/12 and so on, of 0.048 m³
	m := 0.048 * 500
	moments := r3.Vec{0.16 + 0.36, 0.04 + 0.36, 0.04 + 0.16}.Scale(m / 12)
	checkInertial(t, "density of the inertial", inertialOf(t, auto("<density>500</density>", "<pose>1 2 3 0 0 0</pose>"+cube)), m, r3.Vec{1, 2, 3}, moments)
	checkInertial(t, "density of the collision", inertialOf(t, auto("<density>7</density>", "<density>500</density>"+cube)), m, r3.Vec{}, moments)
	checkInertial(t, "mass", inertialOf(t, auto("<mass>3</mass>", cube)), 3, r3.Vec{}, moments.Scale(3/m))
	checkInertial(t, "mass and density", inertialOf(t, auto("<mass>3</mass>", "<density>500</density>"+cube)), 3, r3.Vec{}, moments.Scale(3/m))
	// turned by 90° about z, x and y swap
	checkInertial(t, "turned", inertialOf(t, auto("<density>500</density>", "<pose degrees='1'>0 0 0 0 0 90</pose>"+cube)), m, r3.Vec{},
		r3.Vec{moments[1], moments[0], moments[2]})
	// two balls 2 m apart on x, of densities 1 and 3: 2/5 m r² each, and the reduced mass times the square of the
	// distance
	v := math.Pi / 6
	own, reduced := 0.4*0.25*4*v, 3.0/4*v*4
	checkInertial(t, "two", inertialOf(t, auto("<density>1</density>", "<pose>-1 0 0 0 0 0</pose>"+globe, "<pose>1 0 0 0 0 0</pose><density>3</density>"+globe)),
		4*v, r3.Vec{0.5, 0, 0}, r3.Vec{own, own + reduced, own + reduced})
	// the default density is that of water, which is reported
	in := warned(t, auto("", cube), 3, "link \"a\": a <collision> has no <density>: 1000 kg/m³")
	checkInertial(t, "water", in, 48, r3.Vec{}, moments.Scale(2))
	// a frame of polylines
	if in := inertialOf(t, auto("<density>2</density>", "<geometry>"+frame2+"</geometry>")); math.Abs(in.Mass-3) > 1e-12 {
		t.Errorf("polylines: %+v", in)
	}
	// nothing weighs what does not move
	one(t, "<static>1</static>"+auto(""))
}

// warned returns the inertial of the one link of a model, which is read with one warning.
func warned(t *testing.T, inside string, line int, want string) *robot.Inertial {
	t.Helper()
	m, warnings := model(t, "\n"+inside)
	if len(warnings) != 1 || warnings[0].Line != line || !strings.Contains(warnings[0].Text, want) || warnings[0].Repaired {
		t.Errorf("warnings %v, want line %d and %q", warnings, line, want)
	}
	return m.Links[0].Inertial
}

// What the file says of moments and centre does not apply, as the format says.
func TestInertiasOfShapesReplaceWrittenOnes(t *testing.T) {
	in := warned(t, auto("<mass>3</mass>\n<inertia><ixx>9</ixx></inertia>", cube), 3, "ignored: <sdf/model/link/inertial/inertia>")
	checkInertial(t, "inertia", in, 3, r3.Vec{}, r3.Vec{0.52, 0.4, 0.2}.Scale(0.25))
}

// tetrahedron is a mesh file of the corner of a cube of 1 m, of volume 1/6 m³.
const tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

func TestMeshesWeighAsTheVolumeThatTheyEnclose(t *testing.T) {
	parse := func(text string, open robot.Open) (*robot.Robot, []robot.Warning, error) {
		return Parse(strings.NewReader("<sdf version='1.11'><model name='m'>"+text+"</model></sdf>"), "m.sdf", open)
	}
	mesh := auto("<density>6</density>", "<geometry><mesh><uri>t.obj</uri><scale>2 1 1</scale></mesh></geometry>")
	m, warnings, err := parse(mesh, func(string) ([]byte, error) { return []byte(tetrahedron), nil })
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	if in := m.Links[0].Inertial; math.Abs(in.Mass-2) > 1e-12 || in.Com.Sub(r3.Vec{0.5, 0.25, 0.25}).Norm() > 1e-12 {
		t.Errorf("%+v", in)
	}
	// without its last side it weighs as its hull
	m, warnings, err = parse(mesh, func(string) ([]byte, error) { return []byte(strings.TrimSuffix(tetrahedron, "f 2 3 4\n")), nil })
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, `link "a": its mesh t.obj is not closed`) || math.Abs(m.Links[0].Inertial.Mass-2) > 1e-12 {
		t.Errorf("%v, %v", err, warnings)
	}
	if _, _, err = parse(mesh, func(string) ([]byte, error) { return nil, errors.New("there is no such file") }); err == nil || !strings.Contains(err.Error(), "no such file: write <mass>") {
		t.Error(err)
	}
}

func TestInertiasThatCannotBeComputedAreRefused(t *testing.T) {
	refused(t, []fault{
		{"no collision", auto(""), 2, "weighs what its collisions do, and has none of a shape with a volume: write <mass> and <inertia>"},
		{"plane", auto("", "<geometry><plane/></geometry>"), 2, "has none of a shape"},
		{"no density", auto("<density>0</density>", cube), 2, "<density> of <inertial>: a positive number is required"},
		{"negative density", auto("", "<density>-1</density>"+cube), 3, "<density> of <collision>: a positive number is required"},
		{"negative mass", auto("<mass>-1</mass>", cube), 2, "its mass is -1 kg"},
		{"mesh without files", auto("<mass>1</mass>", "<geometry><mesh><uri>a.stl</uri></mesh></geometry>"), 3, "files are not read here: write <mass>"},
		{"huge", auto("", "<density>1e300</density><geometry><sphere><radius>1e8</radius></sphere></geometry>"), 2, "cannot be computed"},
	})
}
