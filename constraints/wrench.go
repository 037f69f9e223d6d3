package constraints

// A load is a force and a moment at a point of a rigid body that depend on time alone,
//
//	ℓ = −h (F·v_P + M·ω),   γ = h (F, M),   G = 0                              (1)
//
// taken at the end of the step and where the body is at its start. As a term of the problem it
// does work as other impulses do, and is part of the energy balance.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Wrench is a constraint that applies a given force and moment (a load) to a rigid body.
type Wrench struct {
	Body       int                     // number of the rigid body
	Pos_B      r3.Vec                  // P, where the force acts, in the body's frame, m
	Force      r3.Vec                  // F, N
	Moment     r3.Vec                  // M, N m
	InBodyAxes bool                    // F and M are along the body's axes and turn with it; else the world's
	Factor     func(t float64) float64 // multiplies both at time t (s); nil: 1
}

var _ Constraint = (*Wrench)(nil)

// Append implements Constraint with one term of six equations: the velocity of P, then ω.
func (c *Wrench) Append(k Kinematics, p *cliques.Problem) int {
	law := newCompliant(p, 6)
	p.AddConstraint(law)
	X, s := k.Pose(c.Body), 1.0
	if c.Factor != nil {
		s = c.Factor(p.Time + p.H)
	}
	F, M := c.Force.Scale(s), c.Moment.Scale(s)
	if c.InBodyAxes {
		F, M = X.R.MulVec(F), X.R.MulVec(M)
	}
	f := cliques.New[geometry.MaterialPoint](p)
	*f = geometry.MaterialPoint{Body: c.Body, Pos_W: X.Point(c.Pos_B)}
	for i := range 3 {
		law.rows[i] = row{f: F[i], lo: math.Inf(-1), hi: math.Inf(1)} // without stiffness: (1)
		law.rows[3+i] = row{f: M[i], lo: math.Inf(-1), hi: math.Inf(1)}
		k.PointRow(p, i, f, worldAxis(i), 1)
		k.AngularRow(p, 3+i, c.Body, worldAxis(i), 1)
	}
	return 1
}
