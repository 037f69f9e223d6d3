package sim

// Rigid bodies that friction stops within a step of the midpoint rule. A contact that slides and then sticks has about
// no displacement velocity in the step in which it stops, so that its bodies would leave at v⁺ = v0 (1 − 1/θ), and slip
// back and forth for some steps. It is an impact along the surface (constraints/impact.go): with θ = 1 they end at rest.
// A contact of two bodies stops if it slid in the step before, faster and in the direction in which it slides now, and
// if
//
//	|c_t| ≤ w_t Σ μ γ_n,   γ_n = h f(φ0) + max(0, −c_n)/w_n                   (1)
//
// with its velocity c and gap φ0 at the start, its inverse masses w along the slip and the normal, the force f of its law
// at rest and the sum over its points. What sticks has w₋ of about zero, and alternates about it: it does not count.
// Prescribed motions have no w₋, and their contacts no stops. Source: this program.

import (
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// findStops gives bodies whose contacts friction stops within the step θ = 1.
func (s *Stepper) findStops(x *State, h float64) {
	if s.rigid == nil || len(s.rigid.Integrated().W) == 0 {
		return
	}
	s.rigid.Data.PredictMotion(s.rigid.Integrated().W)
	for i, j := 0, 0; i < len(s.contacts); i = j {
		j = i + 1
		if c := &s.contacts[i]; c.Area > 0 || c.A.N+c.B.N > 0 {
			continue
		}
		for j < len(s.contacts) && ofSameBodies(&s.contacts[i], &s.contacts[j]) {
			j++
		}
		bound := 0.0 // Σ μ γ_n
		for k := i; k < j; k++ {
			bound += s.frictionBound(x, &s.contacts[k], h)
		}
		for k := i; k < j && bound > 0; k++ {
			if c := &s.contacts[k]; !c.Core {
				pair, _ := s.Model.ContactMaterials.Pair(c) // its error is reported where the contact is appended
				s.noteStop(x, c, &pair, bound)
			}
		}
	}
	for i := range s.surfaces {
		f := &s.surfaces[i]
		c, _, ok := constraints.SurfaceContact(f)
		pair, err := s.Model.ContactMaterials.HydroelasticPair(f)
		if !ok || err != nil {
			continue
		}
		force := 0.0
		for k := range f.Surface.Faces {
			if face := &f.Surface.Faces[k]; face.Phi < 0 {
				force += face.Area * face.Pressure
			}
		}
		at := &s.surfaceContact
		*at = c
		s.noteStop(x, at, &pair, h*pair.Friction*force)
	}
}

// frictionBound returns the term of a point in (1), N s.
func (s *Stepper) frictionBound(x *State, c *geometry.Contact, h float64) float64 {
	if c.Core {
		return 0
	}
	pair, err := s.Model.ContactMaterials.Pair(c)
	if err != nil || !(pair.Friction > 0) {
		return 0
	}
	impulse := 0.0
	if c.Phi < s.Model.Contact.Facts().Normal.Range() {
		force, _ := s.Model.Contact.Facts().Normal.StaticForce(pair.Stiffness, -c.Phi)
		impulse = h * force
	}
	if approach := s.relativeVelocity(x, c, s.velocityAt).Dot(c.Normal_W); c.Phi+h*approach < 0 && approach < 0 {
		impulse += -approach / constraints.ContactInverseMass(c, s.kin)
	}
	return pair.Friction * impulse
}

// isDriven reports whether a prescribed motion moves a body.
func (s *Stepper) isDriven(body int) bool {
	if body == geometry.World || s.rigid.model.TreeOf(body) >= 0 {
		return false
	}
	w, u := s.rigid.StepVelocity(body)
	return *w != r3.Vec{} || *u != r3.Vec{}
}

// noteStop gives the bodies of a contact θ = 1 where friction of the bound Σ μ γ_n (N s) stops it.
func (s *Stepper) noteStop(x *State, c *geometry.Contact, pair *constraints.Pair, bound float64) {
	if s.isDriven(c.A.Body) || s.isDriven(c.B.Body) {
		return
	}
	run := constraints.SurfaceVelocity(pair, s.kin, c.A.Body, c.B.Body)
	slip := tangential(s.relativeVelocity(x, c, s.velocityAt).Add(run), &c.Normal_W)
	speed := slip.Norm()
	if stiction, _ := constraints.SlipTolerances(s.contact); !(speed > stiction) {
		return
	}
	dir := slip.Scale(1 / speed)
	slid := s.relativeVelocity(x, c, s.lastVelocityAt).Add(run).Dot(dir)
	if slid < speed || speed > bound*constraints.InverseMassAlong(c, &dir, s.kin) {
		return
	}
	for _, body := range [2]int{c.A.Body, c.B.Body} {
		if body != geometry.World && s.rigid.model.TreeOf(body) >= 0 {
			s.impacts[s.rigid.model.TreeOf(body)] = 1
		}
	}
}

// relativeVelocity returns the velocity of B seen from A at a contact, of velocities of points of bodies, m/s.
func (s *Stepper) relativeVelocity(x *State, c *geometry.Contact, of func(x *State, f *geometry.MaterialPoint, p_W *r3.Vec) r3.Vec) r3.Vec {
	return of(x, &c.B, &c.Pos_W).Sub(of(x, &c.A, &c.Pos_W))
}

// lastVelocityAt returns the displacement velocity of the step before of a point of a contact of rigid bodies, m/s.
func (s *Stepper) lastVelocityAt(_ *State, f *geometry.MaterialPoint, p_W *r3.Vec) (v r3.Vec) {
	if f.Body == geometry.World {
		return v
	}
	w, u := s.rigid.PredictedVelocity(f.Body)
	return u.Add(w.Cross(p_W.Sub(s.Geometry.X_WB[f.Body].P)))
}

// tangential returns the part of v at right angles to the unit normal n.
func tangential(v r3.Vec, n *r3.Vec) r3.Vec { return v.AddScaled(-v.DotOf(n), *n) }
