package sim

import "github.com/curlfree/curlfree/r3"

// The effort of a constraint of the model is the force or torque of its one equation, the impulse γ of the row over h.
// Constraints of more equations have none, but for two kinds.

// wrenchConstraint is a constraint that transmits a wrench. Its effort is the magnitude of the force.
type wrenchConstraint interface {
	// partWrench returns the moment (N m) and the force (N) on the second body in the last part of a step.
	partWrench(s *Stepper) (M, F r3.Vec)
}

// sharedConstraint is a drive that may have its equation in a constraint with those of others.
type sharedConstraint interface {
	// effortRow returns the constraint and the row with the effort of constraint i of the model.
	effortRow(i int) (constraint, row int)
}

// partEffort returns the effort of constraint i of the model in the last part of a step, N or N m.
func (s *Stepper) partEffort(i int) float64 {
	row := 0
	switch c := s.Model.Constraints[i].(type) {
	case wrenchConstraint:
		_, F := c.partWrench(s)
		return F.Norm()
	case sharedConstraint:
		i, row = c.effortRow(i)
	default:
		if term := s.modelTerms[i]; term >= 0 && len(s.Problem.Impulse(term)) > 1 {
			return 0
		}
	}
	if term := s.modelTerms[i]; term >= 0 {
		return s.Problem.Impulse(term)[row] / s.Problem.H
	}
	return 0
}

// effort returns the force or torque of a constraint of one equation, mean over the last
// step, N or N m.
func (s *Stepper) effort(constraint int) float64 {
	if s.Report.Parts > 0 {
		return s.divided.efforts[constraint]
	}
	return s.partEffort(constraint)
}
