package rigid

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Ball is the ball joint (spherical joint): M rotates freely about the origin of F,
//
//	R_FM = R(q),   H = (1; 0),   q(t + h) = exp(h v) q(t)                    (1)
//
// q is the quaternion (w, x, y, z) of R_FM and v the angular velocity of M in F's axes,
// rad/s. Unlike the Gimbal it has no singular configuration.
type Ball struct{}

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name:    "ball",
	Doc:     "Turns freely about a point.",
	New:     func() JointSpec { return &BallSpec{} },
	Samples: func() []JointSpec { return []JointSpec{&BallSpec{}} },
})

// BallSpec is the empty parameter set of a ball joint.
type BallSpec struct{}

// Make implements JointSpec.
func (*BallSpec) Make() (Joint, error) { return Ball{}, nil }

// Size implements Joint.
func (Ball) Size() (nq, nv int) { return 4, 3 }

// Check implements Joint.
func (Ball) Check() error { return nil }

// Zero implements Joint.
func (Ball) Zero(q []float64) { copy(q, []float64{1, 0, 0, 0}) }

// Pose_FM implements Joint.
func (Ball) Pose_FM(q []float64) r3.Pose { return r3.Pose{R: r3.Quat(q[:4]).Mat()} }

// Subspace_FM implements Joint.
func (Ball) Subspace_FM(_ []float64, j int) (w, v r3.Vec) {
	w[j] = 1
	return w, v
}

// Advance implements Joint.
func (Ball) Advance(h float64, q, v []float64) { integrateQuat(h, q, r3.Vec(v[:3])) }

// integrateQuat rotates the quaternion q by exp(h ω): by exactly h |ω|, at unit length.
func integrateQuat(h float64, q []float64, w r3.Vec) {
	r := r3.QuatExp(w.Scale(h)).Mul(r3.Quat(q[:4])).Unit()
	copy(q, r[:])
}
