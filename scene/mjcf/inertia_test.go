package mjcf

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// weighs checks mass, centre and principal moments of the only body.
func weighs(t *testing.T, what string, m *robot.Robot, mass float64, com, moments r3.Vec) {
	t.Helper()
	in := m.Links[0].Inertial
	if in == nil {
		t.Errorf("%s: no mass", what)
		return
	}
	if d := in.Mass - mass; !(math.Abs(d) <= 1e-12*mass) {
		t.Errorf("%s: %.15g kg, want %.15g", what, in.Mass, mass)
	}
	if d := in.Com.Sub(com).Norm(); !(d < 1e-13) {
		t.Errorf("%s: centre %v, want %v", what, in.Com, com)
	}
	if d := in.Inertia.Sub(r3.Diag(moments)); !(math.Sqrt(d.Norm2()) <= 1e-12*moments.Norm()) {
		t.Errorf("%s: inertia %v, want %v", what, in.Inertia, moments)
	}
}

// Bodies without <inertial> weigh what their shapes do: 1000 kg/m³, or their
// density, or their mass.
func TestInertiaComesFromShapes(t *testing.T) {
	const r, h = 0.1, 0.3 // of capsule and cylinder: radius, half the length
	cylinder, ball := 2*math.Pi*r*r*h, 4*math.Pi/3*r*r*r
	round := func(m float64) r3.Vec {
		return r3.Vec{m * (3*r*r + 4*h*h) / 12, m * (3*r*r + 4*h*h) / 12, m * r * r / 2}
	}
	caps := r3.Vec{1, 1, 0}.Scale(ball * (2*r*r/5 + h*h + 3*h*r/4)).Add(r3.Vec{0, 0, ball * 2 * r * r / 5})
	for _, c := range []struct {
		geoms        string
		mass         float64
		com, moments r3.Vec
	}{
		{`<geom size="0.1"/>`, 1000 * ball, r3.Vec{}, r3.Vec{1, 1, 1}.Scale(1000 * ball * 0.4 * r * r)},
		{`<geom size="0.1" density="500" pos="1 2 3"/>`, 500 * ball, r3.Vec{1, 2, 3}, r3.Vec{1, 1, 1}.Scale(500 * ball * 0.4 * r * r)},
		{`<geom type="box" size="1 2 3" mass="12"/>`, 12, r3.Vec{}, r3.Vec{4*4 + 4*9, 4*1 + 4*9, 4*1 + 4*4}},
		{`<geom type="box" size="1 2 3" mass="12" euler="0 0 90"/>`, 12, r3.Vec{}, r3.Vec{4*1 + 4*9, 4*4 + 4*9, 4*1 + 4*4}},
		{`<geom type="cylinder" size="0.1 0.3" density="1"/>`, cylinder, r3.Vec{}, round(cylinder)},
		{`<geom type="cylinder" fromto="0 0 1 0 0 1.6" size="0.1" mass="2"/>`, 2, r3.Vec{0, 0, 1.3}, round(2)},
		{`<geom type="capsule" size="0.1 0.3" density="1"/>`, cylinder + ball, r3.Vec{}, round(cylinder).Add(caps)},
		{`<geom type="ellipsoid" size="1 2 3" mass="5"/>`, 5, r3.Vec{}, r3.Vec{4 + 9, 1 + 9, 1 + 4}},
		{`<geom type="mesh" mesh="cube" density="2"/>`, 2, r3.Vec{0.5, 0.5, 0.5}, r3.Vec{1, 1, 1}.Scale(2. / 6)},
		{`<geom type="mesh" mesh="brick" density="2" contype="0" conaffinity="0"/>`, 48, r3.Vec{-1, 1.5, 2}, r3.Vec{9 + 16, 4 + 16, 4 + 9}.Scale(48. / 12)},
		{`<geom type="mesh" mesh="turned" density="1"/>`, 1, r3.Vec{0.5, -0.5, 0.5}, r3.Vec{1, 1, 1}.Scale(1. / 6)},
		{`<geom type="mesh" mesh="corners" mass="6"/>`, 6, r3.Vec{}, r3.Vec{1, 1, 1}},
		// a dumbbell of 1 kg at ±2 m, and what weighs nothing: masses of 0, no density, groups
		{`<geom size="0.5" mass="1" pos="2 0 0"/><geom size="0.5" mass="1" pos="-2 0 0"/><geom size="9" mass="0"/><geom size="9" density="0"/><geom size="9" group="6"/>`, 2, r3.Vec{}, r3.Vec{0.2, 8.2, 8.2}},
		{`<frame pos="0 1 0"><geom size="0.5" mass="1"/></frame>`, 1, r3.Vec{0, 1, 0}, r3.Vec{0.1, 0.1, 0.1}},
	} {
		m := one(t, `<asset><mesh file="cube.obj"/><mesh name="brick" file="cube.obj" scale="-2 3 4"/><mesh name="turned" file="cube.obj" refquat="1 0 0 1"/>`+
			`<mesh name="corners" vertex="0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 0.5 0.5 0.5" refpos="0.5 0.5 0.5"/></asset>`+world(`<body name="a">`+c.geoms+`</body>`))
		weighs(t, c.geoms, m, c.mass, c.com, c.moments)
	}
}

// The corner of a cube, cut off at a = 6 m from it, has its centre at a/4 and, with
// E[x²] = a²/10 and E[xy] = a²/20, moments of 2 m (a²/10 − a²/16) and products of
// m (a²/16 − a²/20).
func TestMeshesMayBeWrittenOut(t *testing.T) {
	m := one(t, `<compiler strippath="true"/><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3" scale="6 6 6"/></asset>`+
		world(`<body><geom type="mesh" mesh="m" mass="20"/></body>`))
	in, g := m.Links[0].Inertial, m.Links[0].Collisions[0].Mesh
	if d := in.Inertia.Sub(r3.Mat{54, 9, 9, 9, 54, 9, 9, 9, 54}); math.Sqrt(d.Norm2()) > 1e-12 || in.Com.Sub(r3.Vec{1.5, 1.5, 1.5}).Norm() > 1e-14 {
		t.Errorf("%+v", in)
	}
	if g.File != "" || len(g.Triangles.Tris) != 4 || g.Triangles.Verts[3] != (r3.Vec{0, 0, 1}) || g.Scale != (r3.Vec{6, 6, 6}) {
		t.Errorf("mesh %+v", g)
	}
}

func TestCompilerSaysWhatBodiesWeigh(t *testing.T) {
	const given, ball = `<inertial pos="0 0 0" mass="2" diaginertia="3 2 1.5"/>`, `<geom size="1" mass="10"/>`
	for _, c := range []struct {
		compiler, inside string
		mass             float64
		moments          r3.Vec
	}{
		{``, given + ball, 2, r3.Vec{3, 2, 1.5}},
		{`inertiafromgeom="true"`, given + ball, 10, r3.Vec{4, 4, 4}},
		{`inertiafromgeom="false"`, given + ball, 2, r3.Vec{3, 2, 1.5}},
		{`boundmass="5" boundinertia="1.75"`, given, 5, r3.Vec{3, 2, 1.75}},
		{`settotalmass="1"`, given, 1, r3.Vec{1.5, 1, 0.75}},
		{`inertiagrouprange="1 2"`, ball + `<geom size="1" mass="5" group="2"/>`, 5, r3.Vec{2, 2, 2}},
	} {
		weighs(t, c.compiler+c.inside, one(t, "<compiler "+c.compiler+"/>"+world("<body>"+c.inside+"</body>")), c.mass, r3.Vec{}, c.moments)
	}
	if m := one(t, `<compiler inertiafromgeom="false"/>`+world("<body>"+ball+"</body>")); m.Links[0].Inertial != nil {
		t.Errorf("a mass from shapes that do not count: %+v", m.Links[0].Inertial)
	}
	if m, warnings := model(t, world(`<body><inertial pos="1 0 0" mass="2"/></body>`)); m.Links[0].Inertial.Mass != 2 || len(warnings) != 1 {
		t.Errorf("a point mass: %+v, %v", m.Links[0].Inertial, warnings)
	}
}

// By hand: diaginertia 1 2 3 turned by 90° about z is 2 1 3.
func TestInertialsAreReadInBothForms(t *testing.T) {
	for _, inertial := range []string{`euler="0 0 90" diaginertia="1 2 3"`, `fullinertia="2 1 3 0 0 0"`} {
		m := one(t, world(`<body><inertial pos="1 2 3" mass="4" `+inertial+`/></body>`))
		weighs(t, inertial, m, 4, r3.Vec{1, 2, 3}, r3.Vec{2, 1, 3})
	}
	in := one(t, world(`<body><frame euler="0 0 90" pos="0 0 1"><inertial pos="1 0 0" mass="1" fullinertia="4 5 6 1 2 3"/></frame></body>`)).Links[0].Inertial
	// x of the frame is y of the body, and its y is −x
	if d := in.Inertia.Sub(r3.Mat{5, -1, -3, -1, 4, 2, -3, 2, 6}); math.Sqrt(d.Norm2()) > 1e-14 || in.Com.Sub(r3.Vec{0, 1, 1}).Norm() > 1e-15 {
		t.Errorf("%+v", in)
	}
}

// An open mesh weighs as its hull, and so does one that the file wants so.
func TestOpenMeshesWeighAsTheirHulls(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(cube), "\n")
	open := strings.Join(lines[:len(lines)-1], "\n")
	for _, c := range []struct{ text, attr, want string }{{open, "", "is not closed"}, {cube, `inertia="convex"`, ""}, {cube, `inertia="shell"`, "weighs as a shell in MuJoCo"}} {
		m, warnings, err := Parse(strings.NewReader(`<mujoco><asset><mesh name="m" file="m.obj" `+c.attr+`/></asset><worldbody><body><geom type="mesh" mesh="m" mass="6"/></body></worldbody></mujoco>`), "x", files(map[string]string{"m.obj": c.text}))
		if err != nil {
			t.Fatal(err)
		}
		weighs(t, c.attr, m, 6, r3.Vec{0.5, 0.5, 0.5}, r3.Vec{1, 1, 1})
		if (len(warnings) > 0) != (c.want != "") || c.want != "" && !strings.Contains(warnings[0].Text, c.want) {
			t.Errorf("warnings %v, want %q", warnings, c.want)
		}
	}
}

// A mesh whose holes hide little weighs as the volume inside, not as its hull: a cube with a pit on
// top, 1 - 0.7/3 m³, and a triangle of a given size missing from its bottom.
func TestMeshesWithSmallHolesWeighAsTheVolumeInside(t *testing.T) {
	const inside = 1 - 0.7/3
	for _, c := range []struct{ size, mass, tol float64 }{{0.001, inside, 1e-6}, {0.1, inside, 0.01}, {0.18, inside, 0.01}, {0.4, 1, 1e-12}} {
		text := "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 0.5 0.5 0.3\n" + // the corners, and the pit
			"f 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\nf 1 4 3\n" +
			// six triangles around the missing one, 10 11 12, in the triangle 1 3 2
			fmt.Sprintf("v %g %g 0\nv %g %g 0\nv %g %g 0\n", 0.6, 0.2, 0.6+c.size/2, 0.2+c.size/2, 0.6+c.size/2, 0.2) +
			"f 1 3 10\nf 3 11 10\nf 3 2 11\nf 2 12 11\nf 2 1 12\nf 1 10 12\n"
		m, warnings, err := Parse(strings.NewReader(`<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><body><geom type="mesh" mesh="m" density="1"/></body></worldbody></mujoco>`), "x", files(map[string]string{"m.obj": text}))
		if err != nil {
			t.Fatal(err)
		}
		want := "off by less than 1 %"
		if c.mass == 1 {
			want = "weighs as its convex hull"
		}
		if len(warnings) != 1 || !strings.Contains(warnings[0].Text, want) {
			t.Errorf("size %g: %v", c.size, warnings)
		}
		if mass := m.Links[0].Inertial.Mass; math.Abs(mass-c.mass) > c.tol*c.mass {
			t.Errorf("size %g: %g kg, want %g within %g", c.size, mass, c.mass, c.tol)
		}
	}
}
