package robottest

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// tolerance of the reference robot's numbers: formats write rotations as angles, quaternions or
// axes, and some write π/2 with few digits less than a float64 has.
const tolerance = 1e-12

// The reference robot is one that every format can write, without files beside it:
//
//	base ─ hinge, about y ─ arm ─┬─ finger, along y ─ left
//	                             └─ thumb, along y ─ right      q_thumb = 0.01 m − q_finger
//
// The frame of the hinge is turned by a quarter about z, so that a reader which mixes up the frames of
// parent, joint and child fails. The base is a box, the arm a rod with a ball at its end.

// referenceJoint is what a joint of the reference robot has.
type referenceJoint struct {
	name, parent, child string
	kind                robot.JointType
	p_PF                r3.Vec  // of its frame on the parent, m
	turn                float64 // of its frame about z, rad
	lower, upper        float64 // rad or m
	effort              float64 // limit, N m or N
}

// CheckReference reports how a robot differs from the reference robot: a base with an
// arm on a hinge, which carries two fingers on sliders, of which one follows the other.
func CheckReference(t *testing.T, r *robot.Robot) {
	t.Helper()
	// with other counts the comparisons below would not find their partners
	if r.Name != "reference" || len(r.Links) != 4 || len(r.Joints) != 3 {
		t.Fatalf("robot %q with %d links and %d joints, want reference with 4 and 3", r.Name, len(r.Links), len(r.Joints))
	}
	// fixed to the world at the origin, unless the file says otherwise
	if r.Links[r.Root].Name != "base" || r.Floating || !samePose(r.X_FR, r3.PoseIdentity()) {
		t.Errorf("root %q, floating %v, at %v", r.Links[r.Root].Name, r.Floating, r.X_FR)
	}
	checkReferenceLinks(t, r)
	for _, want := range []referenceJoint{
		// turned about z, so that axes in the wrong frame show
		{"hinge", "base", "arm", robot.Revolute, r3.Vec{0, 0, 0.1}, math.Pi / 2, -0.5, 1.5, 20},
		{"finger", "arm", "left", robot.Prismatic, r3.Vec{0.5, 0.05, 0}, 0, -0.02, 0.03, 5},
		// without an effort limit, for the default of each format
		{"thumb", "arm", "right", robot.Prismatic, r3.Vec{0.5, -0.05, 0}, 0, -0.03, 0.02, math.Inf(1)},
	} {
		checkReferenceJoint(t, r, &want)
	}
	// 0.25 and 0.125 keep their bits in every format; the rotor's inertia may pass through a gear ratio
	hinge, thumb := jointNamed(t, r, "hinge"), jointNamed(t, r, "thumb")
	if hinge.Damping != 0.25 || hinge.Friction != 0.125 || math.Abs(hinge.RotorInertia-0.025) > tolerance {
		t.Errorf("hinge: damping %g, friction %g, rotor inertia %g", hinge.Damping, hinge.Friction, hinge.RotorInertia)
	}
	// fingers of a gripper: one goes left as the other goes right
	if m := thumb.Mimic; m == nil || r.Joints[m.Joint].Name != "finger" || m.Multiplier != -1 || m.Offset != 0.01 {
		t.Errorf("thumb: mimic %+v", m)
	}
}

// checkReferenceJoint compares a joint: its ends, its place and its limits.
// Both ends, for files name parent and child in ways that are easily exchanged.
func checkReferenceJoint(t *testing.T, r *robot.Robot, want *referenceJoint) {
	t.Helper()
	j := jointNamed(t, r, want.name)
	if r.Links[j.Parent].Name != want.parent || r.Links[j.Child].Name != want.child || j.Type != want.kind {
		t.Errorf("%s: %s from %q to %q", want.name, j.Type, r.Links[j.Parent].Name, r.Links[j.Child].Name)
	}
	// X_PF X_CM⁻¹ is the child's frame at zero position: formats place either of both frames
	X := r3.Pose{R: r3.RotRPY(0, 0, want.turn), P: want.p_PF}
	if !samePose(j.X_PF.Mul(j.X_CM.Inv()), X) || j.Axis.Sub(r3.Vec{0, 1, 0}).Norm() > tolerance {
		t.Errorf("%s: at %v, child at %v, axis %v", want.name, j.X_PF, j.X_CM, j.Axis)
	}
	// limits keep their bits: formats write them as they are
	if j.Lower != want.lower || j.Upper != want.upper || j.EffortLimit != want.effort || !math.IsInf(j.VelocityLimit, 1) {
		t.Errorf("%s: limits %g to %g, effort %g, velocity %g", want.name, j.Lower, j.Upper, j.EffortLimit, j.VelocityLimit)
	}
	// what the file does not say is not there
	if j.Stiffness != 0 || j.StartPosition != 0 {
		t.Errorf("%s: stiffness %g, starts at %g", want.name, j.Stiffness, j.StartPosition)
	}
}

// checkReferenceLinks compares the inertias of all links.
// Masses are sums of powers of two, which decimal files keep; inertias are compared to round-off.
func checkReferenceLinks(t *testing.T, r *robot.Robot) {
	t.Helper()
	for _, want := range []struct {
		name    string
		mass    float64 // kg
		com     r3.Vec  // m
		inertia r3.Mat  // kg m²
	}{
		{"base", 2, r3.Vec{}, r3.Mat{0.01, 0, 0, 0, 0.02, 0, 0, 0, 0.025}},
		{"arm", 0.5, r3.Vec{0.25, 0, 0}, r3.Mat{0.001, 0.0001, 0, 0.0001, 0.002, 0, 0, 0, 0.0025}},
		{"left", 0.125, r3.Vec{}, r3.Diag(r3.Vec{1e-4, 1e-4, 1e-4})},
		{"right", 0.125, r3.Vec{}, r3.Diag(r3.Vec{1e-4, 1e-4, 1e-4})},
	} {
		// the arm's inertia has a product: signs of off-diagonal entries differ among formats
		in := linkNamed(t, r, want.name).Inertial
		if in == nil || in.Mass != want.mass || in.Com.Sub(want.com).Norm() > tolerance || in.Inertia.Sub(want.inertia).Norm2() > tolerance*tolerance {
			t.Errorf("%s: inertial %+v", want.name, in)
		}
	}
	checkReferenceShapes(t, r)
}

// checkReferenceShapes compares the shapes of the base and the arm. Formats may show
// collision shapes besides the visual one. Sizes of a box are full edges, a cylinder has its
// whole length: halves, which some formats write, would be found here.
func checkReferenceShapes(t *testing.T, r *robot.Robot) {
	t.Helper()
	// both links have one collision shape each
	base, arm := linkNamed(t, r, "base"), linkNamed(t, r, "arm")
	if len(base.Collisions) != 1 || base.Collisions[0].Box == nil || base.Collisions[0].Box.Sub(r3.Vec{0.1, 0.2, 0.05}).Norm() > tolerance {
		t.Errorf("base: collisions %+v", base.Collisions)
	}
	if len(arm.Collisions) != 1 || arm.Collisions[0].Sphere != 0.03 || arm.Collisions[0].X_LG.P != (r3.Vec{0.5, 0, 0}) {
		t.Errorf("arm: collisions %+v", arm.Collisions)
	}
	// formats that show collision shapes put them before or after it
	i := slices.IndexFunc(arm.Visuals, func(g robot.Geometry) bool { return g.Cylinder != nil })
	if i < 0 {
		t.Fatalf("arm: no visual cylinder in %+v", arm.Visuals)
	}
	rod := &arm.Visuals[i]
	// cylinders lie along z: the rod along x is turned about y
	if *rod.Cylinder != (robot.Round{Radius: 0.02, Length: 0.5}) || rod.Color != "#ff8000" ||
		!samePose(rod.X_LG, r3.Pose{R: r3.RotRPY(0, math.Pi/2, 0), P: r3.Vec{0.25, 0, 0}}) {
		t.Errorf("arm: visual %+v", rod)
	}
}

// jointNamed returns a joint, whose number formats may choose.
func jointNamed(t *testing.T, r *robot.Robot, name string) *robot.Joint {
	t.Helper()
	i := slices.IndexFunc(r.Joints, func(j robot.Joint) bool { return j.Name == name })
	if i < 0 {
		t.Fatalf("no joint %q", name)
	}
	return &r.Joints[i]
}

// linkNamed returns a link by its name.
func linkNamed(t *testing.T, r *robot.Robot, name string) *robot.Link {
	t.Helper()
	i := slices.IndexFunc(r.Links, func(l robot.Link) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("no link %q", name)
	}
	return &r.Links[i]
}

// samePose allows for the round-off of angles and quaternions.
func samePose(a, b r3.Pose) bool {
	return a.P.Sub(b.P).Norm() <= tolerance && a.R.Sub(b.R).Norm2() <= tolerance*tolerance
}
