package rigid

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Prismatic is the prismatic joint (slider) along an axis a:
//
//	p_FM = q a,   H = (0; a)                                                (1)
//
// q is the displacement, m, and v its rate. Source: Featherstone, Rigid Body Dynamics
// Algorithms, table 4.1.
type Prismatic struct {
	Axis r3.Vec // unit vector a in F
	oneDof
}

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name: "prismatic",
	Doc:  "Slides along an axis, as a drawer does.",
	New:  func() JointSpec { return &PrismaticSpec{Axis: r3.Vec{0, 0, 1}} },
	Samples: func() []JointSpec {
		return []JointSpec{&PrismaticSpec{r3.Vec{1, 0, 0}}, &PrismaticSpec{r3.Vec{3, 0, -4}}}
	},
})

// PrismaticSpec are the parameters of a prismatic joint.
type PrismaticSpec struct {
	// Axis is the direction of sliding in the joint's frame, of any length.
	Axis r3.Vec `key:"axis,required" doc:"direction of sliding in the joint's frame, of any length"`
}

// Make implements JointSpec.
func (s *PrismaticSpec) Make() (Joint, error) {
	axis, err := direction("axis", s.Axis)
	return Prismatic{Axis: axis}, err
}

// Check implements Joint.
func (j Prismatic) Check() error { return checkAxis(j.Axis) }

// Pose_FM implements Joint.
func (j Prismatic) Pose_FM(q []float64) r3.Pose {
	return r3.Pose{R: r3.Identity(), P: j.Axis.Scale(q[0])}
}

// Subspace_FM implements Joint.
func (j Prismatic) Subspace_FM([]float64, int) (w, v r3.Vec) { return r3.Vec{}, j.Axis }
