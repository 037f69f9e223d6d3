package sim

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
)

// ConstraintError returns how far a constraint of the model is from what it holds in the placed state:
// a distance (m; of joints that a coupler ties m or rad), and of a weld the angle (rad). Constraints
// that no error describes, such as drives, and springs, which may be loaded, have ok false. Near-rigid
// constraints yield a little under load (83), so that an error is what is left, not a fault.
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
