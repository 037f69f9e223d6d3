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

// row appends a term of one equation of the velocity l̇.
func (s *JointSum) row(k Kinematics, p *cliques.Problem, e row) {
	law := newCompliant(p, 1)
	e.single = len(s.Dofs) == 1 // one velocity alone loses no digits at any stiffness
	law.rows[0] = e
	s.term(k, p, law)
}

// term appends a law of the velocity l̇.
func (s *JointSum) term(k Kinematics, p *cliques.Problem, law cliques.Law) {
	p.AddConstraint(law)
	for i, dof := range s.Dofs {
		k.DofRow(p, 0, dof, s.Coefficients[i])
	}
}

// JointSumLimit keeps a sum of joints in [Lower, Upper]; where both are equal it couples the joints.
type JointSumLimit struct {
	JointSum
	// Lower and Upper are in the unit of the sum; ∓Inf: none.
	Lower, Upper float64
	Spring
}

var _ Described = (*JointSumLimit)(nil)

// Check implements Checker.
func (c *JointSumLimit) Check() error {
	if !(c.Lower <= c.Upper) {
		return fmt.Errorf("constraints: a sum of joints is limited to %g to %g, want the lower first", c.Lower, c.Upper)
	}
	return errors.Join(c.JointSum.Check(), c.Spring.Check())
}

// Append implements Constraint with a term of one equation, if a limit is finite. Its impulse is that along the sum.
func (c *JointSumLimit) Append(k Kinematics, p *cliques.Problem) int {
	l, rate := c.At(k)
	if c.Lower == c.Upper {
		var e row
		e.jointCoupling(c.Spring, l-c.Lower)
		c.row(k, p, e)
		return 1
	}
	law := newJointRange(p, c.Spring, l, rate, c.Lower, c.Upper)
	if law == nil {
		return 0
	}
	if len(c.Dofs) == 1 {
		law.setSingle()
	}
	c.term(k, p, law)
	law.lag(p, cliques.Handle(len(p.Constraints)-1))
	return 1
}

// excess returns the violation of the limits (m or rad): positive above the upper limit, negative
// below the lower one, 0 within.
func (c *JointSumLimit) excess(k Kinematics) float64 {
	l, _ := c.At(k)
	return l - math.Max(c.Lower, math.Min(l, c.Upper))
}

// Describe implements Described.
func (c *JointSumLimit) Describe() Description {
	return Description{Dofs: c.Dofs, Rows: []Spring{c.Spring}, Terms: 1, OneSided: c.Lower < c.Upper}
}

// Violation implements Described.
func (c *JointSumLimit) Violation(k Kinematics) Violation {
	return Violation{Joint: math.Abs(c.excess(k))}
}

// StoredEnergy implements Described.
func (c *JointSumLimit) StoredEnergy(k Kinematics) float64 {
	g := c.excess(k)
	return c.stored(g * g)
}
