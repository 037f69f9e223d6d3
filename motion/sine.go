package motion

import (
	"fmt"
	"math"
)

// Sine is Offset + Amplitude sin(2π Frequency t + Phase). With a Ramp, the
// amplitude is none until Start and grows from there in the time of Ramp, by
// minimum jerk, so that what it moves starts from rest.
type Sine struct {
	Amplitude, Frequency, Phase, Offset float64 // Frequency in Hz, Phase in rad
	Start, Ramp                         float64 // s; Ramp 0: full amplitude at all times
}

// Check returns what is wrong with the parameters, or nil.
func (s Sine) Check() error {
	for _, p := range []struct {
		name  string
		value float64
	}{
		{"amplitude", s.Amplitude}, {"frequency", s.Frequency}, {"phase", s.Phase},
		{"offset", s.Offset}, {"start", s.Start}, {"ramp", s.Ramp},
	} {
		if math.IsNaN(p.value) || math.IsInf(p.value, 0) {
			return fmt.Errorf("the sine's %s is %g: it must be finite", p.name, p.value)
		}
	}
	if s.Ramp < 0 {
		return fmt.Errorf("the sine's ramp is %g s: it must not be negative", s.Ramp)
	}
	return nil
}

// At implements Motion.
func (s Sine) At(t float64) (x, dx float64) {
	a, da := 1.0, 0.0
	if s.Ramp > 0 {
		switch u := (t - s.Start) / s.Ramp; {
		case u <= 0:
			return s.Offset, 0
		case u < 1:
			a, da = step(u)
			da /= s.Ramp
		}
	}
	w := 2 * math.Pi * s.Frequency
	sin, cos := math.Sincos(w*t + s.Phase)
	return s.Offset + s.Amplitude*a*sin, s.Amplitude * (a*w*cos + da*sin)
}
