// Package robottest tests readers of robot files.
//
//   - Check compares a robot that was read with what package robot guarantees: finite numbers,
//     unit axes, rotations, one shape in each geometry, limits in order.
//   - Conform runs the conformance suite on all registered formats: the reference robot
//     in each of them, recognition, damaged files.
//   - Rewritten writes random robots in a format and reads them back.
//   - Any is the body of a fuzz test, Public reads the files below a folder.
package robottest

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// Check reports what violates the documentation of robot.Robot.
// Scenes and builders rely on it without further checks, so that any robot of any reader has to pass.
func Check(t testing.TB, r *robot.Robot) {
	t.Helper()
	// order and indices first: all else follows links and joints by number
	CheckOrder(t, r)
	// the pose of the robot's root in the frame of its file
	rotation(t, r.X_FR)
	for i := range r.Links {
		checkLink(t, &r.Links[i])
	}
	for i, p := range r.ExcludedPairs {
		// sorted, each pair once and the lower link first: searches rely on it
		if !(0 <= p[0] && p[0] < p[1] && p[1] < len(r.Links)) || i > 0 && slices.Compare(r.ExcludedPairs[i-1][:], p[:]) >= 0 {
			t.Fatalf("excluded pairs: %v", r.ExcludedPairs)
		}
	}
	// joints last: they name two links each
	for i := range r.Joints {
		checkJoint(t, r, i)
	}
	// couplings and actuators refer to joints, which are checked by now
	checkSums(t, r)
}

// checkSums checks sums of joints: those of couplings and of actuators, whose names differ each.
func checkSums(t testing.TB, r *robot.Robot) {
	t.Helper()
	sum := func(what string, s robot.JointSum) {
		// a joint twice in a sum is a fault of the reader: it adds coefficients up
		seen := map[int]bool{}
		if len(s.Joints) == 0 || len(s.Joints) != len(s.Coefficients) {
			t.Fatalf("%s: %+v", what, s)
		}
		for i, joint := range s.Joints {
			finite(t, what, s.Coefficients[i])
			// only joints of one degree of freedom have a position to sum; a coefficient of 0 says nothing
			if joint < 0 || joint >= len(r.Joints) || !r.Joints[joint].Type.OneDOF() || seen[joint] || s.Coefficients[i] == 0 {
				t.Fatalf("%s: %+v", what, s)
			}
			seen[joint] = true
		}
	}
	// loops and couplings become constraints of the scene, whose names differ
	names := map[string]bool{}
	for _, l := range r.Loops {
		names[l.Name] = true
	}
	for _, c := range r.Couplings {
		// a coupling is an equation, with an interval of one number where it is exact
		if sum("coupling", c.JointSum); !(c.Lower <= c.Upper) || names[c.Name] {
			t.Fatalf("coupling %+v", c)
		}
		names[c.Name] = true
	}
	// scenes refer to actuators by name
	driven := map[string]bool{}
	for _, a := range r.Actuators {
		sum("actuator", a.JointSum)
		finite(t, "actuator", append(a.Gain[:], a.Bias[:]...)...)
		finite(t, "control", a.Control, a.Activation)
		// nil: no bound
		for _, span := range []*robot.Range{a.Force, a.ControlRange, a.ActivationRange} {
			if span != nil && !(span.Lower <= span.Upper) {
				t.Fatalf("actuator %+v", a)
			}
		}
		if a.Name == "" || driven[a.Name] {
			t.Fatalf("a second actuator is called %q", a.Name)
		}
		driven[a.Name] = true
	}
}

// finite reports numbers that are not.
// NaN stands for not given in contact materials alone; elsewhere it is a fault that spreads.
func finite(t testing.TB, what string, x ...float64) {
	t.Helper()
	for _, x := range x {
		// infinities are limits, which other checks compare; here they are overflows
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%s is %g", what, x)
		}
	}
}

// checkLink checks name, inertia and shapes.
// Inertias are not judged here: those that no body has are repaired or refused by the reader, with a line.
func checkLink(t testing.TB, l *robot.Link) {
	t.Helper()
	// messages name the link and its line
	if l.Name == "" || l.Line < 1 {
		t.Fatalf("link %+v", l)
	}
	// links without one get mass from shapes, or carry nothing
	if in := l.Inertial; in != nil {
		finite(t, "mass", in.Mass)
		finite(t, "centre of mass", in.Com[:]...)
		// zero is allowed: frames of tools have no mass
		if in.Mass < 0 {
			t.Fatalf("mass %g", in.Mass)
		}
	}
	for _, g := range slices.Concat(l.Visuals, l.Collisions) {
		rotation(t, g.X_LG)
		// a geometry is a union of which the format sets one member
		kinds := 0
		for _, is := range []bool{g.Box != nil, g.Sphere > 0, g.Cylinder != nil, g.Capsule != nil, g.Ellipsoid != nil, g.Mesh != nil} {
			if is {
				kinds++
			}
		}
		// none: the reader forgot it; several: which one touches would be open
		if kinds != 1 {
			t.Fatalf("%d shapes in one geometry", kinds)
		}
	}
}

// checkJoint checks the numbers of a joint, and that its mimic refers to another one.
func checkJoint(t testing.TB, r *robot.Robot, i int) {
	t.Helper()
	j := &r.Joints[i]
	// limits may be infinite, these not
	finite(t, "joint", j.Damping, j.Friction, j.RotorInertia, j.Pitch, j.Stiffness, j.RestPosition, j.StartPosition)
	rotation(t, j.X_PF)
	rotation(t, j.X_CM)
	// a zero effort or velocity limit would lock the joint: readers take it for none
	if j.Name == "" || math.Abs(j.Axis.Norm()-1) > 1e-12 || !(j.Lower <= j.Upper) || !(j.EffortLimit > 0) || !(j.VelocityLimit > 0) || j.RotorInertia < 0 || j.Stiffness < 0 {
		t.Fatalf("joint %+v", j)
	}
	// a joint that follows itself, or one without a position, has no meaning
	if m := j.Mimic; m != nil {
		finite(t, "mimic", m.Multiplier, m.Offset)
		if m.Joint == i || !r.Joints[m.Joint].Type.OneDOF() {
			t.Fatalf("joint %q mimics %+v", j.Name, m)
		}
	}
}

// CheckOrder reports an order that leaves joints out or puts a child before its
// parent.
func CheckOrder(t testing.TB, r *robot.Robot) {
	t.Helper()
	// the root first, then each child after its parent: the order in which links are built
	placed := map[int]bool{r.Root: true}
	for _, i := range r.Order() {
		j := &r.Joints[i]
		// a child that is placed already has two parents, which no tree has
		if !placed[j.Parent] || placed[j.Child] {
			t.Fatalf("joint %q comes before its parent or twice", j.Name)
		}
		placed[j.Child] = true
	}
	// a tree has one joint less than links
	if len(placed) != len(r.Links) || len(r.Joints) != len(r.Links)-1 {
		t.Fatalf("%d of %d links are placed by %d joints", len(placed), len(r.Links), len(r.Joints))
	}
}

// Poses of files pass through angles, quaternions and matrices of few digits: what comes out must be a
// rotation, for bodies would shear otherwise.

// rotation reports a pose whose matrix is no rotation or whose position is not finite.
func rotation(t testing.TB, X r3.Pose) {
	t.Helper()
	// ‖R Rᵀ − 1‖ of 1e-8: readers normalize what files write with few digits
	if e := X.R.Mul(X.R.T()).Sub(r3.Identity()).Norm2(); !(e < 1e-16) {
		t.Fatalf("%v is off a rotation by %g", X.R, e)
	}
	// NaN passes every comparison of sizes: it is asked for by itself
	for _, x := range X.P {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("a frame at %v", X.P)
		}
	}
}
