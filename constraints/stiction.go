package constraints

import "github.com/curlfree/curlfree/cliques"

// stictionReporter is a contact law that reports the slip below which its friction is viscous.
type stictionReporter interface {
	// effectiveStiction returns that slip (m/s) for the impulse γ of the law.
	effectiveStiction(gamma []float64) float64
}

// EffectiveStiction returns the slip (m/s) below which the friction of a contact was viscous in
// the last solve: v_s, or the larger value that the regularisation set. ok is false for
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

// stictionScaler is a contact model with a stiction tolerance.
type stictionScaler interface {
	scaleStiction(factor float64) ContactModel
}

// ScaleStiction returns a contact model with its stiction tolerance multiplied by a factor;
// a model without one as it is.
func ScaleStiction(m ContactModel, factor float64) ContactModel {
	if s, ok := m.(stictionScaler); ok {
		return s.scaleStiction(factor)
	}
	return m
}
