package sim

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// rebound is a contact that rebounds by restitution, with its pair, in place of the one that was found.
type rebound struct {
	contact geometry.Contact
	pair    constraints.Pair
}

// rebounds are those of a step.
type rebounds struct {
	list   []rebound
	placed bool // inertias of trees, which inverse masses need
}

// approachOf returns the velocity along its normal with which bodies meet at a contact within the step and rebound by
// restitution, m/s; 0: they do not.
func (s *Stepper) approachOf(x *State, c *geometry.Contact, pair *constraints.Pair, h float64) float64 {
	if pair.Restitution == 0 || c.Area > 0 || s.rest.holds {
		return 0
	}
	approach := s.relativeVelocity(x, c).Dot(c.Normal_W)
	if approach < -constraints.RestitutionThreshold*s.Model.Gravity.Norm()*h && c.Phi+h*approach < 0 {
		return approach
	}
	return 0
}

// reboundAt returns contact and pair of a contact as the step has it: those of an impact where the bodies rebound.
func (s *Stepper) reboundAt(x *State, c *geometry.Contact, h float64) (*geometry.Contact, *constraints.Pair) {
	approach := s.approachOf(x, c, &s.pair, h)
	if approach == 0 {
		return c, &s.pair
	}
	if !s.rebounds.placed {
		s.rigid.PlaceComposites()
		s.rebounds.placed = true
	}
	w := constraints.ContactInverseMass(c, s.kin)
	if !(w > 0) {
		return c, &s.pair
	}
	// laws refer to their contacts until the step is solved: the list has room for all
	n := len(s.rebounds.list)
	s.rebounds.list = append(s.rebounds.list, rebound{*c, s.pair})
	r := &s.rebounds.list[n]
	r.pair.Rebound(&r.contact, h, approach, s.thetaOf(c), w)
	return &r.contact, &r.pair
}

// thetaOf returns θ of the bodies of a contact in the step.
func (s *Stepper) thetaOf(c *geometry.Contact) float64 {
	if !s.rule().Midpoint {
		return 1
	}
	theta := 0.0
	for _, body := range [2]int{c.A.Body, c.B.Body} {
		if body == geometry.World {
			continue
		}
		if t := s.rigid.model.TreeOf(body); t >= 0 {
			theta = math.Max(theta, s.Problem.Theta[s.Problem.Cliques[t].First])
		}
	}
	return theta
}
