package mjcf

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// block is a mesh of a box with the edges 2, 4 and 10 m, centred at (7, 0, 0).
const block = "<mesh name='m' vertex='6 -2 -5  8 -2 -5  8 2 -5  6 2 -5  6 -2 5  8 -2 5  8 2 5  6 2 5'/>"

// fitted reads a geom of a type on the block, with settings of the compiler.
func fitted(t *testing.T, kind, compiler, more string) robot.Geometry {
	t.Helper()
	text := "<mujoco><compiler " + compiler + "/><asset>" + block + "</asset><worldbody><body><freejoint/><geom type='" + kind + "' mesh='m' " + more + "/></body></worldbody></mujoco>"
	m, warnings, err := Parse(strings.NewReader(text), "m.xml", nil)
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	return m.Links[0].Collisions[0]
}

// The box of the moments of a box is the box itself, with half edges 1, 2 and 5; its longest edge
// lies along the axis of round shapes, here z of the file.
func TestShapesAreFittedToMeshes(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s %g, want %g", what, got, want)
		}
	}
	for _, compiler := range []string{"", "fitaabb='true'"} {
		g := fitted(t, "box", compiler, "pos='0 0 1'")
		near("volume", g.Box[0]*g.Box[1]*g.Box[2], 80)
		// turned by the axes of the box
		near("along z", g.X_LG.R.MulVec(r3.Vec(*g.Box))[2]/2, math.Copysign(5, g.X_LG.R.MulVec(r3.Vec(*g.Box))[2]))
		if g.X_LG.P.Sub(r3.Vec{7, 0, 1}).Norm() > 1e-12 {
			t.Errorf("centre %v", g.X_LG.P)
		}
	}
	c := fitted(t, "capsule", "", "")
	near("radius", c.Capsule.Radius, 1.5)
	near("length", c.Capsule.Length, 2*(5-0.75))
	if z := c.X_LG.R.MulVec(r3.Vec{0, 0, 1}); math.Abs(math.Abs(z[2])-1) > 1e-12 {
		t.Errorf("axis %v", z)
	}
	c = fitted(t, "capsule", "fitaabb='true'", "fitscale='2'")
	near("radius", c.Capsule.Radius, 4)
	near("length", c.Capsule.Length, 2*2*(5-2))
	near("radius", fitted(t, "sphere", "", "").Sphere, 8.0/3)
	near("radius", fitted(t, "sphere", "fitaabb='true'", "").Sphere, 5)
	y := fitted(t, "cylinder", "", "")
	near("radius", y.Cylinder.Radius, 1.5)
	near("length", y.Cylinder.Length, 10)
	e := fitted(t, "ellipsoid", "", "")
	near("volume", e.Ellipsoid[0]*e.Ellipsoid[1]*e.Ellipsoid[2], 10)
}

// What other programs write in MJCF: an empty attribute gives nothing, a joint of type fixed is
// none, planes on bodies are left out, and a file of a plane alone is a world.
func TestOddMJCFIsRead(t *testing.T) {
	m, warnings, err := Parse(strings.NewReader("<mujoco><worldbody><body name='a'><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><joint type='fixed' name='x'/>\n"+
		"<geom type='plane' size='1 1 1'/><geom size='1' rgba='' friction=''/></body></worldbody></mujoco>"), "m.xml", nil)
	if err != nil || len(m.Joints) != 0 || len(m.Links) != 1 || len(m.Links[0].Collisions) != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	mended := 0
	for _, w := range warnings {
		if w.Repaired {
			mended++
		}
	}
	if mended != 2 {
		t.Errorf("warnings %v", warnings)
	}
	m, _, err = Parse(strings.NewReader("<mujoco><worldbody><geom type='plane' size='1 1 1'/></worldbody></mujoco>"), "m.xml", nil)
	if err != nil || len(m.Links) != 1 || m.Links[0].Name != "world" {
		t.Errorf("%+v, %v", m, err)
	}
}
