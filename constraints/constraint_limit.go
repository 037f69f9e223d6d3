package constraints

// The lower and the upper joint limit are one-sided (inequality) constraints that push back:
//
//	g = q − q_lo ≥ 0, ġ = v      and      g = q_hi − q ≥ 0, ġ = −v.
//
// Each enters the problem when the step could reach it, |g| < h (2 |v| + 10).

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

var _ Constraint = (*Limit)(nil)

// Check implements Checker.
func (c *Limit) Check() error {
	if !(c.Lower <= c.Upper) {
		return fmt.Errorf("constraints: limits of dof %d are %g to %g, want the lower first", c.Dof, c.Lower, c.Upper)
	}
	return c.Spring.Check()
}

// Append implements Constraint with a term of one equation for each limit within
// reach, the lower first. Their impulses are ≥ 0.
func (c *Limit) Append(k Kinematics, p *cliques.Problem) int {
	q, v := k.Dof(c.Dof)
	reach := p.H * (2*math.Abs(v) + limitWindowSpeed)
	return c.side(k, p, q-c.Lower, 1, reach) + c.side(k, p, c.Upper-q, -1, reach)
}

func (c *Limit) side(k Kinematics, p *cliques.Problem, gap, s, reach float64) int {
	if gap > reach {
		return 0
	}
	law := newCompliant(p, 1)
	law.rows[0].oneSided(c.Spring, gap, maxTurn)
	law.rows[0].single = true
	p.AddConstraint(law)
	k.DofRow(p, 0, c.Dof, s)
	return 1
}
