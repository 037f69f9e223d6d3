package sim

// Paths: vertices of deformables that move far in a step are followed along their solved paths through rigid shapes;
// one that goes too deep gets a contact of its own (geometry/deformable_sweep.go). Where the body turns so far that a
// contact that is linear in velocities does not describe the path, the step is divided.

import "github.com/curlfree/curlfree/geometry"

// paths is the term of vertices that are followed.
type paths struct {
	plainTerm
	found []geometry.Contact // that measure found to lack
}

var pathsKind = termKind{name: "paths", unit: "m", again: "vertices of deformables pass through shapes, and got contacts along the solved motion"}

// measure returns the largest depth of a vertex at the end of its path, m, of those that lack a contact.
func (p *paths) measure(s *Stepper) defect {
	p.found = p.found[:0]
	if !s.Geometry.CanTouch() || !s.Geometry.NeedsSweep(s.detected) {
		return defect{}
	}
	found, short, linear := s.Geometry.SweepVertices(s.iterate.follow(s), s.iterate.end(s), s.contacts, p.found)
	p.found = found
	return defect{ratio: short.Ratio, value: short.Length, bodies: short.Bodies, divide: !linear}
}

// linearize adds the contacts that lack.
func (p *paths) linearize(s *Stepper) change { return s.addContacts(p.found) }
