package constraints

// A servo bounds the velocity that it commands. With the velocity command
//
//	v_c = v_d + (k/d) (q_d − q),   |v_c| ≤ v_lim                                   (1)
//	u = d (clamp(v_c, −v_lim, v_lim) − v) + f                                      (2)
//	  = max(min(u_PD, d (v_lim − v) + f), d (−v_lim − v) + f)                      (3)
//
// the effort (2) is that of the spring and damper of compliant.go while the command is within its
// bounds, and else that of a damper to the bound. With q = q0 + h v at the end of the step, (3) falls with v
// in all three parts, so that it has a convex potential. It is u_PD between the velocities at which
// the command reaches its bounds, with g0 = q0 − q_d:
//
//	v_1 = −(g0 + d (v_lim − v_d)/k)/h,   v_2 = −(g0 − d (v_lim + v_d)/k)/h         (4)
//
// and has the slope d instead of h k + d outside. Bounds of the effort act on the sum, as on any row.
// Source: cascaded position and velocity control, e.g. Siciliano et al., "Robotics", 2009, ch. 8.
//
// The limit is that of the command. A load τ beyond the feed forward f, such as a weight, moves the joint by
// τ/d faster, and a drive without a velocity gain d has no command to bound.

import "math"

// velocityLimit is the part of a row that bounds the velocity that it commands. The zero value is no bound.
type velocityLimit struct {
	most float64 // v_lim, m/s or rad/s; 0: none

	// by prepare: γ = (v_i − c)/R_i on the pieces c < ends[0], between the ends of (4), and c > ends[1]
	pieces [3]piece
	ends   [2]float64
	home   int // piece in which γ = 0
	acts   bool
}

// piece is one linear part of an impulse: R and v̂ of compliant.go.
type piece struct{ r, v float64 }

// impulse returns the impulse of the piece at a velocity, without bounds of the effort.
func (p piece) impulse(c float64) float64 { return (p.v - c) / p.r }

// prepareLimit sets the limit up for a step of h, in which the position error is that after way (s) of motion, once R
// and v̂ are those of the spring and damper.
func (e *row) prepareLimit(h, way float64) {
	l := &e.limit
	l.acts = l.most > 0 && !math.IsInf(l.most, 1) && e.d > 0
	switch {
	case !l.acts:
		return
	case e.k == 0:
		// the command does not depend on v: it is v_d, within the bounds
		l.acts = false
		e.v += math.Max(-l.most, math.Min(e.vd, l.most)) - e.vd
		return
	}
	outer := 1 / (h * e.d)
	l.pieces = [3]piece{{outer, l.most + e.f/e.d}, {e.r, e.v}, {outer, -l.most + e.f/e.d}}
	l.ends[0] = -(e.g0 + e.d*(l.most-e.vd)/e.k) / way // (4)
	l.ends[1] = -(e.g0 - e.d*(l.most+e.vd)/e.k) / way
	switch l.home = 1; {
	case l.pieces[0].v < l.ends[0]:
		l.home = 0
	case l.pieces[2].v > l.ends[1]:
		l.home = 2
	}
}

// inside reports whether the row is a plain spring and damper from the velocity at which γ = 0 to c.
func (l *velocityLimit) inside(c float64) bool {
	return l.home == 1 && c >= l.ends[0] && c <= l.ends[1]
}

// evalLimited returns ℓ, γ and G. ℓ is the area of γ between c and the velocity at which γ = 0, piece by piece:
// all parts have one sign, so that ℓ keeps its digits however far the ends are.
func (e *row) evalLimited(c float64) (cost, gamma, G float64) {
	l := &e.limit
	at := 1
	if c < l.ends[0] {
		at = 0
	} else if c > l.ends[1] {
		at = 2
	}
	for i := min(at, l.home); i <= max(at, l.home); i++ {
		p := l.pieces[i]
		// from the end of the piece on the side of home to that on the side of c
		from, to := 0.0, p.impulse(c)
		if i < l.home {
			from = p.impulse(l.ends[i])
		} else if i > l.home {
			from = p.impulse(l.ends[i-1])
		}
		if i < at {
			to = p.impulse(l.ends[i])
		} else if i > at {
			to = p.impulse(l.ends[i-1])
		}
		cost += p.r * e.area(from, to)
	}
	y := l.pieces[at].impulse(c)
	if gamma = e.bounded(y); gamma == y {
		G = 1 / l.pieces[at].r
	}
	return cost, gamma, G
}

// bounded returns an impulse within the bounds of the effort.
func (e *row) bounded(y float64) float64 { return math.Max(e.lo, math.Min(y, e.hi)) }

// area returns the integral of the bounded impulse from a to b. Where it is linear it is a product, since a
// difference of squares would lose digits.
func (e *row) area(a, b float64) float64 {
	ga, gb := e.bounded(a), e.bounded(b)
	if ga == gb {
		return ga * (b - a)
	}
	return 0.5*(gb-ga)*(gb+ga) + gb*(b-gb) - ga*(a-ga)
}
