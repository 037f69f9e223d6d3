// Package motion holds functions of time: what joints follow and bodies are moved
// by. Each is immutable and knows its derivative.
package motion

import "github.com/curlfree/curlfree/kinds"

// Motions are the registered kinds of functions of time. In scenes a bare number is a
// constant.
var Motions = kinds.NewRegistry[Motion]("motion", "Function of time, which a drive or a prescribed motion follows.").In(kinds.Keyed)

// Motion is a function of time.
type Motion interface {
	// At returns the value and its rate at time t (s); where the rate jumps, that
	// after the jump, but at the end of a table that before it: runs end there too.
	At(t float64) (x, dx float64)
}

// Constant is the same value at all times.
type Constant float64

// At implements Motion.
func (c Constant) At(float64) (x, dx float64) { return float64(c), 0 }

// steepest is the largest rate of step, in its middle.
const steepest = 15.0 / 8

// step goes from 0 at s = 0 to 1 at s = 1, from rest to rest with minimum jerk,
// 10 s³ − 15 s⁴ + 6 s⁵; 0 ≤ s ≤ 1. Source: Flash & Hogan 1985.
func step(s float64) (x, dx float64) {
	return s * s * s * (10 + s*(6*s-15)), 30 * s * s * (1 - s) * (1 - s)
}
