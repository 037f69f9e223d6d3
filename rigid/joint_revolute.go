package rigid

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Revolute is the revolute joint (hinge) about an axis a through the origin of F:
//
//	R_FM = Exp(q a),   H = (a; 0)                                           (1)
//
// q is the angle, rad, and v its rate. Source: Featherstone, Rigid Body Dynamics
// Algorithms, table 4.1.
type Revolute struct {
	Axis r3.Vec // unit vector a in F
	oneDof
}

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name: "revolute",
	Doc:  "Turns about an axis, as a hinge does.",
	New:  func() JointSpec { return &RevoluteSpec{Axis: r3.Vec{0, 0, 1}} },
	Samples: func() []JointSpec {
		return []JointSpec{&RevoluteSpec{r3.Vec{0, 1, 0}}, &RevoluteSpec{r3.Vec{1, -2, 0.5}}}
	},
})

// RevoluteSpec are the parameters of a revolute joint.
type RevoluteSpec struct {
	// Axis is the axis of rotation in the joint's frame, of any length.
	Axis r3.Vec `key:"axis,required" doc:"axis of rotation in the joint's frame, of any length"`
}

// Make implements JointSpec.
func (s *RevoluteSpec) Make() (Joint, error) {
	axis, err := direction("axis", s.Axis)
	return Revolute{Axis: axis}, err
}

// Check implements Joint.
func (j Revolute) Check() error { return checkAxis(j.Axis) }

// Pose_FM implements Joint.
func (j Revolute) Pose_FM(q []float64) r3.Pose { return r3.Pose{R: r3.RotExp(j.Axis.Scale(q[0]))} }

// Subspace_FM implements Joint.
func (j Revolute) Subspace_FM([]float64, int) (w, v r3.Vec) { return j.Axis, r3.Vec{} }
