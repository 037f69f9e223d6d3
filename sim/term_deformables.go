package sim

// Deformables enter the problem of a step linearized, see fem/relinearize.go. After a
// solve each of them is compared with its linear model and, where they differ, linearized at
// the solution; the step is then solved again. Bodies that nothing touches get their free motion before the first
// solve.

import "github.com/curlfree/curlfree/cliques"

// deformables is the term of the elastic energies of deformables.
type deformables struct {
	ratio []float64 // of the defect of each
	off   []int     // those that differ
}

var deformablesKind = termKind{name: "deformables", unit: "J", again: "deformables turn or strain so far that they were linearized at the solution"}

// begin implements term: free motion linearizes deformables at the start.
func (*deformables) begin(*Stepper) {}

// measure returns the largest difference of the energies of a deformable and of its linear model, J.
func (t *deformables) measure(s *Stepper) (worst defect) {
	t.ratio = t.ratio[:0]
	for i, b := range s.deformables {
		ratio, energy := b.LinearizationError(s.solvedOf(b), s.isConstrained(b), s.pool, &s.Problem)
		t.ratio = append(t.ratio, ratio)
		if ratio > worst.ratio {
			body := s.Model.Geometry.NumRigid + i
			worst = defect{ratio: ratio, value: energy, bodies: [2]int{body, body}}
		}
	}
	return worst
}

// linearize linearizes those that differ.
func (t *deformables) linearize(s *Stepper) change { return t.linearizeChosen(s, t.choose(s)) }

// choose implements chooser.
func (t *deformables) choose(*Stepper) []int {
	t.off = t.off[:0]
	for i, ratio := range t.ratio {
		if ratio > 1 {
			t.off = append(t.off, i)
		}
	}
	return t.off
}

// linearizeChosen implements chooser.
func (t *deformables) linearizeChosen(s *Stepper, chosen []int) change {
	for _, i := range chosen {
		b := s.deformables[i]
		b.Relinearize(s.solvedOf(b), s.pool, &s.Problem)
	}
	return newMatrix
}

// leave moves those that differ to their last linearization, which has no false strain.
func (t *deformables) leave(s *Stepper, _ defect) error {
	for i, b := range s.deformables {
		if t.ratio[i] > 1 {
			b.Unstrain(s.solvedOf(b))
			s.iterate.forget()
			s.Report.LinearizationUnconverged++
		}
	}
	return nil
}

// solvedOf returns the solved velocities of the nodes of a deformable, m/s.
func (s *Stepper) solvedOf(b *deformableBody) []float64 {
	c := &s.Problem.Cliques[s.numTrees()+b.number]
	return s.vNext[c.Offset : c.Offset+c.Size]
}

// convergeFreeMotions gives nonlinear deformables that no constraint touches their free
// motion.
func (s *Stepper) convergeFreeMotions() {
	for _, b := range s.deformables {
		if b.Nonlinear() && !s.isConstrained(b) {
			b.ConvergeFreeMotion(s.pool, &s.Problem)
		}
		if !b.FreeMotionConverged() {
			s.Report.FreeMotionUnconverged++
		}
	}
}

// isConstrained reports whether a constraint of the problem acts on a deformable.
func (s *Stepper) isConstrained(b *deformableBody) bool {
	// constraints name nodes, and a body's nodes are consecutive
	first, end := b.Nodes()
	for c := range s.Problem.Constraints {
		for _, block := range s.Problem.Blocks(cliques.Handle(c)) {
			if block.Node >= first && block.Node < end {
				return true
			}
		}
	}
	return false
}
