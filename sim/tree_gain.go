package sim

// Trees of joints that impulses set in fast motion. The mass matrix of a tree is that of the start of the step. A blow that turns its joints by much
// within the step leaves it with the momentum of the start and the inertia of the end, and so with energy that no impulse gave:
//
//	E⁺ − E − v⁺·Jᵀγ > ε T                                                     (1)
//
// with the kinetic energy T at the end. Such a step is divided. Free motion has its own limit (rigid/energy_limit.go), and loops theirs (curved_loops.go).
//
// Source: this program.

import (
	"math"
	"slices"
)

const (
	// treeGainTol is ε of (1).
	treeGainTol = 0.01
	// fastTurn is the angle (rad) by which a joint turns in a step, or the way (m) that it slides, above which (1) is asked: slower joints
	// gain less.
	fastTurn = 0.1
)

// treesGain reports whether (1) holds for a tree with joints.
func (s *Stepper) treesGain(x *State, h float64) bool {
	if s.rest.holds || s.halvings >= maxHalvings {
		return false
	}
	placed := false
	for t := range s.numTrees() {
		if !s.rigid.model.HasJoints(t) || s.rigid.model.IsPrescribed(t) || slices.Contains(s.curved.trees, t) {
			continue
		}
		c := &s.Problem.Cliques[t]
		end := c.Offset + c.Size
		v := s.vNext[c.Offset:end]
		if !turnsFast(v, h) {
			continue
		}
		if !placed {
			s.predictedEnd.begin(x, h)
			s.predictedEnd.place(s)
			placed = true
		}
		v0, p := s.Problem.V0[c.Offset:end], s.Problem.P[c.Offset:end]
		if gained, kinetic := s.rigid.GainAtEnd(t, &s.rigid.gravity, c.A, v0, p, v); gained > treeGainTol*kinetic && s.rigid.TreeIsPushed(t, c.A, v0, p, v) {
			return true
		}
	}
	return false
}

// turnsFast reports whether a velocity of a tree is fast.
func turnsFast(v []float64, h float64) bool {
	for _, u := range v {
		if math.Abs(u)*h > fastTurn {
			return true
		}
	}
	return false
}
