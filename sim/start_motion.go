package sim

import "github.com/curlfree/curlfree/r3"

// startMotion are poses and velocities of rigid bodies at the start of the step that was asked for, however many steps
// it took. Signals of mean accelerations read them.
type startMotion struct {
	time   float64 // s
	bodies []bodyMotion
}

// bodyMotion is a rigid body at an instant, with the world's axes.
type bodyMotion struct {
	pose r3.Pose // X_WB
	w, v r3.Vec  // of its origin, rad/s and m/s
}

// noteStart notes the motion of rigid bodies at the start of a step, if signals want it.
func (s *Stepper) noteStart(x *State) {
	if !s.Model.StartMotions || s.rigid == nil {
		return
	}
	s.placeAt(x)
	n := &s.startMotion
	n.time = x.Time
	if n.bodies == nil {
		n.bodies = make([]bodyMotion, s.Model.Geometry.NumRigid)
	}
	for i := range n.bodies {
		b := &n.bodies[i]
		b.pose = s.kin.Pose(i)
		b.w, b.v = s.rigid.Velocity(i)
	}
}

// middleAxes returns R_WB of a rigid body halfway between the start and the end of the step.
func (s *Stepper) middleAxes(body int) r3.Mat {
	start := s.startMotion.bodies[body].pose.R
	turn := start.T().Mul(s.kin.Pose(body).R).Quat().Log()
	return start.Mul(r3.RotExp(turn.Scale(0.5)))
}
