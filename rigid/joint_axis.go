package rigid

import (
	"math"

	"curlfree/r3"
)

// Revolute turns about Axis (unit, in F); q is the angle, rad.
type Revolute struct{ Axis r3.Vec }

// Size implements Joint.
func (Revolute) Size() (nq, nv int) { return 1, 1 }

// Pose_FM implements Joint.
func (j Revolute) Pose_FM(q []float64) r3.Pose { return r3.Pose{R: r3.RotExp(j.Axis.Scale(q[0]))} }

// Subspace_FM implements Joint.
func (j Revolute) Subspace_FM(int, []float64) (w, v r3.Vec) { return j.Axis, r3.Vec{} }

// Advance implements Joint.
func (Revolute) Advance(h float64, q, v []float64) { q[0] += h * v[0] }

// Prismatic slides along Axis (unit, in F); q is the way, m.
type Prismatic struct{ Axis r3.Vec }

// Size implements Joint.
func (Prismatic) Size() (nq, nv int) { return 1, 1 }

// Pose_FM implements Joint.
func (j Prismatic) Pose_FM(q []float64) r3.Pose {
	return r3.Pose{R: r3.Identity(), P: j.Axis.Scale(q[0])}
}

// Subspace_FM implements Joint.
func (j Prismatic) Subspace_FM(int, []float64) (w, v r3.Vec) { return r3.Vec{}, j.Axis }

// Advance implements Joint.
func (Prismatic) Advance(h float64, q, v []float64) { q[0] += h * v[0] }

// Screw turns about Axis (unit, in F) and slides Pitch metres a turn along it; q
// is the angle, rad.
type Screw struct {
	Axis  r3.Vec
	Pitch float64 // m per revolution
}

// Size implements Joint.
func (Screw) Size() (nq, nv int) { return 1, 1 }

// Pose_FM implements Joint.
func (j Screw) Pose_FM(q []float64) r3.Pose {
	return r3.Pose{R: r3.RotExp(j.Axis.Scale(q[0])), P: j.Axis.Scale(j.Pitch * q[0] / (2 * math.Pi))}
}

// Subspace_FM implements Joint.
func (j Screw) Subspace_FM(int, []float64) (w, v r3.Vec) {
	return j.Axis, j.Axis.Scale(j.Pitch / (2 * math.Pi))
}

// Advance implements Joint.
func (Screw) Advance(h float64, q, v []float64) { q[0] += h * v[0] }
