package sim

// Impacts with restitution leave no more kinetic energy than they find where all have one e and no friction
// (constraints/restitution.go). With friction, or an e of each, Newton's law may give energy that nothing gave: a rod
// that slides onto a corner leaves faster than it came (Kane 1984). So the work of the impacts of trees that impacts
// connect is measured,
//
//	W = Σ ½ γ·(v⁺ + v⁻) ≤ ε Σ ½ γ_n |v_n⁻|                                                      (1)
//
// and where it is more, restitution of these trees is halved, or taken away after some halvings, until it is not.
// Without restitution W is never positive.
// Source: T. R. Kane, A dynamics puzzle, 1984; halving is this program's.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// rebound is a contact that rebounds by restitution, with its pair, in place of the one that was found.
type rebound struct {
	contact geometry.Contact
	pair    constraints.Pair
	impulse float64 // of the impact by itself, N s
	index   int     // of the contact in the step
	trees   [2]int  // −1: a body that no force moves
}

const (
	// reboundGainTol is ε of (1).
	reboundGainTol = 1e-4
	// leastRestitution is the share of restitution below which it is taken away.
	leastRestitution = 0.05
)

// rebounds is the term of (1).
type rebounds struct {
	plainTerm
	list   []rebound
	placed bool      // inertias of trees, which inverse masses need
	share  []float64 // of restitution that is left, of each tree
	group  []int     // trees that impacts connect have the same number
	gained []float64 // W of each group, J
	lost   []float64 // the right-hand side of (1) over ε
}

var restitutionKind = termKind{name: "restitution", unit: "J", again: "impacts gave energy, so that restitution was reduced"}

// begin implements term.
func (r *rebounds) begin(s *Stepper) {
	r.list = r.list[:0]
	if s.Model.ContactMaterials.Rebounds() && s.rigid != nil {
		n := s.numTrees()
		r.share, r.group, r.gained, r.lost = sized(r.share, n), slices.Grow(r.group[:0], n)[:n], sized(r.gained, n), sized(r.lost, n)
		for i := range r.share {
			r.share[i] = 1
		}
	}
}

// connect gives trees that impacts connect one number.
func (r *rebounds) connect() {
	for i := range r.group {
		r.group[i] = i
	}
	for changed := true; changed; {
		changed = false
		for i := range r.list {
			a, b := r.list[i].trees[0], r.list[i].trees[1]
			if a < 0 || b < 0 || r.group[a] == r.group[b] {
				continue
			}
			least := min(r.group[a], r.group[b])
			r.group[a], r.group[b], changed = least, least, true
		}
	}
}

// measure returns the largest energy that impacts of connected trees give.
func (r *rebounds) measure(s *Stepper) (worst defect) {
	if len(r.list) == 0 {
		return worst
	}
	r.connect()
	clear(r.gained)
	clear(r.lost)
	p := &s.Problem
	for i := range r.list {
		at := &r.list[i]
		group := r.group[max(at.trees[0], at.trees[1])]
		handle := s.handles[at.index]
		row := p.Constraints[handle].Row
		var start [3]float64
		p.StartVelocities(handle, start[:])
		end, impulse := p.Velocity(handle), p.Impulse(handle)
		for k, gamma := range impulse {
			before := start[k] - p.Bias[row+k]
			after := end[k] - p.Bias[row+k]
			r.gained[group] += 0.5 * gamma * (after + before)
			if k == 2 {
				r.lost[group] += 0.5 * gamma * math.Abs(before)
			}
		}
	}
	for i := range r.list {
		at := &r.list[i]
		group := r.group[max(at.trees[0], at.trees[1])]
		if gained := r.gained[group]; gained > worst.value && gained > reboundGainTol*r.lost[group] {
			worst = defect{ratio: gained / (reboundGainTol * r.lost[group]), value: gained, bodies: [2]int{at.contact.A.Body, at.contact.B.Body}}
		}
	}
	return worst
}

// linearize halves the restitution of trees that gain.
func (r *rebounds) linearize(*Stepper) (by change) {
	for t := range r.share {
		g := r.group[t]
		if r.share[t] == 0 || !(r.gained[g] > reboundGainTol*r.lost[g]) {
			continue
		}
		if r.share[t] *= 0.5; r.share[t] < leastRestitution {
			r.share[t] = 0
		}
		by = newRows
	}
	return by
}

// approachOf returns the velocity along its normal with which bodies meet at a contact of the pair at hand within the
// step and rebound by restitution, m/s; 0: they do not.
func (s *Stepper) approachOf(x *State, c *geometry.Contact, h float64) float64 {
	if s.pair.Restitution == 0 || c.Area > 0 || s.rest.holds {
		return 0
	}
	approach := s.relativeVelocity(x, c).Dot(c.Normal_W)
	_, sliding := constraints.SlipTolerances(s.contact)
	least := constraints.RestitutionThreshold * math.Max(s.Model.Gravity.Norm()*h, constraints.RestitutionSlip*sliding)
	// what presses overlaps by more than it approaches in a step, also without gravity
	if approach < -least && math.Abs(c.Phi) < -h*approach {
		return approach
	}
	return 0
}

// reboundAt returns contact and pair of contact i as the step has it: those of an impact where the bodies rebound.
func (s *Stepper) reboundAt(x *State, i int, c *geometry.Contact, h float64) (*geometry.Contact, *constraints.Pair) {
	approach := s.approachOf(x, c, h)
	if approach == 0 {
		return c, &s.pair
	}
	trees := [2]int{-1, -1}
	for side, body := range [2]int{c.A.Body, c.B.Body} {
		if body != geometry.World {
			trees[side] = s.rigid.model.TreeOf(body)
		}
	}
	if !s.rebounds.placed {
		s.rigid.PlaceComposites()
		s.rebounds.placed = true
	}
	w := constraints.ContactInverseMass(c, s.kin)
	if !(w > 0) {
		return c, &s.pair
	}
	// laws refer to their contacts until the step is solved: the list has room for all
	n := len(s.rebounds.list)
	s.rebounds.list = append(s.rebounds.list, rebound{*c, s.pair, 0, i, trees})
	r := &s.rebounds.list[n]
	for _, t := range trees {
		if t >= 0 {
			r.pair.Restitution = math.Min(r.pair.Restitution, s.pair.Restitution*s.rebounds.share[t])
		}
	}
	r.pair.Rebound(&r.contact, h, approach, w, &r.impulse)
	return &r.contact, &r.pair
}
