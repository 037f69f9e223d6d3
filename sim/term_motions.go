package sim

// Rigid bodies under the midpoint rule: the momenta that they gain in a step, and the levers of its rows, are those of
// the rotation about which the step is linear (rigid/flight.go). That of free motion is exact where nothing touches a
// body, and impulses are predicted to continue as in the last step (rigid/damped_prediction.go). Where they turn it
// otherwise, the step is linear about the solved rotation in the next solve, until the velocities that follow from the
// momentum of the solution are those solved.

// motionsTol is the change of velocities by the momentum at the solution, relative to them, that is left; tolerances of
// the solver below curvedRelTol make it smaller.
const motionsTol = 1e-4

// motions is the term.
type motions struct {
	plainTerm
	off []int     // trees that differ
	mom []float64 // momentum of one of them
}

var motionsKind = termKind{name: "motions", unit: "1", again: "rigid bodies turn so far that their momenta are those of the solution"}

// measure returns the largest change of velocities of a tree, relative to them.
func (l *motions) measure(s *Stepper) (worst defect) {
	l.off = l.off[:0]
	if s.rigid == nil || !s.rule().Midpoint {
		return worst
	}
	tol := motionsTol * s.curved.tighter(s)
	for t := range s.numTrees() {
		d := s.momentumDiffers(t, &l.mom)
		if d > tol {
			l.off = append(l.off, t)
		}
		if ratio := d / tol; ratio > worst.ratio {
			root := s.rigid.model.RootOfTree(t)
			worst = defect{ratio: ratio, value: d, bodies: [2]int{root, root}}
		}
	}
	return worst
}

// linearize implements term.
func (l *motions) linearize(s *Stepper) change { return l.linearizeChosen(s, l.off) }

// choose implements chooser.
func (l *motions) choose(*Stepper) []int { return l.off }

// linearizeChosen implements chooser.
func (l *motions) linearizeChosen(s *Stepper, chosen []int) change {
	for _, t := range chosen {
		s.linearizeMotion(t)
	}
	return newRows | newMatrix
}

// linearizeMotion makes the momentum of a tree, and the levers of its rows, those of the solved motion.
func (s *Stepper) linearizeMotion(t int) {
	c := &s.Problem.Cliques[t]
	end := c.Offset + c.Size
	s.rigid.MotionAt(t, s.vNext[c.Offset:end], c.A, s.Problem.P[c.Offset:end])
}
