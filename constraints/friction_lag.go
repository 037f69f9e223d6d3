package constraints

// The error of lagged friction, due to the friction lag. Coulomb's law bounds friction by the
// normal impulse γn of the step itself, lagged friction by an impulse n0 that is known before
// the solve. At the solved slip, with the regularized direction |s̃| < 1 of friction.go, a
// contact lacks or exceeds
//
//	lacking = μ (γn − n0)₊ |s̃|,  excess = μ (n0 − γn)₊ |s̃|              (1)
//
// of the impulse μ γn that Coulomb's law allows, with μ = |M s̃|/|s̃| of a friction tensor. A
// contact that sticks well within its bound has |s̃| ≪ 1 and lacks nothing. The sums of (1)
// over contacts are not differences: too much at one contact does not make up for too little
// at another.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// LagError is the error of lagged friction (1) against Coulomb's law, of one contact or summed
// over several, N s.
type LagError struct {
	Allowed float64 // μ γn, the largest friction impulse of Coulomb's law
	Lacking float64 // friction impulse that the lag takes away at the solved slip, ≥ 0
	Excess  float64 // friction impulse that the lag adds, ≥ 0
}

// Add adds the error of other contacts or of another step.
func (e *LagError) Add(o LagError) {
	e.Allowed, e.Lacking, e.Excess = e.Allowed+o.Allowed, e.Lacking+o.Lacking, e.Excess+o.Excess
}

// add adds a contact of friction coefficient mu, normal impulse p, bound n0 and slip |s̃|.
func (e *LagError) add(mu, p, n0, slip float64) {
	e.Allowed += mu * p
	if d := mu * (p - n0) * slip; d > 0 {
		e.Lacking += d
	} else {
		e.Excess -= d
	}
}

// laggedFriction is a contact law whose friction is lagged.
type laggedFriction interface {
	// lagError returns (1) at velocity vc and impulse γ.
	lagError(vc, gamma []float64) LagError
}

// LagErrorOf returns the error (1) of lagged friction of a point contact or hydroelastic
// contact after the solve; zero for laws without lag.
func LagErrorOf(p *cliques.Problem, h cliques.Handle) LagError {
	if l, ok := p.Constraints[h].Law.(laggedFriction); ok {
		return l.lagError(p.Velocity(h), p.Impulse(h))
	}
	return LagError{}
}

// lagError implements laggedFriction.
func (l *lagged) lagError(vc, gamma []float64) (e LagError) {
	if l.coupled { // its friction is bounded by γn itself
		mu, _ := l.slipDirection(vc[0], vc[1])
		e.add(mu, gamma[2], gamma[2], 0)
		return e
	}
	if gamma[2] == 0 && l.n0 == 0 {
		return e // open
	}
	mu, slip := l.slipDirection(vc[0], vc[1])
	e.add(mu, gamma[2], l.n0, slip)
	return e
}

// slipDirection returns the coefficient in the direction of a slip, and |s̃|.
func (f *friction) slipDirection(x, y float64) (mu, slip float64) {
	if !f.aniso {
		v2 := x*x + y*y
		return f.mu, math.Sqrt(v2 / (v2 + f.eps*f.eps))
	}
	x, y = f.M.xx*x+f.M.xy*y, f.M.xy*x+f.M.yy*y // ṽ
	v2 := x*x + y*y
	if v2 == 0 {
		return f.mu, 0
	}
	return math.Hypot(f.M.xx*x+f.M.xy*y, f.M.xy*x+f.M.yy*y) / math.Sqrt(v2), math.Sqrt(v2 / (v2 + f.eps*f.eps))
}

// lagError implements laggedFriction: the sum over the faces.
func (l *surfaceLaw) lagError(vc, _ []float64) (e LagError) {
	w, v := r3.Vec(vc[:3]), r3.Vec(vc[3:6])
	for f := l.faces; f != nil; f = f.next {
		law, ok := f.law.(*lagged)
		if !ok {
			return e
		}
		f.vc = f.velocity(w, v)
		_, f.gamma[2], _ = law.normal.Eval(f.vc[2])
		e.Add(law.lagError(f.vc[:], f.gamma[:]))
	}
	l.lanes.lagError(w, v, &e)
	return e
}

// lagError adds (1) of the faces.
func (q *laneFaces) lagError(w, v r3.Vec, e *LagError) {
	v = v.Add(q.surfaceVelocity)
	for b := q.first; b != nil; b = b.next {
		for k := range b.faces {
			tx, ty, tz, p := b.tractionAt(k, &w, &v)
			if p == 0 && b.n0[k] == 0 {
				continue
			}
			v2 := tx*tx + ty*ty + tz*tz
			e.add(b.mu[k], p, b.n0[k], math.Sqrt(v2/(v2+b.eps[k]*b.eps[k])))
		}
	}
}
