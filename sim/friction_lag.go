package sim

// Lagged friction is bounded by μ times a normal impulse that is known before the solve,
// which makes the problem of a step convex. Three sources of that impulse exist: the
// contact law at the gap and velocity of the start of the step; the force of the last
// step; or the solution itself, by solving again until bound and solution agree (a fixed
// point of convex problems).

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// FrictionLag selects the normal impulse that bounds lagged friction.
type FrictionLag int

// Sources of the normal impulse that bounds lagged friction.
const (
	FrictionLagGeometry FrictionLag = iota // the contact law at the gap and velocity of the start of the step
	FrictionLagPrevious                    // the last step's force, for contacts that had force then; otherwise as FrictionLagGeometry
	FrictionLagSweep                       // this step's own, by solving again until both agree
)

// LaggedContact is a contact that had force in the step that led to a state.
// FrictionLagPrevious keeps them in the State.
type LaggedContact struct {
	// Body are the scene bodies A and B.
	Body [2]int32
	// Elem are the geoms or triangles on either side, as in geometry.Contact.
	Elem [2]int32
	// P is the place of the contact, in the frames of A and B: p_AC and p_BC, on a
	// deformable p_WC, m.
	P [2]r3.Vec
	// Force is the normal force, N.
	Force float64
}

// maxSweeps bounds how often FrictionLagSweep solves a step again: there need not be a
// fixed point nearby, such as where a rod jams.
const maxSweeps = 20

// sweepTol is the change of a bound, relative to the largest normal impulse, at
// which sweeps end.
const sweepTol = 1e-4

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

// sweep solves again with friction bounded by the solved normal impulses, until bounds
// and impulses agree. Every solve is a convex problem.
func (s *Stepper) sweep() error {
	for range maxSweeps {
		// new bounds from the solved impulses
		change, largest := 0.0, 0.0
		for _, list := range [2][]cliques.Handle{s.handles, s.surfaceHandles} {
			for _, h := range list {
				by, to := constraints.UpdateNormalBound(&s.Problem, h)
				change, largest = math.Max(change, by), math.Max(largest, to)
			}
		}
		if change <= sweepTol*largest {
			return nil
		}
		if err := s.minimize(); err != nil {
			return err
		}
	}
	return nil
}

// impactRatio is the ratio of the solved to the lagged normal impulse of a contact of
// rigid bodies, or the reverse, beyond which it is an impact or a separation rather than
// sliding.
const impactRatio = 2

// sliding sums up the friction that sliding contacts lack because of the lag. Impacts and
// separations of rigid bodies are left out: their friction is missing in one step of any
// length, unless friction is swept. Faces of deformables enter contact all the time and
// count always.
func (s *Stepper) sliding() (sum constraints.SlidingFriction) {
	add := func(c constraints.SlidingFriction, area float64) {
		if lag := c.Bound - c.Deficit; area > 0 || lag <= impactRatio*c.Bound && c.Bound <= impactRatio*lag {
			sum.Add(c)
		}
	}
	for i, h := range s.handles {
		add(constraints.SlidingFrictionOf(&s.Problem, h), s.contacts[i].Area)
	}
	for _, h := range s.surfaceHandles {
		add(constraints.SlidingFrictionOf(&s.Problem, h), 0)
	}
	return sum
}
