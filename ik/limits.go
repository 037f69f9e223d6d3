package ik

// Bounds of a joint's velocity v in a step of h that follows one with velocity v0:
//
//	|v| ≤ v_max,   |v − v0| ≤ a h,   q + h v + b(v) ≤ q_max                        (1)
//
// and likewise below. b(v) is the way that the joint needs to stop when its velocity falls
// by a h in each step. With x = v/(a h), m = ⌊x⌋ and the way D = (q_max − q)/(a h²) in the
// same units,
//
//	x + Σ_{k=1..m} (x − k) = (m + 1) x − m (m + 1)/2 ≤ D                           (2)
//
// whose left side rises with x: x = (D + m(m+1)/2)/(m + 1) with the largest m for which
// m(m+1)/2 ≤ D. After such a step x − 1 fulfils (2) again, so that limits of position and of
// acceleration never exclude each other.

import "math"

// bounds returns the interval of the velocity of a joint at position q, which moved with v0
// in the last step. Without the acceleration limit it contains 0 for a joint within its
// limits. One that is outside returns as fast as its velocity limit lets it.
func (j *Joint) bounds(h, q, v0 float64, accelerate bool) (lo, hi float64) {
	most, acc := limit(j.Velocity), limit(j.Acceleration)
	lo, hi = -stopping(q-j.Lower, h, acc), stopping(j.Upper-q, h, acc)
	lo, hi = math.Min(math.Max(lo, -most), most), math.Max(math.Min(hi, most), -most)
	if accelerate {
		// a joint outside of its limits may not be able to return as fast
		if a := v0 - acc*h; a > lo {
			lo = math.Min(a, math.Max(hi, a))
		}
		if a := v0 + acc*h; a < hi {
			hi = math.Max(a, math.Min(lo, a))
		}
	}
	return lo, hi
}

// stopping returns the largest velocity from which a joint stops within a way, (2).
func stopping(way, h, acc float64) float64 {
	if way <= 0 || math.IsInf(acc, 1) {
		return way / h
	}
	if math.IsInf(way, 1) {
		return way
	}
	unit := acc * h // of velocities
	D := way / (unit * h)
	m := math.Floor((math.Sqrt(1+8*D) - 1) / 2)
	return unit * (D + m*(m+1)/2) / (m + 1)
}
