package scene

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/r3"
)

// meshOf writes the surface of a shape as an OBJ file, twice where it is to be doubled, the second
// time shifted along x.
func meshOf(t *testing.T, dir, name string, s geometry.Shape, shift float64) {
	t.Helper()
	one := s.(interface{ SurfaceMesh() *meshes.Tri }).SurfaceMesh()
	m := &meshes.Tri{Verts: append([]r3.Vec{}, one.Verts...), Tris: append([][3]int32{}, one.Tris...)}
	if shift != 0 {
		n := int32(len(one.Verts))
		for _, v := range one.Verts {
			m.Verts = append(m.Verts, v.Add(r3.Vec{shift, 0.001, 0.002}))
		}
		for _, f := range one.Tris {
			m.Tris = append(m.Tris, [3]int32{f[0] + n, f[1] + n, f[2] + n})
		}
	}
	if err := formats.WriteTri(filepath.Join(dir, name), m); err != nil {
		t.Fatal(err)
	}
}

// Two cubes of 0.1 m in one file that overlap by half cut each other. They touch as their convex
// hull, which is larger than the union by two wedges, and a warning says so.
func TestMeshesThatCutThemselvesTouchAsTheirHulls(t *testing.T) {
	cube, err := geometry.NewBox(r3.Vec{0.1, 0.1, 0.1})
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"r.urdf": shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="two.obj"/>`))})
	meshOf(t, dir, "two.obj", cube, 0.05)
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: r.urdf}}\n")
	if all := strings.Join(sc.Warnings, "\n"); !strings.Contains(all, "r.urdf:1: mesh two.obj cuts itself (") || !strings.Contains(all, "its convex hull is used for contact") {
		t.Errorf("warnings %q", sc.Warnings)
	}
	if _, hull := sc.Model.Geometry.Geoms[0].Shape.(*geometry.Convex); !hull {
		t.Errorf("contact has a %T", sc.Model.Geometry.Geoms[0].Shape)
	}
	// between the union of the cubes and the box around both
	if v := volume(t, sc.Model.Geometry.Geoms[0].Shape); v < 0.15*0.1*0.1 || v > 0.15*0.101*0.102 {
		t.Errorf("volume %g m³", v)
	}
}

// What is only seen is neither examined nor warned of, and is shown with all its triangles.
func TestVisualsAreNotExamined(t *testing.T) {
	dir := fixtures(t)
	f := fixtureWriter{t, dir}
	f.write("seen.urdf", shapedRobot(`<visual><geometry><mesh filename="holed.stl"/></geometry></visual>`+collision("0 0 0", "0 0 0", `<sphere radius="0.1"/>`)))
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: seen.urdf}}\n")
	for _, w := range sc.Warnings {
		if strings.Contains(w, "holed.stl") {
			t.Errorf("warning %q", w)
		}
	}
	if n := len(sc.Static.Geoms[0].Mesh.Tris); n != 47 { // 48 of a cube, one of which is missing
		t.Errorf("%d triangles are shown", n)
	}
}

// A ball of 20,000 corners touches as a hull of 1024, out of which it sticks by less than a
// thousandth of its size; the warning says by how much.
func TestHullsOfDetailedMeshesAreReduced(t *testing.T) {
	dir := folder(t, map[string]string{"r.xml": `<mujoco><asset><mesh name="m" file="ball.obj"/></asset><worldbody><body><freejoint/>` +
		`<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>`})
	const n = 100 // meridians and circles
	m := &meshes.Tri{Verts: []r3.Vec{{0, 0, -1}, {0, 0, 1}}}
	for i := 1; i < 2*n; i++ {
		for j := range n {
			a, b := math.Pi*(float64(i)/(2*n)-0.5), 2*math.Pi*float64(j)/n
			m.Verts = append(m.Verts, r3.Vec{math.Cos(a) * math.Cos(b), math.Cos(a) * math.Sin(b), math.Sin(a)})
		}
	}
	m.Tris = append(m.Tris, [3]int32{0, 1, 2}) // a hull needs vertices only
	if err := formats.WriteTri(filepath.Join(dir, "ball.obj"), m); err != nil {
		t.Fatal(err)
	}
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: r.xml}}\n")
	c, ok := sc.Model.Geometry.Geoms[0].Shape.(*geometry.Convex)
	if !ok || len(c.Verts()) != hullCorners {
		t.Fatalf("contact has %T of %d corners", sc.Model.Geometry.Geoms[0].Shape, len(c.Verts()))
	}
	worst := 0.0
	for _, p := range m.Verts {
		phi, _ := c.SignedDistance(p)
		worst = max(worst, phi)
	}
	if worst > 0.01 {
		t.Errorf("a corner sticks out by %g m", worst)
	}
	if all := strings.Join(sc.Warnings, "\n"); !strings.Contains(all, "r.xml:1: mesh ball.obj: its convex hull is reduced to 1024 corners") {
		t.Errorf("warnings %q", sc.Warnings)
	}
}

// Repaired places are warnings, and errors with strict; so are meshes that are replaced by their hull.
func TestStrictRobotsAreNotRepaired(t *testing.T) {
	dir := fixtures(t)
	f := fixtureWriter{t, dir}
	f.write("odd.urdf", shapedRobot("\n"+collision("0 0 0", "0 0 0", `<sphere radius="0"/>`)+"\n"+collision("0 0 0", "0 0 0", `<mesh filename="holed.stl"/>`)))
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: odd.urdf}}\n")
	for _, want := range []string{"odd.urdf:2: a <sphere> with a size of 0 is left out", "odd.urdf:3: mesh holed.stl is not closed"} {
		if all := strings.Join(sc.Warnings, "\n"); !strings.Contains(all, want) {
			t.Errorf("warnings %q, want %s", all, want)
		}
	}
	f.write("strict.yaml", timeOf+"robots: {r: {file: odd.urdf, strict: true}}\n")
	_, err := Load(filepath.Join(dir, "strict.yaml"), nil)
	for _, want := range []string{"odd.urdf:2:1: a <sphere> with a size of 0", "odd.urdf:3:1: mesh holed.stl is not closed"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// Collision meshes whose file is missing are errors, or left out where the scene says so.
func TestMissingCollisionMeshesAreSkippedOnDemand(t *testing.T) {
	dir := fixtures(t)
	f := fixtureWriter{t, dir}
	f.write("gone.urdf", shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="gone.stl"/>`)+collision("0 0 0", "0 0 0", `<sphere radius="1"/>`)))
	f.write("s.yaml", timeOf+"robots: {r: {file: gone.urdf}}\n")
	if _, err := Load(filepath.Join(dir, "s.yaml"), nil); err == nil || !strings.Contains(err.Error(), "gone.stl: there is no such file") {
		t.Errorf("error %v", err)
	}
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: gone.urdf, missing_meshes: skip}}\n")
	if n := len(sc.Model.Geometry.Geoms); n != 1 {
		t.Errorf("%d shapes", n)
	}
	if all := strings.Join(sc.Warnings, "\n"); !strings.Contains(all, "gone.urdf:1: collision shape left out") {
		t.Errorf("warnings %q", all)
	}
}

// The model of an SDFormat file is chosen by its name; without one it is the first.
func TestModelsOfAFileAreChosenByName(t *testing.T) {
	one := func(name string) string {
		return "<model name='" + name + "'><link name='" + name + "'><inertial><mass>1</mass></inertial></link></model>\n"
	}
	dir := folder(t, map[string]string{"two.sdf": "<sdf version='1.9'><world name='w'>\n" + one("x") + one("y") + "</world></sdf>"})
	for key, link := range map[string]string{"": "r.x", ", model: x": "r.x", ", model: y": "r.y"} {
		sc := mustLoad(t, dir, timeOf+"robots: {r: {file: two.sdf, floating: true"+key+"}}\n")
		if name := sc.Model.Rigid.LinkName(0); name != link {
			t.Errorf("%q: link %s", key, name)
		}
	}
	f := fixtureWriter{t, dir}
	f.write("s.yaml", timeOf+"robots: {r: {file: two.sdf, model: z}}\n")
	if _, err := Load(filepath.Join(dir, "s.yaml"), nil); err == nil || !strings.Contains(err.Error(), `the file has no model "z": "x", "y" are there`) {
		t.Errorf("error %v", err)
	}
}

// Names of packages cannot reach files outside of the package, even where a file is there; paths
// relative to the robot file may.
func TestNamesOfPackagesStayInTheirFolder(t *testing.T) {
	dir := fixtures(t)
	if err := os.MkdirAll(filepath.Join(dir, "arm", "urdf"), 0o755); err != nil {
		t.Fatal(err)
	}
	f := fixtureWriter{t, dir}
	for _, name := range []string{"package://../../cube.stl", "package://arm/../cube.stl", "package://arm/urdf/../../cube.stl", "model://arm/../cube.stl", "package:///cube.stl", "package://cube.stl", "package:///../cube.stl", "package://./cube.stl"} {
		for _, packages := range []string{"", ", packages: {arm: arm}"} {
			f.write("arm/urdf/a.urdf", shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="`+name+`"/>`)))
			f.write("s.yaml", timeOf+"robots: {r: {file: arm/urdf/a.urdf"+packages+"}}\n")
			if _, err := Load(filepath.Join(dir, "s.yaml"), nil); err == nil || !strings.Contains(err.Error(), "leaves its package") {
				t.Errorf("%s%s: %v", name, packages, err)
			}
		}
	}
	f.write("arm/urdf/a.urdf", shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="../../cube.stl"/>`)))
	mustLoad(t, dir, timeOf+"robots: {r: {file: arm/urdf/a.urdf}}\n")
}

// Names of public files that are no names of packages: three slashes, and a file beside the robot file.
func TestNamesWithoutAPackageAreFound(t *testing.T) {
	dir := fixtures(t)
	if err := os.MkdirAll(filepath.Join(dir, "robots", "arm"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "cube.stl"), filepath.Join(dir, "robots", "arm", "cube.stl")); err != nil {
		t.Fatal(err)
	}
	f := fixtureWriter{t, dir}
	for _, name := range []string{"package:///robots/arm/cube.stl", "package://cube.stl", "model:///arm/cube.stl"} {
		f.write("robots/arm/p.urdf", shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="`+name+`"/>`)))
		sc := mustLoad(t, dir, timeOf+"robots: {r: {file: robots/arm/p.urdf}}\n")
		near(t, name, volume(t, sc.Model.Geometry.Geoms[0].Shape), 1e-3, 1e-8)
	}
}

// A package is found in a folder of another name above the robot, with a warning.
func TestPackagesOfOtherNamesAreFoundByTheirFiles(t *testing.T) {
	dir := fixtures(t)
	if err := os.MkdirAll(filepath.Join(dir, "robots", "arm"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "cube.stl"), filepath.Join(dir, "robots", "cube.stl")); err != nil {
		t.Fatal(err)
	}
	f := fixtureWriter{t, dir}
	f.write("robots/arm/p.urdf", shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="package://its_models/robots/cube.stl"/>`)))
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: robots/arm/p.urdf}}\n")
	near(t, "volume", volume(t, sc.Model.Geometry.Geoms[0].Shape), 1e-3, 1e-8)
	if all := strings.Join(sc.Warnings, "\n"); !strings.Contains(all, "no folder above it is called its_models") {
		t.Errorf("warnings %q", all)
	}
}

// A model that is missing is not the file that includes it, though that has the name of its file.
func TestMissingModelsAreNotThoseThatIncludeThem(t *testing.T) {
	dir := folder(t, map[string]string{"wall/model.sdf": `<sdf version="1.9"><model name="wall"><link name="a"/><include><uri>model://valve</uri></include></model></sdf>`})
	if _, err := load(t, dir, timeOf+"robots: {r: {file: wall/model.sdf}}\n"); err == nil || !strings.Contains(err.Error(), `"model://valve": `) || !strings.Contains(err.Error(), "there is no such file") {
		t.Errorf("%v", err)
	}
}

// A file of vertices alone means their hull in MJCF: of a cube it weighs 1000 kg/m³ and touches. URDF has
// no such meshes.
func TestVerticesAloneAreTheirHullInMJCF(t *testing.T) {
	corners := "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv .5 .5 .5\n"
	dir := folder(t, map[string]string{
		"c.obj":  corners,
		"r.xml":  `<mujoco><asset><mesh file="c.obj" scale=".1 .1 .2"/></asset><worldbody><body name="b"><freejoint/><geom type="mesh" mesh="c"/></body></worldbody></mujoco>`,
		"r.urdf": shapedRobot(collision("0 0 0", "0 0 0", `<mesh filename="c.obj"/>`)),
	})
	sc := mustLoad(t, dir, timeOf+"robots: {r: {file: r.xml}}\n")
	if mass := sc.Model.Rigid.Link(0).Mass; math.Abs(mass-2) > 1e-12 {
		t.Errorf("%g kg, want 2", mass)
	}
	if c, hull := sc.Model.Geometry.Geoms[0].Shape.(*geometry.Convex); !hull || len(c.Verts()) != 8 {
		t.Errorf("contact has a %T", sc.Model.Geometry.Geoms[0].Shape)
	}
	if _, err := load(t, dir, timeOf+"robots: {r: {file: r.urdf}}\n"); err == nil || !strings.Contains(err.Error(), "no triangles in the file") {
		t.Errorf("%v", err)
	}
}
