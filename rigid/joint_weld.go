package rigid

import (
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Weld is the fixed joint, without degrees of freedom: X_FM = 1. The link is part of its
// parent.
type Weld struct{ immobile }

var _ = Joints.Register(kinds.Kind[JointSpec]{
	Name:    "weld",
	Doc:     "Fixes a body to its parent without motion.",
	New:     func() JointSpec { return &WeldSpec{} },
	Samples: func() []JointSpec { return []JointSpec{&WeldSpec{}} },
})

// WeldSpec is the empty parameter set of a weld.
type WeldSpec struct{}

// Make implements JointSpec.
func (*WeldSpec) Make() (Joint, error) { return Weld{}, nil }

// Pose_FM implements Joint.
func (Weld) Pose_FM([]float64) r3.Pose { return r3.PoseIdentity() }

// Check implements Joint.
func (Weld) Check() error { return nil }
