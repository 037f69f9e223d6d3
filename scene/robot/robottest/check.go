// Package robottest tests readers of robot files.
//
//   - Check holds a robot that was read to what package robot promises: finite numbers,
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
func Check(t *testing.T, r *robot.Robot) {
	t.Helper()
	CheckOrder(t, r)
	rotation(t, r.X_FR)
	for i := range r.Links {
		checkLink(t, &r.Links[i])
	}
	for i, p := range r.ExcludedPairs {
		if !(0 <= p[0] && p[0] < p[1] && p[1] < len(r.Links)) || i > 0 && slices.Compare(r.ExcludedPairs[i-1][:], p[:]) >= 0 {
			t.Fatalf("excluded pairs: %v", r.ExcludedPairs)
		}
	}
	for i := range r.Joints {
		checkJoint(t, r, i)
	}
	checkSums(t, r)
}

// checkSums checks sums of joints: those of couplings and of actuators, whose names differ each.
func checkSums(t *testing.T, r *robot.Robot) {
	t.Helper()
	sum := func(what string, s robot.JointSum) {
		seen := map[int]bool{}
		if len(s.Joints) == 0 || len(s.Joints) != len(s.Coefficients) {
			t.Fatalf("%s: %+v", what, s)
		}
		for i, joint := range s.Joints {
			finite(t, what, s.Coefficients[i])
			if joint < 0 || joint >= len(r.Joints) || !r.Joints[joint].Type.OneDOF() || seen[joint] || s.Coefficients[i] == 0 {
				t.Fatalf("%s: %+v", what, s)
			}
			seen[joint] = true
		}
	}
	names := map[string]bool{}
	for _, l := range r.Loops {
		names[l.Name] = true
	}
	for _, c := range r.Couplings {
		if sum("coupling", c.JointSum); !(c.Lower <= c.Upper) || names[c.Name] {
			t.Fatalf("coupling %+v", c)
		}
		names[c.Name] = true
	}
	driven := map[string]bool{}
	for _, a := range r.Actuators {
		sum("actuator", a.JointSum)
		finite(t, "actuator", append(a.Gain[:], a.Bias[:]...)...)
		finite(t, "control", a.Control, a.Activation)
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
func finite(t *testing.T, what string, x ...float64) {
	t.Helper()
	for _, x := range x {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%s is %g", what, x)
		}
	}
}

// checkLink checks name, inertia and shapes.
func checkLink(t *testing.T, l *robot.Link) {
	t.Helper()
	if l.Name == "" || l.Line < 1 {
		t.Fatalf("link %+v", l)
	}
	if in := l.Inertial; in != nil {
		finite(t, "mass", in.Mass)
		finite(t, "centre of mass", in.Com[:]...)
		if in.Mass < 0 {
			t.Fatalf("mass %g", in.Mass)
		}
	}
	for _, g := range slices.Concat(l.Visuals, l.Collisions) {
		rotation(t, g.X_LG)
		kinds := 0
		for _, is := range []bool{g.Box != nil, g.Sphere > 0, g.Cylinder != nil, g.Capsule != nil, g.Ellipsoid != nil, g.Mesh != nil} {
			if is {
				kinds++
			}
		}
		if kinds != 1 {
			t.Fatalf("%d shapes in one geometry", kinds)
		}
	}
}

// checkJoint checks the numbers of a joint, and that its mimic refers to another one.
func checkJoint(t *testing.T, r *robot.Robot, i int) {
	t.Helper()
	j := &r.Joints[i]
	finite(t, "joint", j.Damping, j.Friction, j.RotorInertia, j.Pitch, j.Stiffness, j.RestPosition, j.StartPosition)
	rotation(t, j.X_PF)
	rotation(t, j.X_CM)
	if j.Name == "" || math.Abs(j.Axis.Norm()-1) > 1e-12 || !(j.Lower <= j.Upper) || !(j.EffortLimit > 0) || !(j.VelocityLimit > 0) || j.RotorInertia < 0 || j.Stiffness < 0 {
		t.Fatalf("joint %+v", j)
	}
	if m := j.Mimic; m != nil {
		finite(t, "mimic", m.Multiplier, m.Offset)
		if m.Joint == i || !r.Joints[m.Joint].Type.OneDOF() {
			t.Fatalf("joint %q mimics %+v", j.Name, m)
		}
	}
}

// CheckOrder reports an order that leaves joints out or puts a child before its
// parent.
func CheckOrder(t *testing.T, r *robot.Robot) {
	t.Helper()
	placed := map[int]bool{r.Root: true}
	for _, i := range r.Order() {
		j := &r.Joints[i]
		if !placed[j.Parent] || placed[j.Child] {
			t.Fatalf("joint %q comes before its parent or twice", j.Name)
		}
		placed[j.Child] = true
	}
	if len(placed) != len(r.Links) || len(r.Joints) != len(r.Links)-1 {
		t.Fatalf("%d of %d links are placed by %d joints", len(placed), len(r.Links), len(r.Joints))
	}
}

// rotation reports a pose whose matrix is no rotation or whose position is not finite.
func rotation(t *testing.T, X r3.Pose) {
	t.Helper()
	if e := X.R.Mul(X.R.T()).Sub(r3.Identity()).Norm2(); !(e < 1e-16) {
		t.Fatalf("%v is off a rotation by %g", X.R, e)
	}
	for _, x := range X.P {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("a frame at %v", X.P)
		}
	}
}
