package sim

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
)

// ConstraintError returns the violation of a constraint of the model in the placed state: a distance
// (m; of a coupler m or rad), and of a weld also the angle (rad). ok is false for constraints without
// such an error: drives, and springs, which may be loaded. Near-rigid constraints have small errors
// under load (83), which are not faults.
func (s *Stepper) ConstraintError(i int) (distance, angle float64, ok bool) {
	k := kinematics{s}
	switch c := s.Model.Constraints[i].(type) {
	case *constraints.Weld:
		distance, angle = c.Error(k)
		return distance, angle, nearRigid(c.Rotation) && nearRigid(c.Translation)
	case *constraints.Ball:
		return c.Error(k), 0, nearRigid(c.Spring)
	case *constraints.Distance:
		return math.Abs(c.Error(k)), 0, nearRigid(c.Spring)
	case *constraints.Fixed:
		return c.Error(k), 0, nearRigid(c.Spring)
	case *constraints.Coupler:
		return math.Abs(c.Error(k)), 0, nearRigid(c.Spring)
	case *constraints.JointSumLimit:
		return math.Abs(c.Error(k)), 0, nearRigid(c.Spring)
	}
	return 0, 0, false
}

// nearRigid reports whether a constraint is as stiff as the step resolves, not a spring: its stiffness is infinite,
// or nothing is given.
func nearRigid(s constraints.Spring) bool {
	return math.IsInf(s.Stiffness, 1) || s.Stiffness == 0 && s.Damping == 0
}
