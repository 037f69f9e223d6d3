package sim

// The iterate of a step: the velocities about which its problem is linear, or at which it was solved last, and where
// bodies are at its end with them. Each part is found when it is first asked for, once for each iterate.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// iterate is the working memory; the velocities are Stepper.vNext.
type iterate struct {
	state *State  // at the start of the step; nil: there is no step
	h     float64 // of the step, s
	// which parts are those of the present velocities
	placed, followed, ended bool
	// X_WB are the poses of links.
	X_WB []r3.Pose
	// motions are those of links in the step.
	motions []geometry.RigidMotion
	// ends are the vertices of deformables, m.
	ends [][]r3.Vec
}

// newIterate returns the working memory for a model.
func newIterate(g *geometry.Model) iterate {
	return iterate{motions: make([]geometry.RigidMotion, g.NumRigid), ends: make([][]r3.Vec, len(g.Deformables))}
}

// begin begins a step of h from a state; nil: rows are those of the present poses.
func (it *iterate) begin(x *State, h float64) {
	it.state, it.h = x, h
	it.forget()
}

// forget notes that velocities are others.
func (it *iterate) forget() { it.placed, it.followed, it.ended = false, false, false }

// iterateFrom makes v (n) the velocities of the iterate in a step of h from x.
func (s *Stepper) iterateFrom(x *State, h float64, v []float64) {
	s.vNext = append(s.vNext[:0], v...)
	s.iterate.begin(x, h)
}

// place finds the poses of links at the end of the step, and their linear motion.
func (it *iterate) place(s *Stepper) {
	if it.placed || s.rigid == nil {
		return
	}
	nq, nv := s.rigid.Size()
	it.X_WB = append(it.X_WB[:0], s.rigid.EndPoses(it.state.endTime(it.h), it.h, s.vNext[:nv], it.state.Q[:nq])...)
	s.rigid.Data.PredictMotion(s.vNext[:nv])
	it.placed = true
}

// follow finds the motion of every link in the step.
func (it *iterate) follow(s *Stepper) []geometry.RigidMotion {
	if it.followed || s.rigid == nil {
		return it.motions
	}
	it.place(s)
	for i := range it.motions {
		w, v := s.rigid.PredictedVelocity(i)
		m := &it.motions[i]
		m.X0, m.X1 = s.Geometry.X_WB[i], it.X_WB[i]
		m.Translation.SetScale(it.h, v)
		m.Rotation.SetScale(it.h, w)
	}
	it.followed = true
	return it.motions
}

// end finds the vertices of deformables at the end of the step.
func (it *iterate) end(s *Stepper) [][]r3.Vec {
	if it.ended {
		return it.ends
	}
	in := 0
	for k, b := range s.subsystems {
		if d, ok := b.(*deformableBody); ok {
			d.endPositions(it.h, s.vNext[in:in+s.solved[k]], &it.ends[d.number])
		}
		in += s.solved[k]
	}
	it.ended = true
	return it.ends
}

// endPositions writes the vertices after a step of h with the velocities vNext of the
// body's nodes.
func (b *deformableBody) endPositions(h float64, vNext []float64, end *[]r3.Vec) {
	*end = append((*end)[:0], b.Positions()...)
	for i := range *end {
		if n := b.model.Node(int32(i)); n >= 0 { // else fixed
			(*end)[i] = (*end)[i].AddScaled(h, r3.Vec(vNext[3*n:3*n+3]))
		}
	}
}

// leastTurn is the angle in a step below which arcs are straight to round-off, rad.
const leastTurn = 1e-8

// mostShift bounds the shift of leverAtEnd.
const mostShift = 0.5

// leverAtEnd returns the place of kinematics.Lever: with the deviation o of the point from its linear motion and the
// rotation h ω of the link,
//
//	p + o×(h ω)/|h ω|²,   o = x(q ⊕ h y) − (p + h v(p))
//
// A link of a tree that hardly turns while its ancestors do has no such place nearby: it is sought within mostShift of
// the point's distance from the link's origin.
func (s *Stepper) leverAtEnd(link int, p_W r3.Vec) r3.Vec {
	e := &s.iterate
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
	k.s.iterate.place(k.s)
	return k.s.iterate.X_WB[body]
}

// Vertex implements constraints.Kinematics: vertices move on straight lines, m.
func (k kinematicsAtEnd) Vertex(body int, v int32) r3.Vec {
	s := k.s
	i := body - s.Model.Geometry.NumRigid
	at := s.Geometry.X_W[i][v]
	if n := s.deformables[i].model.Node(v); n >= 0 { // else fixed
		first := s.Problem.Cliques[s.numTrees()+i].Offset + 3*int(n)
		at = at.AddScaled(s.iterate.h, r3.Vec(s.vNext[first:first+3]))
	}
	return at
}

// AtEnd implements constraints.Kinematics.
func (kinematicsAtEnd) AtEnd() constraints.Kinematics { return nil }
