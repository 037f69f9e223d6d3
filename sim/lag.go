package sim

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// FrictionLag says where lagged friction takes the normal impulse from that bounds it.
type FrictionLag int

// Where the bound of lagged friction comes from: the gap and velocity at the
// start of the step; the last step's solution, for contacts that bore force then;
// or this step's own, by solving again until both agree.
const (
	FrictionLagGeometry FrictionLag = iota
	FrictionLagPrevious
	FrictionLagSweep
)

// LaggedContact is a contact that bore force in the step that led to a state: what
// LagPrevious carries over. Fields are of fixed size for storage.
type LaggedContact struct {
	Body  [2]int32  // scene bodies A and B
	Elem  [2]int32  // as in geometry.Contact
	P     [2]r3.Vec // where it was: p_AC and p_BC, of a deformable p_WC
	Force float64   // normal, N
}

// sweeps of LagSweep are at most this many: a fixed point need not be near, as
// where a rod jams.
const maxSweeps = 20

// sweepTol is the change of a bound, relative to the largest normal impulse, at
// which sweeps end.
const sweepTol = 1e-4

// lagger matches contacts with those of the last step.
type lagger struct {
	impulse []float64 // bound of each contact, N s; NaN: from geometry
	used    []bool    // of the state's bearings
}

// match finds for every contact the nearest of the bearings between the same
// features, one for one: where a body stands on fewer corners than before, the
// others' force is not counted twice.
func (l *lagger) match(s *Stepper, x *State, h float64) {
	l.impulse, l.used = l.impulse[:0], l.used[:0]
	for range x.LaggedContacts {
		l.used = append(l.used, false)
	}
	for i := range s.touched {
		c := &s.touched[i]
		best, near := -1, math.Inf(1)
		for k := range x.LaggedContacts {
			b := &x.LaggedContacts[k]
			if l.used[k] || b.Elem != c.Elem || b.Body != [2]int32{int32(c.A.Body), int32(c.B.Body)} {
				continue
			}
			d := math.Inf(1)
			for side, f := range [2]*geometry.MaterialPoint{&c.A, &c.B} {
				d = math.Min(d, s.inBody(f.Body, c.Pos_W).Sub(b.P[side]).Norm2())
			}
			if d < near {
				best, near = k, d
			}
		}
		if best < 0 {
			l.impulse = append(l.impulse, math.NaN())
			continue
		}
		l.used[best] = true
		l.impulse = append(l.impulse, h*x.LaggedContacts[best].Force)
	}
}

// inBody returns p_BP of a rigid body, p_WP of a deformable.
func (s *Stepper) inBody(body int, p_W r3.Vec) r3.Vec {
	if body == geometry.World || s.isSoft(body) {
		return p_W
	}
	return s.Geometry.X_WB[body].InvPoint(p_W)
}

// bearings notes in the state which contacts bore force in the step.
func (s *Stepper) bearings(x *State) {
	x.LaggedContacts = x.LaggedContacts[:0]
	if s.Model.FrictionLag != FrictionLagPrevious {
		return
	}
	contacts := s.Report.Contacts()[:s.Report.FirstFace] // faces of patches have no identity to be matched by
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

// sweep solves again with friction bounded by the normal impulses found, until
// they agree; every solve is a convex problem of its own.
func (s *Stepper) sweep() error {
	for range maxSweeps {
		change, largest := 0.0, 0.0
		for _, list := range [2][]cliques.Handle{s.handles, s.patchHandles} {
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

// hit is the ratio beyond which the normal impulse of a contact of rigid bodies and
// the lag's tell of an impact or of parting rather than of sliding.
const hit = 2

// sliding sums up what friction the lag lacks where contact slides. Where rigid
// bodies hit each other there is none for that step, however short it is, but for a
// sweep; that is left out. Deformables meet with new faces all the time.
func (s *Stepper) sliding() (sum constraints.SlidingFriction) {
	add := func(c constraints.SlidingFriction, area float64) {
		if lag := c.Bound - c.Deficit; area > 0 || lag <= hit*c.Bound && c.Bound <= hit*lag {
			sum.Add(c)
		}
	}
	for i, h := range s.handles {
		add(constraints.SlidingFrictionOf(&s.Problem, h), s.touched[i].Area)
	}
	for _, h := range s.patchHandles {
		add(constraints.SlidingFrictionOf(&s.Problem, h), 0)
	}
	return sum
}
