package sim

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// coreStiffness is the stiffness of the core of bodies with pressure fields, times h²/m. A
// body that reaches the core at the speed v sinks in by about h v/coreStiffness, and loses
// nearly all of its energy there.
const coreStiffness = 1e4

// appendCoreContact appends a contact at the core of bodies with pressure fields, see
// geometry.Contact. What gets there was not stopped by the fields: the core is as stiff as the
// step needs, and without friction, whatever the contact law and the materials. Contacts with an area, of vertices that
// stay where they begin in shapes without fields, have the friction of the materials.
func (s *Stepper) appendCoreContact(c *geometry.Contact, h float64) (cliques.Handle, error) {
	m := math.Max(s.movingMass(c.A.Body), s.movingMass(c.B.Body))
	h = s.reach(h)
	if c.B.N > 0 {
		m *= c.Weight // of a vertex that was not stopped by less
	}
	s.pair = constraints.Pair{}
	if c.Area > 0 {
		var err error
		if s.pair, err = s.Model.ContactMaterials.Pair(c); err != nil {
			return 0, fmt.Errorf("%s: %w", s.contactName(c), err)
		}
		s.pair.Dissipation = 0
	}
	s.pair.Stiffness, s.pair.EndForce = coreStiffness*m/(h*h), true
	return constraints.AppendContact(constraints.Lagged{}, c, &s.pair, s.kin, &s.Problem), nil
}

// movingMass returns the mass of a deformable, or of the rigid bodies that move with a body, kg:
// 0 for kinematic bodies.
func (s *Stepper) movingMass(body int) float64 {
	if n := s.Model.Geometry.NumRigid; body >= n {
		return s.deformables[body-n].model.Mass()
	}
	if body == geometry.World {
		return 0
	}
	r := s.Model.Rigid
	root := func(link int) int {
		for r.Parent(link) != geometry.World && !r.IsKinematic(r.Parent(link)) {
			link = r.Parent(link)
		}
		return link
	}
	if r.IsKinematic(body) {
		return 0
	}
	// bodies of one tree have one root
	mass, of := 0.0, root(body)
	for link := range r.NumLinks() {
		if !r.IsKinematic(link) && root(link) == of {
			mass += r.Link(link).Mass
		}
	}
	return mass
}
