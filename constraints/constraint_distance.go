package constraints

// A distance holds two points a length L apart, as a rod or a spring:
//
//	g = |p_PQ| − L,   ġ = p̂·(v_Q − v_P),   p̂ = p_PQ/|p_PQ|.
//
// A rope only keeps them from being farther apart: g = L − |p_PQ| ≥ 0, ġ the
// negative. p̂ is held during the step, which drops the geometric stiffness
// across the line and keeps the cost convex.

import (
	"errors"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Distance holds two points at a distance.
type Distance struct {
	A, B   Anchor
	Length float64 // L, m
	Rope   bool    // only shorter is free
	Spring
}

var _ Constraint = (*Distance)(nil)

// Check implements Checker.
func (c *Distance) Check() error {
	return errors.Join(checkPositive("length", c.Length), c.Spring.Check())
}

// coincident is the distance (m) below which two points have no direction.
const coincidentDistance = 1e-14

// Append implements Constraint with one term of one equation.
func (c *Distance) Append(k Kinematics, p *cliques.Problem) int {
	law := newCompliant(p, 1)
	p.AddConstraint(law)
	f := cliques.New[materialPoints](p)
	c.A.feature(k, &f[0])
	c.B.feature(k, &f[1])
	p_PQ := f[1].Pos_W.Sub(f[0].Pos_W)
	d, dir := p_PQ.Norm(), r3.Vec{1, 0, 0}
	if d > coincidentDistance {
		dir = p_PQ.Scale(1 / d)
	}
	if c.Rope {
		law.rows[0].oneSided(c.Spring, c.Length-d, maxCorrection)
		dir = dir.Neg()
	} else {
		law.rows[0].spring(c.Spring, d-c.Length, maxCorrection)
	}
	relativePointRow(k, p, 0, &f[0], &f[1], dir)
	return 1
}

// Error returns |p_PQ| − L (m) now, for a rope only its excess.
func (c *Distance) Error(k Kinematics) float64 {
	g := anchorOffset(k, &c.A, &c.B).Norm() - c.Length
	if c.Rope {
		return max(0, g)
	}
	return g
}

// Tension returns the pull (N) between the points, negative for a push, of the
// distance with handle h after the solve.
func (c *Distance) Tension(p *cliques.Problem, h cliques.Handle) float64 {
	if c.Rope {
		return Effort(p, h)
	}
	return -Effort(p, h)
}
