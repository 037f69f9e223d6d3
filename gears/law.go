package gears

import "math"

// Law is the line load of two flanks over their approach along the normal. A body gives under a line load w by
// (1 − ν²)/(π E) w (2 ln(2 h/b) − ν/(1−ν)) between the contact of half width b and the depth h (Johnson 1985,
// (5.58); Weber
// and Banaschek take h to the middle of the tooth). With b² = 4 w ρ/(π E*) and what is linear in w, both teeth
// give by
//
//	δ = w (K − C ln w),  C = 1/(π E*)                                                             (1)
//
// a force that stiffens with load, hence convex. Below the line load w₀ it is the parabola through the origin that
// joins
// (1) smoothly: there the logarithm would grow without bound.
type Law struct {
	// K and C of (1), m²/N, w in N/m; C = 0 for a linear law.
	K, C float64
}

// weakest is w₀, N/m.
const weakest = 10

var logWeakest = math.Log(weakest)

// Approach returns δ, m, under the line load w, N/m.
func (l Law) Approach(w float64) float64 {
	if w <= 0 {
		return 0
	}
	if w < weakest {
		return w * (l.K - l.C*logWeakest + l.C - l.C*w/weakest)
	}
	return w * (l.K - l.C*math.Log(w))
}

// Load returns the line load, N/m, at the approach, m, and its derivative, N/m².
func (l Law) Load(approach float64) (w, stiffness float64) {
	if approach <= 0 {
		return 0, 0
	}
	if l.C == 0 {
		return approach / l.K, 1 / l.K
	}
	k := l.K - l.C*logWeakest
	if d := weakest * k; approach < d {
		// the smaller root of C/w₀ w² − (k + C) w + δ = 0
		b := k + l.C
		root := math.Sqrt(b*b - 4*l.C/weakest*approach)
		return 2 * approach / (b + root), 1 / root
	}
	// δ is concave in w, so that Newton's method comes from below without passing the solution.
	w = weakest
	for range 60 {
		log := math.Log(w)
		slope := l.K - l.C - l.C*log
		if slope < l.C { // beyond what contact of half planes describes: as stiff as there
			w = math.Exp(l.K/l.C - 2)
			return w + (approach-l.Approach(w))/l.C, 1 / l.C
		}
		step := (approach - w*(l.K-l.C*log)) / slope
		w += step
		if step <= 1e-14*w {
			return w, 1 / slope
		}
	}
	return w, 1 / (l.K - l.C - l.C*math.Log(w))
}

// Energy returns the integral of the load over the approach, N.
func (l Law) Energy(approach float64) float64 {
	w, _ := l.Load(approach)
	if l.C == 0 {
		return w * approach / 2
	}
	// ∫ w dδ = w δ − ∫ δ dw
	integral := func(w float64) float64 { return w * w * (l.K/2 - l.C*math.Log(w)/2 + l.C/4) }
	low := math.Min(w, weakest)
	under := low * low * ((l.K-l.C*logWeakest+l.C)/2 - l.C*low/weakest/3)
	if w > weakest {
		under += integral(w) - integral(weakest)
	}
	return w*approach - under
}
