package constraints

// The lower and the upper joint limit are one-sided (inequality) constraints that push back:
//
//	g = q − q_lo ≥ 0, ġ = v      and      g = q_hi − q ≥ 0, ġ = −v.
//
// Both are one term, joint_range.go; see joint_return.go for joints beyond a limit.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Limit is the joint limit of a joint with one degree of freedom: Lower ≤ q ≤ Upper.
type Limit struct {
	Dof          int     // degree of freedom of the joint
	Lower, Upper float64 // m or rad; ∓Inf for none
	Spring
}

var _ Described = (*Limit)(nil)

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
	h := p.AddConstraint(law)
	k.DofRow(p, 0, c.Dof, 1)
	law.lag(p, h)
	return 1
}

// Describe implements Described.
func (c *Limit) Describe() Description {
	return Description{Dofs: []int{c.Dof}, Rows: []Spring{c.Spring}, Terms: 1, OneSided: true}
}

// Violation implements Described.
func (c *Limit) Violation(k Kinematics) Violation { return Violation{Joint: math.Abs(c.excess(k))} }

// StoredEnergy implements Described.
func (c *Limit) StoredEnergy(k Kinematics) float64 {
	g := c.excess(k)
	return c.stored(g * g)
}

// excess returns by how much the position is above the upper limit or, negative, below the lower one, m or rad.
func (c *Limit) excess(k Kinematics) float64 {
	q, _ := k.Dof(c.Dof)
	return q - math.Max(c.Lower, math.Min(q, c.Upper))
}
