package constraints

// The lower and the upper joint limit are one-sided (inequality) constraints that push back:
//
//	g = q − q_lo ≥ 0, ġ = v      and      g = q_hi − q ≥ 0, ġ = −v.
//
// Each is part of every step: efforts, contacts and other joints may carry a joint to its limit from
// anywhere within one. Far from the limit its impulse is 0. See joint_return.go for joints beyond.

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

// Append implements Constraint with a term of one equation for each finite limit, the lower first.
// Their impulses are ≥ 0, but where a joint returns from beyond its limit.
func (c *Limit) Append(k Kinematics, p *cliques.Problem) int {
	q, v := k.Dof(c.Dof)
	return c.side(k, p, q-c.Lower, v, 1) + c.side(k, p, c.Upper-q, -v, -1)
}

// side appends the limit whose gap and its rate are given, if it is finite.
func (c *Limit) side(k Kinematics, p *cliques.Problem, gap, rate, s float64) int {
	if math.IsInf(gap, 1) {
		return 0
	}
	law := newCompliant(p, 1)
	law.rows[0].jointLimit(c.Spring, gap, rate)
	law.rows[0].single = true
	p.AddConstraint(law)
	k.DofRow(p, 0, c.Dof, s)
	return 1
}
