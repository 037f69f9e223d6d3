package constraints

// Coulomb friction of a joint, f_max below the slip speed ε regularized:
//
//	γ = −f h v/ρ,   ρ = √(v² + ε²),   ℓ = f h v²/(ρ + ε),   G = f h ε²/ρ³          (1)
//	ε = max(ε(v0), σ f h w)                                                      (2)
//
// ε(v0) is that of contacts, friction_sliding.go, with the same tolerances in rad/s or m/s: v_s of a joint that
// rests, up to ε_s of one that moves. A joint loaded by the share x of f so creeps at v_s x/√(1 − x²). Static friction
// above f falls to f with the velocity v0 at the start of the step (of its middle under the midpoint rule),
// friction_stribeck.go. The second term of (2) bounds
// the conditioning, G w ≤ 1/σ: it is 10⁻⁹ of the velocity that friction can take from the joint in a step.

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// JointFriction is the joint friction (dry friction, Coulomb friction) of a joint with one degree
// of freedom.
type JointFriction struct {
	Dof               int     // degree of freedom of the joint
	Effort            float64 // friction f of a joint that moves (dynamic), N or N m
	StaticEffort      float64 // friction of a joint at rest, N or N m; f where it is less
	StictionTolerance float64 // ε at any velocity, m/s or rad/s; 0: the slip tolerances of the step
}

var _ Constraint = (*JointFriction)(nil)

// Check implements Checker.
func (c *JointFriction) Check() error {
	return errors.Join(checkPositive("friction effort", c.Effort), checkPositive("static friction effort", c.StaticEffort), checkPositive("stiction speed", c.StictionTolerance))
}

// Append implements Constraint with one term of one equation, none without
// friction.
func (c *JointFriction) Append(k Kinematics, p *cliques.Problem) int {
	if c.Effort == 0 && c.StaticEffort == 0 {
		return 0
	}
	_, v := k.Dof(c.Dof)
	law := cliques.New[dryFriction](p)
	h := p.AddConstraint(law)
	k.DofRow(p, 0, c.Dof, 1)
	if p.Midpoint {
		v = p.SlipVelocity(h, 0)
	}
	law.f, law.eps = c.limits(v, k)
	law.f *= p.H
	return 1
}

// limits returns f, N or N m, and ε(v0) of (1) for a joint that has the velocity v at the start of the step.
func (c *JointFriction) limits(v float64, k Kinematics) (f, eps float64) {
	vs, sliding := c.StictionTolerance, c.StictionTolerance
	if vs == 0 {
		vs, sliding = k.SlipTolerances()
	}
	return Stribeck(c.StaticEffort, c.Effort, math.Abs(v)/sliding), viscousSlip(vs, sliding, v)
}

// PlannedEffort returns the effort, N or N m, that overcomes the friction of a step from velocity v0 to v (m/s or
// rad/s): that of (1). It has the direction of v, and is 0 where the joint is to rest, where friction balances any
// effort up to its limit by itself.
func (c *JointFriction) PlannedEffort(v0, v float64, k Kinematics) float64 {
	f, eps := c.limits(v0, k)
	if v == 0 || f == 0 {
		return 0
	}
	return f * (v / math.Hypot(v, eps))
}

// dryFriction is the law of a step; f is an impulse.
type dryFriction struct{ f, eps float64 }

// Dim implements cliques.Law.
func (l *dryFriction) Dim() int { return 1 }

// Prepare implements cliques.Law.
func (l *dryFriction) Prepare(h float64, w []float64) {
	l.eps = math.Max(l.eps, jointSigma*l.f*w[0]) // (2)
}

// Eval implements cliques.Law.
func (l *dryFriction) Eval(vc, gamma, G []float64) float64 {
	v := vc[0]
	rho := math.Hypot(v, l.eps)
	gamma[0] = -l.f * (v / rho)
	r := l.eps / rho
	G[0] = l.f * r * r / rho
	return l.f * v * (v / (rho + l.eps)) // (1)
}
