package sim

// Lagged friction is bounded by μ times a normal impulse that is known before the solve
// (the friction lag), which makes the problem of a step convex. Three sources of that
// impulse exist: the contact law at the gap and velocity of the start of the step; the
// force of the last step; or the solution itself, by solving again until bound and solution
// agree (a fixed point of convex problems). This file has the first two;
// sim/term_friction.go the third.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// FrictionLag selects the normal impulse that bounds lagged friction.
type FrictionLag int

// Sources of the normal impulse that bounds lagged friction.
const (
	// FrictionLagAuto takes the impulse of the step itself to 2 % of each contact, as
	// FrictionLagSweep; where FrictionLagGeometry is that accurate it needs no further solves.
	FrictionLagAuto FrictionLag = iota
	// FrictionLagGeometry takes the impulse of the contact law at the gap and velocity of the
	// start of the step.
	FrictionLagGeometry
	// FrictionLagPrevious takes the impulse of the last step for contacts that had force then,
	// and that of FrictionLagGeometry for the others.
	FrictionLagPrevious
	// FrictionLagSweep takes the impulse of the step itself, by repeated solves until bound and
	// solution agree (fixed-point iteration).
	FrictionLagSweep
)

// LaggedContact is a contact that had force in the step that led to a state. With
// FrictionLagPrevious the State stores them.
type LaggedContact struct {
	// Body are the scene bodies A and B.
	Body [2]int32
	// Elem are the geoms or triangles on either side, as in geometry.Contact.
	Elem [2]int32
	// P is the position of the contact in the frames of A and B, p_AC and p_BC; on
	// a deformable p_WC, m.
	P [2]r3.Vec
	// Force is the normal force, N.
	Force float64
}

// impulseMatcher finds the normal impulse of the last step for contacts of this one.
type impulseMatcher struct {
	impulse []float64 // of each contact, N s; NaN: it had none
	used    []bool    // of the state's lagged contacts: they are matched
}

// match finds for every contact the nearest lagged contact between the same features.
// Each lagged contact serves one contact only: where a body has fewer contact points than
// before, the force of the others is not counted twice.
func (l *impulseMatcher) match(s *Stepper, x *State, h float64) {
	// no lagged contact is matched yet
	l.impulse, l.used = l.impulse[:0], l.used[:0]
	for range x.LaggedContacts {
		l.used = append(l.used, false)
	}
	for i := range s.contacts {
		k := l.nearest(s, x, &s.contacts[i])
		if k < 0 {
			l.impulse = append(l.impulse, math.NaN())
			continue
		}
		l.used[k] = true
		l.impulse = append(l.impulse, h*x.LaggedContacts[k].Force)
	}
}

// nearest returns the lagged contact that is nearest to c on either body, or −1.
func (l *impulseMatcher) nearest(s *Stepper, x *State, c *geometry.Contact) int {
	best, least := -1, math.Inf(1)
	for k := range x.LaggedContacts {
		b := &x.LaggedContacts[k]
		if l.used[k] || b.Elem != c.Elem || b.Body != [2]int32{int32(c.A.Body), int32(c.B.Body)} {
			continue
		}
		// distance in the frame of either body, whichever is less
		d := math.Inf(1)
		for side, f := range [2]*geometry.MaterialPoint{&c.A, &c.B} {
			d = math.Min(d, s.inBody(f.Body, c.Pos_W).Sub(b.P[side]).Norm2())
		}
		if d < least {
			best, least = k, d
		}
	}
	return best
}

// inBody returns p_BP for a point P of a rigid body, p_WP for one of a deformable.
func (s *Stepper) inBody(body int, p_W r3.Vec) r3.Vec {
	if body == geometry.World || s.isDeformable(body) {
		return p_W
	}
	return s.Geometry.X_WB[body].InvPoint(p_W)
}

// keepLaggedContacts writes into the state which contacts had force in the step.
func (s *Stepper) keepLaggedContacts(x *State) {
	x.LaggedContacts = x.LaggedContacts[:0]
	if s.Model.FrictionLag != FrictionLagPrevious {
		return
	}
	// faces of contact surfaces differ from step to step and cannot be matched
	contacts := s.Report.Contacts()[:s.Report.FirstFace]
	for i := range contacts {
		c := &contacts[i]
		if c.Normal <= 0 {
			continue
		}
		x.LaggedContacts = append(x.LaggedContacts, LaggedContact{
			Body: [2]int32{int32(c.A.Body), int32(c.B.Body)}, Elem: c.Elem,
			P: [2]r3.Vec{s.inBody(c.A.Body, c.Pos_W), s.inBody(c.B.Body, c.Pos_W)}, Force: c.Normal,
		})
	}
}
