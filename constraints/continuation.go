package constraints

// Softening, for continuation. Costs have narrow curved valleys, along which
// Newton's method creeps, where contact is stiff and friction follows the normal
// impulse of the same step, and kinks where friction turns within a speed far below
// that of sliding. Solved first with less of either, the minimum is near. What is
// stiff has no unit but that of a contact's own effective mass 1/w: impulses change
// with velocity by
//
//	p'    = h² k,    capped at r/w_n:  k ≤ r k_h,  k_h = 1/(h² w_n)       (1)
//	μ n0/ε,          capped at r/w_t:  ε ≥ μ n0 w_t/r, or σ ≥ 1/r         (2)
//
// (1) serves Similar, to which softer friction is no help, (2) Lagged, whose normal
// law alone is no trouble. Faces of a patch act side by side and share its cap.

import "math"

// softener is convex.ContinuationLaw: a law that can be capped at ratio r for a while, and
// tells whether that changes it.
type continuationLaw interface{ CapSlope(ratio float64) bool }

var _, _, _ continuationLaw = (*lagged)(nil), (*similar)(nil), (*surfaceLaw)(nil)

// soft is a normal law whose stiffness can be capped.
type slopeCapper interface {
	// soften caps the slope of the force at kappa (N/m), +Inf gives the law back,
	// and returns whether that changes it.
	capSlope(kappa float64) bool
}

var _, _, _ slopeCapper = (*huntCrossley)(nil), (*hertz)(nil), (*barrier)(nil)

// CapSlope implements convex.ContinuationLaw.
func (l *lagged) CapSlope(ratio float64) bool { // (2)
	l.eps = l.epsilon(math.Max(l.sigma, 1/ratio))
	return l.eps > l.epsilon(l.sigma)
}

// CapSlope implements convex.ContinuationLaw.
func (l *similar) CapSlope(ratio float64) bool {
	n, ok := l.normal.(slopeCapper)
	return ok && n.capSlope(ratio*l.stepStiffness) // (1)
}

// stepStiffness returns k_h (1), +Inf where nothing moves.
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
	softened := false
	for f := l.faces; f != nil; f = f.next {
		if s, ok := f.law.(continuationLaw); ok && s.CapSlope(ratio/float64(faces)) {
			softened = true
		}
	}
	return l.lanes.capSlope(ratio) || softened
}

func (n *huntCrossley) capSlope(kappa float64) bool {
	n.k = math.Min(n.fullStiffness, kappa)
	return n.k < n.fullStiffness
}

// soften caps the stiffness k of the pair: Hertz's own grows with overlap.
func (n *hertz) capSlope(kappa float64) bool {
	n.k = n.fullStiffness * math.Min(1, kappa/n.pair)
	return n.k < n.fullStiffness
}

// soften scales the barrier so that its steepest slope, that of overlap, is κ.
func (b *barrier) capSlope(kappa float64) bool {
	share := math.Min(1, kappa/b.steepest)
	b.kappa = b.fullStiffness * share
	b.Um, b.fm, b.ddUm = b.U(b.kappa, b.dHat, b.least)
	return share < 1
}
