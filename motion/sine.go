package motion

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
)

var _ = Motions.Register(kinds.Kind[Motion]{
	Name: "sine",
	Doc:  "offset + amplitude sin(2π frequency t + phase), from rest where a ramp is given.",
	New:  func() Motion { return &Sine{} },
	Samples: func() []Motion {
		return []Motion{&Sine{Amplitude: 0.01, Frequency: 2}, &Sine{Amplitude: 1, Frequency: 0.5, Phase: 0.3, Offset: -2, Start: 0.1, Ramp: 0.7}}
	},
})

// Sine is a harmonic oscillation,
//
//	x(t) = Offset + Amplitude r(t) sin(2π Frequency t + Phase)                (2)
//
// With a Ramp, r is zero until Start and grows to one within the time Ramp by the
// minimum-jerk function (1), so that the body that it moves starts from rest; without, r
// is one.
type Sine struct {
	// Amplitude is half of the range of the values.
	Amplitude float64 `key:"amplitude" doc:"amplitude"`
	// Frequency is the number of periods in a second, Hz.
	Frequency float64 `key:"frequency" unit:"Hz" doc:"frequency"`
	// Phase is the argument of the sine at t = 0, rad.
	Phase float64 `key:"phase" unit:"rad" doc:"phase"`
	// Offset is the mean value.
	Offset float64 `key:"offset" doc:"mean value"`
	// Start is the time at which the ramp begins, s.
	Start float64 `key:"start" unit:"s" doc:"time at which the ramp begins"`
	// Ramp is the time within which the amplitude grows, s; 0 for none.
	Ramp float64 `key:"ramp" unit:"s" doc:"time within which the amplitude grows from zero; 0: full amplitude at all times"`
}

var _ Motion = (*Sine)(nil)

// Check returns an error that describes a fault of the parameters, or nil.
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
	a, da := 1.0, 0.0 // r and its rate
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
