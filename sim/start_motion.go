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
