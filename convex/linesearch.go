package convex

import "math"

// The exact line search of Newton's method minimizes ℓ along Δv on an island by its
// derivative alone,
//
//	ℓ'(α)  = a1 + α a2 − Δcᵀγ(c + α Δc)                             (9)
//	ℓ''(α) = a2 + Δcᵀ G(c + α Δc) Δc > 0                            (10)
//
//	a1 = Δvᵀ A (v − v*),  a2 = Δvᵀ A Δv,  Δc = J Δv
//
// (Castro, Permenter, Han 2023, who search exactly, too). Once A Δv and
// J Δv are known, an evaluation is one of the laws, without matrix products. f(α) =
// ℓ'(α)/|ℓ'(0)| increases from f(0) = −1, so that a bracket [lo, hi] with f(lo) < 0 <
// f(hi) is kept:
//
//  1. Evaluate f(α_max). Where it is ≤ fullTol, take α_max.
//  2. First guess: the secant through f(0) and f(α_max), which lies inside.
//  3. Newton steps α − f/f' while they stay inside the bracket and halve; else
//     bisection (Press et al., Numerical Recipes, rtsafe).
//  4. Stop where |f| < slopeTol, or where the bracket has closed on a jump of f.
//
// An f of some hundredths saves as many Newton iterations as one of zero. But friction
// makes f rise almost in steps, where G changes between stick and slip, and there the
// next direction is useful only if it is computed with the G beyond the step: the
// bracket closes on the step and α ends above it. From below the same direction would
// come again.
//
// γ and G are left at the accepted α, except for Hessians that are skipped.

// lineSearch finds step lengths.
type lineSearch struct {
	*laws
	alphaMax float64
	// Newton steps of the previous problem; 0 forbids skipping Hessians
	lastIterations int
}

// slopes evaluates f and f' of one search.
type slopes struct {
	s      *lineSearch
	is     *island
	a1, a2 float64 // of (9), J
	g0     float64 // ℓ'(0) < 0, J
	// skipHessian skips G and cost at the next evaluation, which is the first.
	skipHessian bool
}

// at returns f and f' at α, and leaves γ and G there.
func (e *slopes) at(alpha float64) (f, df float64, err error) {
	e.is.alpha = alpha
	e.is.evaluations++
	err = e.s.evaluateAt(e.is, alpha, e.skipHessian)
	e.skipHessian = false
	return (e.a1 + alpha*e.a2 - e.is.slope) / -e.g0, (e.a2 + e.is.curvature) / -e.g0, err
}

// run searches along an island's direction and leaves the result in is.alpha.
func (s *lineSearch) run(is *island) error {
	var a1, a2, noise float64
	// a1, a2 and the size of the terms of a1
	for _, k := range s.cliquesOf(is) {
		c := &s.p.Cliques[k]
		for i := c.Offset; i < c.Offset+c.Size; i++ {
			a1 += s.dv[i] * s.q[i]
			noise += math.Abs(s.dv[i] * s.q[i])
			a2 += s.dv[i] * s.dp[i]
		}
	}
	e := slopes{s: s, is: is, a1: a1, a2: a2, g0: s.descent(is), skipHessian: s.predictLast(is)}
	hi := s.alphaMax
	// where ℓ'(0) is round-off, a Newton step is as good as any
	flat := -e.g0 < flatSlope*unitRoundOff*(noise+s.slopeNoise(is))
	if flat {
		hi = min(1, hi)
	}
	f, _, err := e.at(hi)
	if err != nil || flat || f <= fullTol {
		return err
	}
	return e.bracket(hi, f)
}

// bracket finds the root of f in [0, hi], from top = f(hi) > 0, by steps 2 to 4. last is
// the step before the last one: Newton steps that do not halve it make way for bisection.
func (e *slopes) bracket(hi, top float64) error {
	lo := 0.0
	alpha := hi / (1 + top) // secant, f(0) = −1
	guess, step, last := alpha, hi, hi
	for range lineIter {
		f, df, err := e.at(alpha)
		if err != nil || math.Abs(f) < slopeTol {
			return err
		}
		// shrink the bracket by the sign of f
		if f > 0 {
			hi, top = alpha, f
		} else {
			lo = alpha
		}
		// Newton, or bisection
		next := alpha - f/df
		jump := !(next > lo && next < hi) || 2*math.Abs(f) > math.Abs(last*df)
		if jump {
			next = 0.5 * (lo + hi)
		}
		last, step = step, next-alpha
		if math.Abs(step)*max(1, top) < stepTol*guess || next == alpha {
			if f < 0 { // end above the jump, where G is another
				if jump {
					next = hi
				}
				_, _, err = e.at(next)
			}
			return err
		}
		alpha = next
	}
	_, _, err := e.at(hi)
	return err
}

// slopeNoise returns Σ |Δc|ᵀ(|γ| + |G||c|), J: in units of round-off the error that
// rounding of c makes in Σ Δcᵀγ.
func (s *lineSearch) slopeNoise(is *island) float64 {
	p, sum := s.p, 0.0
	for _, k := range s.constraintsOf(is) {
		c := &p.Constraints[k]
		G := s.hessianOf(int(k))
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
