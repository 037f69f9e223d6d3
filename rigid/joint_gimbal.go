package rigid

import (
	"errors"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Gimbal is the gimbal joint: rotations about three axes in sequence, each axis carried by the
// rotations before it,
//
//	R_FM = Exp(q₁ a₁) Exp(q₂ a₂) Exp(q₃ a₃)                                 (1)
//	ω = a₁ v₁ + Exp(q₁ a₁) a₂ v₂ + Exp(q₁ a₁) Exp(q₂ a₂) a₃ v₃              (2)
//
// q is the three Euler angles, rad, and v their rates, so that limits and controllers
// act on single angles. Where the second turn brings the three axes into one plane (q₂ = ±π/2 of
// axes at right angles, q₂ = 0 of a₁ = a₃) the joint has lost a direction and the mass
// matrix is singular, called gimbal lock: a Ball has no such configuration.
// Source: Seth et al., "Minimal formulation of joint motion for biomechanisms",
// Nonlinear Dynamics 2010 (Simbody's Gimbal).
type Gimbal struct {
	// Axes are a₁ in F, a₂ and a₃ as they lie in F at q = 0; unit, neighbours not
	// parallel. All zero: x, y, z, body-fixed Euler angles. (z, y, x) has q = (yaw, pitch,
	// roll) of extrinsic x-y-z angles.
	Axes [3]r3.Vec
}

var _ BiasedJoint = Gimbal{}

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name: "gimbal",
	Doc:  "Turns about three axes, each carried by those before it: its positions are Euler angles.",
	About: "Axes z, y, x make the positions yaw, pitch and roll. Where the second angle brings the three axes into one plane " +
		"(±90° of axes at right angles) a direction of rotation is lost and the step fails: use a ball joint for bodies that may get there.",
	New: func() JointSpec {
		return &GimbalSpec{Axis: r3.Vec{1, 0, 0}, Axis2: r3.Vec{0, 1, 0}, Axis3: r3.Vec{0, 0, 1}}
	},
	Samples: func() []JointSpec {
		return []JointSpec{
			&GimbalSpec{r3.Vec{0, 0, 1}, r3.Vec{0, 1, 0}, r3.Vec{1, 0, 0}},
			&GimbalSpec{r3.Vec{0, 0, 1}, r3.Vec{2, 0, 0}, r3.Vec{0.3, 1, 0}},
		}
	},
})

// GimbalSpec are the parameters of a gimbal.
type GimbalSpec struct {
	// Axis is the first axis in the joint's frame F on the parent, of any length.
	Axis r3.Vec `key:"axis,required" doc:"first axis in the joint's frame, fixed to the parent, of any length"`
	// Axis2 is the second axis in F, as it lies at position 0.
	Axis2 r3.Vec `key:"axis2" doc:"second axis, as it lies at position 0; it turns with the first angle"`
	// Axis3 is the third axis in F, as it lies at position 0.
	Axis3 r3.Vec `key:"axis3" doc:"third axis, as it lies at position 0; it turns with the first two angles"`
}

// Make implements JointSpec.
func (s *GimbalSpec) Make() (Joint, error) {
	var j Gimbal
	var errs [3]error
	for i, a := range [3]r3.Vec{s.Axis, s.Axis2, s.Axis3} {
		j.Axes[i], errs[i] = direction([3]string{"axis", "axis2", "axis3"}[i], a)
	}
	if err := errors.Join(errs[:]...); err != nil {
		return nil, err
	}
	return j, j.Check()
}

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
