package constraints

// Static and dynamic friction: the coefficient falls from μ_s at rest to μ_d in sliding, with
// the slip |vt0| at the start of the step, which keeps the problem convex,
//
//	μ = μ_d + (μ_s − μ_d) (1 − S(x − 10))/(1 + S(10)),
//	x = |vt0|/ε_s,  S(u) = u/√(1 + u²).                              (1)
//
// with the sliding tolerance ε_s of friction_sliding.go. Both ends are exact. The denominator is often taken for 2
// S(10) or 2, which misses one of them. A static coefficient below the dynamic one counts as equal to it.
// Source: Castro et al., "Irrotational Contact Fields".

import "math"

// Stribeck returns the friction coefficient of a contact that slips at x times
// the sliding tolerance, from the static one at x = 0 to the dynamic one at
// x → ∞.
func Stribeck(static, dynamic, x float64) float64 {
	if !(static > dynamic) {
		return dynamic
	}
	S := func(u float64) float64 { return u / math.Hypot(1, u) }
	return dynamic + (static-dynamic)*(1-S(x-stribeckCentre))/(1+S(stribeckCentre)) // (1)
}
