package constraints

// Continuation (homotopy) of contact problems. Costs have narrow curved valleys, in which
// Newton's method takes short steps, where contact is stiff and friction follows the normal
// impulse of the same step, and kinks where the direction of friction changes within a speed
// far below that of sliding. A problem with capped slopes has its minimum nearby and is
// solved first. Slopes are capped relative to the effective mass 1/w of a contact, at a
// ratio r: impulses change with velocity by
//
//	p'    = h² k,    capped at r/w_n:  k ≤ r k_h,  k_h = 1/(h² w_n)       (1)
//	μ n0/ε,          capped at r/w_t:  ε ≥ μ n0 w_t/r, or σ ≥ 1/r         (2)
//
// Similar, and Lagged with a slip offset, cap (1), because smoother friction does not help them;
// Lagged caps (2), because its normal law alone converges. Faces of a contact surface act in parallel and share the
// cap.
// Source: Nocedal and Wright, Numerical Optimization, 11.3 (continuation); the caps are this
// program's.

import "math"

// continuationLaw is convex.ContinuationLaw: a law whose slope can be capped at a ratio r.
// CapSlope returns whether the cap changes the law.
type continuationLaw interface{ CapSlope(ratio float64) bool }

var _, _, _ continuationLaw = (*lagged)(nil), (*similar)(nil), (*surfaceLaw)(nil)

// slopeCapper is a normal law whose stiffness can be capped.
type slopeCapper interface {
	// capSlope caps the slope of the force at kappa (N/m), +Inf for no cap, and returns
	// whether the cap changes the law.
	capSlope(kappa float64) bool
}

var _, _, _ slopeCapper = (*huntCrossley)(nil), (*hertz)(nil), (*barrier)(nil)

// CapSlope implements convex.ContinuationLaw.
func (l *lagged) CapSlope(ratio float64) bool { // (2)
	if l.coupled {
		n, ok := l.normal.(slopeCapper)
		return ok && n.capSlope(ratio*l.stepStiffness) // (1)
	}
	l.eps = l.epsilon(math.Max(l.sigma, 1/ratio))
	return l.eps > l.epsilon(l.sigma)
}

// CapSlope implements convex.ContinuationLaw.
func (l *similar) CapSlope(ratio float64) bool {
	n, ok := l.normal.(slopeCapper)
	return ok && n.capSlope(ratio*l.stepStiffness) // (1)
}

// stepStiffness returns k_h of (1), +Inf for a contact without mobility.
func stepStiffness(h, w float64) float64 {
	if w <= 0 {
		return math.Inf(1)
	}
	return 1 / (h * h * w)
}

// CapSlope implements convex.ContinuationLaw.
func (l *surfaceLaw) CapSlope(ratio float64) bool {
	faces := 0
	for f := l.faces; f != nil; f = f.next {
		faces++
	}
	capped := false
	for f := l.faces; f != nil; f = f.next {
		if s, ok := f.law.(continuationLaw); ok && s.CapSlope(ratio/float64(faces)) {
			capped = true
		}
	}
	return l.lanes.capSlope(ratio) || capped
}

// capSlope implements slopeCapper.
func (n *huntCrossley) capSlope(kappa float64) bool {
	n.k = math.Min(n.fullStiffness, kappa)
	return n.k < n.fullStiffness
}

// capSlope implements slopeCapper for the stiffness k of the pair, as the slope of Hertz's law
// grows with overlap.
func (n *hertz) capSlope(kappa float64) bool {
	n.k = n.fullStiffness * math.Min(1, kappa/n.pair)
	return n.k < n.fullStiffness
}

// capSlope implements slopeCapper: it scales the barrier so that its steepest slope, that of
// overlap, is kappa.
func (b *barrier) capSlope(kappa float64) bool {
	share := math.Min(1, kappa/b.steepest)
	b.kappa = b.fullStiffness * share
	b.Um, b.fm, b.ddUm = b.U.at(b.kappa, b.dHat, b.least)
	return share < 1
}
