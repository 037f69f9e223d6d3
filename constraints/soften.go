package constraints

// Softening for stiffness continuation. Laws that couple friction to the normal
// impulse have costs with narrow curved valleys when contact is stiff, along which
// Newton's method creeps; solved with less stiffness first, the minimum is near.
// The measure of stiffness that needs no unit is the one that moves the contact's
// own effective mass 1/w within a step h,
//
//	k_h = 1/(h² w_n),                                                    (1)
//
// w_n the normal entry of the Delassus diagonal. Laws are capped at multiples of
// it, whatever the size of their bodies or, of faces, their area.

import "math"

// softener is convex.Softener: a law whose stiffness can be capped at ratio times
// k_h (1) for a while.
type softener interface{ Soften(ratio float64) bool }

var _, _ softener = (*similar)(nil), (*patch)(nil)

// soft is a normal law whose stiffness can be capped.
type soft interface {
	// soften caps the slope of the force at kappa (N/m), +Inf gives the law back,
	// and returns whether that changes it.
	soften(kappa float64) bool
}

var _, _, _ soft = (*huntCrossley)(nil), (*hertz)(nil), (*barrier)(nil)

// Soften implements convex.Softener.
func (l *similar) Soften(ratio float64) bool {
	n, ok := l.normal.(soft)
	return ok && n.soften(ratio*l.stepStiffness)
}

// stepStiffness returns k_h (1), +Inf where nothing moves.
func stepStiffness(h, w float64) float64 {
	if w <= 0 {
		return math.Inf(1)
	}
	return 1 / (h * h * w)
}

// Soften implements convex.Softener. Faces act side by side and share the cap.
func (l *patch) Soften(ratio float64) bool {
	faces := 0
	for f := l.first; f != nil; f = f.next {
		faces++
	}
	softened := false
	for f := l.first; f != nil; f = f.next {
		if s, ok := f.law.(softener); ok && s.Soften(ratio/float64(faces)) {
			softened = true
		}
	}
	return softened
}

func (n *huntCrossley) soften(kappa float64) bool {
	n.k = math.Min(n.stiff, kappa)
	return n.k < n.stiff
}

// soften caps the stiffness k of the pair: Hertz's own grows with overlap.
func (n *hertz) soften(kappa float64) bool {
	n.k = n.stiff * math.Min(1, kappa/n.pair)
	return n.k < n.stiff
}

// soften scales the barrier so that its steepest slope, that of overlap, is κ.
func (b *barrier) soften(kappa float64) bool {
	share := math.Min(1, kappa/b.steepest)
	b.kappa = b.stiff * share
	b.Um, b.fm, b.ddUm = b.U(b.kappa, b.dHat, b.least)
	return share < 1
}
