package sim

// The reaction force at an attachment is the force that the supporting body exerts on the
// attached vertices of a deformable, mean over the step. Fixed vertices are not in the
// problem: see fem/reactions.go. Vertices on bodies that move are kept there by constraints, whose
// impulses are known. A step in parts adds the impulses of all parts.

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Attachment is a region of a deformable that is fixed to a rigid body or the world.
type Attachment struct {
	// Deformable is an index into Model.Deformables.
	Deformable int
	// Body is the rigid body, or geometry.World.
	Body int
	// Verts are the attached vertices.
	Verts []int32
	// Constraint is an index into Model.Constraints, or −1 where the vertices never move.
	Constraint int
}

// reactions are the impulses on attached vertices over the last step.
type reactions struct {
	impulse [][]r3.Vec // of each vertex of each deformable, N s
	time    float64    // over which they were summed, s
}

// watchReactions has the steps compute reactions, if the model wants them.
func (s *Stepper) watchReactions() {
	if !s.Model.Reactions {
		return
	}
	for _, d := range s.deformables {
		d.KeepHeldRows()
		s.reactions.impulse = append(s.reactions.impulse, make([]r3.Vec, d.model.NumVerts()))
	}
}

// resetReactions begins a step.
func (s *Stepper) resetReactions() {
	s.reactions.time = 0
	for _, r := range s.reactions.impulse {
		clear(r)
	}
}

// addReactions adds the impulses of a solved step of h, or of a part of one.
func (s *Stepper) addReactions(h float64) {
	r := &s.reactions
	if r.impulse == nil {
		return
	}
	r.time += h
	for i, d := range s.deformables {
		d.AddReactions(&s.Problem, s.vNext[s.Problem.Cliques[s.numTrees()+i].Offset:], r.impulse[i])
	}
	for _, a := range s.Model.Attachments {
		if a.Constraint < 0 || s.modelTerms[a.Constraint] < 0 {
			continue
		}
		// one term for each vertex, the last of which has the handle
		first := s.modelTerms[a.Constraint] - cliques.Handle(len(a.Verts)-1)
		for k, v := range a.Verts {
			y := s.Problem.Impulse(first + cliques.Handle(k))
			r.impulse[a.Deformable][v] = r.impulse[a.Deformable][v].Add(r3.Vec(y[:3]))
		}
	}
}

// reaction returns the force on an attached vertex of deformable i, mean over the last step, N.
func (s *Stepper) reaction(i int, vert int32) r3.Vec {
	return s.reactions.impulse[i][vert].Scale(1 / s.reactions.time)
}
