package sim

// What a search for rest asks of the model: loads that follow bodies, bodies that are free to fall, and prescribed
// motions.

import (
	"math"

	"github.com/curlfree/curlfree/rigid"
)

// hasFollowers reports whether a load of a deformable follows it.
func (s *Stepper) hasFollowers() bool {
	for _, d := range s.deformables {
		for _, l := range d.loads {
			if _, ok := l.(followerLoad); ok {
				return true
			}
		}
	}
	return false
}

// allHeld reports whether no body is free to fall: each deformable has fixed vertices, and there are no trees that
// move.
func (s *Stepper) allHeld() bool {
	if s.rigid != nil {
		for i := range s.rigid.model.NumLinks() {
			if !s.rigid.model.IsKinematic(i) {
				return false
			}
		}
	}
	for _, d := range s.deformables {
		if d.model.Dofs() == 3*d.model.NumVerts() {
			return false
		}
	}
	return true
}

// longestFree returns the longest pseudo-step in which the matrix of each deformable without fixed vertices is known to
// be positive definite: its rigid motions have inertia alone, which has to exceed the round-off of the stiffness.
func (s *Stepper) longestFree() float64 {
	longest := math.Inf(1)
	for _, d := range s.deformables {
		if d.model.Dofs() == 3*d.model.NumVerts() {
			longest = math.Min(longest, math.Sqrt(freeStiffness/d.StiffnessToMass()))
		}
	}
	return longest
}

// hasMotions reports whether a joint is prescribed.
func (s *Stepper) hasMotions() bool {
	if s.rigid == nil {
		return false
	}
	for i := range s.rigid.model.NumLinks() {
		if _, ok := s.rigid.model.Link(i).Joint.(rigid.Prescribed); ok {
			return true
		}
	}
	return false
}
