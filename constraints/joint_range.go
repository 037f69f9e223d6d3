package constraints

// The law of a position of joints l, or a sum of them, between two limits: one equation of the velocity c = l̇, of both
// one-sided equations of compliant.go,
//
//	ℓ(c) = ℓ_lo(c) + ℓ_hi(−c),   γ = γ_lo − γ_hi,   G = G_lo + G_hi,
//
// with the gaps l − l_lo and l_hi − l. It is part of every step, since efforts, contacts and other joints may carry
// a joint to its limit from anywhere within one. Far from the limits its impulse is 0.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// jointRange is the law.
type jointRange struct {
	lower, upper       row
	hasLower, hasUpper bool
}

// newJointRange returns the law of a position l and its rate, or nil where there are no limits.
func newJointRange(p *cliques.Problem, s Spring, l, rate, lower, upper float64) *jointRange {
	if math.IsInf(lower, -1) && math.IsInf(upper, 1) {
		return nil
	}
	r := cliques.New[jointRange](p)
	*r = jointRange{hasLower: !math.IsInf(lower, -1), hasUpper: !math.IsInf(upper, 1)}
	r.lower.jointLimit(s, l-lower, rate)
	r.upper.jointLimit(s, upper-l, -rate)
	return r
}

// lag sets the rate of an appended term to that of the last displacement, where the step has a midpoint rule.
func (r *jointRange) lag(p *cliques.Problem, h cliques.Handle) {
	if p.Midpoint {
		rate := p.LaggedVelocity(h, 0)
		r.lower.rate, r.upper.rate = rate, -rate
	}
}

// setSingle notes that the equation acts on one velocity alone.
func (r *jointRange) setSingle() { r.lower.single, r.upper.single = true, true }

// Dim implements cliques.Law.
func (r *jointRange) Dim() int { return 1 }

// Prepare implements cliques.Law.
func (r *jointRange) Prepare(h float64, w []float64) {
	if r.hasLower {
		r.lower.prepare(h, w[0])
	}
	if r.hasUpper {
		r.upper.prepare(h, w[0])
	}
}

// Eval implements cliques.Law.
func (r *jointRange) Eval(vc, gamma, G []float64) (cost float64) {
	gamma[0], G[0] = 0, 0
	if r.hasLower {
		cost, gamma[0], G[0] = r.lower.eval(vc[0])
	}
	if r.hasUpper {
		l, g, slope := r.upper.eval(-vc[0])
		cost, gamma[0], G[0] = cost+l, gamma[0]-g, G[0]+slope
	}
	return cost
}
