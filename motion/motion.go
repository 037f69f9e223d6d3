// Package motion holds functions of time: what joints follow and bodies are moved
// by. Each is immutable and knows its derivative.
package motion

import (
	"fmt"
	"math"
)

// Motion is a function of time.
type Motion interface {
	// At returns the value and its rate at time t (s).
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

// Piecewise runs through knots and holds outside them.
type Piecewise struct {
	times, values []float64
	smooth        bool
}

// NewPiecewise returns a function through values at ascending times: between
// knots linear, or smooth: from rest to rest with minimum jerk.
func NewPiecewise(times, values []float64, smooth bool) (*Piecewise, error) {
	if len(times) != len(values) || len(times) == 0 {
		return nil, fmt.Errorf("%d times and %d values: as many of both are wanted, at least one", len(times), len(values))
	}
	for i, t := range times {
		if math.IsNaN(t) || math.IsInf(t, 0) || math.IsNaN(values[i]) || math.IsInf(values[i], 0) {
			return nil, fmt.Errorf("knot %d (%g, %g): times and values must be finite", i, t, values[i])
		}
		if i > 0 && !(t > times[i-1]) {
			return nil, fmt.Errorf("times must ascend: %g follows %g", t, times[i-1])
		}
	}
	return &Piecewise{append([]float64(nil), times...), append([]float64(nil), values...), smooth}, nil
}

// At implements Motion.
func (p *Piecewise) At(t float64) (x, dx float64) {
	n := len(p.times)
	if t <= p.times[0] {
		return p.values[0], 0
	}
	if t >= p.times[n-1] {
		return p.values[n-1], 0
	}
	i := 1
	for t >= p.times[i] {
		i++
	}
	T, dv := p.times[i]-p.times[i-1], p.values[i]-p.values[i-1]
	s := (t - p.times[i-1]) / T
	if !p.smooth {
		return p.values[i-1] + dv*s, dv / T
	}
	// minimum jerk: 10 s³ − 15 s⁴ + 6 s⁵
	return p.values[i-1] + dv*s*s*s*(10+s*(6*s-15)), dv / T * 30 * s * s * (1 - s) * (1 - s)
}
