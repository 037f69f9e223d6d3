package mjcf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// about is the rotation by an angle, rad, about the axis 0, 1 or 2, written out.
func about(axis int, a float64) r3.Mat {
	s, c := math.Sincos(a)
	switch axis {
	case 0:
		return r3.Mat{1, 0, 0, 0, c, -s, 0, s, c}
	case 1:
		return r3.Mat{c, 0, s, 0, 1, 0, -s, 0, c}
	}
	return r3.Mat{c, -s, 0, s, c, 0, 0, 0, 1}
}

// Euler angles of every sequence of axes, in both units. Turning about fixed axes one after
// the other is turning about moving axes in the opposite order; sequences that mix both
// apply each turn to the frame so far, on the right if its axis moves, else on the left.
func TestEulerAnglesOfEverySequence(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const letters = "xyzXYZ"
	for i := range len(letters) * len(letters) * len(letters) {
		seq := string([]byte{letters[i/36], letters[i/6%6], letters[i%6]})
		var a [3]float64
		for k := range a {
			a[k] = (rng.Float64() - 0.5) * 4
		}
		// points are turned, not matrices multiplied: the axes of the frame one by one
		frame := [3]r3.Vec{x, y, z}
		for k := range 3 {
			axis := int(seq[k]|32) - 'x'
			turn := about(axis, a[k])
			if seq[k] >= 'a' { // about the frame's own axis: Rodrigues' formula
				u, s, c := frame[axis], math.Sin(a[k]), math.Cos(a[k])
				for n, v := range frame {
					frame[n] = v.Scale(c).Add(u.Cross(v).Scale(s)).Add(u.Scale(u.Dot(v) * (1 - c)))
				}
				continue
			}
			for n, v := range frame {
				frame[n] = turn.MulVec(v)
			}
		}
		want := r3.Pose{R: columns(frame[0], frame[1], frame[2])}
		rad := fmt.Sprintf(`<compiler angle="radian" eulerseq="%s"/>`, seq)
		near(t, seq+" in rad", one(t, rad+world(fmt.Sprintf(`<body euler="%.17g %.17g %.17g"/>`, a[0], a[1], a[2]))).X_FR, want)
		const d = 180 / math.Pi
		deg := fmt.Sprintf(`<compiler eulerseq="%s"/>`, seq)
		near(t, seq+" in degrees", one(t, deg+world(fmt.Sprintf(`<body euler="%.17g %.17g %.17g"/>`, a[0]*d, a[1]*d, a[2]*d))).X_FR, want)
	}
}

// angled is a model with an angle in each attribute that has one; %[1]g is the factor from
// rad to the unit of the file.
func angled(unit string, k float64) string {
	return fmt.Sprintf(`<compiler angle="%s"/>`, unit) + world(fmt.Sprintf(`<body name="a" axisangle="0 1 0 %.17g">`+heavy+
		`<joint name="h" range="%.17g %.17g" ref="%.17g" springref="%.17g" damping="2" stiffness="3"/><joint name="s" type="slide" range="-1 2" ref="0.5" springref="0.25"/>`+
		`<geom type="capsule" size="0.1 0.2" euler="%.17g %.17g 0"/></body>`, 0.5*k, -1.5*k, 1.25*k, 0.75*k, -0.5*k, 0.3*k, 0.6*k))
}

// The unit of angles changes angles and nothing else: lengths of slides, dampings and
// stiffnesses are per rad in both.
func TestTheUnitOfAnglesChangesOnlyAngles(t *testing.T) {
	rad, deg := one(t, angled("radian", 1)), one(t, angled("degree", 180/math.Pi))
	for i := range rad.Joints {
		a, b := &rad.Joints[i], &deg.Joints[i]
		near(t, a.Name+" on its parent", a.X_PF, b.X_PF)
		for _, v := range [][2]float64{{a.Lower, b.Lower}, {a.Upper, b.Upper}, {a.StartPosition, b.StartPosition}, {a.RestPosition, b.RestPosition}} {
			if math.Abs(v[0]-v[1]) > 1e-15 {
				t.Errorf("%s: %g and %g", a.Name, v[0], v[1])
			}
		}
		if a.Damping != b.Damping || a.Stiffness != b.Stiffness {
			t.Errorf("%s: %+v, %+v", a.Name, a, b)
		}
	}
	near(t, "shape", link(t, rad, "a").Collisions[0].X_LG, link(t, deg, "a").Collisions[0].X_LG)
	// by hand
	if h := joint(t, deg, "h"); math.Abs(h.Upper-1.25) > 1e-15 || math.Abs(h.RestPosition+0.5) > 1e-15 || h.Stiffness != 3 {
		t.Errorf("%+v", h)
	}
	if s := joint(t, deg, "s"); s.Lower != -1 || s.Upper != 2 || s.StartPosition != 0.5 || s.RestPosition != 0.25 {
		t.Errorf("%+v", s)
	}
}

// Several <compiler> elements are one; of an attribute that two give, the last counts, and
// what the last leaves out stays.
func TestSettingsOfSeveralCompilersAreMerged(t *testing.T) {
	m := one(t, `<compiler angle="radian" eulerseq="zyx" settotalmass="3"/><compiler coordinate="local" settotalmass="6"/><compiler angle="degree"/>`+
		world(`<body name="a" euler="90 0 0">`+heavy+`</body>`))
	near(t, "pose", m.X_FR, r3.Pose{R: about(2, math.Pi/2)})
	if got := m.Links[0].Inertial.Mass; got != 6 {
		t.Errorf("%g kg, want 6", got)
	}
}

// A least principal moment raises those below it, in the axes that they have: an inertia
// [a b; b a] in the x-y plane has the moments a ± b along (1, ±1).
func TestBoundsOfInertiaActOnPrincipalMoments(t *testing.T) {
	const a, b, c = 3.0, 1.0, 5.0
	body := world(fmt.Sprintf(`<body><inertial pos="0 0 0" mass="2" fullinertia="%g %g %g %g 0 0"/></body>`, a, a, c, b))
	for _, least := range []float64{0, 1, 2, 2.5, 4.5, 7} {
		in := one(t, fmt.Sprintf(`<compiler boundinertia="%g"/>`, least)+body).Links[0].Inertial
		plus, minus, up := max(a+b, least), max(a-b, least), max(c, least)
		want := r3.Mat{(plus + minus) / 2, (plus - minus) / 2, 0, (plus - minus) / 2, (plus + minus) / 2, 0, 0, 0, up}
		if d := in.Inertia.Sub(want); math.Sqrt(d.Norm2()) > 1e-13 || in.Mass != 2 {
			t.Errorf("at least %g: %v, want %v", least, in.Inertia, want)
		}
	}
}

// The total mass scales masses and moments of all bodies alike, after their bounds; a world
// of fixed shapes has no part in it.
func TestTotalMassScalesAllBodies(t *testing.T) {
	inertial := func(m float64) string {
		return fmt.Sprintf(`<inertial pos="0.1 0 0" mass="%g" diaginertia="%g %g %g"/>`, m, m, 2*m, 3*m)
	}
	m := one(t, `<compiler settotalmass="12" boundmass="1"/>`+world(`<body name="a">`+inertial(3)+`<body name="b"><joint/>`+inertial(0.5)+`<body name="c"><joint/>`+inertial(2)+`</body></body></body>`))
	// 3 + 1 + 2 = 6 kg become 12; moments double, also those of b
	for name, want := range map[string]robot.Inertial{
		"a": {Mass: 6, Inertia: r3.Diag(r3.Vec{6, 12, 18})}, "b": {Mass: 2, Inertia: r3.Diag(r3.Vec{1, 2, 3})}, "c": {Mass: 4, Inertia: r3.Diag(r3.Vec{4, 8, 12})},
	} {
		in := link(t, m, name).Inertial
		if d := in.Inertia.Sub(want.Inertia); math.Abs(in.Mass-want.Mass) > 1e-14 || math.Sqrt(d.Norm2()) > 1e-13 || in.Com != (r3.Vec{0.1, 0, 0}) {
			t.Errorf("%s: %+v, want %+v", name, in, want)
		}
	}
}

// Folders of meshes: meshdir counts before assetdir, strippath drops those in the names.
func TestMeshesAreLookedForInTheirFolder(t *testing.T) {
	for _, c := range []struct{ compiler, file, want string }{
		{"", "cube.obj", "cube.obj"},
		{`meshdir="sub"`, "cube.obj", "sub/cube.obj"},
		{`meshdir="sub/"`, "cube.obj", "sub/cube.obj"},
		{`assetdir="sub"`, "cube.obj", "sub/cube.obj"},
		{`assetdir="other" meshdir="sub"`, "cube.obj", "sub/cube.obj"},
		{`strippath="true" meshdir="sub"`, "far/away/cube.obj", "sub/cube.obj"},
		{`strippath="true"`, `C:\far\cube.obj`, "cube.obj"},
		{`strippath="false"`, `sub\cube.obj`, "sub/cube.obj"},
	} {
		m := one(t, "<compiler "+c.compiler+`/><asset><mesh name="m" file="`+c.file+`"/></asset>`+world(`<body><geom type="mesh" mesh="m" mass="1"/></body>`))
		if got := m.Links[0].Collisions[0].Mesh.File; got != c.want {
			t.Errorf("%s %s: %q, want %q", c.compiler, c.file, got, c.want)
		}
	}
}

// Settings that are wrong are refused where they stand.
func TestFaultySettingsAreRefused(t *testing.T) {
	faults := []fault{
		{"coordinate", "<compiler coordinate='global'/>", 2, "poses in the world are not read"},
		{"angle", "<compiler angle='turns'/>", 2, "one of degree, radian is required"},
		{"eulerseq", "<compiler eulerseq='xy'/>", 2, "three of x, y, z, X, Y, Z are required"},
		{"letters", "<compiler eulerseq='xyw'/>", 2, "three of x, y, z, X, Y, Z are required"},
		{"inertiafromgeom", "<compiler inertiafromgeom='yes'/>", 2, "one of auto, true, false"},
		{"groups", "<compiler inertiagrouprange='1'/>", 2, "2 numbers are required"},
		{"autolimits", "<compiler autolimits='auto'/>", 2, "one of true, false"},
		{"mass", "<compiler settotalmass='much'/>", 2, "much"},
	}
	for i := range faults {
		faults[i].inside += "\n" + inBody("")
	}
	refused(t, slices.Clip(faults))
}
