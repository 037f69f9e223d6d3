package geometry

import "github.com/curlfree/curlfree/r3"

// LinearMotion is the linearized motion of a rigid body within a step, as contact
// constraints use it: (1) of rigid_motion.go.
type LinearMotion struct {
	// Translation is the translation of the body's origin, m.
	Translation r3.Vec
	// Rotation is the rotation vector, world axes, rad.
	Rotation r3.Vec
}

// at returns the displacement of the point x_W of a body whose origin is at o_W, m.
func (m *LinearMotion) at(x_W, o_W *r3.Vec) r3.Vec {
	var arm, u r3.Vec
	arm.SetSub(x_W, o_W)
	u.IncCross(&m.Rotation, &arm)
	u.IncScale(1, &m.Translation)
	return u
}

// relativeMotion returns the motion of a body a relative to b, as one of a body whose origin is that of a; the origins
// are at oA_W and oB_W.
func relativeMotion(a, b *LinearMotion, oA_W, oB_W *r3.Vec) LinearMotion {
	return LinearMotion{a.Translation.Sub(b.at(oA_W, oB_W)), a.Rotation.Sub(b.Rotation)}
}

// after returns the pose of a body at X_WB after the fraction s of the motion at constant
// velocity and angular velocity; s may exceed 1.
func (m *LinearMotion) after(X_WB *r3.Pose, s float64) r3.Pose {
	X := r3.Pose{R: X_WB.R, P: X_WB.P.AddScaled(s, m.Translation)}
	if m.Rotation != (r3.Vec{}) {
		X.R = r3.RotExp(m.Rotation.Scale(s)).Mul(X.R)
	}
	return X
}

// motionOf returns the predicted motion of a rigid body; the world does not move.
func (s *Data) motionOf(body int) *LinearMotion {
	if body == World || body >= len(s.Motion) {
		return &noMotion
	}
	return &s.Motion[body]
}

// noMotion is the motion of the world. It is never written.
var noMotion LinearMotion

// originAfter returns the origin of a body after the fraction t of the predicted motion, m.
func (s *Data) originAfter(body int, t float64) r3.Vec {
	if body == World {
		return r3.Vec{}
	}
	if t == 0 {
		return s.X_WB[body].P
	}
	return s.X_WB[body].P.AddScaled(t, s.motionOf(body).Translation)
}

// poseAfter returns the pose of a geom after the fraction t of the predicted motion.
func (s *Data) poseAfter(geom int, t float64) r3.Pose {
	g := &s.Model.Geoms[geom]
	if t == 0 || g.Body == World {
		return s.geoms[geom].X_WG
	}
	return s.motionOf(g.Body).after(&s.X_WB[g.Body], t).Mul(g.X_BG)
}

// rigidMotion returns the predicted motion of a body with both of its ends.
func (s *Data) rigidMotion(body int) RigidMotion {
	if body == World {
		return resting
	}
	m, X := s.motionOf(body), &s.X_WB[body]
	return RigidMotion{X0: *X, X1: m.after(X, 1), Translation: m.Translation, Rotation: m.Rotation}
}
