package motion

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/kinds"
)

var _ = Motions.Register(kinds.Kind[Motion]{
	Name: "live",
	Doc:  "A value that an operator changes while the scene runs, within bounds: a slider of curlfree live.",
	About: "Without an operator it is constant. It goes to what the operator wants at a bounded rate, so that what it moves does not jump. " +
		"A run with the inputs of a session repeats it.",
	New:     func() Motion { return &Live{} },
	Samples: func() []Motion { return []Motion{&Live{Name: "squeeze", Value: 0.01, Max: 0.02, Rate: 0.05}} },
})

// Live is a number that an operator changes during a run,
//
//	x(t) = x₁ + ẋ (t − t₁)                                                       (5)
//
// in the step that ends at t₁ with the value x₁. The state of a run has x₁ and ẋ, and its stepper sets them here
// before each step; steppers of one model take turns, see sim.OperatorInput.
type Live struct {
	// Name is the name of the number among those of the scene.
	Name string `key:"name,required" doc:"name of the slider"`
	// Value is x at the start, and without an operator at all times.
	Value float64 `key:"value" doc:"value at the start"`
	// Min is the least x that the operator may want, in the unit of x.
	Min float64 `key:"min" doc:"least value"`
	// Max is the largest x that the operator may want; it is above Min.
	Max float64 `key:"max" doc:"largest value"`
	// Rate bounds |ẋ|, per second; 0: the range in a second.
	Rate float64 `key:"rate" doc:"bound of the change in a second" default:"the range from min to max" min:"0"`

	moves        bool    // x₁, ẋ and t₁ are set
	x1, rate, t1 float64 // of (5)
}

var _ Motion = (*Live)(nil)

// Check returns an error that describes a fault of the parameters, or nil.
func (l *Live) Check() error {
	for _, x := range [4]float64{l.Value, l.Min, l.Max, l.Rate} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("live value %q: %g is not finite", l.Name, x)
		}
	}
	switch {
	case l.Name == "":
		return fmt.Errorf("a live value needs a name")
	case !(l.Min < l.Max):
		return fmt.Errorf("live value %q: min is %g and max %g: give the range of its slider", l.Name, l.Min, l.Max)
	case l.Value < l.Min || l.Value > l.Max:
		return fmt.Errorf("live value %q: value is %g, outside of %g to %g", l.Name, l.Value, l.Min, l.Max)
	case l.Rate < 0:
		return fmt.Errorf("live value %q: rate is %g: it must not be negative", l.Name, l.Rate)
	}
	return nil
}

// RateLimit returns the bound of |ẋ|, per second.
func (l *Live) RateLimit() float64 {
	if l.Rate > 0 {
		return l.Rate
	}
	return l.Max - l.Min
}

// Set sets the value x at time t (s), and its rate before it (per second).
func (l *Live) Set(x, rate, t float64) { l.moves, l.x1, l.rate, l.t1 = true, x, rate, t }

// At implements Motion.
func (l *Live) At(t float64) (x, dx float64) {
	if !l.moves {
		return l.Value, 0
	}
	return l.x1 + l.rate*(t-l.t1), l.rate // (5)
}
