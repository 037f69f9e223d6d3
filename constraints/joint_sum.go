package constraints

// A weighted sum of the positions of joints, such as the length of MuJoCo's fixed tendons:
//
//	l = Σ c_i q_i,   l̇ = Σ c_i v_i.
//
// A force f along l is the effort c_i f on each joint.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// JointSum is a weighted sum of the positions of joints with one degree of freedom, such as a
// fixed tendon.
type JointSum struct {
	// Dofs are numbers of degrees of freedom, as Kinematics.Dof takes them, each once.
	Dofs []int
	// Coefficients c are as many as Dofs, in units of l per m or rad.
	Coefficients []float64
}

// Check implements Checker.
func (s *JointSum) Check() error {
	if len(s.Dofs) == 0 || len(s.Dofs) != len(s.Coefficients) {
		return fmt.Errorf("constraints: a sum of %d joints with %d coefficients: give one coefficient for each joint, and at least one joint", len(s.Dofs), len(s.Coefficients))
	}
	var errs []error
	for i, dof := range s.Dofs {
		for _, other := range s.Dofs[:i] {
			if other == dof {
				errs = append(errs, fmt.Errorf("constraints: a sum has dof %d twice", dof))
			}
		}
		if errs = append(errs, checkFinite("coefficient", s.Coefficients[i])); s.Coefficients[i] == 0 {
			errs = append(errs, fmt.Errorf("constraints: the coefficient of dof %d is 0: leave the joint out", dof))
		}
	}
	return errors.Join(errs...)
}

// At returns the sum l and its rate now.
func (s *JointSum) At(k Kinematics) (l, rate float64) {
	for i, dof := range s.Dofs {
		q, v := k.Dof(dof)
		l, rate = l+s.Coefficients[i]*q, rate+s.Coefficients[i]*v
	}
	return l, rate
}

// row appends a term of one equation whose velocity is sign·l̇.
func (s *JointSum) row(k Kinematics, p *cliques.Problem, sign float64, e row) {
	law := newCompliant(p, 1)
	e.single = len(s.Dofs) == 1 // one velocity alone loses no digits at any stiffness
	law.rows[0] = e
	p.AddConstraint(law)
	for i, dof := range s.Dofs {
		k.DofRow(p, 0, dof, sign*s.Coefficients[i])
	}
}

// JointSumLimit keeps a sum of joints in [Lower, Upper]; where both are equal it couples the joints.
type JointSumLimit struct {
	JointSum
	// Lower and Upper are in the unit of the sum; ∓Inf: none.
	Lower, Upper float64
	Spring
}

var _ Constraint = (*JointSumLimit)(nil)

// Check implements Checker.
func (c *JointSumLimit) Check() error {
	if !(c.Lower <= c.Upper) {
		return fmt.Errorf("constraints: a sum of joints is limited to %g to %g, want the lower first", c.Lower, c.Upper)
	}
	return errors.Join(c.JointSum.Check(), c.Spring.Check())
}

// Append implements Constraint with one term where the limits are equal, else with one for each finite
// limit as Limit has them.
func (c *JointSumLimit) Append(k Kinematics, p *cliques.Problem) int {
	l, rate := c.At(k)
	var e row
	if c.Lower == c.Upper {
		e.jointCoupling(c.Spring, l-c.Lower)
		c.row(k, p, 1, e)
		return 1
	}
	n := 0
	if gap := l - c.Lower; !math.IsInf(gap, 1) {
		e.jointLimit(c.Spring, gap, rate)
		c.row(k, p, 1, e)
		n++
	}
	if gap := c.Upper - l; !math.IsInf(gap, 1) {
		e.jointLimit(c.Spring, gap, -rate)
		c.row(k, p, -1, e)
		n++
	}
	return n
}

// Error returns the violation of the limits (m or rad): positive above the upper limit, negative
// below the lower one, 0 within.
func (c *JointSumLimit) Error(k Kinematics) float64 {
	l, _ := c.At(k)
	return l - math.Max(c.Lower, math.Min(l, c.Upper))
}
