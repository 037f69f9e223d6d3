package sim

import (
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Held contacts of a search for the state at rest. Detection divides the faces of deformables again at each state: how
// it divides them jumps, and with it the forces, by some thousandths of those of a contact, or more where few points
// touch. Where a search stalls for that it continues with the contacts of one state, whose gaps follow the displacement
// d of their material points since,
//
//	φ = φ₀ + n·(d_B − d_A),                                                     (1)
//
// balances all forces with these, and detects contacts again there, until the state moves no more: it is then one whose
// forces balance with contacts that were detected within a displacement of restMoved of it, as the contacts of a step
// are.
//
// Where the state is at a jump, this goes to and fro: contacts 0 that are detected on one side of it move the bodies to
// the other, and contacts 1 of that side back. A jump admits any force between those of both sides, so both are kept,
// with the stiffness of shares of theirs,
//
//	F = (1 − θ) F₀ + θ F₁,                                                      (2)
//
// and θ is sought in steps towards the side of what is detected at the balance of (2), by the sign of (F − (2))·(F₁ −
// F₀), which takes the place of the contacts of that side. The steps are halved where the side changes and doubled
// where it does not change twice, until both sides were detected close to the state. Source: this program; for (2)
// Filippov, "Differential equations with discontinuous righthand sides", 1988.

// heldContacts are the contacts that a search holds.
type heldContacts struct {
	on       bool
	from     anchor // where φ₀ are those
	rounds   int    // how often they were detected again
	sides    [2]heldSide
	both     bool      // (2), else those of side 0
	share    float64   // θ of (2)
	step     float64   // of θ, towards side 1 where it is positive
	same     int       // steps in turn to one side
	jump     []float64 // F₁ − F₀, or that of the last detection, N or N m
	moved    float64   // how far the state at rest is from where they were detected, m or rad
	farthest int       // the side that is moved away
}

// heldSide are contacts of one side of a jump.
type heldSide struct {
	contacts []geometry.Contact // with φ₀
	q        []float64          // the state at which they were detected
}

// release lets go of contacts at a balance, so that they are detected again there.
func (c *heldContacts) release(s *Stepper) {
	c.on = false
	for k := range c.sides {
		c.follow(s, c.sides[k].contacts, c.sides[k].contacts)
	}
}

// start forgets the contacts of the last search.
func (c *heldContacts) start() {
	c.on, c.both, c.rounds, c.moved, c.jump = false, false, 0, 0, c.jump[:0]
	for k := range c.sides {
		c.sides[k].contacts = c.sides[k].contacts[:0]
	}
}

// hold takes the contacts at hand, which were detected at the state x. The residual there is what they jump by, if
// contacts were kept before.
func (c *heldContacts) hold(s *Stepper, x *State) {
	side := 0
	if jump := s.rest.now.total; c.rounds > 0 {
		back := len(c.jump) == len(jump) && dotOf(c.jump, jump) < 0
		switch {
		case c.both:
			if !back {
				side = 1
			}
			c.turnTo(side)
		case back && !slices.ContainsFunc(s.contacts, func(k geometry.Contact) bool { return k.Core }):
			side, c.both, c.share, c.step, c.same = 1, true, 0.5, 0.25, 0
			fallthrough
		default:
			c.jump = append(c.jump[:0], jump...)
		}
	}
	c.on = true
	c.rounds++
	c.sides[side].contacts = append(c.sides[side].contacts[:0], s.contacts...)
	c.sides[side].q = append(c.sides[side].q[:0], x.Q...)
	c.from.set(s)
}

// turnTo takes a step of θ towards a side.
func (c *heldContacts) turnTo(side int) {
	c.same++
	if (side == 1) != (c.step > 0) {
		c.step, c.same = -c.step/2, 0
	} else if c.same >= 2 {
		c.step, c.same = 2*c.step, 0
	}
	next := c.share + c.step
	if next <= 0 || next >= 1 {
		c.step /= 4
		next = (c.share + float64(side)) / 2
	}
	c.share = next
}

// update makes those at hand the held ones, with gaps (1) at the placed bodies and shares (2).
func (c *heldContacts) update(s *Stepper) {
	s.contacts = append(s.contacts[:0], c.sides[0].contacts...)
	if !c.both {
		c.follow(s, s.contacts, c.sides[0].contacts)
		return
	}
	const apart = 1 << 24 // faces of both sides are different ones
	s.contacts = append(s.contacts, c.sides[1].contacts...)
	n := len(c.sides[0].contacts)
	c.follow(s, s.contacts[:n], c.sides[0].contacts)
	c.follow(s, s.contacts[n:], c.sides[1].contacts)
	for i := range s.contacts {
		k, share := &s.contacts[i], 1-c.share
		if i >= n {
			share = c.share
			if k.Face != 0 {
				k.Face += apart
			}
		}
		switch {
		case k.Area > 0:
			k.Area *= share
		case k.Weight > 0:
			k.Weight *= share
		default:
			k.Weight = share
		}
	}
}

// follow writes gaps (1) of contacts.
func (c *heldContacts) follow(s *Stepper, to, contacts []geometry.Contact) {
	for i := range contacts {
		k := &contacts[i]
		d := c.from.displacement(s, &k.B, k.Pos_W).Sub(c.from.displacement(s, &k.A, k.Pos_W))
		to[i].Phi = k.Phi + k.Normal_W.Dot(d)
	}
}

// distance returns how far the state x is from where they were detected, m or rad.
func (c *heldContacts) distance(x *State) float64 {
	c.farthest = 0
	far := largestDifference(x.Q, c.sides[0].q)
	if c.both {
		if d := largestDifference(x.Q, c.sides[1].q); d > far {
			c.farthest, far = 1, d
		}
	}
	return far
}

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
