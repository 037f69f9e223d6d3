package convex

import "github.com/curlfree/curlfree/cliques"

// Of the evaluations of a solve the last serves to see that it was the last: nobody
// asks for its Hessian and cost. Where they take much they are left out when the last
// problem took as many iterations, and made up for where the guess was wrong. The
// impulse is the same number either way, so that guesses change no result.

// GradientOnly is a Law whose impulse takes far less alone.
type GradientOnly interface {
	cliques.Law
	// EvalImpulse writes the γ of Eval, to the same bits.
	EvalImpulse(vc, gamma []float64)
}

// looksLast guesses whether an island's next step is its last.
func (s *Solver) looksLast(is *island) bool {
	return s.usual > 0 && is.iterations+1 >= s.usual && !s.Condition
}

// complete evaluates what was left out at the present velocities.
func (s *Solver) complete(is *island) error {
	if !is.spared {
		return nil
	}
	is.spared = false
	p := s.p
	is.lawCost = 0
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &p.Constraints[k]
		if _, ok := c.Law.(GradientOnly); ok {
			gamma, G := p.Gamma[c.Row:c.Row+c.Dim], s.g[s.gOff[k]:s.gOff[k+1]]
			s.cost[k] = c.Law.Eval(p.Vc[c.Row:c.Row+c.Dim], gamma, G)
			if s.cost[k]-s.cost[k] != 0 || notFinite(G) >= 0 {
				return s.blame(int(k))
			}
		}
		is.lawCost += s.cost[k]
	}
	is.cost = s.quadratic(is) + is.lawCost
	return nil
}

// spares returns a law as a GradientOnly one, if it is and it is asked to.
func spares(l cliques.Law, ask bool) (GradientOnly, bool) {
	if !ask {
		return nil, false
	}
	x, ok := l.(GradientOnly)
	return x, ok
}
