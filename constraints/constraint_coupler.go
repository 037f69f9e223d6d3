package constraints

// A coupler (gear, mimic joint) ties two joints:
//
//	g = q_a − ρ q_b − q_off,   ġ = v_a − ρ v_b,
//
// with the efforts γ/h on a and −ρ γ/h on b.

import (
	"errors"
	"fmt"

	"github.com/curlfree/curlfree/cliques"
)

// Coupler ties one-degree-of-freedom joint A to Ratio times joint B.
type Coupler struct {
	A, B   int     // dofs
	Ratio  float64 // ρ, in units of a per unit of b
	Offset float64 // q_off, m or rad
	Spring
}

var _ Constraint = (*Coupler)(nil)

// Check implements Checker.
func (c *Coupler) Check() error {
	if c.A == c.B {
		return fmt.Errorf("constraints: coupler ties dof %d to itself", c.A)
	}
	return errors.Join(checkFinite("ratio", c.Ratio), checkFinite("offset", c.Offset), c.Spring.Check())
}

// Append implements Constraint with one term of one equation.
func (c *Coupler) Append(k Kinematics, p *cliques.Problem) int {
	law := newCompliant(p, 1)
	p.AddConstraint(law)
	law.rows[0].spring(c.Spring, c.Error(k), maxTurn)
	k.DofRow(p, 0, c.A, 1)
	k.DofRow(p, 0, c.B, -c.Ratio)
	return 1
}

// Error returns q_a − ρ q_b − q_off (m or rad) now.
func (c *Coupler) Error(k Kinematics) float64 {
	qa, _ := k.Dof(c.A)
	qb, _ := k.Dof(c.B)
	return qa - c.Ratio*qb - c.Offset
}
