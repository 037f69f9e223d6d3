package gradient

import (
	"github.com/curlfree/curlfree/sim"
)

// A derivative says little about a finite change where contact begins or ends within it: the cost has a kink there. So
// runs note how many contacts of each pair of bodies transmit force in each step, and two runs are compared.

// Touches are the contacts with force after each step of a run: how many there are of each pair of bodies, in the order
// of their contacts.
type Touches [][]Touch

// Touch is the contact of two bodies.
//
// It counts for all its points or faces: which of them are loaded follows from their number alone.
type Touch struct {
	// A and B are the names of the bodies.
	A, B string
	// Count is the number of contact points or faces with force.
	Count int
}

// Kink is a contact that is different in two runs.
//
// It began, ended or changed its number between the two.
type Kink struct {
	// Step is the number of the step, from 1.
	Step int
	// A and B are the names of the bodies.
	A, B string
}

// Run takes the run of a problem with another model, and returns its cost and contacts.
func Run(p *Problem, m *sim.Model) (cost float64, t Touches, err error) {
	// as exact as the run that is differentiated
	s, err := sim.NewStepper(tight(m), sim.Options{Threads: 1})
	if err != nil {
		return 0, nil, err
	}
	defer s.Close()
	// it lends its step; no state is kept
	path := newTrajectory(s, p.H, p.Steps, p.Memory)
	x := m.Start.Clone()
	// the loss needs both; its derivative is not used
	var values, bar [][]float64
	for k := 0; ; k++ {
		s.Place(x, p.H)
		values = append(values, s.Read(x, nil))
		bar = append(bar, make([]float64, len(m.Signals)))
		if k > 0 {
			t = append(t, touches(s))
		}
		if k == p.Steps {
			return p.Loss(values, bar), t, nil
		}
		if err := path.step(x, k); err != nil {
			return 0, nil, err
		}
	}
}

// touches returns the contacts with force of the last step.
func touches(s *sim.Stepper) (t []Touch) {
	contacts := s.Report.Contacts()
	for i := range contacts {
		c := &contacts[i]
		// contacts ahead of touch transmit nothing
		if c.Normal <= 0 {
			continue
		}
		// contacts of a pair follow each other but for kinds of contact, which are few
		a, b, known := s.BodyName(c.A.Body), s.BodyName(c.B.Body), false
		for k := range t {
			if t[k].A == a && t[k].B == b {
				t[k].Count, known = t[k].Count+1, true
			}
		}
		if !known {
			t = append(t, Touch{a, b, 1})
		}
	}
	return t
}

// Kinks returns the contacts that are different in two runs, each pair of bodies once a step.
func Kinks(a, b Touches) (kinks []Kink) {
	// runs may differ in length where one of them ended early
	for k := range min(len(a), len(b)) {
		// those of a that b has not, or with another number, then those that b has alone
		for _, x := range a[k] {
			if count(b[k], x) != x.Count {
				kinks = append(kinks, Kink{k + 1, x.A, x.B})
			}
		}
		for _, x := range b[k] {
			if count(a[k], x) == 0 {
				kinks = append(kinks, Kink{k + 1, x.A, x.B})
			}
		}
	}
	return kinks
}

// count returns the number of contacts of the pair of x.
func count(of []Touch, x Touch) int {
	// a step has few pairs
	for _, y := range of {
		if y.A == x.A && y.B == x.B {
			return y.Count
		}
	}
	return 0
}
