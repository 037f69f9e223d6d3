package sim

// Constraints are linear in velocities, while points of bodies that turn move on arcs. A point
// that a rigid body carries is at the end of the step
//
//	o(v) = x(q ⊕ h v) − (x(q) + h J v)                                        (1)
//
// beside where its velocity leads, about θ²/2 of its distance from the axis, outward. Vertices of a
// deformable that are held at such points would follow the tangent, and strain the body by θ²/2 in every
// step. So attachments take o at the velocities from which the step is solved as a known part of
// their motion: vertices move along the chord, as the frame of the body does
// (fem/rigid_rotation.go), and a steady rotation causes no stress.
// Source: this program's.

import "github.com/curlfree/curlfree/r3"

// tangentOffsets are the poses that (1) needs, computed when a constraint first asks.
type tangentOffsets struct {
	state *State
	h     float64   // of the step, s
	known bool      // end is that of the present velocities
	end   []r3.Pose // X_WB of every link at the end of the step
}

// begin has the next offsets computed at the velocities vNext.
func (o *tangentOffsets) begin(x *State, h float64) { o.state, o.h, o.known = x, h, false }

// tangentOffset returns (1) of a point of a link that is at p_W now, m.
func (s *Stepper) tangentOffset(link int, p_W r3.Vec) r3.Vec {
	o := &s.offsets
	if !o.known {
		nq, nv := s.rigid.Size()
		o.end = append(o.end[:0], s.rigid.EndPoses(o.state.endTime(o.h), o.h, s.vNext[:nv], o.state.Q[:nq])...)
		s.rigid.Data.PredictMotion(s.vNext[:nv])
		o.known = true
	}
	X_WB := s.Geometry.X_WB[link]
	w, v := s.rigid.PredictedVelocity(link)
	// the origin's own velocity, and that of the point about it
	ahead := p_W.AddScaled(o.h, v.Add(w.Cross(p_W.Sub(X_WB.P))))
	return o.end[link].Point(X_WB.InvPoint(p_W)).Sub(ahead)
}
