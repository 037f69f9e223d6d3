package scene

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// One robot, written as URDF, SDFormat and MJCF, falls on the ground alike, up to
// the rounding of rotations.
func TestRobotsOfThreeFormatsMoveAlike(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"arm.urdf", "arm.sdf", "arm.xml"} {
		text, err := os.ReadFile("mjcf/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	dir := folder(t, files)
	run := func(file string) (q, v [][]float64) {
		return path(t, mustLoad(t, dir, "time: {step: 0.002, duration: 1}\nbodies: {ground: {fixed: true, pose: {xyz: [0, 0, 0.3]}, shapes: [{half_space: {}}]}}\n"+
			"robots: {r: {file: "+file+", floating: true, pose: {xyz: [0, 0, 0.6], rpy: [0.3, 0.2, 0.1]}, joints: {shoulder: 0.5}}}\n"), 100)
	}
	q1, v1 := run("arm.xml")
	for _, file := range []string{"arm.urdf", "arm.sdf"} {
		q2, v2 := run(file)
		for i := range q1 {
			for k := range q1[i] {
				near(t, fmt.Sprintf("%s: position %d in step %d", file, k, i), q1[i][k], q2[i][k], 1e-10)
			}
			for k := range v1[i] {
				near(t, fmt.Sprintf("%s: velocity %d in step %d", file, k, i), v1[i][k], v2[i][k], 1e-8)
			}
		}
	}
	if d := q1[99][6] - q1[0][6]; d > -0.01 {
		t.Errorf("the robot falls %g m: nothing to compare", d)
	}
}

// Three hinges in one body turn about their own points and axes, one after the
// other, as three bodies with next to no mass would.
func TestJointsOfOneBodyAreAChain(t *testing.T) {
	const tip = `<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>`
	const one = `<mujoco><worldbody><body name="a" pos="0 0 1" euler="0 0 20"><joint name="x" axis="1 0 0" pos="0 0 0.1" range="-90 90" damping="0.1"/>` +
		`<joint name="y" axis="0 1 0" ref="30" stiffness="2" springref="10"/><joint name="s" type="slide" axis="1 1 0" pos="0.1 0 0" ref="0.2" armature="0.1"/>` + tip + `</body></worldbody></mujoco>`
	const three = `<mujoco><compiler boundmass="0"/><worldbody><body pos="0 0 1" euler="0 0 20"><joint name="x" axis="1 0 0" pos="0 0 0.1" damping="0.1"/>` +
		`<body><joint name="y" axis="0 1 0" ref="30" stiffness="2" springref="10"/><body name="a"><joint name="s" type="slide" axis="1 1 0" ref="0.2" armature="0.1"/>` +
		tip + `</body></body></body></worldbody></mujoco>`
	dir := folder(t, map[string]string{"one.xml": one, "three.mjcf": three})
	scene := func(file string) *Scene {
		return mustLoad(t, dir, "time: {step: 0.002, duration: 1}\nrobots: {r: {file: "+file+", joints: {x: 0.3}}}\nsignals: {x: {body: r.a, position: x}, z: {body: r.a, position: z}, y: {joint: r.y, joint_state: position}}\n")
	}
	s := scene("one.xml")
	q1, _ := path(t, s, 200)
	q2, _ := path(t, scene("three.mjcf"), 200)
	for i := range q1 {
		for k := range q1[i] {
			near(t, fmt.Sprintf("position %d in step %d", k, i), q1[i][k], q2[i][k], 1e-11)
		}
	}
	if math.Abs(q1[199][1]-q1[0][1]) < 0.1 {
		t.Errorf("the arm swings from %g to %g: nothing to compare", q1[0][1], q1[199][1])
	}
	near(t, "y stands at its ref", simulate(t, s, 0)["y"], math.Pi/6, 1e-3)
}

// The pose in the file is where joints stand at ref.
func TestJointsStartAtTheirRef(t *testing.T) {
	dir := folder(t, map[string]string{"a.xml": `<mujoco><worldbody><body name="a" pos="1 0 2"><joint name="z" type="slide" ref="1.25"/><joint name="y" axis="0 1 0" ref="-40" range="-90 0"/>` +
		`<geom size="0.1" pos="0.5 0 0"/></body></worldbody></mujoco>`})
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: a.xml}}\n"+
		"signals: {x: {body: r.a, position: x}, z: {body: r.a, position: z}, q: {joint: r.z, joint_state: position}, p: {joint: r.y, joint_state: position}}\n")
	v := simulate(t, sc, 0)
	for name, want := range map[string]float64{"x": 1, "z": 2, "q": 1.25, "p": -40 * math.Pi / 180} {
		near(t, name, v[name], want, 1e-14)
	}
	sc = mustLoad(t, dir, timeOf+"robots: {r: {file: a.xml, joints: {z: 1.5}}}\nsignals: {z: {body: r.a, position: z}}\n")
	near(t, "raised", simulate(t, sc, 0)["z"], 2.25, 1e-14)
}

// A mesh of corners alone is their hull, scaled, with or without a look at it.
func TestMeshesOfCornersAreHulls(t *testing.T) {
	dir := folder(t, map[string]string{"a.xml": `<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1 0.1 0.1 0.1" scale="-0.1 0.2 0.3"/></asset>` +
		`<worldbody><body name="a"><geom type="mesh" mesh="m" contype="0" conaffinity="0" rgba="1 0 0 1"/><geom type="mesh" mesh="m" group="3"/></body></worldbody></mujoco>`})
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: a.xml, floating: true}}\n")
	if d := sc.Model.Geometry.Geoms[0].Shape.Bounds().Size().Sub(r3.Vec{0.1, 0.2, 0.3}).Norm(); d > 1e-15 {
		t.Errorf("off by %g", d)
	}
	near(t, "mass of both", sc.Model.Rigid.Link(0).Mass, 2*1000*0.006/6, 1e-12)
	seen := sc.Static.Geoms
	if len(seen) != 2 || seen[0].Hidden || !seen[1].Hidden || seen[0].Color != "#ff0000" {
		t.Errorf("seen: %+v", seen)
	}
	if v := seen[0].Mesh.Volume(); math.Abs(v-0.001) > 1e-15 {
		t.Errorf("what is seen encloses %g m³", v)
	}
}

// A free joint frees the base, unless the scene fixes it or a drive moves it.
func TestFreeJointsFloat(t *testing.T) {
	ball := `<body name="a" pos="0 0 2" euler="90 0 0"><freejoint name="f"/><geom size="0.1"/></body>`
	dir := folder(t, map[string]string{
		"one.xml": "<mujoco><worldbody>" + ball + "</worldbody></mujoco>",
		"two.xml": "<mujoco><worldbody><geom type='box' size='1 1 0.1'/>" + ball + "</worldbody></mujoco>",
	})
	fallen := 2 - 9.81*0.05*0.06/2 // five steps of 0.01 s
	for _, c := range []struct {
		robot string
		want  float64
	}{
		{"{file: one.xml}", fallen}, {"{file: two.xml}", fallen}, {"{file: one.xml, floating: false}", 2}, {"{file: one.xml, floating: true}", fallen},
	} {
		sc := mustLoad(t, dir, timeOf+"gravity: [0, 0, -9.81]\nrobots: {r: "+c.robot+"}\nbodies: {far: {pose: {xyz: [9, 0, 0]}, shapes: [{sphere: {radius: 0.1}}]}}\nsignals: {z: {body: r.a, position: z}}\n")
		near(t, c.robot, simulate(t, sc, 0.05)["z"], c.want, 1e-12)
	}
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: one.xml}}\ndrives: {d: {body: r, z: {times: [0, 0.05], values: [0, 1]}}}\nbodies: {far: {pose: {xyz: [9, 0, 0]}, shapes: [{sphere: {radius: 0.1}}]}}\nsignals: {z: {body: r.a, position: z}}\n")
	near(t, "driven", simulate(t, sc, 0.1)["z"], 3, 1e-12)
	if _, err := load(t, dir, timeOf+"robots: {r: {file: two.xml, floating: true}}\n"); err == nil || !strings.Contains(err.Error(), "connects it to the world, so it is not floating") {
		t.Errorf("error %v", err)
	}
}

// Shapes of the world carry what is free and what hinges on it, as MuJoCo has it;
// a body does not touch its parent where that moves.
func TestShapesOfTheWorldAreTouched(t *testing.T) {
	const bar = `<geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/>`
	dir := folder(t, map[string]string{"a.xml": `<mujoco><worldbody><geom type="box" size="1 1 0.1"/>` +
		`<body name="ball" pos="0 0.5 0.2"><freejoint/><geom size="0.1"/></body>` +
		`<body name="arm" pos="0 0 0.14"><joint name="arm" axis="0 1 0" pos="0 0 0.06"/>` + bar + `</body>` +
		`<body name="outer" pos="0 -0.5 1"><joint axis="0 0 1"/>` + bar + `<body><joint name="inner" axis="0 0 1"/>` + bar + `</body></body></worldbody></mujoco>`})
	run := func(collide string) map[string]float64 {
		return simulate(t, mustLoad(t, dir, "time: {step: 0.002, duration: 0.5}\nrobots: {r: {file: a.xml, self_contact: "+collide+"}}\n"+
			"signals: {z: {body: r.ball, position: z}, q: {joint: r.arm, joint_state: position}, n: {joint: r.inner, joint_state: position}}\n"), 0.5)
	}
	v := run("true")
	near(t, "ball", v["z"], 0.2, 1e-4)
	near(t, "arm, whose tip is 20 mm above the box", v["q"], math.Asin(0.3/math.Hypot(0.3, 0.06))-math.Acos(0.08/math.Hypot(0.3, 0.06)), 1e-3)
	near(t, "arms in each other", v["n"], 0, 1e-9)
	if v := run("false"); v["z"] > -0.5 || v["q"] < 0.5 {
		t.Errorf("without contact the ball is at %g m, the arm at %g rad", v["z"], v["q"])
	}
}

// Limits of many turns are warned of, in radians, whatever the format.
func TestLimitsOfManyTurnsAreWarnedOf(t *testing.T) {
	const mjcf = `<mujoco><compiler angle="radian"/><worldbody><body name="a"><joint name="j" range="-%s"/><geom size="0.1"/></body></worldbody></mujoco>`
	for limits, want := range map[string]bool{"3 3": false, "3 25": false, "90 45": true, "3 90": true, "1e5 1e5": false} {
		dir := folder(t, map[string]string{"a.xml": fmt.Sprintf(mjcf, limits)})
		all := strings.Join(mustLoad(t, dir, timeOf+"robots: {r: {file: a.xml}}\n").Warnings, "\n")
		if got := strings.Contains(all, `a.xml:1: joint "j": its limits, -`) && strings.Contains(all, " rad, are more than 14 turns: are these degrees?"); got != want {
			t.Errorf("limits -%s: %q", limits, all)
		}
	}
}

// A pendulum on a ball joint keeps its energy's share: hung level and let go
// without spin, it swings in a plane, as on a hinge.
func TestBallJointsSwing(t *testing.T) {
	pendulum := func(joint string) string {
		return `<mujoco><worldbody><body name="a">` + joint + `<geom type="sphere" size="0.05" pos="0.5 0 0"/></body></worldbody></mujoco>`
	}
	dir := folder(t, map[string]string{"ball.xml": pendulum(`<joint type="ball" damping="0.02"/>`), "hinge.xml": pendulum(`<joint axis="0 1 0" damping="0.02"/>`)})
	end := func(file string) map[string]float64 {
		return simulate(t, mustLoad(t, dir, "time: {step: 0.001, duration: 1}\nrobots: {r: {file: "+file+"}}\nsignals: {w: {body: r.a, angular_velocity: y}}\n"), 0.5)
	}
	a, b := end("ball.xml"), end("hinge.xml")
	near(t, "spin", a["w"], b["w"], 1e-6*math.Abs(b["w"]))
	if math.Abs(b["w"]) < 1 {
		t.Errorf("a spin of %g: nothing to compare", b["w"])
	}
}

// Meshes are found in meshdir, stand as refpos says, touch as hulls, and weigh what
// they enclose; files that are included are looked for beside the robot's, and
// faults are reported by their own lines.
func TestMeshesAndIncludesAreFoundBesideTheFile(t *testing.T) {
	const bowl = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.1 0.1 0.1\n" + // a tetrahedron with a dent from the far side
		"f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n"
	dir := folder(t, map[string]string{
		"m.xml":                 "<mujoco><include file='parts/assets.xml'/><worldbody><body name='a'><geom type='mesh' mesh='bowl'/></body></worldbody></mujoco>",
		"parts/more.xml":        "<mujocoinclude><asset>\n<mesh file='bowl.obj' scale='0.1 0.1 0.1' refpos='0 0 1'/></asset></mujocoinclude>",
		"parts/assets.xml":      "<mujocoinclude><compiler meshdir='parts\\meshes'/>\n<option gravity='0 0 -1.62'/>\n<include file='more.xml'/></mujocoinclude>",
		"parts/meshes/bowl.obj": bowl,
	})
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: m.xml, floating: true}}\n")
	g := sc.Model.Geometry.Geoms[0]
	hull, ok := g.Shape.(*geometry.Convex)
	if !ok {
		t.Fatalf("a %T, want a hull", g.Shape)
	}
	if d, _ := hull.SignedDistance(r3.Vec{0.02, 0.02, 0.02}); !(d < 0) {
		t.Errorf("the dent is %g m outside: hulls have none", d)
	}
	if d := g.X_BG.P.Sub(r3.Vec{0, 0, -0.1}).Norm(); d > 1e-15 {
		t.Errorf("at %v", g.X_BG.P)
	}
	// the tetrahedra (0, e1, e2, e3) less ((0.1, 0.1, 0.1), e1, e2, e3): 0.1³/6 · 3/10
	near(t, "mass", sc.Model.Rigid.Link(g.Body).Mass, 1000*1e-3/6*0.3, 1e-12)
	if !strings.Contains(strings.Join(sc.Warnings, "\n"), "defines a gravity of [0 0 -1.62] m/s²: the gravity of the scene") {
		t.Errorf("warnings %q", sc.Warnings)
	}
	if err := os.WriteFile(filepath.Join(dir, "parts/assets.xml"), []byte("<mujocoinclude><compiler meshdir='parts/meshes'/>\n<include file='more.xml'/></mujocoinclude>"), 0o666); err != nil {
		t.Fatal(err)
	}
	if again := mustLoad(t, dir, timeOf+"robots: {r: {file: m.xml, floating: true}}\n"); again.Fingerprint == sc.Fingerprint {
		t.Error("an included file that changed leaves the fingerprint as it was")
	}
	if err := os.WriteFile(filepath.Join(dir, "parts/more.xml"), []byte("<mujocoinclude><asset>\n<mesh file='gone.obj'/></asset></mujocoinclude>"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := load(t, dir, timeOf+"robots: {r: {file: m.xml, floating: true}}\n"); err == nil || !strings.Contains(err.Error(), `m.xml:1: <geom>: there is no mesh "bowl"`) {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "parts/more.xml"), []byte("<mujocoinclude><asset>\n<mesh/><mesh/></asset></mujocoinclude>"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := load(t, dir, timeOf+"robots: {r: {file: m.xml, floating: true}}\n"); err == nil || !strings.Contains(err.Error(), "parts/more.xml:2: ") {
		t.Errorf("error %v", err)
	}
}

// Two cranks of the same length, whose tips a bar of the length of their distance connects, stay
// parallel: the loop of the file is closed. Without it the second crank would swing by itself.
func TestConnectedBodiesCloseALoop(t *testing.T) {
	const rod = `<inertial pos="0 0 -0.5" mass="1" diaginertia="0.1 0.1 0.01"/><joint name="%s" axis="0 1 0"/>`
	dir := folder(t, map[string]string{"bars.xml": `<mujoco><worldbody>` +
		`<body name="a">` + fmt.Sprintf(rod, "qa") + `<body name="bar" pos="0 0 -1"><inertial pos="1 0 0" mass="3" diaginertia="0.1 1 1"/><joint name="qc" axis="0 1 0"/></body></body>` +
		`<body name="b" pos="2 0 0">` + fmt.Sprintf(rod, "qb") + `</body></worldbody>` +
		`<equality><connect name="pin" body1="bar" body2="b" anchor="2 0 0"/></equality></mujoco>`})
	sc := mustLoad(t, dir, "time: {step: 0.002, duration: 1}\nrobots: {r: {file: bars.xml, pose: {xyz: [3, 0, 1], rpy: [0, 0, 0.4]}, joints: {qa: 0.5, qb: 0.5, qc: -0.5}}}\n")
	if _, ok := sc.Model.Names.Constraints["r.pin"]; !ok {
		t.Fatalf("constraints %v", sc.Model.Names.Constraints)
	}
	a, b, c := sc.Model.Joint("r.qa"), sc.Model.Joint("r.qb"), sc.Model.Joint("r.qc")
	q, _ := path(t, sc, 700)
	for i := range q {
		near(t, fmt.Sprintf("crank b in step %d", i), q[i][b], q[i][a], 1e-4)
		near(t, fmt.Sprintf("bar in step %d", i), q[i][c], -q[i][a], 1e-4)
	}
	// a pendulum of this length and half the mass above has swung through by now
	if least := slices.MinFunc(q, func(x, y []float64) int { return cmp.Compare(x[a], y[a]) }); least[a] > -0.3 {
		t.Errorf("the cranks swing to %g rad only", least[a])
	}
}

// A keyframe sets the base of a floating robot, its joints and free bodies beside it; positions of
// the scene win, and a ball keeps the file's orientation.
func TestRobotsStartAtKeyframes(t *testing.T) {
	const mass = `<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>`
	dir := folder(t, map[string]string{"walker.xml": `<mujoco><worldbody><body name="trunk" pos="0 0 1"><freejoint/>` + mass +
		`<body name="a"><joint name="qa" range="-90 90"/>` + mass + `</body><body name="b">` + mass + `<joint name="qb" type="slide"/><joint name="qc"/></body></body></worldbody>` +
		`<keyframe><key name="home" qpos="1 2 3 0 0 0 2 0.5 0.1 0.2"/><key qpos="0 0 0 1 0 0 0 -0.5 0 0"/><key name="short" qpos="1 2"/></keyframe></mujoco>`,
		"pair.xml": `<mujoco><worldbody><body name="x"><freejoint/>` + mass + `</body><body name="y" pos="5 0 0"><freejoint/>` + mass + `</body></worldbody>` +
			`<keyframe><key name="k" qpos="0 0 0 1 0 0 0 7 8 9 1 0 0 0"/></keyframe></mujoco>`})
	start := func(file, more string) *Scene {
		return mustLoad(t, dir, timeOf+"robots: {r: {file: "+file+", "+more+"}}\n")
	}
	pose := func(sc *Scene, link string) r3.Pose {
		m := sc.Model.Rigid
		d := m.NewData()
		q, v := sc.Model.Start.Q, sc.Model.Start.V
		d.Place(0, 0.01, q, v)
		return d.Pose(sc.Model.Body(link))
	}
	sc := start("walker.xml", "keyframe: home, joints: {qc: 0.7}")
	q := sc.Model.Start.Q
	for joint, want := range map[string]float64{"r.qa": 0.5, "r.qb": 0.1, "r.qc": 0.7} {
		near(t, joint, q[sc.Model.Rigid.QStart(sc.Model.Rigid.LinkOfDof(sc.Model.Joint(joint)))], want, 1e-15)
	}
	// half a turn about z
	if X := pose(sc, "r.trunk"); X.P.Sub(r3.Vec{1, 2, 3}).Norm() > 1e-15 || X.R.MulVec(r3.Vec{1, 0, 0}).Sub(r3.Vec{-1, 0, 0}).Norm() > 1e-15 {
		t.Errorf("the trunk starts at %v", X)
	}
	sc = start("walker.xml", "keyframe: \"1\"")
	q = sc.Model.Start.Q
	near(t, "qa", q[sc.Model.Rigid.QStart(sc.Model.Rigid.LinkOfDof(sc.Model.Joint("r.qa")))], -0.5, 1e-15)
	if X := pose(start("pair.xml", "keyframe: k"), "r.y"); X.P.Sub(r3.Vec{7, 8, 9}).Norm() > 1e-15 {
		t.Errorf("y starts at %v", X)
	}
	for more, want := range map[string]string{
		"walker.xml, keyframe: hone":  `has no keyframe "hone": did you mean "home"`,
		"walker.xml, keyframe: short": `has no keyframe "short"`,
	} {
		if _, err := load(t, dir, timeOf+"robots: {r: {file: "+more+"}}\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", more, err, want)
		}
	}
}

// The inputs of a scene are files that are there: not the names in the robot's folder that are tried
// before those beside an included file.
func TestFilesOfIncludedPartsAreInputs(t *testing.T) {
	dir := folder(t, map[string]string{
		"arm.xml":              `<mujoco><compiler meshdir="m"/><include file="parts/p/assets.xml"/><worldbody><body><joint/><geom type="mesh" mesh="a"/></body></worldbody></mujoco>`,
		"parts/p/assets.xml":   `<mujoco><asset><mesh name="a" file="../g/a.obj"/></asset><include file="defaults.xml"/></mujoco>`,
		"parts/p/defaults.xml": `<mujoco><default><geom density="500"/></default></mujoco>`,
		"parts/g/a.obj":        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
	})
	s := mustLoad(t, dir, "time: {step: 0.01, duration: 0.1}\nrobots: {r: {file: arm.xml}}\n")
	var names []string
	for _, file := range s.Files {
		name, err := filepath.Rel(dir, file)
		if _, missing := os.Stat(file); err != nil || missing != nil {
			t.Errorf("%s: %v %v", file, err, missing)
		}
		names = append(names, filepath.ToSlash(name))
	}
	for _, want := range []string{"arm.xml", "parts/p/assets.xml", "parts/p/defaults.xml", "parts/g/a.obj"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is no input: %v", want, names)
		}
	}
}
