package motion

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
)

var _ = Motions.Register(kinds.Kind[Motion]{
	Name:  "delayed",
	Doc:   "Another motion, later: what a drive is commanded over a bus, or through a controller that takes time.",
	About: "Until the delay is over it rests at the value that the other motion has at the time 0. Values of an operator (live) are not delayed.",
	New:   func() Motion { return &Delayed{} },
	Samples: func() []Motion {
		return []Motion{&Delayed{By: 0.02, Motion: &Sine{Amplitude: 0.1, Frequency: 1}}}
	},
})

// Delayed is a motion that follows another one after a dead time,
//
//	x(t) = m(t − By) for t ≥ By, before it m(0) at rest
type Delayed struct {
	// By is the delay, s.
	By float64 `key:"delayed,required" unit:"s" doc:"time by which it is later" min:"0"`
	// Motion is the motion that is delayed.
	Motion Motion `key:"motion,required" doc:"what is delayed"`
}

var _ Motion = (*Delayed)(nil)

// Check returns an error that describes a fault of the parameters, or nil.
func (d *Delayed) Check() error {
	if !(d.By >= 0) || math.IsInf(d.By, 1) {
		return fmt.Errorf("a motion is delayed by %g s: the time must be finite and not negative", d.By)
	}
	switch m := d.Motion.(type) {
	case nil:
		return nil // a required key that is missing is reported as such
	case *Live:
		return fmt.Errorf("live value %q cannot be delayed: what an operator wanted earlier is not kept", m.Name)
	case interface{ Check() error }:
		return m.Check()
	}
	return nil
}

// At implements Motion.
func (d *Delayed) At(t float64) (x, dx float64) {
	if t < d.By {
		x, _ = d.Motion.At(0)
		return x, 0
	}
	return d.Motion.At(t - d.By)
}
