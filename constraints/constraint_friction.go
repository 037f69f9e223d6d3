package constraints

// Coulomb friction of a joint, f_max below the slip speed ε regularised:
//
//	γ = −f h v/ρ,   ρ = √(v² + ε²),   ℓ = f h v²/(ρ + ε),   G = f h ε²/ρ³
//	ε = max(ε₀, σ f h w)
//
// The maximum bounds the conditioning: σ f h w is a thousandth of the velocity
// that friction can take from the joint in a step.

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// JointFriction is the joint friction (dry friction, Coulomb friction) of a joint with one degree
// of freedom.
type JointFriction struct {
	Dof               int     // degree of freedom of the joint
	Effort            float64 // friction force f, N, or torque, N m
	StictionTolerance float64 // ε₀, m/s or rad/s; 0: DefaultJointStictionTolerance
}

var _ Constraint = (*JointFriction)(nil)

// Check implements Checker.
func (c *JointFriction) Check() error {
	return errors.Join(checkPositive("friction effort", c.Effort), checkPositive("stiction speed", c.StictionTolerance))
}

// Append implements Constraint with one term of one equation, none without
// friction.
func (c *JointFriction) Append(k Kinematics, p *cliques.Problem) int {
	if c.Effort == 0 {
		return 0
	}
	law := cliques.New[dryFriction](p)
	if law.f, law.eps = c.Effort*p.H, c.StictionTolerance; law.eps == 0 {
		law.eps = DefaultJointStictionTolerance
	}
	p.AddConstraint(law)
	k.DofRow(p, 0, c.Dof, 1)
	return 1
}

// dryFriction is the law of a step; f is an impulse.
type dryFriction struct{ f, eps float64 }

// Dim implements cliques.Law.
func (l *dryFriction) Dim() int { return 1 }

// Prepare implements cliques.Law.
func (l *dryFriction) Prepare(h float64, w []float64) {
	l.eps = math.Max(l.eps, DefaultSigma*l.f*w[0])
}

// Eval implements cliques.Law.
func (l *dryFriction) Eval(vc, gamma, G []float64) float64 {
	v := vc[0]
	rho := math.Hypot(v, l.eps)
	gamma[0] = -l.f * (v / rho)
	r := l.eps / rho
	G[0] = l.f * r * r / rho
	return l.f * v * (v / (rho + l.eps))
}
