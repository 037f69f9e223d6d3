package sim

// Bounds of lagged friction that are copied from one problem of a step to the next problem of
// the same step. Contacts that are found late in a step make a new problem, in which all other
// contacts are those of the problem before: their bounds, which took several solves to find, are
// right but for what the new contacts change.

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// keptBound is the law of a contact of the problem before, with what identifies the contact.
type keptBound struct {
	contact contactKey
	law     cliques.Law // laws live until the end of the step
}

// contactKey identifies a contact among those of a step, which are all found at the same poses.
type contactKey struct {
	body [2]int
	elem [2]int32
	p_W  r3.Vec
	phi  float64 // m
}

// keyOf returns the key of contact i.
func (s *Stepper) keyOf(i int) contactKey {
	c := &s.contacts[i]
	return contactKey{[2]int{c.A.Body, c.B.Body}, c.Elem, c.Pos_W, c.Phi}
}

// keepBounds keeps the bounds of the last solve for the next problem of the step, if there were
// any updates.
func (s *Stepper) keepBounds() {
	l := s.lag
	if l.source != FrictionLagAuto || l.updates == 0 && len(l.kept) == 0 {
		return
	}
	l.kept = l.kept[:0]
	for i, h := range s.handles {
		l.kept = append(l.kept, keptBound{s.keyOf(i), s.Problem.Constraints[h].Law})
	}
}

// keptWindow is how many contacts a contact may have moved in the list of contacts.
const keptWindow = 64

// carryBounds gives contacts of a new problem the bounds of the problem before.
func (s *Stepper) carryBounds() {
	kept := s.lag.kept
	for i, next := 0, 0; i < len(s.handles) && len(kept) > 0; i++ {
		key := s.keyOf(i)
		for k := range min(keptWindow, len(kept)) {
			if j := (next + k) % len(kept); kept[j].contact == key {
				constraints.CarryBound(&s.Problem, s.handles[i], kept[j].law)
				next = j + 1
				break
			}
		}
	}
}
