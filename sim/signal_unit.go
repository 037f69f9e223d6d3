package sim

import "github.com/curlfree/curlfree/constraints"

// unitIn implements modelUnit.
func (g JointPosition) unitIn(m *Model) string { return m.dofUnit(g.Dof, "rad", "m") }

// unitIn implements modelUnit.
func (g JointVelocity) unitIn(m *Model) string { return m.dofUnit(g.Dof, "rad/s", "m/s") }

// unitIn implements modelUnit: the effort does work on the joint's velocity.
func (g Effort) unitIn(m *Model) string {
	switch c := m.Constraints[g.Constraint].(type) {
	case constraints.Commanded:
		// other coefficients may be lengths
		if l := c.Actuation().Along; len(l.Dofs) == 1 && l.Coefficients[0] == 1 {
			return m.dofUnit(l.Dofs[0], "N m", "N")
		}
	case wrenchConstraint:
		return "N"
	}
	return ""
}
