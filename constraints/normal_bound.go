package constraints

// Updates of the normal impulse n0 that bounds lagged friction, towards Coulomb's law at the
// end of the step: a fixed point
//
//	n0 = γn(n0)                                                         (1)
//
// of γn, the normal impulse of the solution with the bound n0. Each evaluation of γn is a
// convex problem. With the residual r = γn − n0 of a contact, the update j = 1, 2, … is
//
//	n0 ← (n0 + ω_j r)₊,   ω_1 = 1                                       (2)
//	ω_j = min(max(−Δn0/Δr, 1/10), w_j),  min(1, w_j) where −Δn0/Δr < 0  (3)
//	w_j = 0.5 for j > 12 where 0 < −Δn0/Δr < 1, else 0.7 where r has changed its sign,
//	      else 3 for j ≤ 3, else 1
//
// (3) is the secant method for each contact by itself (Aitken's Δ²). The bounds w_j end cycles
// of contacts that unload each other in turn: there they make the iteration an average of its
// values, most of all where many updates have not ended it. Bounds are chosen by trial on
// falling heaps and dominoes.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Bounds of (3).
const (
	minRelaxation         = 0.1
	maxRelaxation         = 3.0
	alternatingRelaxation = 0.7
	freeUpdates           = 3 // with w_j = maxRelaxation
	lateRelaxation        = 0.5
	earlyUpdates          = 12 // later ones have lateRelaxation, but where r falls slowly and steadily
)

// boundIteration is the memory of (2) for one contact.
type boundIteration struct {
	n0, residual float64 // at the update before, N s
	updates      int
}

// next returns the next bound from the present one and the solved normal impulse (N s).
func (b *boundIteration) next(n0, solved float64) float64 {
	r := solved - n0
	w := relaxation(n0-b.n0, r, b.residual, b.updates)
	b.n0, b.residual = n0, r
	b.updates++
	return math.Max(0, n0+w*r)
}

// relaxation returns ω of (3) from the change of the bound since the update before, the
// residuals now and then, and the number of updates so far.
func relaxation(dn0, r, last float64, updates int) float64 {
	if updates == 0 {
		return 1
	}
	// the secant, 0 where it leads away
	secant := 0.0
	if slope := (last - r) * dn0; slope > 0 {
		secant = math.Max(minRelaxation, dn0/(last-r))
	}
	w := 1.0
	switch {
	case updates >= earlyUpdates && secant > 0 && secant < 1:
		w = lateRelaxation
	case (r > 0) != (last > 0):
		w = alternatingRelaxation
	case updates < freeUpdates:
		w = maxRelaxation
	}
	if secant == 0 {
		return math.Min(w, 1)
	}
	return math.Min(w, secant)
}

// boundUpdater is a contact law whose friction is bounded by a given impulse.
type boundUpdater interface {
	// updateNormalBound takes (2) at vc. It returns the largest change of a bound that (1)
	// still requires, |r|, and the largest normal impulse, N s.
	updateNormalBound(vc []float64) (change, largest float64)
}

// UpdateNormalBound moves the normal impulse that bounds the lagged friction of a contact
// towards the normal impulse of the last solve, by (2), for another solve of the same problem
// (a fixed-point iteration). Two or three updates usually suffice; convergence is not
// guaranteed, as there need not be a solution nearby where a body jams. It returns the
// largest difference of a bound from its impulse before the update, and the largest impulse
// (N s); zeros for laws without lag.
func UpdateNormalBound(p *cliques.Problem, h cliques.Handle) (change, largest float64) {
	if l, ok := p.Constraints[h].Law.(boundUpdater); ok {
		return l.updateNormalBound(p.Velocity(h))
	}
	return 0, 0
}

// CarryBound copies the friction bound (or slip offset) and the history of its updates from the
// law that a contact point had in another problem of the same step, from, to its present law.
// Laws other than lagged friction are not changed.
func CarryBound(p *cliques.Problem, h cliques.Handle, from cliques.Law) {
	l, ok := p.Constraints[h].Law.(*lagged)
	old, same := from.(*lagged)
	if ok && same {
		l.n0, l.bound, l.coupled, l.offset, l.dual = old.n0, old.bound, old.coupled, old.offset, old.dual
	}
}

// updateNormalBound implements boundUpdater.
func (l *lagged) updateNormalBound(vc []float64) (change, largest float64) {
	if l.coupled {
		l.updateSlipOffset(vc)
		return 0, l.n0
	}
	_, p, _ := l.normal.Eval(vc[2])
	change = math.Abs(p - l.n0)
	l.n0 = l.bound.next(l.n0, p)
	return change, p
}

// updateNormalBound implements boundUpdater: the maxima over the faces.
func (l *surfaceLaw) updateNormalBound(vc []float64) (change, largest float64) {
	w, v := r3.Vec(vc[:3]), r3.Vec(vc[3:6])
	for f := l.faces; f != nil; f = f.next {
		if law, ok := f.law.(boundUpdater); ok {
			f.vc = f.velocity(w, v)
			by, to := law.updateNormalBound(f.vc[:])
			change, largest = math.Max(change, by), math.Max(largest, to)
		}
	}
	by, to := l.lanes.updateNormalBound(w, v)
	return math.Max(change, by), math.Max(largest, to)
}

// updateNormalBound is lagged.updateNormalBound of all faces; it returns the maxima.
func (q *laneFaces) updateNormalBound(w, v r3.Vec) (change, largest float64) {
	v = v.Add(q.surfaceVelocity)
	for b := q.first; b != nil; b = b.next {
		for k := range b.faces {
			_, _, _, p := b.tractionAt(k, &w, &v)
			r := p - b.n0[k]
			change, largest = math.Max(change, math.Abs(r)), math.Max(largest, p)
			n0 := b.n0[k]
			if p > 0 || n0 > 0 { // not an open gap
				n0 = math.Max(0, n0+relaxation(n0-b.lastBound[k], r, b.residual[k], q.updates)*r)
			}
			b.lastBound[k], b.residual[k] = b.n0[k], r
			b.n0[k], b.bound[k] = n0, b.mu[k]*n0
		}
	}
	q.updates++
	return change, largest
}
