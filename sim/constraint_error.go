package sim

import "github.com/curlfree/curlfree/constraints"

// ConstraintError returns by how much a constraint of the model is violated in the placed state. ok is false for
// constraints without such an error: drives, and springs, which may be loaded. Near-rigid constraints have small errors
// under load (83), which are not faults.
func (s *Stepper) ConstraintError(i int) (v constraints.Violation, ok bool) {
	c, ok := s.Model.Constraints[i].(constraints.Described)
	if !ok {
		return v, false
	}
	about := c.Describe()
	return c.Violation(s.kin), about.IsNearRigid()
}
