package sim

// Contacts are linear in velocities, while bodies that turn move on arcs and roll on to
// other points of their surface. After the solve the gaps of pairs that turn far are
// therefore evaluated at the poses of the end of the step; where they are less than the
// contacts promise, further contacts are added, linear about the solved motion, and the
// step is solved again: a Gauss–Newton iteration on the geometry of contact
// (geometry/relinearize.go).
//
// An added contact is exact at the solved velocities: its lever arms are means over the motion.
// Contacts of the detection are exact at the start of the step. Both stay in the problem; contacts
// are only added, so that the repetition ends.

import (
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// maxRelinearizations bounds how often a step is solved again for contacts that were added.
// Impacts that turn a body by a radian take about five. Where it does not suffice, of one in
// a thousand impacts at 50 m/s and 5 ms, the step is divided in halves.
const maxRelinearizations = 16

// relinearization is the working memory of relinearize.
type relinearization struct {
	motions []geometry.RigidMotion // of each link in the step
	ends    [][]r3.Vec             // vertices of each deformable at the end of the step, m
	added   []geometry.Contact     // contacts added in this step
	passes  int                    // number of solves after which contacts were sought
	// the last solution still brings bodies too close
	exhausted bool
	// facts about the model's geometry
	arcRadius []float64 // of each link, m
	tolerance float64   // m
}

// newRelinearization returns the working memory for a model.
func newRelinearization(data *geometry.Data) relinearization {
	n := data.Model.NumRigid
	l := relinearization{
		motions: make([]geometry.RigidMotion, n), arcRadius: make([]float64, n), tolerance: data.LeastTolerance(),
		ends: make([][]r3.Vec, len(data.Model.Deformables)),
	}
	for i := range n {
		l.arcRadius[i] = data.ArcRadius(i)
	}
	return l
}

// relinearize adds contacts where the solved motion brings bodies closer than their
// contacts promise. It reports whether there are any, so that the step has to be solved
// again. It reads the velocities that redetect has predicted.
func (s *Stepper) relinearize(x *State, h float64) bool {
	l := &s.relinearized
	turns, sweeps := s.turnsFar(h), s.Geometry.NeedsSweep(s.detected)
	far := len(s.deformables) > 0 && !s.rest.holds && s.Geometry.DeformablesMoveFar()
	if !turns && !sweeps && !far {
		return false
	}
	s.findMotions(x, h)
	n := len(l.added)
	if turns {
		l.added = s.Geometry.Relinearize(l.motions, s.contacts, l.added)
	}
	if sweeps || far {
		s.findEnds(h)
	}
	far = far && s.Geometry.DeformablesMoveApart(l.motions, l.ends)
	linear := true
	if sweeps {
		l.added, linear = s.Geometry.SweepVertices(l.motions, l.ends, s.contacts, l.added)
	}
	if far {
		l.added = s.addEndContacts(h, l.added)
	}
	// contacts of the last pass are not added: nothing would be solved with them
	if l.passes == maxRelinearizations || (!linear || s.ends.solves > maxEndSolves) && s.halvings < maxHalvings {
		l.exhausted, l.added = len(l.added) > n, l.added[:n]
		return false
	}
	s.contacts = append(s.contacts, l.added[n:]...)
	if len(l.added) == n {
		return false
	}
	l.passes++
	return true
}

// findMotions sets the motion of every link in the step, from the poses at its start and the
// velocities of the solution.
func (s *Stepper) findMotions(x *State, h float64) {
	if s.rigid == nil {
		return
	}
	l := &s.relinearized
	nq, nv := s.rigid.Size()
	end := s.rigid.EndPoses(x.endTime(h), h, s.vNext[:nv], x.Q[:nq])
	for i := range l.motions {
		w, v := s.rigid.PredictedVelocity(i)
		m := &l.motions[i]
		m.X0, m.X1 = s.Geometry.X_WB[i], end[i]
		m.Translation.SetScale(h, v)
		m.Rotation.SetScale(h, w)
	}
}

// findEnds sets the vertices of deformables at the end of the step.
func (s *Stepper) findEnds(h float64) {
	l := &s.relinearized
	in := 0
	for k, b := range s.subsystems {
		if d, ok := b.(*deformableBody); ok {
			d.endPositions(h, s.vNext[in:in+s.solved[k]], &l.ends[d.number])
		}
		in += s.solved[k]
	}
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

// turnsFar reports whether any rigid body turns so far in the step that gaps may differ from
// linear ones by more than the least tolerance.
func (s *Stepper) turnsFar(h float64) bool {
	l := &s.relinearized
	for i, rho := range l.arcRadius {
		w, _ := s.rigid.PredictedVelocity(i)
		// a point at the distance ρ from the axis leaves its tangent by ρ (1 − cos θ) ≤ ρ θ²/2
		if theta2 := h * h * w.DotOf(w); theta2/2*rho > l.tolerance {
			return true
		}
	}
	return false
}

// setContacts takes the contacts of a detection, and adds those of relinearize.
func (s *Stepper) setContacts(found []geometry.Contact) {
	s.detected = found
	s.contacts = append(append(s.contacts[:0], found...), s.relinearized.added...)
}
