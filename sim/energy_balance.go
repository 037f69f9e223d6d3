package sim

// The energy balance of a step: it may not give a part of the model energy beyond the work of impulses on it. Parts are
// bodies, each a tree or a deformable, all contacts together, and the springs among the constraints. For each body b,
// with its energy E_b (kinetic, of gravity, of springs of its joints and strain) at the starts of this step and of the
// next,
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
//	tol_b = 0.01 (T_b + U_b) + ½ m_b h² g² + round-off                      (3)
//
// after which R is E_b⁺. T and U are the kinetic energy and that of strain. So many gains below the tolerance are one
// above it. For a tree with joints the first term is 0.15 K_b, with the kinetic energy of late, K⁺ = max(T, (1 −
// 1/1024) K):
// (2) compares the smaller of its energies of rigid.TreeEnergy, and R follows the larger. Its energy oscillates by some
// hundredths at a tenth of a radian a step, and comes back. What does not come back for 16 steps is a gain, too: with
// the least energy M of that many steps,
//
//	gained = M − R > 0.075 K_b + …,                                          (3a)
//
// of which what was reported before is left out. By
// its R and K the next free motion limits its energy (rigid/energy_limit.go). E_b⁺ is known in
// the next step, from its matrices and the rotations of its elements at little cost: each
// step reports what the step before it gained, and R + W_b is part of the state. Bodies that
// a prescribed joint carries are left out: the work of that joint is not known. See
// rigid/balance.go for E and W of trees, fem/balance.go for U. T of a deformable is that of
// masses lumped at its vertices, an upper bound, unless (2) exceeds the tolerance or the reference is the first.
//
// A spring is a part with E = U (constraints/stored_energy.go) and W = −γ·c: its force is implicit in the step and
// takes no less than what it stores, but for the turn of its direction. Its tolerance is 0.01 (U + Σ (T_b + U_b)) of
// the bodies on it.
//
// The potentials of contact are convex, so that a contact never gives more in a step than its
// potential had at the step's start. But gaps are measured again in every step, and a gap that
// is narrower than the step before predicted has more potential. So what contacts give to bodies may not exceed what
// they stored,
//
//	S⁺ = min(S + W, U⁺),   W = −Σ (γ_n c_n − max(0, ½ γ·(c − c⁰))),   gained = −(S + W) > tol_c     (4)
//	tol_c = 0.01 (Σ (T_b + U_b) + U) + Σ f_n δ,   with deformables 0.05 (…)  (5)
//
// after which S is 0. c is the relative velocity, c_n along the normal and c⁰ that at the start of the step, δ the
// depth within the range of the law, f_n = γ_n/h, U the energy that contacts store at rest where bodies are
// (term_faces.go), of pressure fields that of term_field_energy.go. Of the work γ·c bodies lose ½ γ·(c − c⁰) at once,
// by (1), as impulses work at the mean of both velocities: that was no gain of theirs. S is U at the start of a run:
// the release of bodies that overlap there is no gain. What faces of deformables store changes with their areas, by
// shares of all the energy that passes through them: with them S is not bounded by U, and infinite at the start of a
// run until they open. What a single step gains by pressure fields is measured at its end (term_field_energy.go). So is
// what faces and deformables have above the tolerance of their term in the smallest parts of a step: it is reported in
// the step itself, and S or R has it, so that it counts once. What faces store then, bodies get in the steps after.
//
// A gain is reported with the time at which the part gained most in a single step, by E⁺ − E − W, since R was last E⁺.

import (
	"fmt"
	"math"
	"slices"
)

const (
	energyTol      = 0.01  // of (3) and (5)
	facesTol       = 0.05  // of (5) with deformables
	jointsTol      = 0.15  // of (3) for trees with joints: above θ of rigid/energy_limit.go
	lastingTol     = 0.075 // of (3a)
	lastingSteps   = 16    // of (3a)
	kineticDecay   = 1. / 1024
	energyRoundoff = 1e-11 // of (3), relative to E_b: potential energies are large far from the origin
	leastEnergy    = 1e-18 // of (3), J: a microgram at a micrometre per second has less than a thousandth
)

// energyBalance is the scratch of (1) to (5).
type energyBalance struct {
	// reference is R of each part, with the work of the step added: bodies, contacts (S), springs; then K, M and the
	// reported part of M − R of each tree, J; then E + W, the largest gain in a step and the time of it (s) of each
	// part; then the number of steps of M.
	reference []float64
	// parts and trees are their numbers.
	parts, trees int
	// springs are those among the constraints.
	springs []springPart
	// stored is what contacts of rigid bodies store, J; faces reports that there are faces of deformables.
	stored float64
	faces  bool
	// first and atRest are R, +Inf, and K, 0, of trees in a first step, which has no references.
	first, atRest []float64
	// known reports that the state has references.
	known bool
	// time is that of the start of the step, s.
	time float64
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
	// contact, Body alone gained energy; −3: a spring, and Body is the number of its constraint in Model.Constraints.
	Other int
	// Share is the part of Energy that Body, the contact or the spring gained, J.
	Share float64
	// Time is the end of the step in which it gained most of it, s.
	Time float64
	// Scale is the kinetic and elastic energy of what gained, J: of a contact or spring that of the bodies on it.
	Scale float64
}

// note adds a gain of a body, a contact of two or a spring, at a time (s).
func (g *GainedEnergy) note(energy float64, body, other int, t, scale float64) {
	g.Energy += energy
	if energy > g.Share {
		g.Share, g.Body, g.Other, g.Time, g.Scale = energy, body, other, t, scale
	}
}

// GainedBy returns the name of the body, contact or spring that gained the energy of a report.
func (s *Stepper) GainedBy(g *GainedEnergy) string {
	switch g.Other {
	case noOther:
		return s.BodyName(g.Body)
	case isSpring:
		return s.Model.constraintName(g.Body)
	}
	return fmt.Sprintf("contact of %s and %s", s.BodyName(g.Body), s.BodyName(g.Other))
}

// GainedEnergy.Other of a single body, and of a spring.
const (
	noOther  = -2
	isSpring = -3
)

// checkEnergy compares the energy of each part with its reference, and reports what the
// step before gained. The problem has the free motion of this step.
func (s *Stepper) checkEnergy(x *State) {
	b, p, trees := &s.balance, &s.Problem, s.numTrees()
	bodies := len(p.Cliques)
	b.parts, b.trees, b.time = bodies+1+len(b.springs), trees, x.Time
	n := b.length()
	if b.known = len(x.EnergyReference) == n; b.known {
		b.reference = append(b.reference[:0], x.EnergyReference...)
	} else {
		b.reference = slices.Grow(b.reference[:0], n)[:n]
		clear(b.reference)
	}
	steps := &b.reference[n-1]
	if *steps++; *steps > lastingSteps {
		*steps = 1
	}
	b.scale, b.energies, b.masses = 0, b.energies[:0], b.masses[:0]
	for i := range trees {
		s.checkTree(i)
	}
	for i, d := range s.deformables {
		v := s.velocitiesOf(x, i)
		kinetic, elastic, potential := d.LumpedKineticEnergy(v), d.StartEnergy(), d.PotentialEnergy(s.Model.Gravity)
		tol := s.energyTolerance(potential, kinetic+elastic, d.model.Mass()) + d.EnergyRoundoff()
		if !b.known || kinetic+elastic+potential-b.reference[trees+i] > tol {
			kinetic = d.KineticEnergy(v) // exact where it counts, and for the first reference
		}
		e := kinetic + elastic + potential
		s.checkPart(trees+i, energyOf{e, e, tol, kinetic + elastic}, s.Model.Geometry.NumRigid+i, noOther)
		b.scale += kinetic + elastic
		b.energies = append(b.energies, kinetic+elastic)
	}
	s.checkSprings()
	s.checkContacts(&b.reference[bodies])
}

// length returns the length of the references.
func (b *energyBalance) length() int { return 4*b.parts + 3*b.trees + 1 }

// ofTree returns K, M and what was reported of it, of a tree.
func (b *energyBalance) ofTree(t int) (recent, least, reported *float64) {
	k := b.reference[b.parts:]
	return &k[t], &k[b.trees+t], &k[2*b.trees+t]
}

// ofPart returns E + W, the largest gain in a step, and its time, of a part.
func (b *energyBalance) ofPart(i int) (before, most, at *float64) {
	k := b.reference[b.parts+3*b.trees:]
	return &k[i], &k[b.parts+i], &k[2*b.parts+i]
}

// GainedBefore returns the spurious energy of the step that ended at a state, as the next
// step of h seconds would report it. A run calls it after its last step. The state is not
// changed.
func (s *Stepper) GainedBefore(x *State, h float64) GainedEnergy {
	s.Report.read() // before the problem is that of another step
	before := s.Report.EnergyGained
	s.Report.EnergyGained = GainedEnergy{}
	s.Place(x, h)
	s.collide(h)
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
		recent, _, _ := b.ofTree(t)
		*recent = max(e.Kinetic, (1-kineticDecay)**recent)
		scale = jointsTol / energyTol * *recent
	}
	energy := energyOf{min(e.State, e.Total), max(e.State, e.Total), s.energyTolerance(e.State, scale, e.Mass), e.Kinetic}
	s.checkPart(t, energy, s.rigid.model.RootOfTree(t), noOther)
	if s.rigid.model.HasJoints(t) {
		s.checkLasting(t, &energy, s.energyTolerance(e.State, lastingTol/jointsTol*scale, e.Mass))
	}
	b.scale += e.Kinetic
	b.energies, b.masses = append(b.energies, e.Kinetic), append(b.masses, e.Mass)
}

// energyOf is the energy of a part at the start of a step, J: that which is compared with R, that which R follows where
// it is smaller, the tolerance of (2), and the kinetic and elastic energy.
type energyOf struct{ energy, least, tol, scale float64 }

// checkPart applies (2) to part i, which is a body or contact of two, or a spring.
func (s *Stepper) checkPart(i int, e energyOf, body, other int) {
	b := &s.balance
	R, reported := &b.reference[i], 0.0
	before, most, at := b.ofPart(i)
	if i < b.trees {
		_, _, r := b.ofTree(i)
		reported = *r
	}
	if b.known && e.energy-*before > *most {
		*most, *at = e.energy-*before, b.time
	}
	*before = e.energy
	switch gained := e.energy - *R - reported; {
	case b.known && gained > e.tol:
		s.Report.EnergyGained.note(gained, body, other, *at, e.scale)
	case b.known && e.least > *R:
		return
	}
	*R, *most, *at = e.least, 0, b.time // (2)
	if i < b.trees {
		_, _, r := b.ofTree(i)
		*r = 0
	}
}

// checkLasting applies (3a) to a tree with joints. R stays, by which its free motion is limited.
func (s *Stepper) checkLasting(t int, e *energyOf, tol float64) {
	b := &s.balance
	_, least, reported := b.ofTree(t)
	steps := b.reference[len(b.reference)-1]
	if steps == 1 || e.energy < *least {
		*least = e.energy
	}
	if steps < lastingSteps || !b.known {
		return
	}
	if gained := *least - b.reference[t] - *reported; gained > tol {
		_, most, at := b.ofPart(t)
		s.Report.EnergyGained.note(gained, s.rigid.model.RootOfTree(t), noOther, *at, e.scale)
		*reported += gained
		*most = 0
	}
}

// limitEnergy gives the references to the free motion of trees, which keeps within them.
func (s *Stepper) limitEnergy(x *State) {
	trees := s.numTrees()
	like := energyBalance{parts: trees + len(s.deformables) + 1 + len(s.balance.springs), trees: trees}
	switch {
	case trees == 0:
	case len(x.EnergyReference) == like.length():
		s.rigid.LimitEnergy(x.EnergyReference[:trees], x.EnergyReference[like.parts:][:trees])
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

// checkContacts bounds S by what contacts store at the start of the step (4).
func (s *Stepper) checkContacts(S *float64) {
	b, law := &s.balance, s.Model.Contact.Facts().Normal
	reach, stiffness := law.Range(), 0.0
	b.stored, b.faces = 0, false
	for i := range s.contacts {
		c := &s.contacts[i]
		if c.Area > 0 {
			b.faces = true
			continue
		}
		if c.Core { // takes what it stores for good
			continue
		}
		// consecutive points of the same materials and weight share their stiffness
		if i == 0 || c.Materials != s.contacts[i-1].Materials || c.Weight != s.contacts[i-1].Weight || s.contacts[i-1].Area > 0 || s.contacts[i-1].Core {
			stiffness = 0
		}
		if c.Phi >= reach {
			continue
		}
		if stiffness == 0 {
			stiffness = s.contactStiffness(c)
		}
		b.stored += storedAt(law, stiffness, c.Phi)
	}
	for i := range s.Geometry.NumSurfacePairs() {
		b.stored += s.Geometry.EnergyAtStart(i)
	}
	switch {
	case b.faces && !b.known:
		*S = math.Inf(1)
	case !b.faces && (!b.known || b.stored < *S):
		*S = b.stored
	}
}
