package sim

// The work of a step: W of energy_balance.go, which the references take on.

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
)

// addWork adds the work of the step's impulses to the references, and checks the work of
// contacts.
func (s *Stepper) addWork() {
	b, p := &s.balance, &s.Problem
	if s.rigid != nil {
		_, n := s.rigid.Size()
		numerical, viscous := s.rigid.Dissipation(s.vNext[:n])
		s.Report.NumericalDissipation += numerical
		s.Report.ViscousDissipation += viscous
	}
	// loads of deformables, which no constraint stands for
	for i, d := range s.deformables {
		t := s.numTrees() + i
		v := s.solvedOf(d)
		b.addWork(t, d.loadWork(p.H, v))
		if s.rule().Midpoint {
			// what the damping of changes stores is taken from the energy of the body, or given back to it
			l := d.Ledger(v, p)
			b.addWork(t, l.Start-l.End)
			s.Report.NumericalDissipation += l.Numerical + l.End - l.Start
			s.Report.ViscousDissipation += l.Viscous
		}
	}
	if len(p.Constraints) == 0 {
		b.reference[len(p.Cliques)] = 0
		return
	}
	// trees: what their momenta gained beyond free motion
	trees := s.numTrees()
	for i := range trees {
		c := &p.Cliques[i]
		end := c.Offset + c.Size
		b.addWork(i, s.rigid.TreeWork(i, c.A, p.V0[c.Offset:end], p.P[c.Offset:end], s.vNext[c.Offset:end]))
	}
	// deformables: by the impulses on their vertices
	if trees < len(p.Cliques) {
		for h := range p.Constraints {
			s.addVertexWork(cliques.Handle(h), trees)
		}
	}
	s.addSpringWork()
	s.addContactWork(&b.reference[len(p.Cliques)])
}

// addWork adds work on part i to its reference and to the energy that it is to have, J.
func (b *energyBalance) addWork(i int, work float64) {
	b.reference[i] += work
	before, _, _ := b.ofPart(i)
	*before += work
	if i < b.trees {
		_, least, _ := b.ofTree(i)
		*least += work
	}
}

// addVertexWork adds the work of a constraint on deformables to their references; first is
// the first clique of a deformable.
func (s *Stepper) addVertexWork(h cliques.Handle, first int) {
	p := &s.Problem
	gamma := p.Impulse(h)
	for _, block := range p.Blocks(h) {
		if block.Node < p.Cliques[first].First {
			continue
		}
		i := first
		for i+1 < len(p.Cliques) && p.Cliques[i+1].First <= block.Node {
			i++
		}
		v, work := (*[3]float64)(s.vNext[p.NodeOffset[block.Node]:]), 0.0
		for r, y := range gamma {
			J := (*[3]float64)(block.J[3*r:])
			work += y * (J[0]*v[0] + J[1]*v[1] + J[2]*v[2])
		}
		s.balance.addWork(i, work)
	}
}

// addContactWork updates S (4), and reports energy that contacts gained.
func (s *Stepper) addContactWork(S *float64) {
	b, p, reach := &s.balance, &s.Problem, constraints.ContactRange(s.Model.Contact)
	loaded, bound, most, at := false, 0.0, 0.0, 0
	impacts := s.rebounds.list
	for i, h := range s.handles {
		// what impacts with restitution do to each other has been measured (term_restitution.go)
		if len(impacts) > 0 && impacts[0].index == i {
			impacts = impacts[1:]
			continue
		}
		g := p.Impulse(h)[2]
		if g == 0 {
			continue
		}
		c := p.Velocity(h)[2]
		given := g*c - constraints.LostWork(p, h, s.vNext) // (4)
		loaded = true
		*S -= given
		bound += g / p.H * max(0, reach-(s.contacts[i].Phi+p.H*c)) // (5)
		if given > most {
			most, at = given, i
		}
	}
	fields, tol := &s.fieldEnergy, energyTol
	if b.faces {
		tol = facesTol
	}
	*S += fields.total + fields.lost
	gained := -*S > tol*(b.scale+b.stored)+bound
	if gained {
		bodies := fields.pair
		if most > 0 {
			a := &s.contacts[at]
			bodies = [2]int{a.A.Body, a.B.Body}
		}
		s.Report.EnergyGained.note(-*S, bodies[0], bodies[1], b.time+p.H, s.startEnergy(bodies[0])+s.startEnergy(bodies[1]))
	}
	if gained || !loaded && fields.stored == 0 && fields.total == 0 {
		*S = 0
	}
}
