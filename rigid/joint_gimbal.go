package rigid

import (
	"errors"

	"github.com/curlfree/curlfree/r3"
)

// Gimbal turns about three axes one after the other, each carried by the turns before:
//
//	R_FM = Exp(q₁ a₁) Exp(q₂ a₂) Exp(q₃ a₃)                                 (1)
//	ω = a₁ v₁ + Exp(q₁ a₁) a₂ v₂ + Exp(q₁ a₁) Exp(q₂ a₂) a₃ v₃              (2)
//
// q is the three Euler angles, rad, and v their rates, so that limits and controllers
// act on single angles. Where the second turn makes the first and the third axis
// parallel (q₂ = ±π/2 of axes at right angles) the joint has lost a direction and the
// mass matrix is singular: a Ball has no such place.
// Source: Seth et al., "Minimal formulation of joint motion for biomechanisms",
// Nonlinear Dynamics 2010 (Simbody's Gimbal).
type Gimbal struct {
	// Axes are a₁ in F, a₂ and a₃ as they lie in F at q = 0; unit, neighbours not
	// parallel. All zero: x, y, z, body-fixed Euler angles. (z, y, x) has q = (yaw, pitch,
	// roll) of extrinsic x-y-z angles.
	Axes [3]r3.Vec
}

var _ BiasedJoint = Gimbal{}

func (j Gimbal) axes() [3]r3.Vec {
	if j.Axes == ([3]r3.Vec{}) {
		return [3]r3.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	}
	return j.Axes
}

// Size implements Joint.
func (Gimbal) Size() (nq, nv int) { return 3, 3 }

// Check implements Joint.
func (j Gimbal) Check() error {
	a := j.axes()
	return errors.Join(checkAxis(a[0]), checkAxis(a[1]), checkAxis(a[2]), checkNotParallel(a[0], a[1]), checkNotParallel(a[1], a[2]))
}

// Zero implements Joint.
func (Gimbal) Zero(q []float64) { clear(q) }

// Pose_FM implements Joint.
func (j Gimbal) Pose_FM(q []float64) r3.Pose {
	a := j.axes()
	return r3.Pose{R: nestedTurns(a[:], q)}
}

// Subspace_FM implements Joint.
func (j Gimbal) Subspace_FM(q []float64, k int) (w, v r3.Vec) {
	a := j.axes()
	return nestedAxis(a[:], q, k), r3.Vec{}
}

// AccelerationBias_FM implements BiasedJoint.
func (j Gimbal) AccelerationBias_FM(q, v []float64) (alpha, a r3.Vec) {
	axes := j.axes()
	return nestedBias(axes[:], q, v), r3.Vec{}
}

// Advance implements Joint.
func (Gimbal) Advance(h float64, q, v []float64) { advanceCoordinates(h, q, v) }
