package scene

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
)

// folder returns a new folder with files of these names.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// path returns positions and velocities of a scene over some steps.
func path(t *testing.T, sc *Scene, steps int) (q, v [][]float64) {
	t.Helper()
	st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := sc.Model.Start.Clone()
	for range steps {
		if err := st.Step(x, sc.File.Time.Step); err != nil {
			t.Fatal(err)
		}
		q, v = append(q, slices.Clone(x.Q)), append(v, slices.Clone(x.V))
	}
	return q, v
}

// One robot, written as URDF and as SDFormat with poses relative to what they hang
// on, falls on the ground in the same bits.
func TestRobotsOfBothFormatsMoveInTheSameBits(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"arm.urdf", "arm.sdf"} {
		text, err := os.ReadFile("sdf/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	dir := folder(t, files)
	run := func(file string) (q, v [][]float64) {
		return path(t, mustLoad(t, dir, "time: {step: 0.002, duration: 1}\nbodies: {ground: {fixed: true, pose: {xyz: [0, 0, 0.3]}, shapes: [{half_space: {}}]}}\n"+
			"robots: {r: {file: "+file+", floating: true, pose: {xyz: [0, 0, 0.6], rpy: [0.3, 0.2, 0.1]}, joints: {shoulder: 0.5, thread: 1}}}\n"), 100)
	}
	q1, v1 := run("arm.urdf")
	q2, v2 := run("arm.sdf")
	for i := range q1 {
		if !slices.Equal(q1[i], q2[i]) || !slices.Equal(v1[i], v2[i]) {
			t.Fatalf("step %d:\n%v %v\n%v %v", i, q1[i], v1[i], q2[i], v2[i])
		}
	}
	if d := q1[99][6] - q1[0][6]; d > -0.01 {
		t.Errorf("the robot falls %g m: nothing to compare", d)
	}
}

const (
	unit   = "<mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.02</izz></inertia>"
	hinge  = "<axis><xyz expressed_in='__model__'>0 1 0</xyz></axis>"
	double = "<sdf version='1.7'><model name='m'><static>false</static>" +
		"<link name='base'><inertial>" + unit + "</inertial></link>" +
		"<link name='a'><pose>0.2 0 1 0 0 0.4</pose><inertial>" + unit + "</inertial></link>" +
		"<link name='b'><pose>0.6 0.1 1 0.1 0.2 0.3</pose><inertial><pose>0.01 0.02 0.03 0.1 0.2 0.3</pose>" + unit + "</inertial></link>" +
		"<joint name='ja' type='revolute'><pose relative_to='__model__'>0 0 1 0 0 0</pose><parent>base</parent><child>a</child>" + hinge + "</joint>" +
		"<joint name='jb' type='revolute'><pose>-0.2 0 0 0 0 0</pose><parent>a</parent><child>b</child><axis><xyz>0.6 0.8 0</xyz></axis></joint>" +
		"</model></sdf>"
)

// The same pendulum of two links, with frames of links at joints as URDF wants
// them, and with frames of links where SDFormat puts them, swings alike.
func TestFramesOfLinksDoNotChangeTheMotion(t *testing.T) {
	// as URDF has it: X_JC of a child in its joint becomes the origin of its inertial
	X_MA := r3.Pose{R: r3.RotRPY(0, 0, 0.4), P: r3.Vec{0.2, 0, 1}}
	X_MB := r3.Pose{R: r3.RotRPY(0.1, 0.2, 0.3), P: r3.Vec{0.6, 0.1, 1}}
	X_MJa := r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, 1}}
	X_MJb := X_MB.Mul(r3.Pose{R: r3.Identity(), P: r3.Vec{-0.2, 0, 0}})
	com := r3.Pose{R: r3.RotRPY(0.1, 0.2, 0.3), P: r3.Vec{0.01, 0.02, 0.03}}
	inertia := "<mass value='1'/><inertia ixx='0.01' iyy='0.01' izz='0.02'/>"
	text := "<robot name='m'><link name='base'><inertial>" + inertia + "</inertial></link>" +
		"<link name='a'><inertial>" + origin(X_MJa.Inv().Mul(X_MA)) + inertia + "</inertial></link>" +
		"<link name='b'><inertial>" + origin(X_MJb.Inv().Mul(X_MB).Mul(com)) + inertia + "</inertial></link>" +
		"<joint name='ja' type='revolute'>" + origin(X_MJa) + "<parent link='base'/><child link='a'/><axis xyz='0 1 0'/></joint>" +
		"<joint name='jb' type='revolute'>" + origin(X_MJa.Inv().Mul(X_MJb)) + "<parent link='a'/><child link='b'/><axis xyz='0.6 0.8 0'/></joint></robot>"
	dir := folder(t, map[string]string{"m.sdf": double, "m.urdf": text})
	scene := func(file string) *Scene {
		return mustLoad(t, dir, "time: {step: 0.002, duration: 1}\nrobots: {r: {file: "+file+", pose: {rpy: [0.1, 0, 0]}}}\nsignals: {x: {body: r.b, position: x}, y: {body: r.b, position: y}, z: {body: r.b, position: z}}\n")
	}
	s := scene("m.sdf")
	q1, v1 := path(t, s, 100)
	q2, v2 := path(t, scene("m.urdf"), 100)
	for i := range q1 {
		for k := range q1[i] {
			near(t, fmt.Sprintf("position %d in step %d", k, i), q1[i][k], q2[i][k], 1e-12)
			near(t, fmt.Sprintf("velocity %d in step %d", k, i), v1[i][k], v2[i][k], 1e-11)
		}
	}
	if math.Abs(q1[99][0]) < 0.1 {
		t.Errorf("the pendulum swings %g rad: nothing to compare", q1[99][0])
	}
	p := simulate(t, s, 0)
	want := r3.RotRPY(0.1, 0, 0).MulVec(X_MB.P)
	near(t, "where b starts", r3.Vec{p["x"], p["y"], p["z"]}.Sub(want).Norm(), 0, 1e-14)
}

// origin writes a pose for URDF.
func origin(X r3.Pose) string {
	R := X.R
	rpy := [3]float64{math.Atan2(R[7], R[8]), -math.Asin(R[6]), math.Atan2(R[3], R[0])}
	return fmt.Sprintf("<origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/>", X.P[0], X.P[1], X.P[2], rpy[0], rpy[1], rpy[2])
}

// A kilogram on a spring of 981 N/m that is slack at 20 mm hangs 10 mm lower.
func TestSpringsOfRobotFilesCarryTheirLoad(t *testing.T) {
	dir := folder(t, map[string]string{"s.sdf": "<sdf version='1.8'><model name='m'><pose>0 0 3 0 0 0</pose><link name='a'><pose>0 0 1 0 0 0</pose><inertial>" + unit + "</inertial></link>" +
		"<joint name='j' type='prismatic'><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz><dynamics><damping>60</damping><spring_stiffness>981</spring_stiffness><spring_reference>0.02</spring_reference></dynamics></axis></joint></model></sdf>"})
	sc := mustLoad(t, dir, "time: {step: 0.005, duration: 3}\ngravity: [0, 0, -9.81]\nrobots: {r: {file: s.sdf, pose: {xyz: [0, 0, 10]}}}\n"+
		"signals: {q: {joint: r.j, joint_state: position}, z: {body: r.a, position: z}}\n")
	v := simulate(t, sc, 3)
	near(t, "joint", v["q"], 0.01, 1e-9)
	near(t, "height", v["z"], 14.01, 1e-9)
}

// A drive of the base moves the frame of the file, along the axes of pose, however
// the root lies in it.
func TestDrivesMoveTheFrameOfTheFile(t *testing.T) {
	dir := folder(t, map[string]string{"s.sdf": "<sdf version='1.8'><model name='m'><link name='a'><pose>0.1 0 0 1.5707963267948966 0 0</pose><inertial>" + unit + "</inertial></link></model></sdf>"})
	sc := mustLoad(t, dir, "time: {step: 0.005, duration: 1}\nbodies: {far: {pose: {xyz: [9, 0, 0]}, shapes: [{sphere: {radius: 0.1}}]}}\nrobots: {r: {file: s.sdf, pose: {xyz: [0, 0, 1]}}}\n"+
		"drives: {d: {body: r, z: {times: [0, 0.4], values: [0, 0.3]}, axis: [0, 0, 1], angle: {times: [0, 0.4], values: [0, 1.5707963267948966]}}}\n"+
		"signals: {x: {body: r.a, position: x}, y: {body: r.a, position: y}, z: {body: r.a, position: z}}\n")
	for until, want := range map[float64]r3.Vec{0: {0.1, 0, 1}, 0.5: {0, 0.1, 1.3}} {
		v := simulate(t, sc, until)
		near(t, "off the way", r3.Vec{v["x"], v["y"], v["z"]}.Sub(want).Norm(), 0, 1e-12)
	}
}

// Shapes are found beside models, and ellipsoids keep their axes.
func TestShapesOfModelsAreFound(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(fixtures(t), "cube.stl"))
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{
		"thing/cube.stl": string(text),
		"thing/sub/model.xml": "<sdf version='1.9'><model name='m'><link name='a'><inertial>" + unit + "</inertial>" +
			"<collision name='c'><geometry><mesh><uri>model://thing/cube.stl</uri><scale>2 2 2</scale></mesh></geometry></collision>" +
			"<collision name='e'><geometry><ellipsoid><radii>0.1 0.2 0.3</radii></ellipsoid></geometry></collision></link></model></sdf>",
	})
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: thing/sub/model.xml, floating: true}}\n")
	found := 0
	for i := range sc.Model.Geometry.Geoms {
		switch s := sc.Model.Geometry.Geoms[i].Shape.(type) {
		case *geometry.Ellipsoid:
			found++
			if s.Semi != (r3.Vec{0.1, 0.2, 0.3}) {
				t.Errorf("semi-axes %v", s.Semi)
			}
		case *geometry.Mesh:
			found++
			if d := s.Bounds().Size().Sub(r3.Vec{0.2, 0.2, 0.2}).Norm(); d > 1e-7 {
				t.Errorf("a cube of %v", s.Bounds().Size())
			}
		}
	}
	if found != 2 {
		t.Errorf("%d shapes, want a mesh and an ellipsoid", found)
	}
}

func TestRobotsOnTheWorldDoNotFloat(t *testing.T) {
	dir := folder(t, map[string]string{
		"s.sdf": "<sdf version='1.8'><model name='m'><static>1</static><link name='a'/></model></sdf>",
		"f.sdf": "<sdf version='1.8'>\n<model name='m'><link name='a'/><link name='b'/></model></sdf>",
	})
	for _, c := range [][2]string{
		{"{file: s.sdf, floating: true}", "connects it to the world, so it is not floating"},
		{"{file: f.sdf, strict: true}", `f.sdf:2:1: links "a" and "b" both have no parent`},
	} {
		if _, err := load(t, dir, timeOf+"robots: {r: "+c[0]+"}\n"); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: error %v, want %q", c[0], err, c[1])
		}
	}
	if _, err := load(t, dir, timeOf+ball+"robots: {r: {file: s.sdf}}\n"); err != nil {
		t.Error(err)
	}
}

// TestPublicGripperCloses drives one finger of a well-known gripper, whose other
// finger mimics it.
func TestPublicGripperCloses(t *testing.T) {
	dir := os.Getenv("CURLFREE_MODELS")
	if dir == "" {
		t.Skip("CURLFREE_MODELS names no folder of robots")
	}
	const name = "schunk_wsg_50_deformable_bubble.sdf"
	file := ""
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == name {
			file = path
		}
		return nil
	})
	if file == "" {
		t.Skipf("no %s below CURLFREE_MODELS", name)
	}
	sc := mustLoad(t, t.TempDir(), "time: {step: 0.002, duration: 1}\nrobots: {r: {file: "+file+"}}\n"+
		"drives: {d: {joint: r.left_finger_sliding_joint, kp: 1e4, kd: 100, target: -0.02}, e: {joint: r.translate_joint, kp: 1e5, kd: 1e3, target: 0.05}}\n"+
		"signals: {l: {joint: r.left_finger_sliding_joint, joint_state: position}, r: {joint: r.right_finger_sliding_joint, joint_state: position}, z: {body: r.gripper, position: z}, x: {body: r.gripper, position: x}}\n")
	v := simulate(t, sc, 1)
	near(t, "left finger", v["l"], -0.02, 1e-3)
	near(t, "right finger", v["r"], -v["l"], 1e-4)
	// the axis is −x of the model, which is turned by 1.5708 about y: it points up
	near(t, "height", v["z"], 0.06+0.05, 1e-3)
	near(t, "sideways", v["x"], 0, 1e-3)
}
