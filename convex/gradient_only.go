package convex

import "github.com/curlfree/curlfree/cliques"

// The final evaluation of a solve only confirms convergence: its Hessian and cost are
// not used. They are skipped for laws where they cost much, when the previous problem
// took as many iterations as this one has taken now, and computed afterwards where that
// prediction was wrong. The impulse has the same bits either way, so that a prediction
// changes no result. For contact surfaces of thousands of faces the Hessian is most of
// the cost of an evaluation.

// GradientOnly is a Law that can evaluate its gradient, the impulse, without its Hessian
// and cost, at much less cost.
type GradientOnly interface {
	cliques.Law
	// EvalImpulse writes the γ of Eval (Dim) at the constraint velocity vc (Dim), to the
	// same bits.
	EvalImpulse(vc, gamma []float64)
}

// predictLast reports whether an island's next step is expected to be its last.
func (s *lineSearch) predictLast(is *island) bool {
	return s.lastIterations > 0 && is.iterations+1 >= s.lastIterations
}

// complete computes the Hessians and costs that were skipped, at the present iterate.
func (l *laws) complete(is *island) error {
	if !is.skippedHessian {
		return nil
	}
	is.skippedHessian = false
	p := l.p
	is.lawCost = 0
	for _, k := range l.constraintsOf(is) {
		c := &p.Constraints[k]
		// only these were skipped
		if _, ok := c.Law.(GradientOnly); ok {
			gamma, G := p.Gamma[c.Row:c.Row+c.Dim], l.hessianOf(int(k))
			l.cost[k] = c.Law.Eval(p.Vc[c.Row:c.Row+c.Dim], gamma, G)
			if l.cost[k]-l.cost[k] != 0 || notFinite(G) >= 0 {
				return l.notFinite(int(k))
			}
		}
		is.lawCost += l.cost[k]
	}
	is.cost = l.quadratic(is) + is.lawCost
	return nil
}

// asGradientOnly returns a law as a GradientOnly one, where it is one and the Hessian
// may be skipped.
func asGradientOnly(l cliques.Law, skipHessian bool) (GradientOnly, bool) {
	if !skipHessian {
		return nil, false
	}
	x, ok := l.(GradientOnly)
	return x, ok
}
