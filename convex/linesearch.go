package convex

import "math"

// lineSearch finds the minimum of ℓ along Δv on an island, by its derivative
// only: costs near the solution differ by less than their round-off.
//
//	g(α)  = ℓ'(v + α Δv) = a1 + α a2 − Δcᵀγ(c + α Δc)             (5)
//	g'(α) = a2 + Δcᵀ G Δc > 0                                      (6)
//	a1 = Δvᵀ A (v − v*),  a2 = Δvᵀ A Δv,  Δc = J Δv
//
// g increases, so a bracket [lo, hi] with g(lo) < 0 < g(hi) is kept; the guess
// is the secant, then Newton steps as long as they stay inside and halve, else
// bisection. Friction makes steps in g, nearly jumps, and there the next direction is
// worth something only if α is right at one: the bracket closes on it and α ends
// beyond, since from before it the same direction would come again. Between them
// a slope of some hundredths of the first saves as many iterations as none. γ and G
// are left at the accepted α, but for what complete makes up for.
func (s *Solver) lineSearch(is *island) error {
	var a1, a2, noise float64
	for _, k := range s.cliqueSeq[is.clique0:is.clique1] {
		c := &s.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			a1 += s.dv[i] * s.q[i]
			noise += math.Abs(s.dv[i] * s.q[i])
			a2 += s.dv[i] * s.dp[i]
		}
	}
	g0 := s.descent(is)
	hi := or(s.AlphaMax, defaultAlphaMax)
	flat := -g0 < flatSlope*unitRoundOff*(noise+s.slopeNoise(is))
	if flat {
		hi = min(1, hi)
	}
	spare := s.looksLast(is)
	slope := func(alpha float64) (f, df float64, err error) {
		is.alpha = alpha
		is.evaluations++
		err = s.evaluateAt(is, alpha, spare)
		spare = false
		return (a1 + alpha*a2 - is.slope) / -g0, (a2 + is.curv) / -g0, err
	}
	f, _, err := slope(hi)
	if err != nil || flat || f <= fullTol {
		return err
	}
	lo, top := 0.0, f
	alpha := hi / (1 + f) // secant, f(0) = −1
	guess, step, last := alpha, hi, hi
	for range lineIter {
		f, df, err := slope(alpha)
		if err != nil || math.Abs(f) < slopeTol {
			return err
		}
		if f > 0 {
			hi, top = alpha, f
		} else {
			lo = alpha
		}
		next := alpha - f/df
		jump := !(next > lo && next < hi) || 2*math.Abs(f) > math.Abs(last*df)
		if jump {
			next = 0.5 * (lo + hi)
		}
		last, step = step, next-alpha
		if math.Abs(step)*max(1, top) < stepTol*guess || next == alpha {
			if f < 0 { // beyond the jump G is another
				if jump {
					next = hi
				}
				_, _, err = slope(next)
			}
			return err
		}
		alpha = next
	}
	_, _, err = slope(hi)
	return err
}

// slopeNoise returns what rounding of c makes of Σ Δcᵀγ, in units of round-off.
func (s *Solver) slopeNoise(is *island) float64 {
	p, sum := s.p, 0.0
	for _, k := range s.consSeq[is.cons0:is.cons1] {
		c := &p.Constraints[k]
		G := s.g[s.gOff[k]:s.gOff[k+1]]
		for r := range c.Dim {
			f := math.Abs(p.Gamma[c.Row+r])
			for q, x := range s.c[c.Row : c.Row+c.Dim] {
				f += math.Abs(G[r*c.Dim+q] * x)
			}
			sum += math.Abs(s.dc[c.Row+r]) * f
		}
	}
	return sum
}
