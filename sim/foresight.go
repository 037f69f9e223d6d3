package sim

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Contacts ahead are sought where bodies may get to with the velocities of the
// start of the step. What speeds up within it, by an actuator or a blow, may get
// farther and pass what it never saw; so motion is compared with what was
// foreseen once it is solved for, and where it falls short the step looks again.
//
// A body's foreseen motion is a ball of displacements: its drift, and how far any
// of its points may stray from that. A second look takes the ball around the
// first and the one solved for, so that balls only grow and this ends.

// maxLooks bounds how often a step looks for contacts.
const maxLooks = 4

// foresight is what the last look foresaw, of each body.
type foresight struct {
	drift   []r3.Vec
	reach   []float64
	touched []geometry.Contact
}

// lookAgain reports whether the step has to be solved again, with more contacts:
// some body moves farther than foreseen by more than the fall of a step and the
// margin, and meets something there.
func (s *Stepper) lookAgain(h float64) bool {
	f, scene := &s.foresight, s.Geometry
	f.drift, f.reach = append(f.drift[:0], scene.PredictedTranslation...), append(f.reach[:0], scene.MotionBound...)
	in := 0
	for i, b := range s.subsystems {
		n := s.solved[i]
		b.PredictMotion(h, s.vNext[in:in+n], scene)
		in += n
	}
	fall := s.Model.Gravity.Scale(h * h)
	short := 0.0
	for i := range scene.PredictedTranslation {
		apart := scene.PredictedTranslation[i].Sub(f.drift[i])
		short = math.Max(short, beyond(apart, fall)+scene.MotionBound[i]-f.reach[i])
		scene.PredictedTranslation[i], scene.MotionBound[i] = around(f.drift[i], f.reach[i], scene.PredictedTranslation[i], scene.MotionBound[i])
	}
	for _, b := range s.soft {
		short = math.Max(short, b.unforeseen)
	}
	if short <= scene.SpeculativeDistance {
		return false
	}
	f.touched = append(f.touched[:0], s.touched...)
	s.touched = scene.Redetect()
	return !slices.Equal(s.touched, f.touched)
}

// beyond returns the distance of x from the segment from the origin to a.
func beyond(x, a r3.Vec) float64 {
	t := 0.0
	if n := a.Norm2(); n > 0 {
		t = min(1, max(0, x.Dot(a)/n))
	}
	return x.AddScaled(-t, a).Norm()
}

// around returns the smallest ball around two.
func around(c r3.Vec, r float64, d r3.Vec, s float64) (r3.Vec, float64) {
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
