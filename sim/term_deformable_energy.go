package sim

// The energy of a deformable at the end of the step. Backward Euler adds to it where a body turns far: the chord of an
// arc of θ is covered with the speed that its momentum has at the end, so that kinetic energy grows by 1/cos²(θ/2).

import "github.com/curlfree/curlfree/cliques"

// stepGainTol is the energy that a step may give a deformable beyond the work on it, relative to its energy and that
// of a free fall of the step, from which on the step is divided; likewise a contact surface (term_field_energy.go).
const stepGainTol = 0.01

// deformableEnergy is the term of deformables that were linearized again.
type deformableEnergy struct {
	plainTerm
	off []defect // bodies that gain
}

var deformableEnergyKind = termKind{name: "deformable_energy", unit: "J", again: "deformables gain energy, so that the step is divided"}

// measure returns the largest energy that a deformable has more at the end of the step than it had and impulses and
// loads gave it, J.
func (t *deformableEnergy) measure(s *Stepper) (worst defect) {
	t.off = t.off[:0]
	h, first := s.iterate.h, s.numTrees()
	for i, b := range s.deformables {
		v := s.solvedOf(b)
		scale := s.balance.energies[first+i] + 0.5*b.model.Mass()*h*h*s.Model.Gravity.Norm2() + b.EnergyRoundoff()
		tol := stepGainTol * scale
		rise := b.EnergyRise(v, tol, s.pool, &s.Problem)
		if rise == 0 {
			continue
		}
		gained, body := rise-s.workOn(b)-b.loadWork(h, v), s.Model.Geometry.NumRigid+i
		d := defect{ratio: gained / tol, value: gained, bodies: [2]int{body, body}}
		if d.ratio > 1 {
			t.off = append(t.off, d)
		}
		if d.ratio > worst.ratio {
			worst = d
		}
	}
	return worst
}

// leave reports gains in the smallest parts, of which the next step finds no more.
func (t *deformableEnergy) leave(s *Stepper, _ defect) error {
	for i := range t.off {
		d := &t.off[i]
		s.Report.EnergyGained.note(d.value, d.bodies[0], noOther, s.iterate.state.endTime(s.iterate.h), s.startEnergy(d.bodies[0]))
		s.balance.addWork(s.numTrees()+d.bodies[0]-s.Model.Geometry.NumRigid, d.value)
	}
	return nil
}

// workOn returns the work of the constraints of the problem on a deformable, J.
func (s *Stepper) workOn(b *deformableBody) (work float64) {
	p := &s.Problem
	first, end := b.Nodes()
	for c := range p.Constraints {
		for _, block := range p.Blocks(cliques.Handle(c)) {
			if block.Node < first || block.Node >= end {
				continue
			}
			v := (*[3]float64)(s.vNext[p.NodeOffset[block.Node]:])
			for r, y := range p.Impulse(cliques.Handle(c)) {
				work += y * (block.J[3*r]*v[0] + block.J[3*r+1]*v[1] + block.J[3*r+2]*v[2])
			}
		}
	}
	return work
}
