package rigid

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Screw is the screw (helical) joint: M rotates about an axis a and advances along it by the
// pitch p in each revolution,
//
//	R_FM = Exp(q a),   p_FM = q p/(2π) a,   H = (a; p/(2π) a)                (1)
//
// q is the angle, rad, and v its rate. Source: Featherstone, Rigid Body Dynamics
// Algorithms, table 4.1.
type Screw struct {
	// Axis is the unit vector a in F.
	Axis r3.Vec
	// Pitch is p, m per revolution; positive: a right-handed thread.
	Pitch float64
	oneDof
}

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name: "screw",
	Doc:  "Turns about an axis and advances along it, as a nut does on a thread.",
	New:  func() JointSpec { return &ScrewSpec{Axis: r3.Vec{0, 0, 1}} },
	Samples: func() []JointSpec {
		return []JointSpec{&ScrewSpec{r3.Vec{0, 0, 1}, 0.002}, &ScrewSpec{r3.Vec{1, 1, 0}, -0.8}}
	},
})

// ScrewSpec are the parameters of a screw joint.
type ScrewSpec struct {
	// Axis is the axis of the thread in the joint's frame, of any length.
	Axis r3.Vec `key:"axis,required" doc:"axis of the thread in the joint's frame, of any length"`
	// Pitch is the advance along the axis for each revolution, m; positive: right-handed.
	Pitch float64 `key:"pitch,required" unit:"m" doc:"advance along the axis per revolution, positive for a right-handed thread"`
}

// Make implements JointSpec.
func (s *ScrewSpec) Make() (Joint, error) {
	axis, err := direction("axis", s.Axis)
	if err == nil && s.Pitch == 0 {
		err = fmt.Errorf("pitch is 0: a screw advances in each revolution, give it in metres")
	}
	return Screw{Axis: axis, Pitch: s.Pitch}, err
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
