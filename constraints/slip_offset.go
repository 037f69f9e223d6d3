package constraints

// Coulomb's law by a fixed point on the slip, for contacts whose normal bound (normal_bound.go)
// does not settle. With the slip offset s (m/s) in place of the bound n0,
//
//	z = vn − η(vt) + s,   ω = (−∇η, 1)                                  (1)
//	ℓ = −P(z),   γ = p(z) ω,   G = −p'(z) ω ωᵀ + p(z) diag(∇²η, 0)      (2)
//	s ← η(vt)                                                           (3)
//
// (2) is the law "similar" with its gap lowered by h s. It is convex for any s, and friction is
// that of the normal impulse of the same solve: nothing lacks, whether (3) has converged or not.
// At s = η, (2) is Coulomb's law with the impulse p(vn). Before, the contact acts as if its gap
// were h (s − η) more: an s that is too large hides overlap. Contacts that stick have s = η ≈ 0 at once, and slip
// changes less between solves than the impulse of contacts that jam. With s ≥ 0 a contact gives no more energy than it
// has stored:
//
//	γ·v_c ≤ p(z) (vn − η) = p(z) (z − s) ≤ p(z) z                       (4)
//
// Source: De Saxcé and Feng 1998 for the term s; Acary, Cadoux, Lemaréchal and Malick 2011, "A
// formulation of the linear discrete Coulomb friction problem via convex optimization", for (3).

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// slipOffsetTol is the error of (3) that counts as none, over the slip: a closing speed.
const slipOffsetTol = 0.05

// slipOffset is a contact law that can take (2).
type slipOffset interface {
	// updateSlipOffset takes (3) at vc, and (2) from then on.
	updateSlipOffset(vc []float64)
	// slipOffsetOff reports whether (3) requires another solve.
	slipOffsetOff(vc []float64) bool
	// slipOffsetHides reports whether the offset keeps a contact open that closes at vc.
	slipOffsetHides(vc []float64) bool
	// actingVelocity returns z of (1), m/s; vn for a contact that has no slip offset.
	actingVelocity(vc []float64) float64
}

// UpdateSlipOffset replaces the lagged friction law of a contact point by the law (2), or
// updates its slip offset by (3) where it has that law already, for another solve of the same
// problem. It returns false for other laws and for hydroelastic contacts, which it does not
// change.
func UpdateSlipOffset(p *cliques.Problem, h cliques.Handle) bool {
	l, ok := p.Constraints[h].Law.(slipOffset)
	if ok {
		l.updateSlipOffset(p.Velocity(h))
	}
	return ok
}

// SlipOffsetOff reports whether a contact has the law (2) with a slip offset that differs
// from the one of the solved slip: another update is needed.
func SlipOffsetOff(p *cliques.Problem, h cliques.Handle) bool {
	l, ok := p.Constraints[h].Law.(slipOffset)
	return ok && l.slipOffsetOff(p.Velocity(h))
}

// SlipOffsetHides reports whether the slip offset of a contact is so much larger than its slip that
// the contact transmits nothing where its bodies overlap at the end of the step. It has to be updated.
func SlipOffsetHides(p *cliques.Problem, h cliques.Handle) bool {
	l, ok := p.Constraints[h].Law.(slipOffset)
	return ok && l.slipOffsetHides(p.Velocity(h))
}

// ActingVelocity returns the normal velocity at which the normal law of a contact acts, m/s: that of
// its bodies, or z of (1). Not for contact surfaces.
func ActingVelocity(p *cliques.Problem, h cliques.Handle) float64 {
	vc := p.Velocity(h)
	if l, ok := p.Constraints[h].Law.(slipOffset); ok {
		return l.actingVelocity(vc)
	}
	return vc[2]
}

// updateSlipOffset implements slipOffset.
func (l *lagged) updateSlipOffset(vc []float64) {
	l.coupled, l.offset = true, l.eval(vc[0], vc[1]).eta
	_, l.n0, _ = l.normal.Eval(vc[2])
}

// slipOffsetOff implements slipOffset.
func (l *lagged) slipOffsetOff(vc []float64) bool {
	if !l.coupled {
		return false
	}
	eta := l.eval(vc[0], vc[1]).eta
	if _, p, _ := l.normal.Eval(vc[2] - eta + l.offset); p == 0 {
		return false
	}
	return math.Abs(eta-l.offset) > slipOffsetTol*math.Max(eta, l.offset)+l.leastSlip()
}

// slipOffsetHides implements slipOffset.
func (l *lagged) slipOffsetHides(vc []float64) bool {
	z := l.actingVelocity(vc)
	if z-vc[2] <= slipOffsetTol*l.offset+l.leastSlip() {
		return false
	}
	_, acting, _ := l.normal.Eval(z)
	_, bodies, _ := l.normal.Eval(vc[2])
	return acting == 0 && bodies > 0
}

// actingVelocity implements slipOffset.
func (l *lagged) actingVelocity(vc []float64) float64 {
	if !l.coupled {
		return vc[2]
	}
	return vc[2] - l.eval(vc[0], vc[1]).eta + l.offset
}

// evalCoupled is Eval of (2).
func (l *lagged) evalCoupled(vc, gamma, G []float64) float64 {
	f := l.eval(vc[0], vc[1])
	P, p, dp := l.normal.Eval(vc[2] - f.eta + l.offset)
	f.couple(p, dp, gamma, G)
	return -P
}
