package constraints

import "github.com/curlfree/curlfree/cliques"

// sticky is a contact law that knows below which slip its friction is viscous.
type stictionReporter interface {
	// stiction returns that slip (m/s) for the impulse γ of the law.
	effectiveStiction(gamma []float64) float64
}

// EffectiveStiction returns the slip (m/s) below which the friction of a contact
// was viscous in the last solve: v_s where it is a constant, and what the
// regularisation made of it where not. ok is false for contacts that bear no force
// and for other constraints.
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

// stiction is ε, or of a friction tensor ε̃/μ_max.
func (f *friction) effectiveStiction([]float64) float64 {
	if f.aniso && f.mu > 0 {
		return f.eps / f.mu
	}
	return f.eps
}

// stiction is μ R_t γn: where friction reaches its cone.
func (l *sap) effectiveStiction(gamma []float64) float64 { return l.mu * l.rt * gamma[2] }
