package constraints

import "github.com/curlfree/curlfree/cliques"

// stictionReporter is a contact law that reports the slip below which its friction is viscous.
type stictionReporter interface {
	// effectiveStiction returns that slip (m/s) for the impulse γ of the law.
	effectiveStiction(gamma []float64) float64
}

// EffectiveStiction returns the slip (m/s) below which the friction of a contact was viscous in
// the last solve: v_s, or the larger value that the regularization set. ok is false for
// contacts without force and for other constraints.
func EffectiveStiction(p *cliques.Problem, h cliques.Handle) (speed float64, ok bool) {
	l, ok := p.Constraints[h].Law.(stictionReporter)
	if !ok {
		return 0, false
	}
	gamma := p.Impulse(h)
	if !(gamma[2] > 0) {
		return 0, false
	}
	return l.effectiveStiction(gamma), true
}

// effectiveStiction is ε, or ε̃/μ_max of a friction tensor.
func (f *friction) effectiveStiction([]float64) float64 {
	if f.aniso && f.mu > 0 {
		return f.eps / f.mu
	}
	return f.eps
}

// effectiveStiction is μ R_t γn, where the friction reaches its cone.
func (l *sap) effectiveStiction(gamma []float64) float64 { return l.mu * l.rt * gamma[2] }

// restingModel is a contact model whose law depends on the length of the step.
type restingModel interface {
	atRest(factor float64) ContactModel
}

// AtRest returns the variant of a contact model for pseudo-steps to static equilibrium,
// which are long and have no inertia: friction of all contacts is viscous below a factor of the stiction tolerance, and
// the stiffness has no bounds that depend on the step.
func AtRest(m ContactModel, factor float64) ContactModel {
	if s, ok := m.(restingModel); ok {
		return s.atRest(factor)
	}
	return m
}
