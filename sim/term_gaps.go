package sim

// Gaps: contacts are linear in velocities, while bodies that turn move on arcs and roll on to
// other points of their surface. After a solve the gaps of pairs that turn far are
// therefore evaluated at the poses of the end of the step; where they are less than the
// contacts say, further contacts are added, linear about the solved motion, and the
// step is solved again: a Gauss–Newton iteration on the geometry of contact
// (relinearization, geometry/relinearize.go).
//
// An added contact is exact at the solved velocities: its lever arms are means over the motion.
// Contacts of the detection are exact at the start of the step. Both stay in the problem; contacts
// are only added, so that the repetition ends.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// gaps is the term of pairs of rigid bodies that turn.
type gaps struct {
	plainTerm
	found     []geometry.Contact // that measure found to lack
	predicted []float64          // of predict, m
	// facts about the model's geometry
	arcRadius []float64 // of each link, m
	tolerance float64   // m
}

var gapsKind = termKind{name: "gaps", unit: "m", again: "bodies turn so far that contacts were linearized at the solution"}

// newGaps returns the term for a model.
func newGaps(data *geometry.Data) *gaps {
	g := &gaps{arcRadius: make([]float64, data.Model.NumRigid), tolerance: data.LeastTolerance()}
	for i := range g.arcRadius {
		g.arcRadius[i] = data.ArcRadius(i)
	}
	return g
}

// measure returns by how much bodies come closer than their contacts say, m. It reads the velocities that coverage
// predicted.
func (g *gaps) measure(s *Stepper) (d defect) {
	g.found = g.found[:0]
	if !s.Geometry.CanTouch() || !g.turnsFar(s) {
		return d
	}
	n := len(s.added)
	all, short := s.Geometry.Relinearize(s.iterate.follow(s), s.contacts, g.predict(s), s.added)
	g.found, s.added = append(g.found, all[n:]...), all[:n]
	return defect{ratio: short.Ratio, value: short.Length, bodies: short.Bodies}
}

// predict returns the gaps that contacts predict where their rows are those of the middle of the step, m; else nil.
func (g *gaps) predict(s *Stepper) []float64 {
	if !s.rule().Midpoint {
		return nil
	}
	g.predicted = g.predicted[:0]
	for i := range s.contacts {
		g.predicted = append(g.predicted, constraints.ContactGap(&s.Problem, s.handles[i], &s.contacts[i]))
	}
	return g.predicted
}

// linearize adds the contacts that lack.
func (g *gaps) linearize(s *Stepper) change { return s.addContacts(g.found) }

// turnsFar reports whether any rigid body turns so far in the step that gaps may differ from
// linear ones by more than the least tolerance.
func (g *gaps) turnsFar(s *Stepper) bool {
	h := s.iterate.h
	for i, rho := range g.arcRadius {
		w, _ := s.rigid.PredictedVelocity(i)
		// a point at the distance ρ from the axis leaves its tangent by ρ (1 − cos θ) ≤ ρ θ²/2
		if theta2 := h * h * w.DotOf(w); theta2/2*rho > g.tolerance {
			return true
		}
	}
	return false
}
