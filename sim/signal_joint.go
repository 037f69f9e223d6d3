package sim

import (
	"github.com/curlfree/curlfree/kinds"
)

// JointPosition is the position of a joint with one degree of freedom.
type JointPosition struct {
	// Dof is the velocity number of the joint, as in Names.Joints.
	Dof int
}

// Value implements Signal: m or rad.
func (g JointPosition) Value(s *Stepper, _ *State) float64 {
	q, _ := s.rigid.Dof(g.Dof)
	return q
}

// JointVelocity is the velocity of a joint with one degree of freedom.
type JointVelocity struct {
	// Dof is the velocity number of the joint, as in Names.Joints.
	Dof int
}

// Value implements Signal: m/s or rad/s.
func (g JointVelocity) Value(s *Stepper, _ *State) float64 {
	_, v := s.rigid.Dof(g.Dof)
	return v
}

// Effort is the force or torque of a constraint of one equation, such as the controller
// of a joint, mean over the step.
type Effort struct {
	// Constraint is an index into Model.Constraints, as in Names.Drives.
	Constraint int
}

// Value implements Signal, N or N m.
func (g Effort) Value(s *Stepper, x *State) float64 {
	if !s.took(x) {
		return 0
	}
	return s.effort(g.Constraint)
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "joint_state", Formerly: []string{"of"}, Doc: "Position or velocity of a joint with one degree of freedom.",
	New: func() SignalSpec { return &JointStateSpec{} },
	Samples: func() []SignalSpec {
		return []SignalSpec{&JointStateSpec{State: "position", Joint: "arm"}, &JointStateSpec{State: "velocity", Joint: "cart"}}
	},
})

// JointStateSpec are the parameters of a JointPosition or JointVelocity.
type JointStateSpec struct {
	// State is position or velocity, as in the joint states of ROS.
	State string `key:"joint_state,required" doc:"measured quantity" choice:"position,velocity"`
	// Joint is the name of a joint with one degree of freedom.
	Joint string `key:"joint,required" doc:"joint with one degree of freedom" ref:"joint"`
	ofState
}

// Unit implements SignalSpec.
func (p *JointStateSpec) Unit() string {
	if p.State == "velocity" {
		return "rad/s or m/s"
	}
	return "rad or m"
}

// Make implements SignalSpec.
func (p *JointStateSpec) Make(r *Resolver) (Signal, error) {
	// joints with more degrees of freedom have no single position
	dof, err := r.Joint(p.Joint)
	if p.State == "velocity" {
		return JointVelocity{dof}, err
	}
	return JointPosition{dof}, err
}

var _ = Signals.Register(kinds.Kind[SignalSpec]{
	Name: "drive_effort", Doc: "Force or torque of the controller of a joint, mean over the step.",
	New:     func() SignalSpec { return &DriveEffortSpec{} },
	Samples: func() []SignalSpec { return []SignalSpec{&DriveEffortSpec{Drive: "turn"}} },
})

// DriveEffortSpec are the parameters of an Effort.
type DriveEffortSpec struct {
	// Drive is the name of the drive of a joint.
	Drive string `key:"drive_effort,required" doc:"drive of a joint" ref:"drive"`
	ofStep
}

// Unit implements SignalSpec.
func (*DriveEffortSpec) Unit() string { return "N m or N" }

// Make implements SignalSpec.
func (p *DriveEffortSpec) Make(r *Resolver) (Signal, error) {
	i, err := r.Drive(p.Drive)
	return Effort{Constraint: i}, err
}
