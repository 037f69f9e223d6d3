package constraints

// The lower and the upper joint limit are one-sided (inequality) constraints that push back:
//
//	g = q − q_lo ≥ 0, ġ = v      and      g = q_hi − q ≥ 0, ġ = −v.
//
// Both are one term, joint_range.go; see joint_return.go for joints beyond a limit.

import (
	"fmt"

	"github.com/curlfree/curlfree/cliques"
)

// Limit is the joint limit of a joint with one degree of freedom: Lower ≤ q ≤ Upper.
type Limit struct {
	Dof          int     // degree of freedom of the joint
	Lower, Upper float64 // m or rad; ∓Inf for none
	Spring
}

var _ Constraint = (*Limit)(nil)

// Check implements Checker.
func (c *Limit) Check() error {
	if !(c.Lower <= c.Upper) {
		return fmt.Errorf("constraints: limits of dof %d are %g to %g, want the lower first", c.Dof, c.Lower, c.Upper)
	}
	return c.Spring.Check()
}

// Append implements Constraint with a term of one equation, if a limit is finite. Its impulse is that on the joint.
func (c *Limit) Append(k Kinematics, p *cliques.Problem) int {
	q, v := k.Dof(c.Dof)
	law := newJointRange(p, c.Spring, q, v, c.Lower, c.Upper)
	if law == nil {
		return 0
	}
	law.setSingle()
	p.AddConstraint(law)
	k.DofRow(p, 0, c.Dof, 1)
	return 1
}
