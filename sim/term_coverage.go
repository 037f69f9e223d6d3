package sim

// Coverage: contacts are detected along the motion that bodies would have with the velocities at
// the start of the step. A body that an actuator or an impact accelerates within the step
// may move farther, past a contact that was not detected. So after a solve the motion
// of each body is compared with the prediction; where it exceeds the prediction, contacts
// are detected again along the solved motion and the step is solved again.
//
// The predicted motion of a body is a ball of displacements: its centre is the
// translation of the body, its radius bounds how far any point deviates from that. The
// next prediction is the smallest ball around the last one and the solved motion, so
// balls only grow and the repetition ends. With the centre d and the radius r of the solved motion and those of the
// prediction, d_p and r_p,
//
//	dist(d − d_p, [0, h² g]) + r − r_p ≤ margin                              (1)
//
// as a resting body may fall, and tilt, in any step.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// coverage is the term of (1).
type coverage struct {
	plainTerm
	// the prediction of the last detection: each body's ball of displacements, m
	center []r3.Vec
	radius []float64
	found  bool // linearize has found other contacts than those of the last solve
}

var coverageKind = termKind{name: "coverage", unit: "m", again: "contacts were found again along the solved motion"}

// begin implements term.
func (c *coverage) begin(*Stepper) { c.found = false }

// measure returns by how much the solved motion exceeds the prediction, m, and predicts what covers both.
func (c *coverage) measure(s *Stepper) (d defect) {
	data, h := s.Geometry, s.iterate.h
	if !data.CanTouch() || s.rest.held.on {
		return d
	}
	// the last prediction, then the solved motion in its place
	c.center, c.radius = append(c.center[:0], data.PredictedTranslation...), append(c.radius[:0], data.MotionBound...)
	in := 0
	for i, b := range s.subsystems {
		n := s.solved[i]
		b.PredictMotion(h, s.vNext[in:in+n], data)
		in += n
	}
	reach := s.reach(h)
	fall := s.Model.Gravity.Scale(reach * reach) // what collide allows for
	exceeds := func(by float64, body int) {
		if by > d.value {
			d.value, d.bodies = by, [2]int{body, body}
		}
	}
	for i := range data.PredictedTranslation {
		center, radius := &data.PredictedTranslation[i], &data.MotionBound[i]
		exceeds(distanceToSegment(center.Sub(c.center[i]), fall)+*radius-c.radius[i], i)
		*center, *radius = boundingBall(c.center[i], c.radius[i], *center, *radius)
	}
	for _, b := range s.deformables {
		exceeds(b.unpredicted, s.Model.Geometry.NumRigid+b.number)
	}
	d.ratio = d.value / (data.SpeculativeDistance - data.ContactRange)
	if d.ratio <= 1 && data.SurfacesDeviate() {
		d.ratio = math.Nextafter(1, 2)
	}
	return d
}

// linearize detects contacts along the solved motion.
func (c *coverage) linearize(s *Stepper) change {
	former := s.detected
	s.detected = s.Geometry.Redetect()
	s.surfaces = s.Geometry.HydroelasticContacts()
	if !s.Geometry.SurfacesChanged() && slices.Equal(s.detected, former) {
		return 0 // the contacts of the problem stay, with where friction acts on them
	}
	s.setContacts(s.detected)
	c.found = true
	return newRows
}

// detectAgain detects contacts along the solved motion where they do not cover it. It reports whether there are others.
func (s *Stepper) detectAgain() bool {
	changed := s.measure(coverageTerm).ratio > 1 && s.coverage.linearize(s) != 0
	s.coverage.found = false
	return changed
}

// setContacts takes the contacts of a detection, and adds those of other terms.
func (s *Stepper) setContacts(found []geometry.Contact) {
	s.detected = found
	s.contacts = append(append(s.contacts[:0], found...), s.added...)
}

// addContacts adds contacts to those of the step. It returns what that changes.
func (s *Stepper) addContacts(found []geometry.Contact) change {
	if len(found) == 0 {
		return 0
	}
	s.added = append(s.added, found...)
	s.contacts = append(s.contacts, found...)
	return newRows
}

// distanceToSegment returns the distance of x from the segment from the origin to a.
func distanceToSegment(x, a r3.Vec) float64 {
	t := 0.0
	if n := a.Norm2(); n > 0 {
		t = min(1, max(0, x.Dot(a)/n))
	}
	return x.AddScaled(-t, a).Norm()
}

// boundingBall returns the smallest ball around the balls of centres c and d and radii r
// and s.
func boundingBall(c r3.Vec, r float64, d r3.Vec, s float64) (r3.Vec, float64) {
	apart := d.Sub(c).Norm()
	switch {
	case apart+s <= r:
		return c, r
	case apart+r <= s:
		return d, s
	}
	both := (apart + r + s) / 2
	return c.AddScaled((both-r)/apart, d.Sub(c)), both
}
