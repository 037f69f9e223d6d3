package sim

import (
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Held contacts of a search for the state at rest. Detection divides the faces of deformables anew at each state: how it
// divides them jumps, and with it the forces, by some thousandths of those of a contact. Where a search stalls for that it goes on with
// the contacts of one state, whose gaps follow the displacement d of their material points since,
//
//	φ = φ₀ + n·(d_B − d_A),                                                     (1)
//
// balances all forces with these, and detects contacts again there, until the state moves no more: it is then one whose
// forces balance with contacts that were detected within a displacement of restMoved of it, as the contacts of a step are.

// heldContacts are the contacts that a search holds.
type heldContacts struct {
	on     bool
	phi    []float64 // φ₀, m
	from   anchor    // where they were detected
	rounds int       // how often they were detected anew
	q      []float64 // the state there
	moved  float64   // how far the state at rest is from it, m or rad
}

// hold takes the contacts at hand, of the state x.
func (c *heldContacts) hold(s *Stepper, x *State) {
	c.on = true
	c.rounds++
	c.phi = c.phi[:0]
	for i := range s.contacts {
		c.phi = append(c.phi, s.contacts[i].Phi)
	}
	c.from.set(s)
	c.q = append(c.q[:0], x.Q...)
}

// update sets the gaps (1) at the placed bodies.
func (c *heldContacts) update(s *Stepper) {
	for i := range s.contacts {
		k := &s.contacts[i]
		d := c.from.displacement(s, &k.B, k.Pos_W).Sub(c.from.displacement(s, &k.A, k.Pos_W))
		k.Phi = c.phi[i] + k.Normal_W.Dot(d)
	}
}

// distance returns how far the state x is from where they were detected, m or rad.
func (c *heldContacts) distance(x *State) float64 { return largestDifference(x.Q, c.q) }

// anchor is where the material points of bodies were at a state.
type anchor struct {
	poses []r3.Pose
	verts [][]r3.Vec
}

// set takes the bodies as they are placed.
func (a *anchor) set(s *Stepper) {
	a.poses = append(a.poses[:0], s.Geometry.X_WB...)
	for i, x := range s.Geometry.X_W {
		if len(a.verts) <= i {
			a.verts = append(a.verts, nil)
		}
		a.verts[i] = append(a.verts[i][:0], x...)
	}
}

// displacement returns how far a material point of a body has moved since, m. pos_W is where it is, of a rigid body.
func (a *anchor) displacement(s *Stepper, p *geometry.MaterialPoint, pos_W r3.Vec) (d r3.Vec) {
	switch {
	case p.Body == geometry.World:
	case p.N > 0:
		i := p.Body - s.Geometry.Model.NumRigid
		now, then := s.Geometry.X_W[i], a.verts[i]
		for k := range p.N {
			v := p.Vert[k]
			d = d.AddScaled(p.W[k], now[v].Sub(then[v]))
		}
	default:
		X := &s.Geometry.X_WB[p.Body]
		d = pos_W.Sub(a.poses[p.Body].Point(X.InvPoint(pos_W)))
	}
	return d
}
