package sim

// Faces: what contacts of deformables store at the end of a step. A contact is a potential, and takes
// from the bodies what it stores. The next step measures gaps again: what it finds deeper than
// this step's contacts say is energy that no body gave, and that the contact gives back. A
// corner that a plate's large faces met beside their contacts threw bodies away with four times
// their energy. With the energy U of a contact at a gap, faces f found at the end and contacts i
// of the solved problem, each pair of bodies therefore has
//
//	Σ_f U_f(φ_f) ≤ Σ_i U_i(φ_i + h c_i) + ε (E + Σ_i U_i(φ_i + h c_i)),  E = T_A + U_A + T_B + U_B   (1)
//
// at the start of the step, where contacts that were added in the step count with what the bodies
// gave them at most,
//
//	U_i ≤ max(0, −γ_i c_i),                                                                  (2)
//
// as they may begin deeper than the bodies are, or gets the faces as further contacts, linear about the solved
// motion (geometry/deformable_end.go), and the step is solved again. They are allowed ε E at rest.
//
// Source: this program.

import (
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
)

// endEnergyTol is ε of (1).
const endEnergyTol = 5e-3

// faces is the term of (1).
type faces struct {
	plainTerm
	found []geometry.Contact // that measure found to lack
	off   []defect           // pairs that exceed (1)
	// at is the geometry where bodies are at the end of the step; nil without deformables.
	at *geometry.Data
	// err is why the last detection ended early; nil: it did not.
	err error
}

var facesKind = termKind{name: "faces", unit: "J", again: "faces of deformables were found again at the end of the step"}

// newFaces returns the term of a stepper that has its deformables in place.
func newFaces(s *Stepper) *faces {
	e := &faces{}
	if len(s.deformables) == 0 {
		return e
	}
	e.at = geometry.NewData(s.Model.Geometry)
	e.at.Pool = s.pool
	copy(e.at.ActiveTriangle, s.Geometry.ActiveTriangle)
	copy(e.at.Kinematic, s.Geometry.Kinematic)
	copy(e.at.X_W, s.Geometry.X_W)
	if len(s.Model.Start.Q) > 0 {
		e.at.BuildSurfaces()
	}
	return e
}

// begin implements term.
func (e *faces) begin(*Stepper) { e.err = nil }

// measure returns the largest energy by which a pair exceeds (1), J, with the contacts that it lacks.
func (e *faces) measure(s *Stepper) (worst defect) {
	e.found, e.off = e.found[:0], e.off[:0]
	if !s.Geometry.CanTouch() || e.at == nil || !s.Geometry.DeformablesMoveFar() {
		return worst
	}
	if !s.Geometry.DeformablesMoveApart(s.iterate.follow(s), s.iterate.end(s)) {
		return worst
	}
	found := e.collide(s)
	// contacts of two bodies follow each other
	for i := 0; i < len(found); {
		from := i
		for i++; i < len(found) && ofSameBodies(&found[i], &found[from]); i++ {
		}
		if d := e.measurePair(s, found[from:i]); d.ratio > worst.ratio {
			worst = d
		}
	}
	return worst
}

// noteGains reports what pairs have above (1) in a smallest part of a step that is accepted: the bodies may get it in
// the next, so that contacts may give it from now on.
func (e *faces) noteGains(s *Stepper) {
	S := &s.balance.reference[len(s.Problem.Cliques)]
	for i := range e.off {
		d := &e.off[i]
		scale := s.startEnergy(d.bodies[0]) + s.startEnergy(d.bodies[1])
		s.Report.EnergyGained.note(d.value, d.bodies[0], d.bodies[1], s.iterate.state.endTime(s.iterate.h), scale)
		*S += d.value
	}
}

// linearize adds the contacts that lack.
func (e *faces) linearize(s *Stepper) change { return s.addContacts(e.found) }

// collide returns the contacts of deformables at the end of the step.
func (e *faces) collide(s *Stepper) []geometry.Contact {
	motions := s.iterate.follow(s)
	for i := range motions {
		e.at.X_WB[i] = motions[i].X1
	}
	copy(e.at.X_W, s.iterate.end(s))
	// what is farther apart than the law acts stores nothing
	e.at.ContactRange, e.at.DeformableSpeculativeDistance = s.Geometry.ContactRange, s.Geometry.ContactRange
	found := e.at.CollideDeformables()
	e.err = e.at.Err()
	return found
}

// measurePair returns the defect of one pair from its contacts at the end.
func (e *faces) measurePair(s *Stepper, found []geometry.Contact) defect {
	h := s.iterate.h
	stored := 0.0
	for i := range found {
		stored += s.storedEnergy(&found[i], found[i].Phi)
	}
	if stored == 0 {
		return defect{}
	}
	known := 0.0
	for i, handle := range s.handles {
		// a core takes what it stores for good
		if c := &s.contacts[i]; ofSameBodies(c, &found[0]) && !c.Core {
			v := s.Problem.Velocity(handle)[2]
			// with a slip offset, what the law has is not what the gap says
			stored := s.storedEnergy(c, c.Phi+h*max(v, constraints.ActingVelocity(&s.Problem, handle)))
			if i >= len(s.detected) {
				stored = min(stored, max(0, -v*s.Problem.Impulse(handle)[2])) // (2)
			}
			known += stored
		}
	}
	bodies := [2]int{found[0].A.Body, found[0].B.Body}
	scale := s.startEnergy(bodies[0]) + s.startEnergy(bodies[1])
	d := defect{ratio: (stored - known) / (endEnergyTol * (scale + known)), value: stored - known, bodies: bodies} // (1)
	if !(d.ratio > 1) {
		return d
	}
	e.off = append(e.off, d)
	reach := s.Geometry.ContactRange
	for i := range found {
		if found[i].Phi >= reach {
			continue
		}
		c := found[i]
		k := s.contactStiffness(&c)
		s.Geometry.AtStart(&c, s.iterate.follow(s), s.iterate.end(s), reach-math.Sqrt(2*endEnergyTol*scale/(k*float64(len(found)))))
		e.found = append(e.found, c)
	}
	return d
}

// ofSameBodies reports whether two contacts are of the same bodies.
func ofSameBodies(c, e *geometry.Contact) bool { return c.A.Body == e.A.Body && c.B.Body == e.B.Body }

// contactStiffness returns the stiffness of a contact, N/m.
func (s *Stepper) contactStiffness(c *geometry.Contact) float64 {
	// materials without a finite stiffness stopped the step when it was constrained
	pair, _ := s.Model.ContactMaterials.Pair(c)
	return pair.Stiffness
}

// storedEnergy returns the energy that a contact stores at rest at a gap phi (m), J: the
// integral of its force by Simpson's rule, exact for springs.
func (s *Stepper) storedEnergy(c *geometry.Contact, phi float64) float64 {
	law := s.Model.Contact.Facts().Normal
	if !(law.Range() > phi) {
		return 0
	}
	return storedAt(law, s.contactStiffness(c), phi)
}

// storedAt returns the energy of a contact of stiffness k (N/m) at a gap phi (m) under a law, J.
func storedAt(law constraints.NormalFacts, k, phi float64) float64 {
	way := law.Range() - phi
	if !(way > 0) {
		return 0
	}
	end, _ := law.StaticForce(k, -phi)
	middle, _ := law.StaticForce(k, -phi-way/2)
	return way / 6 * (end + 4*middle)
}

// startEnergy returns the kinetic and elastic energy of a body at the start of the step, of a
// link that of its tree, J; that of prescribed bodies is not known and counts as 0.
func (s *Stepper) startEnergy(body int) float64 {
	n := s.Model.Geometry.NumRigid
	if body >= n {
		return s.balance.energies[s.numTrees()+body-n]
	}
	if body == geometry.World || s.rigid.model.TreeOf(body) < 0 {
		return 0
	}
	return s.balance.energies[s.rigid.model.TreeOf(body)]
}
