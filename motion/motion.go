// Package motion holds functions of time: what joints follow and bodies are moved
// by. Each is immutable and knows its derivative.
package motion

import "math"

// Motion is a function of time.
type Motion interface {
	// At returns the value and its rate at time t (s); where the rate jumps, that
	// after the jump.
	At(t float64) (x, dx float64)
}

// Constant never changes.
type Constant float64

// At implements Motion.
func (c Constant) At(float64) (x, dx float64) { return float64(c), 0 }

// Sine is Offset + Amplitude sin(2π Frequency t + Phase).
type Sine struct {
	Amplitude, Frequency, Phase, Offset float64 // Frequency in Hz, Phase in rad
}

// At implements Motion.
func (s Sine) At(t float64) (x, dx float64) {
	w := 2 * math.Pi * s.Frequency
	sin, cos := math.Sincos(w*t + s.Phase)
	return s.Offset + s.Amplitude*sin, s.Amplitude * w * cos
}
