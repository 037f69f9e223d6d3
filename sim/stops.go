package sim

// Rigid bodies that friction stops within a step of the midpoint rule. A contact that slides and then sticks has about
// no displacement velocity in the step in which it stops, so that its bodies would leave at v⁺ = v0 (1 − 1/θ), and slip
// back and forth for some steps. It is an impact along the surface (constraints/impact.go): with θ = 1 they end at
// rest. A contact of two bodies stops if
//
//	|c_t| ≤ b,   b = w_t Σ μ γ_n,   γ_n = h f(φ0) + max(0, −c_n)/w_n             (1)
//
// with its velocity c and gap φ0 at the start, its inverse masses w along the slip and the normal, the force f of its
// law at rest and the sum over its points, and if it slid faster before, in the same direction. That is the velocity of
// the last displacement at the point where the bodies touched in the middle of the step before,
//
//	p₋ = p − (p½ − p) h₋/h                                                    (2)
//
// with the points p of the start and p½ of the middle of this one. What sticks alternates about zero there, and what
// rolls has other velocities at other points: neither counts. (2) is known to second order, so that slip counts from
//
//	|c_t| > v_s + Σ h |ω|² |p½ − p − ½ h v|                                     (3)
//
// on, with the angular velocities ω of the bodies and the velocities v of their origins.
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
	s.halfway.known = false
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
				s.pair, _ = s.Model.ContactMaterials.Pair(c) // its error is reported where the contact is appended
				s.noteStop(x, c, &s.pair, bound, h, k)
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
		s.pair = pair
		force := 0.0
		for k := range f.Surface.Faces {
			if face := &f.Surface.Faces[k]; face.Phi < 0 {
				force += face.Area * face.Pressure
			}
		}
		at := &s.surfaceContact
		*at = c
		s.noteStop(x, at, &s.pair, h*pair.Friction*force, h, -1)
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
	if approach := s.relativeVelocity(x, c).Dot(c.Normal_W); c.Phi+h*approach < 0 && approach < 0 {
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

// noteStop gives the bodies of a contact θ = 1 where friction of the bound Σ μ γ_n (N s) stops it. i is its number, −1
// of a contact surface.
func (s *Stepper) noteStop(x *State, c *geometry.Contact, pair *constraints.Pair, bound, h float64, i int) {
	if s.isDriven(c.A.Body) || s.isDriven(c.B.Body) {
		return
	}
	run := constraints.SurfaceVelocity(pair, s.kin, c.A.Body, c.B.Body)
	slip := tangential(s.relativeVelocity(x, c).Add(run), &c.Normal_W)
	speed := slip.Norm()
	stiction, _ := constraints.SlipTolerances(s.contact)
	if !(speed > stiction) {
		return
	}
	dir := &s.stopAlong
	dir.SetScale(1/speed, &slip)
	if speed > bound*constraints.InverseMassAlong(c, dir, s.kin) {
		return
	}
	before, way := s.rigid.Integrated().Before, s.wayToMiddle(h, i)
	for _, body := range [2]int{c.A.Body, c.B.Body} {
		if body != geometry.World {
			w, u := s.rigid.StepVelocity(body)
			stiction += h * w.Norm2() * way.AddScaled(-0.5*h, *u).Norm()
		}
	}
	if !(speed > stiction) { // (3)
		return
	}
	last := c.Pos_W.Sub(way.Scale(before / h)) // (2)
	if slid := s.lastVelocityAt(c.B.Body, last).Sub(s.lastVelocityAt(c.A.Body, last)).Add(run).Dot(*dir); slid < speed {
		return
	}
	for _, body := range [2]int{c.A.Body, c.B.Body} {
		if body != geometry.World && s.rigid.model.TreeOf(body) >= 0 {
			s.noteTheta(s.rigid.model.TreeOf(body), 1)
		}
	}
}

// halfway are the contacts of the detection in the middle of the step that the velocities at its start predict.
type halfway struct {
	known    bool
	X_WB     []r3.Pose
	contacts []geometry.Contact
}

// wayToMiddle returns by how much contact i moves until the middle of the step, m; zero for i = −1.
func (s *Stepper) wayToMiddle(h float64, i int) (d r3.Vec) {
	if i < 0 {
		return d
	}
	m := &s.halfway
	if !m.known {
		m.known = true
		m.X_WB = append(m.X_WB[:0], s.Geometry.X_WB...)
		for link := range m.X_WB {
			w, u := s.rigid.StepVelocity(link)
			X := &m.X_WB[link]
			X.P.IncScale(0.5*h, u)
			X.R = r3.RotExp(w.Scale(0.5 * h)).Mul(X.R)
		}
		m.contacts = append(m.contacts[:0], s.contacts...)
		s.Geometry.MoveToMiddle(m.X_WB, m.contacts)
	}
	return m.contacts[i].Pos_W.Sub(s.contacts[i].Pos_W)
}

// relativeVelocity returns the velocity of B seen from A at a contact at the start of the step, m/s.
func (s *Stepper) relativeVelocity(x *State, c *geometry.Contact) r3.Vec {
	return s.velocityAt(x, &c.B, &c.Pos_W).Sub(s.velocityAt(x, &c.A, &c.Pos_W))
}

// lastVelocityAt returns the displacement velocity of the step before of a point of a contact of rigid bodies, which is
// at p_W (m) in the middle of that step, m/s.
func (s *Stepper) lastVelocityAt(body int, p_W r3.Vec) (v r3.Vec) {
	if body == geometry.World {
		return v
	}
	w, u := s.rigid.PredictedVelocity(body)
	origin := s.Geometry.X_WB[body].P.AddScaled(-0.5*s.rigid.Integrated().Before, *u)
	return u.Add(w.Cross(p_W.Sub(origin)))
}

// tangential returns the part of v at right angles to the unit normal n.
func tangential(v r3.Vec, n *r3.Vec) r3.Vec { return v.AddScaled(-v.DotOf(n), *n) }
