package constraints

import (
	"curlfree/cliques"
	"curlfree/geometry"
)

// NormalLaw is the normal impulse p of a contact in one step as a function of
// its normal velocity vn: p ≥ 0, p' ≤ 0, p = 0 when separated. Friction laws are
// made on top of it.
type NormalLaw interface {
	// Eval returns an antiderivative P ≤ 0 of p that vanishes when separated
	// (J), the impulse p (N s) and its slope p' (kg).
	Eval(vn float64) (P, p, dp float64)
	// Lag returns the impulse (N s) of the gap at the start of the step, closing
	// at vn: what lagged friction reads.
	Lag(vn float64) float64
}

// NormalModel makes the normal law of a contact for one step; the law comes from
// cliques.New.
type NormalModel interface {
	New(c *geometry.Contact, pair *Pair, p *cliques.Problem) NormalLaw
}

// normalOr returns m, or Hunt–Crossley's model when m is nil.
func normalOr(m NormalModel) NormalModel {
	if m == nil {
		return HuntCrossley{}
	}
	return m
}
