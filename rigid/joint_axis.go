package rigid

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Revolute turns about Axis (unit, in F); q is the angle, rad.
type Revolute struct {
	Axis r3.Vec
	single
}

// Check implements Joint.
func (j Revolute) Check() error { return checkAxis(j.Axis) }

// Pose_FM implements Joint.
func (j Revolute) Pose_FM(q []float64) r3.Pose { return r3.Pose{R: r3.RotExp(j.Axis.Scale(q[0]))} }

// Subspace_FM implements Joint.
func (j Revolute) Subspace_FM([]float64, int) (w, v r3.Vec) { return j.Axis, r3.Vec{} }

// Prismatic slides along Axis (unit, in F); q is the way, m.
type Prismatic struct {
	Axis r3.Vec
	single
}

// Check implements Joint.
func (j Prismatic) Check() error { return checkAxis(j.Axis) }

// Pose_FM implements Joint.
func (j Prismatic) Pose_FM(q []float64) r3.Pose {
	return r3.Pose{R: r3.Identity(), P: j.Axis.Scale(q[0])}
}

// Subspace_FM implements Joint.
func (j Prismatic) Subspace_FM([]float64, int) (w, v r3.Vec) { return r3.Vec{}, j.Axis }

// Screw turns about Axis (unit, in F) and slides Pitch metres a turn along it; q
// is the angle, rad.
type Screw struct {
	Axis  r3.Vec
	Pitch float64 // m per revolution
	single
}

// Check implements Joint.
func (j Screw) Check() error {
	if math.IsNaN(j.Pitch) || math.IsInf(j.Pitch, 0) {
		return fmt.Errorf("the screw's pitch is %g: it must be finite", j.Pitch)
	}
	return checkAxis(j.Axis)
}

// Pose_FM implements Joint.
func (j Screw) Pose_FM(q []float64) r3.Pose {
	return r3.Pose{R: r3.RotExp(j.Axis.Scale(q[0])), P: j.Axis.Scale(j.Pitch * q[0] / (2 * math.Pi))}
}

// Subspace_FM implements Joint.
func (j Screw) Subspace_FM([]float64, int) (w, v r3.Vec) {
	return j.Axis, j.Axis.Scale(j.Pitch / (2 * math.Pi))
}
