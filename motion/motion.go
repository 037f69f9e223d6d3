// Package motion has functions of time, which drives of joints follow and which
// prescribe the motion of bodies: a constant, a sine, a table. Each is immutable and
// has its derivative. The unit of a value is that of the driven quantity: m or rad for
// positions, m/s or rad/s for speeds, N or N m for loads; that of a rate is per second.
package motion

import "github.com/curlfree/curlfree/kinds"

// Motions are the registered kinds of functions of time. In scenes a bare number is a
// constant.
var Motions = kinds.NewRegistry[Motion]("motion", "Function of time, which a drive or a prescribed motion follows.").In(kinds.Keyed)

// Motion is a function x(t) of time.
type Motion interface {
	// At returns the value x and its rate dx/dt at time t (s). Where the rate jumps, At
	// returns the rate after the jump; at the end of a table it returns the rate before
	// the jump, because runs often end there.
	At(t float64) (x, dx float64)
}

// Constant is the same value at all times.
type Constant float64

// At implements Motion.
func (c Constant) At(float64) (x, dx float64) { return float64(c), 0 }

// steepest is the largest rate of step, in its middle, s = ½.
const steepest = 15.0 / 8

// step goes from 0 at s = 0 to 1 at s = 1, from rest to rest with minimum jerk,
//
//	x(s) = 10 s³ − 15 s⁴ + 6 s⁵,   x'(s) = 30 s² (1 − s)²,   0 ≤ s ≤ 1       (1)
//
// which has the least integral of the squared third derivative among functions whose
// first and second derivatives are zero at both ends. Source: Flash, Hogan, "The
// coordination of arm movements", J. Neuroscience 5, 1985.
func step(s float64) (x, dx float64) {
	return s * s * s * (10 + s*(6*s-15)), 30 * s * s * (1 - s) * (1 - s)
}
