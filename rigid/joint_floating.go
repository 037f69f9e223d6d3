package rigid

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Floating is the free joint of a floating base or free body, with all six degrees of freedom:
//
//	X_FM = (R(q₀…q₃), (q₄, q₅, q₆)),   H = 1                                (1)
//
// q is the quaternion (w, x, y, z) of R_FM, then the position p_FM (m); v is the angular
// velocity of M in F (rad/s), then the velocity of its origin (m/s), both in F's axes.
// The path of a body in free flight is most accurate when M lies at its centre of mass.
type Floating struct{}

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name:    "free",
	Doc:     "No joint: the body moves freely.",
	New:     func() JointSpec { return &FloatingSpec{} },
	Samples: func() []JointSpec { return []JointSpec{&FloatingSpec{}} },
})

// FloatingSpec is the empty parameter set of a floating body.
type FloatingSpec struct{}

// Make implements JointSpec.
func (*FloatingSpec) Make() (Joint, error) { return Floating{}, nil }

// Size implements Joint.
func (Floating) Size() (nq, nv int) { return 7, 6 }

// Check implements Joint.
func (Floating) Check() error { return nil }

// Zero implements Joint.
func (Floating) Zero(q []float64) {
	clear(q)
	q[0] = 1
}

// Pose_FM implements Joint.
func (Floating) Pose_FM(q []float64) r3.Pose {
	return r3.Pose{R: r3.Quat(q[:4]).Mat(), P: r3.Vec(q[4:7])}
}

// Subspace_FM implements Joint.
func (Floating) Subspace_FM(_ []float64, j int) (w, v r3.Vec) {
	if j < 3 {
		w[j] = 1
	} else {
		v[j-3] = 1
	}
	return w, v
}

// Advance implements Joint.
func (Floating) Advance(h float64, q, v []float64) {
	integrateQuat(h, q, r3.Vec(v[:3]))
	for i := range 3 {
		q[4+i] += h * v[3+i]
	}
}
