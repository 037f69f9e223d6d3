package sdf

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
	"github.com/curlfree/curlfree/scene/robot/robottest"
	_ "github.com/curlfree/curlfree/scene/urdf" // a format that is included
)

// names lists the links of a robot.
func names(m *robot.Robot) (all []string) {
	for _, l := range m.Links {
		all = append(all, l.Name)
	}
	return all
}

// inRoot returns the pose of a link in the frame of the file with all joints at zero.
func inRoot(t *testing.T, m *robot.Robot, name string) r3.Pose {
	t.Helper()
	X := map[int]r3.Pose{m.Root: m.X_FR}
	for _, i := range m.Order() {
		j := &m.Joints[i]
		X[j.Child] = X[j.Parent].Mul(j.X_PF).Mul(j.X_CM.Inv())
	}
	i := slices.IndexFunc(m.Links, func(l robot.Link) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("no link %q in %v", name, names(m))
	}
	return X[i]
}

// fixed returns a fixed joint.
func fixed(name, parent, child string) string {
	return "<joint name='" + name + "' type='fixed'><parent>" + parent + "</parent><child>" + child + "</child></joint>\n"
}

// A model in a model is placed by its pose, in a frame of the outer one, and turned by it; names of
// its parts have its name in front, for the robot and for what the outer model refers to.
func TestModelsInModelsHaveNamesAndPosesOfTheirOwn(t *testing.T) {
	quarter := "1.5707963267948966"
	m := one(t, link("base", "<pose>0 0 1 0 0 0</pose>")+
		"<model name='arm'><pose relative_to='base'>1 0 0 0 0 "+quarter+"</pose>"+
		link("upper", "<pose>0.5 0 0 0 0 0</pose>")+link("fore", "<pose relative_to='upper'>0.5 0 0 0 0 0</pose>")+
		"<frame name='tip' attached_to='fore'><pose>0 0 0.1 0 0 0</pose></frame>"+
		"<joint name='elbow' type='revolute'><parent>upper</parent><child>fore</child><axis><xyz expressed_in='__model__'>1 0 0</xyz></axis></joint>"+
		"<model name='hand'><pose relative_to='tip'/>"+link("palm", "")+"</model>"+fixed("wrist", "fore", "hand")+
		"</model>"+
		turns("shoulder", "base", "arm::upper", "<axis><xyz>0 0 1</xyz><mimic joint='arm::elbow'><multiplier>2</multiplier></mimic></axis>")+
		"<frame name='f' attached_to='arm::hand::__model__'/>"+link("tool", "<pose relative_to='f'>0.1 0 0 0 0 0</pose>")+fixed("grip", "f", "tool"))
	if got, want := names(m), []string{"base", "tool", "arm::upper", "arm::fore", "arm::hand::palm"}; !slices.Equal(got, want) {
		t.Errorf("links %v, want %v", got, want)
	}
	if len(m.Joints) != 4 || m.Links[m.Root].Name != "base" {
		t.Errorf("%+v", m.Joints)
	}
	// the arm's x is the base's y
	for name, want := range map[string]r3.Vec{"base": {0, 0, 1}, "arm::upper": {1, 0.5, 1}, "arm::fore": {1, 1, 1}, "arm::hand::palm": {1, 1, 1.1}, "tool": {1, 1.1, 1.1}} {
		if got := inRoot(t, m, name).P; got.Sub(want).Norm() > 1e-15 {
			t.Errorf("%s at %v, want %v", name, got, want)
		}
	}
	if a := joint(t, m, "arm::elbow").Axis; a.Sub(r3.Vec{1, 0, 0}).Norm() > 1e-15 {
		t.Errorf("axis of the elbow %v", a)
	}
	if f := joint(t, m, "shoulder").Mimic; f == nil || m.Joints[f.Joint].Name != "arm::elbow" || f.Multiplier != 2 {
		t.Errorf("mimic %+v", f)
	}
	if j := joint(t, m, "grip"); m.Links[j.Parent].Name != "arm::hand::palm" {
		t.Errorf("the tool hangs on %q", m.Links[j.Parent].Name)
	}
}

// The placement frame of a nested model is where its pose says, whatever lies between it and the
// model's own frame: here the link b, which is at y = 2 and turned by a quarter in the model.
func TestPlacementFramesOfNestedModels(t *testing.T) {
	m := one(t, link("base", "")+"<model name='n' placement_frame='f'><pose>1 0 0 0 0 0</pose>"+
		link("a", "")+link("b", "<pose>0 2 0 0 0 1.5707963267948966</pose>")+fixed("ab", "a", "b")+
		"<frame name='f' attached_to='b'><pose>0 0 3 0 0 0</pose></frame></model>"+fixed("j", "base", "n::a"))
	f := inRoot(t, m, "n::b").Mul(r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 3}})
	if f.P.Sub(r3.Vec{1, 0, 0}).Norm() > 1e-15 || f.R.Sub(r3.Identity()).Norm2() > 1e-30 {
		t.Errorf("the placement frame is at %v", f)
	}
}

// A static model in one that moves is fixed to the world, as is what it contains.
func TestStaticModelsInModelsAreFixed(t *testing.T) {
	m, _ := model(t, link("a", "")+turns("j", "world", "a", about)+"<model name='n'><static>1</static><pose>0 0 7 0 0 0</pose>"+link("b", "")+link("c", "")+turns("bc", "b", "c", about)+"</model>")
	if j := joint(t, m, "n::bc"); j.Type != robot.Fixed {
		t.Errorf("%+v", j)
	}
	if j := joint(t, m, "world_n::b"); j.Type != robot.Fixed || j.X_PF.P != (r3.Vec{0, 0, 7}) {
		t.Errorf("%+v", j)
	}
	if j := joint(t, m, "j"); j.Type != robot.Revolute {
		t.Errorf("%+v", j)
	}
}

// files opens texts by name.
func files(texts map[string]string) robot.Open {
	return func(name string) ([]byte, error) {
		if text, ok := texts[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
}

const ball = "<collision name='k'><geometry><mesh><uri>meshes/ball.stl</uri></mesh></geometry></collision>"

var library = map[string]string{
	"model://arm/model.config": "<model><name>x</name><sdf version='1.4'>old.sdf</sdf><sdf version='1.9'>arm.sdf</sdf></model>",
	"model://arm/arm.sdf":      "<sdf version='1.9'><model name='robot'>\n<pose>9 0 0 0 0 0</pose>" + strings.Replace(link("a", ""), "</link>", ball+"</link>", 1) + link("b", "<pose>0 0 1 0 0 0</pose>") + turns("ab", "a", "b", about) + "<frame name='top' attached_to='b'/></model></sdf>",
	"model://arm/old.sdf":      "not XML",
	"parts/hand.sdf":           "<sdf version='1.4'><model name='hand'>" + link("p", "<pose>0 0 0 0 0 1.5707963267948966</pose>") + link("q", "") + turns("pq", "p", "q", "<axis><xyz>1 0 0</xyz></axis>") + "<include><name>cap</name><uri>caps/cap.sdf</uri></include>" + fixed("glue", "q", "cap::c") + "</model></sdf>",
	"parts/caps/cap.sdf":       "<sdf version='1.9'><model name='cap'>" + strings.Replace(link("c", ""), "</link>", ball+"</link>", 1) + "</model></sdf>",
	"there.sdf":                "<sdf version='1.9'><model name='m'><include><uri>back.sdf</uri></include></model></sdf>",
	"back.sdf":                 "<sdf version='1.9'><model name='n'>\n<include><uri>there.sdf</uri></include></model></sdf>",
	"round.sdf":                "<sdf version='1.9'><model name='m'>" + link("a", "") + "<include><uri>round.sdf</uri></include></model></sdf>",
	"broken.sdf":               "<sdf version='1.9'>\n<model name='m'>\n" + link("a", "<pose>x</pose>") + "</model></sdf>",
	"scene.xml":                "<mujoco/>",
	"broken.urdf":              "<robot name='r'>\n<link/></robot>",
	"parts/arm.urdf": "<robot name='arm'>\n<link name='l0'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>" +
		"<link name='l1'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial><collision><geometry><mesh filename='ball.stl'/></geometry></collision></link>" +
		"<link name='l2'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>" +
		"<joint name='a' type='continuous'><origin xyz='0 0 1'/><parent link='l0'/><child link='l1'/></joint>" +
		"<joint name='b' type='continuous'><origin xyz='0 0 2'/><parent link='l1'/><child link='l2'/><mimic joint='a' multiplier='3'/></joint></robot>",
	"package://arms/model.sdf":  "<sdf version='1.9'><model name='m'>" + link("l", "") + "</model></sdf>",
	"package://deep/x/d.sdf":    "<sdf version='1.9'><world name='w'><model name='m'>" + link("l", "") + "</model></world></sdf>",
	"model://ground/model.sdf":  "<sdf version='1.9'><model name='ground'><static>1</static>" + link("g", "") + "</model></sdf>",
	"model://nothing/model.sdf": "<sdf version='1.9'/>",
}

// with reads a model that includes files of the library.
func with(inside string) (*robot.Robot, []robot.Warning, error) {
	return Parse(strings.NewReader("<sdf version='1.9'>"+inside+"</sdf>"), "dir/m.sdf", files(library))
}

// An <include> is a model in a model: with the name and pose that it gives, from the file of
// model.config that is newest. Files that this one names are named from its folder, and the
// version of each file counts for itself: in 1.4 axes are those of the model.
func TestIncludedModels(t *testing.T) {
	m, warnings, err := with("<model name='m'>" + link("base", "<pose>0 5 0 0 0 0</pose>") +
		"<include><uri>model://arm/</uri><name>left</name><pose relative_to='base'>1 0 0 0 0 0</pose></include>" +
		"<include><uri>model://arm</uri><placement_frame>top</placement_frame><pose relative_to='left::top'/></include>" +
		"<include><uri>parts/hand.sdf</uri></include>" +
		fixed("l", "base", "left::a") + fixed("r", "left::top", "robot::a") + fixed("h", "base", "hand") + "</model>")
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	robottest.Check(t, m)
	if got, want := names(m), []string{"base", "left::a", "left::b", "robot::a", "robot::b", "hand::p", "hand::q", "hand::cap::c"}; !slices.Equal(got, want) {
		t.Errorf("links %v, want %v", got, want)
	}
	for name, want := range map[string]r3.Vec{"left::a": {1, 5, 0}, "left::b": {1, 5, 1}, "robot::b": {1, 5, 1}, "robot::a": {1, 5, 0}} {
		if got := inRoot(t, m, name).P; got.Sub(want).Norm() > 1e-15 {
			t.Errorf("%s at %v, want %v", name, got, want)
		}
	}
	for link, want := range map[int]string{1: "model://arm/meshes/ball.stl", 7: "parts/caps/meshes/ball.stl"} {
		if got := m.Links[link].Collisions[0].Mesh.File; got != want {
			t.Errorf("mesh %q, want %q", got, want)
		}
	}
	// x of the model is −y of p, whose frame the joint pq is placed in by q, which is not turned
	if a := joint(t, m, "hand::pq"); a.Axis.Sub(r3.Vec{1, 0, 0}).Norm() > 1e-15 || a.X_PF.R.MulVec(a.Axis).Sub(r3.Vec{0, -1, 0}).Norm() > 1e-15 {
		t.Errorf("axis %v in the joint, %v in p", a.Axis, a.X_PF.R.MulVec(a.Axis))
	}
	// lines of included files
	if file, line := m.Where("dir/m.sdf", m.Links[1].Line); file != "model://arm/arm.sdf" || line != 2 {
		t.Errorf("left::a is in %s:%d", file, line)
	}
}

// A URDF is included as a model is: its links and joints have frames, and a mimic keeps its leader.
func TestIncludedURDF(t *testing.T) {
	m, warnings, err := with("<model name='m'>" + link("base", "") +
		"<include><uri>parts/arm.urdf</uri><name>x</name><pose>5 0 0 0 0 0</pose></include>" +
		"<include merge='true'><uri>parts/arm.urdf</uri><placement_frame>l2</placement_frame><pose relative_to='x::b'/></include>" +
		turns("j", "base", "x::l0", "<axis><xyz>0 0 1</xyz><mimic joint='x::a'/></axis>") + fixed("k", "x::l2", "l0") + "</model>")
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	robottest.Check(t, m)
	if got, want := names(m), []string{"base", "x::l0", "x::l1", "x::l2", "l0", "l1", "l2"}; !slices.Equal(got, want) {
		t.Errorf("links %v, want %v", got, want)
	}
	for name, want := range map[string]r3.Vec{"x::l0": {5, 0, 0}, "x::l2": {5, 0, 3}, "l2": {5, 0, 3}, "l0": {5, 0, 0}} {
		if got := inRoot(t, m, name).P; got.Sub(want).Norm() > 1e-15 {
			t.Errorf("%s at %v, want %v", name, got, want)
		}
	}
	for name, leader := range map[string]string{"x::b": "x::a", "b": "a", "j": "x::a"} {
		if f := joint(t, m, name).Mimic; f == nil || m.Joints[f.Joint].Name != leader {
			t.Errorf("mimic of %s: %+v", name, f)
		}
	}
	if f := m.Links[2].Collisions[0].Mesh.File; f != "parts/ball.stl" {
		t.Errorf("mesh %q", f)
	}
	if file, line := m.Where("dir/m.sdf", m.Links[1].Line); file != "parts/arm.urdf" || line != 2 {
		t.Errorf("x::l0 is in %s:%d", file, line)
	}
}

// Parts of a merged model have no prefix, and their poses are those of the file in the included
// model's frame.
func TestMergedModels(t *testing.T) {
	m, warnings, err := with("<model name='m'>" + link("base", "") +
		"<include merge='true'><uri>model://arm</uri><pose>0 3 0 0 0 0</pose></include>" + fixed("j", "base", "a") + "</model>")
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	if got, want := names(m), []string{"base", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("links %v, want %v", got, want)
	}
	if got := inRoot(t, m, "b").P; got != (r3.Vec{0, 3, 1}) {
		t.Errorf("b at %v", got)
	}
	if _, _, err := with("<model name='m'>" + link("a", "") + "<include merge='true'><uri>model://arm</uri></include></model>"); err == nil || !strings.Contains(err.Error(), `a second <link> is called "a"`) {
		t.Errorf("two links of a name: %v", err)
	}
}

// A world that only includes models is the first of them, at its pose; one whose joints connect
// models is one robot on the world.
func TestWorldsOfIncludes(t *testing.T) {
	m, warnings, err := with("<world name='w'><include><uri>package://arms</uri><pose>0 0 2 0 0 0</pose></include>\n<include><uri>model://arm</uri></include></world>")
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, `2 models, "package://arms", "model://arm": the first is read`) {
		t.Fatal(warnings, err)
	}
	if got := inRoot(t, m, "l").P; got != (r3.Vec{0, 0, 2}) || len(m.Links) != 1 {
		t.Errorf("l at %v of %v", got, names(m))
	}
	m, _, err = ParseModel(strings.NewReader("<sdf version='1.9'><world name='w'><include><name>x</name><uri>package://arms</uri></include><include><name>y</name><uri>model://arm</uri></include></world></sdf>"), "m.sdf", files(library), "y")
	if err != nil || len(m.Links) != 2 || m.Name != "y" || m.X_FR.P != (r3.Vec{9, 0, 0}) {
		t.Errorf("%+v, %v", m, err)
	}
	m, _, err = with("<world name='w'><frame name='f' attached_to='world'><pose>0 0 4 0 0 0</pose></frame><model name='x'>" + link("a", "") + "</model><include><name>y</name><uri>model://arm</uri></include>" +
		fixed("wx", "f", "x") + turns("xy", "x::a", "y::a", about) + "</world>")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(m), []string{"x::a", "y::a", "y::b", "world"}; !slices.Equal(got, want) || m.Links[m.Root].Name != "world" || len(m.Joints) != 3 {
		t.Errorf("links %v, want %v", got, want)
	}
	if j := joint(t, m, "xy"); j.X_PF.P != (r3.Vec{9, 0, 0}) {
		t.Errorf("%+v", j)
	}
}

func TestFilesThatIncludeOthersWithoutEndAreRefused(t *testing.T) {
	deeper := func(name string) ([]byte, error) {
		return []byte("<sdf version='1.9'><model name='m'><include><uri>a" + name + "</uri></include></model></sdf>"), nil
	}
	_, _, err := Parse(strings.NewReader("<sdf version='1.9'><include><uri>a.sdf</uri></include></sdf>"), "m.sdf", deeper)
	if err == nil || !strings.Contains(err.Error(), "more than 32 deep") {
		t.Error(err)
	}
}

func TestFaultyIncludesAreRefused(t *testing.T) {
	for uri, want := range map[string]string{
		"model://none":       `dir/m.sdf:2: <include> of "model://none": open`,
		"round.sdf":          `dir/m.sdf:2: <include> of "round.sdf": files include each other in a circle, dir/m.sdf → round.sdf, for`,
		"there.sdf":          `back.sdf:2: <include> of "there.sdf": files include each other in a circle, there.sdf → back.sdf → there.sdf, for`,
		"broken.sdf":         `broken.sdf:3: <pose> "x"`,
		"scene.xml":          "begins with <robot>", // URDF is the only other format of this test
		"broken.urdf":        `broken.urdf:2: <link> has no name`,
		"model://nothing":    "has no <model>",
		"file://missing.sdf": "file does not exist",
	} {
		_, _, err := with("<model name='m'>" + link("a", "") + "<include><uri>" + uri + "</uri></include></model>")
		var e *robot.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", uri, err, want)
		}
	}
}

// Groups of nested models are named with the model, and may be members of others.
func TestFiltersOfNestedModels(t *testing.T) {
	group := "<drake:collision_filter_group name='g'><drake:member>b</drake:member><drake:member>c</drake:member></drake:collision_filter_group>"
	n := link("b", "") + link("c", "") + turns("bc", "b", "c", about) + group
	m := one(t, link("a", "")+"<model name='n'>"+n+"</model>"+turns("ab", "a", "n::b", about)+
		"<drake:collision_filter_group name='h'><drake:member>a</drake:member><drake:ignored_collision_filter_group>k</drake:ignored_collision_filter_group></drake:collision_filter_group>"+
		"<drake:collision_filter_group name='k'><drake:member_group>n::g</drake:member_group></drake:collision_filter_group>")
	if want := [][2]int{{0, 1}, {0, 2}}; !slices.Equal(m.ExcludedPairs, want) {
		t.Errorf("pairs %v, want %v", m.ExcludedPairs, want)
	}
}
