package sim

import (
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Rows of contacts under the midpoint rule. Rows of all points are those of the middle of the step. That a contact has
// in the middle differs from what it has at the start where bodies turn:
//
//	ofStart   the material point that touches at the start, as it moves
//	ofRolling the point below a round body that rolls, with the lever arm of the start
//	ofMiddle  the point that touches in the middle, and the normal there (geometry/middle.go)
//
// Those of the middle are the gradients of gaps there, by which they change to second order: the others give a disc
// that rolls on its rim energy.

// rowsPlace is where rows of a contact are taken.
type rowsPlace uint8

const (
	ofStart rowsPlace = iota
	ofRolling
	ofMiddle
)

// toMiddle moves the contacts of the detection to the middle of the step under the midpoint rule.
func (s *Stepper) toMiddle() {
	if s.rigid == nil || !s.rule().Midpoint {
		return
	}
	copy(s.contacts, s.detected)
	s.Geometry.MoveToMiddle(s.rigid.MidPoses(), s.contacts)
}

// rowsOf returns where rows of contact i are taken.
func (s *Stepper) rowsOf(i int, c *geometry.Contact) rowsPlace {
	switch {
	case !s.rule().Midpoint:
		return ofStart
	case c.Middle:
		return ofMiddle
	case i >= len(s.contacts)-len(s.added) || s.isRolling(c):
		return ofRolling
	}
	return ofStart
}

// rowPoint returns the place of the point of a rigid body, in its placed pose, with which rows of the contact at hand
// at p_W (m) are taken.
func (s *Stepper) rowPoint(body int, p_W *r3.Vec) r3.Vec {
	switch s.rows {
	case ofRolling:
		return s.rigid.RollingPoint(body, *p_W)
	case ofMiddle:
		return s.rigid.PlacedPoint(body, *p_W)
	}
	return *p_W
}

// roundGeoms reports of each geom whether its point of contact moves over its surface as it turns: corners and edges
// turn with it.
func roundGeoms(g *geometry.Model) []bool {
	round := make([]bool, len(g.Geoms))
	for i := range g.Geoms {
		_, round[i] = g.Geoms[i].Shape.(geometry.RoundShape)
	}
	return round
}

// isRolling reports whether a contact is one of a round shape of a rigid body.
func (s *Stepper) isRolling(c *geometry.Contact) bool {
	rigid := s.Model.Geometry.NumRigid
	return c.A.Body < rigid && c.A.N == 0 && s.round[c.Elem[0]] || c.B.Body < rigid && c.B.N == 0 && s.round[c.Elem[1]]
}
