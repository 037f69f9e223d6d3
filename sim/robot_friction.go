package sim

// Dry friction in the feed forward of robots. What is planned to move needs, against the friction of its joints, the
// effort of constraints.JointFriction at the planned velocity, in its direction. Computed torque has it, at the
// velocities of all joints that the controller includes, those that follow included, whose efforts reach the driven
// ones as all others do (robot_dependents.go). A joint that is planned to rest has none: friction then balances any
// effort up to its limit, and which way it acts is not known, so that compensation of weight leaves it out. The
// direction is that of the plan and not that measured: friction that is fed forward by the measured velocity would be
// negative damping. Source: Siciliano et al., "Robotics: Modelling, Planning and Control", 2009, section 7.2 (friction
// of joints).

import (
	"slices"

	"github.com/curlfree/curlfree/constraints"
)

// plannedFriction is the friction of a joint that a controller includes, of the velocity ratio times that of dof.
type plannedFriction struct {
	law   *constraints.JointFriction
	dof   int // of the joint, or of that which it mimics
	ratio float64
}

// plannedFrictions returns the frictions of the joints that a controller includes, in the trees that it moves.
func plannedFrictions(m *Model, c *robotControl) (list []plannedFriction) {
	member := func(tree int) bool {
		if c.dependents != nil {
			return c.dependents.member[tree]
		}
		return slices.Contains(c.trees, tree)
	}
	for _, x := range m.Constraints {
		if law, ok := x.(*constraints.JointFriction); ok && c.known[m.Rigid.LinkOfDof(law.Dof)] && member(m.Rigid.TreeOfDof(law.Dof)) {
			dof, ratio, _ := m.Rigid.Leader(law.Dof)
			list = append(list, plannedFriction{law, dof, ratio})
		}
	}
	return list
}

// planFriction computes what friction takes in a step that ends with velocities v after accelerations a (NumV).
func (at *robotSetpoint) planFriction(s *Stepper, c *robotControl, v, a []float64) {
	h := s.Problem.H
	for i := range c.frictions {
		f := &c.frictions[i]
		to := v[f.dof]
		from := to - h*a[f.dof]
		if from*to < 0 { // a start from rest, or a turn
			from = 0
		}
		at.friction[i] = f.ratio * f.law.PlannedEffort(f.ratio*from, f.ratio*to, s.kin)
	}
}

// addFriction adds the friction of the plan, times sign, to efforts tau (NumV).
func (at *robotSetpoint) addFriction(c *robotControl, sign float64, tau []float64) {
	for i := range c.frictions {
		tau[c.frictions[i].dof] += sign * at.friction[i]
	}
}
