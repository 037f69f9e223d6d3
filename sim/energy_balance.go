package sim

// The energy balance of a step: it may not give a body energy beyond the work of impulses on it. For each body b,
// a tree or a deformable, with its energy E_b (kinetic, of gravity, of springs and strain) at
// the starts of this step and of the next,
//
//	g = E_b⁺ − E_b − W_b,   W_b = v⁺·Jᵀγ                                    (1)
//
// is the error of integration. Contacts, joints, drives, loads and prescribed motions of other
// bodies all do their work through impulses, so that (1) needs none of them by name. Schemes
// of first order lose energy steadily, and gain and lose some in turn where a body swings or
// tumbles. So what counts is the rise of Σ g above its least value so far, which a reference
// energy R follows:
//
//	R⁺ = min(R + W_b, E_b⁺),   gained = E_b⁺ − (R + W_b) > tol_b            (2)
//	tol_b = 0.05 T_b + ½ m_b h² g² + round-off, of a deformable 0.01 (T_b + U_b) + …   (3)
//
// after which R is E_b⁺. T and U are the kinetic energy and that of strain. For a tree with
// joints the first term is 0.15 K_b, with the kinetic energy of late, K⁺ = max(T, (1 − 1/1024) K);
// (2) compares the smaller of its energies of rigid.TreeEnergy, and R follows the larger. By
// its R and K the next free motion limits its energy (rigid/energy_limit.go). E_b⁺ is known in
// the next step, from its matrices and the rotations of its elements at little cost: each
// step reports what the step before it gained, and R + W_b is part of the state. Bodies that
// a prescribed joint carries are left out: the work of that joint is not known. See
// rigid/balance.go for E and W of trees, fem/balance.go for U. T of a deformable is that of
// masses lumped at its vertices, an upper bound, unless (2) exceeds the tolerance or the reference is the first.
//
// The potentials of contact are convex, so that a contact never gives more in a step than its
// potential had at the step's start. But gaps are measured anew in every step, and a gap that
// is narrower than the step before predicted has more potential. So the energy that contact
// points gave to bodies may not exceed what bodies gave to them since all last were open,
//
//	S⁺ = S − Σ γ_n c_n,   gained = −S⁺ > tol_c                              (4)
//	tol_c = 0.05 Σ (T_b + U_b) + Σ f_n δ                                    (5)
//
// after which S is 0. c_n is the relative velocity along the normal, δ the depth within the
// range of the law, f_n = γ_n/h. S counts energy that contact dissipates as stored, so a
// contact that lasts may hide as much as it has damped. Where bodies overlap at the start of
// a run, their release is no gain: S begins with what their contacts store, and is infinite until they open where deformables are among them. Faces of pressure fields count
// in S⁺ like points, and as what they store is known, S⁺ may not be less than that: U in place of 0 in (4). What a single step
// gains by them is measured at its end (surface_gain.go).

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
)

const (
	energyTol      = 0.05 // of (3) and (5)
	deformableTol  = 0.01 // of (3) for deformables, whose scheme loses energy
	jointsTol      = 0.15 // of (3) for trees with joints: above θ of rigid/energy_limit.go
	kineticDecay   = 1. / 1024
	energyRoundoff = 1e-11 // of (3), relative to E_b: potential energies are large far from the origin
	leastEnergy    = 1e-18 // of (3), J: a microgram at a micrometre per second has less than a thousandth
)

// energyBalance is the scratch of (1) to (5).
type energyBalance struct {
	// reference is R of each body, then S, with the work of the step added; then K of each
	// tree, J.
	reference []float64
	// first and atRest are R, +Inf, and K, 0, of trees in a first step, which has no references.
	first, atRest []float64
	// known reports that the state has references.
	known bool
	// scale is Σ (T_b + U_b), J.
	scale float64
	// energies are T_b + U_b of each clique, J.
	energies []float64
	// masses are those of trees, kg.
	masses []float64
}

// GainedEnergy is spurious energy that bodies gained in a step beyond the work done on them;
// zero where there is none.
type GainedEnergy struct {
	// Energy is the sum over bodies and contacts, J.
	Energy float64
	// Body is the scene body with the largest gain (of a tree its root), or the first body
	// of the contact with the largest gain.
	Body int
	// Other is the second body of that contact, which may be geometry.World; −2: no
	// contact, Body alone gained energy.
	Other int

	largest float64 // share of Body, J
}

// note adds a gain of a body, or of a contact of two.
func (g *GainedEnergy) note(energy float64, body, other int) {
	g.Energy += energy
	if energy > g.largest {
		g.largest, g.Body, g.Other = energy, body, other
	}
}

// GainedBy returns the name of the body or contact that gained the energy of the last report.
func (s *Stepper) GainedBy(g *GainedEnergy) string {
	if g.Other == noOther {
		return s.BodyName(g.Body)
	}
	return fmt.Sprintf("contact of %s and %s", s.BodyName(g.Body), s.BodyName(g.Other))
}

// noOther is GainedEnergy.Other of a single body.
const noOther = -2

// checkEnergy compares the energy of each body with its reference, and reports what the
// step before gained. The problem has the free motion of this step.
func (s *Stepper) checkEnergy(x *State) {
	b, p, trees := &s.balance, &s.Problem, s.numTrees()
	n := len(p.Cliques)
	b.known = len(x.EnergyReference) == n+1+trees
	if b.reference = append(b.reference[:0], x.EnergyReference...); !b.known {
		b.reference = append(b.reference[:0], make([]float64, n+1+trees)...)
	}
	b.scale, b.energies, b.masses = 0, b.energies[:0], b.masses[:0]
	for i := range trees {
		s.checkTree(i)
	}
	for i, d := range s.deformables {
		v := s.velocitiesOf(x, i)
		kinetic, elastic, potential := d.LumpedKineticEnergy(v), d.StartEnergy(), d.PotentialEnergy(s.Model.Gravity)
		tol := s.energyTolerance(potential, deformableTol/energyTol*(kinetic+elastic), d.model.Mass()) + d.EnergyRoundoff()
		if !b.known || kinetic+elastic+potential-b.reference[trees+i] > tol {
			kinetic = d.KineticEnergy(v) // exact where it counts, and for the first reference
		}
		e := kinetic + elastic + potential
		s.checkBody(trees+i, s.Model.Geometry.NumRigid+i, e, e, tol)
		b.scale += kinetic + elastic
		b.energies = append(b.energies, kinetic+elastic)
	}
}

// GainedBefore returns the spurious energy of the step that ended at a state, as the next
// step of h seconds would report it. A run calls it after its last step. The state is not
// changed.
func (s *Stepper) GainedBefore(x *State, h float64) GainedEnergy {
	s.Report.read() // before the problem is that of another step
	before := s.Report.EnergyGained
	s.Report.EnergyGained = GainedEnergy{}
	s.Place(x, h)
	s.limitEnergy(x)
	s.freeMotion(x, h)
	s.checkEnergy(x)
	gained := s.Report.EnergyGained
	s.Report.EnergyGained = before
	return gained
}

// energyTolerance returns (3) for a body with an energy (J), T + U of (3) and a mass (kg).
func (s *Stepper) energyTolerance(energy, scale, mass float64) float64 {
	h := s.Problem.H
	return energyTol*scale + 0.5*mass*h*h*s.Model.Gravity.Norm2() + energyRoundoff*math.Abs(energy) + leastEnergy
}

// checkTree applies (2) to a tree. The energy of one with joints has gained where both the
// energy of its state and that in step with its positions have, and R follows the larger.
func (s *Stepper) checkTree(t int) {
	p, b := &s.Problem, &s.balance
	c := &p.Cliques[t]
	end := c.Offset + c.Size
	e := s.rigid.TreeEnergy(t, s.Model.Gravity, p.V0[c.Offset:end], p.P[c.Offset:end])
	scale := e.Kinetic
	if s.rigid.model.HasJoints(t) {
		recent := &b.reference[len(p.Cliques)+1+t]
		*recent = max(e.Kinetic, (1-kineticDecay)**recent)
		scale = jointsTol / energyTol * *recent
	}
	s.checkBody(t, s.rigid.model.RootOfTree(t), min(e.State, e.Total), max(e.State, e.Total), s.energyTolerance(e.State, scale, e.Mass))
	b.scale += e.Kinetic
	b.energies, b.masses = append(b.energies, e.Kinetic), append(b.masses, e.Mass)
}

// checkBody applies (2) to clique i, of a scene body: energy is compared with R, which follows
// least where that is smaller.
func (s *Stepper) checkBody(i, body int, energy, least, tol float64) {
	R := &s.balance.reference[i]
	switch gained := energy - *R; {
	case s.balance.known && gained > tol:
		s.Report.EnergyGained.note(gained, body, noOther)
		*R = least
	case !(s.balance.known && least > *R):
		*R = least // (2)
	}
}

// limitEnergy gives the references to the free motion of trees, which keeps within them.
func (s *Stepper) limitEnergy(x *State) {
	n, trees := s.numTrees()+len(s.deformables), s.numTrees()
	switch {
	case trees == 0:
	case len(x.EnergyReference) == n+1+trees:
		s.rigid.LimitEnergy(x.EnergyReference[:trees], x.EnergyReference[n+1:])
	default:
		b := &s.balance
		if b.first == nil {
			b.first, b.atRest = slices.Repeat([]float64{math.Inf(1)}, trees), make([]float64, trees)
		}
		s.rigid.LimitEnergy(b.first, b.atRest)
	}
}

// numTrees returns the number of trees, which are the first cliques of the problem.
func (s *Stepper) numTrees() int {
	if s.rigid == nil {
		return 0
	}
	return s.rigid.model.Trees()
}

// addWork adds the work of the step's impulses to the references, and checks the work of
// contacts.
func (s *Stepper) addWork() {
	b, p := &s.balance, &s.Problem
	// loads of deformables, which no constraint stands for
	for i, d := range s.deformables {
		t := s.numTrees() + i
		b.reference[t] += d.loadWork(p.H, s.vNext[p.Cliques[t].Offset:])
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
		b.reference[i] += s.rigid.TreeWork(i, c.A, p.V0[c.Offset:end], p.P[c.Offset:end], s.vNext[c.Offset:end])
	}
	// deformables: by the impulses on their vertices
	if trees < len(p.Cliques) {
		for h := range p.Constraints {
			s.addVertexWork(cliques.Handle(h), trees)
		}
	}
	s.addContactWork(&b.reference[len(p.Cliques)])
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
		v := (*[3]float64)(s.vNext[p.NodeOffset[block.Node]:])
		for r, y := range gamma {
			J := (*[3]float64)(block.J[3*r:])
			s.balance.reference[i] += y * (J[0]*v[0] + J[1]*v[1] + J[2]*v[2])
		}
	}
}

// storedAtStart returns what contacts store at the start of a step, J: the first one's S. With
// faces of deformables it is infinite: what they store changes with their areas, by shares of
// all the energy that passes through them, which (5) does not know.
func (s *Stepper) storedAtStart() (stored float64) {
	for i := range s.contacts {
		if s.contacts[i].Area > 0 {
			return math.Inf(1)
		}
		stored += s.storedEnergy(&s.contacts[i], s.contacts[i].Phi)
	}
	for i := range s.Geometry.NumSurfacePairs() {
		stored += s.Geometry.EnergyAtStart(i)
	}
	return stored
}

// addContactWork updates S (4), and reports energy that contact points gained.
func (s *Stepper) addContactWork(S *float64) {
	b, p, reach := &s.balance, &s.Problem, constraints.ContactRange(s.Model.Contact)
	loaded, bound, most, at := false, 0.0, 0.0, 0
	for i, h := range s.handles {
		g := p.Impulse(h)[2]
		if g == 0 {
			continue
		}
		c := p.Velocity(h)[2]
		loaded = true
		*S -= g * c                                                // (4)
		bound += g / p.H * max(0, reach-(s.contacts[i].Phi+p.H*c)) // (5)
		if g*c > most {
			most, at = g*c, i
		}
	}
	fields := &s.surfaceGain
	*S += fields.total
	if !b.known {
		*S += s.storedAtStart()
	}
	switch {
	case !loaded && fields.stored == 0 && fields.total == 0:
		*S = 0
	case *S < fields.stored-(energyTol*b.scale+bound):
		bodies := fields.pair
		if most > 0 {
			a := &s.contacts[at]
			bodies = [2]int{a.A.Body, a.B.Body}
		}
		s.Report.EnergyGained.note(fields.stored-*S, bodies[0], bodies[1])
		*S = fields.stored
	}
}
