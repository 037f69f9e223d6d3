package sim

// Where bodies are at the end of the step, at the velocities from which it is solved or which it was solved for last.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// predictedEnd are the poses of links at the end of the step, found when they are first asked for.
type predictedEnd struct {
	state *State
	h     float64 // of the step, s
	known bool    // X_WB are those of the present velocities
	X_WB  []r3.Pose
}

// begin forgets the poses: velocities are others.
func (e *predictedEnd) begin(x *State, h float64) { e.state, e.h, e.known = x, h, false }

// place finds the poses, and the linear motion of links.
func (e *predictedEnd) place(s *Stepper) {
	if e.known {
		return
	}
	nq, nv := s.rigid.Size()
	e.X_WB = append(e.X_WB[:0], s.rigid.EndPoses(e.state.endTime(e.h), e.h, s.vNext[:nv], e.state.Q[:nq])...)
	s.rigid.Data.PredictMotion(s.vNext[:nv])
	e.known = true
}

// leastTurn is the angle in a step below which arcs are straight to round-off, rad.
const leastTurn = 1e-8

// mostShift bounds the shift of leverAtEnd.
const mostShift = 0.5

// leverAtEnd returns the place of kinematics.Lever: with the deviation o of the point from its linear motion and the rotation h ω of the link,
//
//	p + o×(h ω)/|h ω|²,   o = x(q ⊕ h y) − (p + h v(p))
//
// A link of a tree that hardly turns while its ancestors do has no such place nearby: it is sought within mostShift of the point's distance from the link's origin.
func (s *Stepper) leverAtEnd(link int, p_W r3.Vec) r3.Vec {
	e := &s.predictedEnd
	e.place(s)
	X_WB := s.Geometry.X_WB[link]
	w, v := s.rigid.PredictedVelocity(link)
	turn := w.Scale(e.h)
	if turn.Norm2() < leastTurn*leastTurn {
		return p_W
	}
	ahead := p_W.AddScaled(e.h, v.Add(w.Cross(p_W.Sub(X_WB.P))))
	o := e.X_WB[link].Point(X_WB.InvPoint(p_W)).Sub(ahead)
	shift := o.Cross(turn).Scale(1 / turn.Norm2())
	if t := s.rigid.model.TreeOf(link); t >= 0 && s.rigid.model.HasJoints(t) {
		most := mostShift * p_W.Sub(X_WB.P).Norm()
		if n := shift.Norm(); n > most {
			shift = shift.Scale(most / n)
		}
	}
	return p_W.Add(shift)
}

// kinematicsAtEnd is kinematics with poses and vertices of the end of the step.
type kinematicsAtEnd struct{ kinematics }

// Pose implements constraints.Kinematics: X_WB of a rigid body.
func (k kinematicsAtEnd) Pose(body int) r3.Pose {
	if body == geometry.World {
		return r3.PoseIdentity()
	}
	k.s.predictedEnd.place(k.s)
	return k.s.predictedEnd.X_WB[body]
}

// Vertex implements constraints.Kinematics: vertices move on straight lines, m.
func (k kinematicsAtEnd) Vertex(body int, v int32) r3.Vec {
	s := k.s
	i := body - s.Model.Geometry.NumRigid
	at := s.Geometry.X_W[i][v]
	if n := s.deformables[i].model.Node(v); n >= 0 { // else fixed
		first := s.Problem.Cliques[s.numTrees()+i].Offset + 3*int(n)
		at = at.AddScaled(s.predictedEnd.h, r3.Vec(s.vNext[first:first+3]))
	}
	return at
}

// AtEnd implements constraints.Kinematics.
func (kinematicsAtEnd) AtEnd() constraints.Kinematics { return nil }
