package sim

import (
	"errors"

	"github.com/curlfree/curlfree/cliques"
)

// Deformables enter the problem of a step linearised, see fem/relinearize.go. After the
// solve each of them is compared with its linear model and, where they differ, linearised at
// the solution; the step is then solved again.
//
// A step that does not settle that way is taken as two of half the length, in which bodies turn
// and strain half as far, down to h/2⁶. The halves are whole steps of their own, with contacts,
// cliques and solves, and the report has the means over them (divided_step.go). What a caller
// sees of it are the number of parts and the time that the step takes.

// maxPasses bounds how often a step is solved because of deformables: two or three times
// are usual, ten in impacts that turn a stiff body by a radian. Where they do not suffice, the
// step is divided in halves, up to maxHalvings times.
const maxPasses = 16

const maxHalvings = 6

// stepGainTol is the energy that a step may give a deformable beyond the work on it, relative to its energy and that
// of a free fall of the step, from which on the step is divided; likewise a contact surface (surface_gain.go).
const stepGainTol = 0.01

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

// relinearizeDeformables linearises deformables at the solved velocities where their linear
// models err there. It reports whether any was, so that the step has to be solved again, and
// whether the step may be taken as a whole.
func (s *Stepper) relinearizeDeformables(pass int) (again, whole bool) {
	// the solution lists the velocities of subsystems one after the other
	in := 0
	for i, b := range s.subsystems {
		n := s.solved[i]
		v := s.vNext[in : in+n]
		in += n
		d, ok := b.(*deformableBody)
		if !ok || !d.Relinearize(v, s.isConstrained(d), s.pool, &s.Problem) {
			continue
		}
		if pass < maxPasses {
			again = true
			continue
		}
		if s.mayHalve() {
			return false, false
		}
		// no smaller steps: go to the last linearisation, which has no false strain
		d.Unstrain(v)
		s.Report.LinearizationUnconverged++
	}
	return again, true
}

// deformablesGain reports whether a deformable that was linearised again ends a step of h with more energy
// than it had and impulses and loads gave it. Backward Euler does so where a body turns far: the chord of an
// arc of θ is covered with the speed that its momentum has at the end, so that kinetic energy grows by 1/cos²(θ/2).
func (s *Stepper) deformablesGain(h float64) bool {
	first := s.numTrees()
	for i, d := range s.deformables {
		if !s.mayHalve() {
			return false
		}
		c := &s.Problem.Cliques[first+i]
		v := s.vNext[c.Offset : c.Offset+c.Size]
		scale := s.balance.energies[first+i] + 0.5*d.model.Mass()*h*h*s.Model.Gravity.Norm2() + d.EnergyRoundoff()
		tol := stepGainTol * scale
		if rise := d.EnergyRise(v, tol, s.pool); rise != 0 && rise-s.workOn(d)-d.loadWork(h, v) > tol {
			return true
		}
	}
	return false
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

// mayHalve reports whether a step may be divided further.
func (s *Stepper) mayHalve() bool { return len(s.deformables) > 0 && s.halvings < maxHalvings }

// takeOrHalve takes a step, as a whole or in parts.
func (s *Stepper) takeOrHalve(x *State, h float64) error {
	gained := s.Report.EnergyGained
	whole, err := s.take(x, h)
	if whole {
		if s.halvings > 0 && s.Report.Step > 0 {
			s.addPart(h)
		}
		return err
	}
	s.Report.EnergyGained = gained // what this step found is found again
	return s.halve(x, h)
}

// halve takes a step of h as two, each of which may be divided again. After an error other
// than ErrNotConverged the state is that before the step. The report has the means over all
// parts.
func (s *Stepper) halve(x *State, h float64) error {
	if s.halvings == 0 {
		s.saved.copyFrom(x)
		s.divided.reset(len(s.Model.Constraints), len(s.Model.holds))
	}
	s.halvings++
	defer func() { s.halvings-- }()
	var unconverged error
	for range 2 {
		s.Report.restart()
		err := s.takeOrHalve(x, h/2)
		if err != nil && !errors.Is(err, ErrNotConverged) {
			x.copyFrom(&s.saved)
			return err
		}
		if err != nil {
			unconverged = err
		}
	}
	// the steps that callers count
	if s.halvings == 1 {
		x.Step = s.saved.Step + 1
		x.Time = s.saved.endTime(h)
		s.Report.Step = x.Step
		s.reportParts(h)
	}
	return unconverged
}
