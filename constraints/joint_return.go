package constraints

// Limits and couplings of joints carry any effort, and yet return gently from a large error. The velocity of
// correction v̂ of compliant.go is bounded, and with it would be the impulse at rest, v̂/R. So R is reduced by as much
// as v̂ is: with the bound v_max,
//
//	v̂ ← x v̂,   R ← x R,   x = min(1, v_max/|v̂|)                           (1)
//
// which leaves the impulse at rest as it was, however large the error.
//
// A joint beyond its limit, g0 < 0, goes back a part of its way in a step, half of it from δ = 10⁻⁴ rad or m on, and
// the limit brakes it, lest it leave with the velocity of its return:
//
//	v̂ = min(−g0/(h (1 + θ)), v_max),   θ = min(1, θ0 − g0/δ),   θ0 = 0.05        (2)
//	γ ≥ −N min(max(ġ0, 0), −g0/(θ0 h))/w,   N = 100                            (3)
//
// ġ0 is the rate at the start of the step, of the last displacement under the midpoint rule, w the Delassus entry, and
// N − 1 times its own inertia what a joint may carry
// along by couplings. A joint that (2) moved has g0 left over with ġ0 ≤ −g0/(θ0 h), so that the limit takes back all
// that it gave: the joint comes to rest at its limit with no more energy than before. The impulse of braking vanishes
// with g0 and with ġ0. So a joint at its limit is free to leave: from rest at once, and one that leaves while it is
// beyond, as a load pressed it, is slowed by −N g0/(θ0 h) at most. As θ is small at touch, slopes of impulses jump
// there by θ0 only.
// Source: this program.

import "math"

// jointLimit sets up an equation of joints that keeps the gap g ≥ 0, of the rate ġ0.
func (e *row) jointLimit(s Spring, gap, rate float64) {
	e.oneSided(s, gap, maxTurn)
	e.joint, e.rate = true, rate
}

// jointCoupling sets up an equation of joints that keeps the error g = 0.
func (e *row) jointCoupling(s Spring, g float64) {
	e.spring(s, g, maxTurn)
	e.joint = true
}

// returnJoint bounds the velocity v that corrects g0, and sets R and the bound of braking to it.
func (e *row) returnJoint(v, h, w float64) float64 {
	most := e.vmax
	if e.gap {
		if e.g0 >= 0 {
			e.lo = 0
			return v // the whole gap is free to close
		}
		theta := math.Min(1, leastReturn-e.g0/returnScale)
		most = math.Min(most, -e.g0/(h*(1+theta)))                                       // (2)
		e.lo = -brakedInertia * math.Min(math.Max(e.rate, 0), -e.g0/(leastReturn*h)) / w // (3)
	}
	x := 1.0
	if a := math.Abs(v); a > most {
		x = most / a // (1)
	}
	e.r *= x
	return x * v
}
