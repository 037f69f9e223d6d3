package sim

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Impacts of bodies on constraints that they share, constraints/closing.go, under the midpoint rule. The part of their
// velocities that such a constraint does not allow is of O(h²) where they move smoothly, and of O(h) after an impact;
// more is an impact,
//
//	rate > closingShare Σ |v| + h |g|                                       (1)
//
// with the speeds v of the points of both bodies and of their rotations. Trees that something rigid joins take an
// impact on one of them with one θ: with several ones they would leave it with velocities that it does not allow.

// closingShare is that of (1).
const closingShare = 0.25

// closing is a constraint that bodies may meet within a step.
type closing struct {
	at     constraints.Closing
	size   float64 // of the smaller of its bodies, m
	bodies []int   // that it joins and that may move, trees by one of their links
	rigid  bool    // it joins trees rigidly
	trees  [2]int  // that it joins, −1 for none
}

// closingsOf returns those of a model.
func closingsOf(m *Model) (all []closing) {
	for _, c := range m.Constraints {
		at, ok := c.(constraints.Closing)
		if !ok {
			continue
		}
		of := closing{at: at, size: math.Inf(1), trees: [2]int{-1, -1}}
		if described, ok := c.(constraints.Described); ok {
			about := described.Describe()
			of.bodies = about.Bodies()
			for _, dof := range about.Dofs {
				of.bodies = append(of.bodies, m.Rigid.LinkOfDof(dof))
			}
			for i := range about.Points {
				of.size = min(of.size, m.leverOf(&about.Points[i]))
			}
			of.rigid = about.IsNearRigid() && !about.OneSided
		}
		n := 0
		for _, b := range of.bodies {
			if b == geometry.World || b >= m.Geometry.NumRigid {
				continue
			}
			if t := m.Rigid.TreeOf(b); t >= 0 && n < 2 && of.trees[0] != t {
				of.trees[n] = t
				n++
			}
		}
		of.rigid = of.rigid && n == 2
		if math.IsInf(of.size, 1) { // no rigid body turns on it
			of.size = 0
		}
		all = append(all, of)
	}
	return all
}

// findClosings notes impacts of bodies on what they share.
func (s *Stepper) findClosings(h float64) {
	for i := range s.closings {
		c := &s.closings[i]
		impact, speed, ok := c.at.Closing(kinematics{s}, c.size)
		if !ok || !(-impact.Approach > closingShare*speed+h*s.Model.Gravity.Norm()) {
			continue
		}
		for _, body := range c.bodies {
			s.noteImpact(body, &impact, h)
		}
	}
}

// shareImpacts gives trees that something rigid joins the largest θ of them.
func (s *Stepper) shareImpacts() {
	for range s.closings { // as far as the longest chain is
		changed := false
		for i := range s.closings {
			c := &s.closings[i]
			if !c.rigid {
				continue
			}
			to, from := c.trees[0], c.trees[1]
			if s.impacts[to] > s.impacts[from] {
				to, from = from, to
			}
			if theta := s.impacts[from]; s.impacts[to] != theta && !c.isOpen(s) {
				s.impacts[to], s.impactContact[to], changed = theta, -1, true
				s.impactNext[to] = theta // no contact of its own has the derivative of it
			}
		}
		if !changed {
			return
		}
	}
}

// isOpen reports whether it joins nothing, as a hold that is open.
func (c *closing) isOpen(s *Stepper) bool {
	_, _, ok := c.at.Closing(kinematics{s}, c.size)
	return !ok
}

// PointVelocity implements constraints.BodyVelocities.
func (k kinematics) PointVelocity(f geometry.MaterialPoint, p_W r3.Vec) r3.Vec {
	return k.s.velocityAt(k.s.begun, &f, &p_W)
}

// AngularVelocity implements constraints.BodyVelocities.
func (k kinematics) AngularVelocity(body int) (w r3.Vec) {
	if body != geometry.World {
		u, _ := k.s.rigid.StepVelocity(body)
		w = *u
	}
	return w
}

var _ constraints.BodyVelocities = kinematics{}
