package scene

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/formats"
	"github.com/curlfree/curlfree/r3"
)

// fixtures writes the meshes and robots that the tests' scenes name into a folder.
func fixtures(t testing.TB) string {
	t.Helper()
	f := fixtureWriter{t, t.TempDir()}
	f.meshes()
	f.robots()
	f.quickRobot()
	return f.dir
}

// fixtureWriter writes files into a folder.
type fixtureWriter struct {
	t   testing.TB
	dir string
}

func (f *fixtureWriter) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

// cube writes the surface of a cube, in which the last triangles are missing.
func (f *fixtureWriter) cube(name string, edge float64, missing int) {
	f.t.Helper()
	box, err := meshes.BoxTets(r3.Vec{edge, edge, edge}, [3]int{2, 2, 2})
	if err != nil {
		f.t.Fatal(err)
	}
	tri, _ := box.Surface()
	tri.Tris = tri.Tris[:len(tri.Tris)-missing]
	if err := formats.WriteTri(filepath.Join(f.dir, name), tri); err != nil {
		f.t.Fatal(err)
	}
}

// meshes writes sound and faulty meshes.
func (f *fixtureWriter) meshes() {
	f.cube("cube.stl", 0.1, 0)
	f.cube("cube.vtk", 0.1, 0)
	f.cube("holed.stl", 0.1, 1)
	f.cube("mm.stl", 100, 0)
	f.write("crossed.obj", crossedCubes())
	f.write("nan.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n")
	points := "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 0.1 0 0 0 0.1 0 0 0 0.1 "
	f.write("inverted.vtk", points+"0.1 0.1 0.1\nCELLS 2 10\n4 0 1 2 3\n4 1 3 2 4\nCELL_TYPES 2\n10 10\n")
	f.write("flat.vtk", points+"0.05 0.05 0\nCELLS 2 10\n4 0 1 2 3\n4 0 1 2 4\nCELL_TYPES 2\n10 10\n")
	f.write("nan.vtk", points+"nan 0 0\nCELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10 10\n")
}

// crossedCubes returns two cubes of 0.1 m that cut each other, as an OBJ file.
func crossedCubes() string {
	text := ""
	for _, from := range []float64{0, 0.05} {
		for k := range 8 {
			text += fmt.Sprintf("v %g %g %g\n", from+0.1*float64(k&1), from+0.1*float64(k>>1&1), from+0.1*float64(k>>2))
		}
		n := map[float64]int{0: 0, 0.05: 8}[from]
		for _, f := range [][3]int{{1, 3, 4}, {1, 4, 2}, {5, 6, 8}, {5, 8, 7}, {1, 2, 6}, {1, 6, 5}, {3, 7, 8}, {3, 8, 4}, {1, 5, 7}, {1, 7, 3}, {2, 4, 8}, {2, 8, 6}} {
			text += fmt.Sprintf("f %d %d %d\n", f[0]+n, f[1]+n, f[2]+n)
		}
	}
	return text
}

// urdfLink writes a link with its inertia; inside is XML that stands in it.
func urdfLink(name, mass, ixx, inside string) string {
	return `<link name="` + name + `"><inertial><mass value="` + mass + `"/><inertia ixx="` + ixx + `" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>` + inside + "</link>\n"
}

// urdfJoint writes a revolute joint; more is XML that stands in it.
func urdfJoint(name, parent, child, more string) string {
	return `<joint name="` + name + `" type="revolute"><parent link="` + parent + `"/><child link="` + child + `"/><origin xyz="0.2 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="3"/>` + more + "</joint>\n"
}

// robot writes a URDF file.
func (f *fixtureWriter) robot(name, body string) {
	f.write(name, "<robot name=\"r\">\n"+body+"</robot>\n")
}

// robots writes sound and faulty robots in several formats.
func (f *fixtureWriter) robots() {
	base := `<link name="base"/>`
	three := urdfLink("a", "1", "1e-3", "") + urdfLink("b", "1", "1e-3", "") + urdfLink("c", "1", "1e-3", "")
	f.robot("arm.urdf", base+"\n"+
		urdfLink("upper", "1", "1e-3", `<collision><geometry><box size="0.1 0.02 0.02"/></geometry></collision>`)+
		urdfLink("lower", "0.5", "1e-3", "")+
		urdfJoint("shoulder", "base", "upper", "")+
		urdfJoint("elbow", "upper", "lower", `<mimic joint="shoulder" multiplier="2" offset="0.1"/>`))
	f.robot("loop.urdf", three+urdfJoint("ab", "a", "b", "")+urdfJoint("bc", "b", "c", "")+urdfJoint("ac", "a", "c", ""))
	f.robot("circle.urdf", three+urdfJoint("ab", "a", "b", `<mimic joint="bc"/>`)+urdfJoint("bc", "b", "c", `<mimic joint="ab"/>`))
	f.robot("negative.urdf", urdfLink("a", "-1", "1e-3", ""))
	f.robot("indefinite.urdf", base+urdfLink("a", "1", "-1e-3", "")+urdfJoint("j", "base", "a", ""))
	f.robot("nan.urdf", base+urdfLink("a", "nan", "1e-3", "")+urdfJoint("j", "base", "a", ""))
	f.write("door.sdf", `<sdf version="1.9"><model name="door"><link name="leaf"><pose>0.4 0 1 0 0 0</pose><inertial><mass>2</mass></inertial></link>`+
		`<joint name="hinge" type="revolute"><pose>-0.4 0 0 0 0 0</pose><parent>world</parent><child>leaf</child><axis/></joint></model></sdf>`)
	f.write("hand.xml", `<mujoco><worldbody><body name="palm"><freejoint/><geom size="0.1"/><body name="finger" pos="0.2 0 0"><joint name="j"/><geom size="0.1"/></body></body></worldbody></mujoco>`)
	mesh := `<geometry><mesh filename="gone.stl"/></geometry>`
	f.robot("nocollision.urdf", base+urdfLink("a", "1", "1e-3", "<collision>"+mesh+"</collision>")+urdfJoint("j", "base", "a", ""))
	f.robot("novisual.urdf", base+urdfLink("a", "1", "1e-3", "<visual>"+mesh+"</visual>")+urdfJoint("j", "base", "a", ""))
}

// quickRobot writes a robot whose joints have speed limits.
func (f *fixtureWriter) quickRobot() {
	quick := `<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/><axis xyz="0 1 0"/><limit effort="3" velocity="%s"/></joint>` + "\n"
	f.robot("quick.urdf", `<link name="base"/>`+urdfLink("a", "1", "1e-3", "")+urdfLink("b", "1", "1e-3", "")+urdfLink("c", "1", "1e-3", "")+
		urdfJoint("ba", "base", "a", "")+fmt.Sprintf(quick, "ab", "continuous", "a", "b", "2")+fmt.Sprintf(quick, "bc", "continuous", "b", "c", "1"))
}
