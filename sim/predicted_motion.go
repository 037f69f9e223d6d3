package sim

// Contacts are detected along the motion that bodies would have with the velocities at
// the start of the step. A body that an actuator or an impact accelerates within the step
// may move farther, past a contact that was not detected. So after the solve the motion
// of each body is compared with the prediction; where it exceeds the prediction, contacts
// are detected again along the solved motion (redetection) and the step is solved again.
//
// The predicted motion of a body is a ball of displacements: its centre is the
// translation of the body, its radius bounds how far any point deviates from that. The
// next prediction is the smallest ball around the last one and the solved motion, so
// balls only grow and the repetition ends.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// maxDetections bounds how often a step detects contacts. Two suffice in most steps
// with impacts. Chains of impacts, in which each needs a detection of its own, divide the step: with four
// detections many steps of a falling heap, with six nearly none.
const maxDetections = 6

// farBeyond is by how much a body may move beyond the last detection without the step being divided, over the
// tolerance of gaps of bodies that turn: a twentieth of the thinnest body.
const farBeyond = 10

// predictedMotion is the prediction of the last detection.
type predictedMotion struct {
	center []r3.Vec // of each body's ball of displacements, m
	radius []float64
}

// dividesChains reports whether chains of impacts divide the step: not where deformables compare what contact stores at its end, nor under
// laws whose stiffness follows the step, where overlap of the whole step stores more in its parts.
func (s *Stepper) dividesChains() bool {
	return len(s.deformables) == 0 && s.contact.Facts().NearRigid == nil
}

// redetect detects contacts along the solved motion where it exceeds the prediction by
// more than the fall of a step and the margin. It reports whether contacts changed, so
// that the step has to be solved again.
func (s *Stepper) redetect(h float64, detection int) bool {
	// the last prediction, then the solved motion in its place
	p, data := &s.predicted, s.Geometry
	p.center, p.radius = append(p.center[:0], data.PredictedTranslation...), append(p.radius[:0], data.MotionBound...)
	in := 0
	for i, b := range s.subsystems {
		n := s.solved[i]
		b.PredictMotion(h, s.vNext[in:in+n], data)
		in += n
	}
	// how far the solved motion exceeds the prediction, and balls around both
	fall := s.Model.Gravity.Scale(h * h)
	if s.rest.holds {
		fall = s.Model.Gravity.Scale(RestStep * RestStep) // what collide allows for
	}
	excess := 0.0
	for i := range data.PredictedTranslation {
		center, radius := &data.PredictedTranslation[i], &data.MotionBound[i]
		apart := center.Sub(p.center[i])
		excess = math.Max(excess, distanceToSegment(apart, fall)+*radius-p.radius[i])
		*center, *radius = boundingBall(p.center[i], p.radius[i], *center, *radius)
	}
	for _, b := range s.deformables {
		excess = math.Max(excess, b.unpredicted)
	}
	if detection >= maxDetections {
		// fields and deformables are compared at the end of the step, see surface_gain.go and end_overlap.go
		s.relinearized.exhausted = s.dividesChains() && excess > data.SpeculativeDistance+farBeyond*s.relinearized.tolerance
		return false
	}
	if excess <= data.SpeculativeDistance && !data.SurfacesDeviate() {
		return false
	}
	// detect again, and compare
	former := s.detected
	s.setContacts(data.Redetect())
	s.surfaces = data.HydroelasticContacts()
	return data.SurfacesChanged() || !slices.Equal(s.detected, former)
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
