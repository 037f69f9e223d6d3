package motion

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/curlfree/curlfree/kinds"
)

// endSlack is the relative tolerance of the last time of a table: times of steps have
// round-off.
const endSlack = 1e-12

var _ = Motions.Register(kinds.Kind[Motion]{
	Name: "times",
	Doc:  "A table of values over time, with constant values before and after it.",
	New:  func() Motion { return &Piecewise{Smooth: true} },
	Samples: func() []Motion {
		return []Motion{&Piecewise{Times: []float64{0, 0.5, 1}, Values: []float64{0, 0.02, 0.01}, Smooth: true}}
	},
})

// Piecewise interpolates a table of knots (t_i, x_i),
//
//	x(t) = x_i + (x_{i+1} − x_i) f(s),   s = (t − t_i)/(t_{i+1} − t_i)        (3)
//
// with f(s) = s, or the minimum-jerk function (1), by which it comes to rest at every
// knot. Before the first time and after the last one the
// value is constant; at the last time itself a linear table still has the slope of its
// last piece, because runs end there.
type Piecewise struct {
	// Times are the increasing times of the knots, s.
	Times []float64 `key:"times,required" unit:"s" doc:"increasing times"`
	// Values are the values at the knots, as many as Times.
	Values []float64 `key:"values,required" doc:"value at each of these times"`
	// Smooth chooses minimum jerk between knots; else the function is linear there.
	Smooth bool `key:"smooth" doc:"minimum jerk from value to value, at rest at each; false: linear"`
}

var _ Motion = (*Piecewise)(nil)

// NewPiecewise returns a table of values at increasing times (s). The slices are
// copied. The error is that of Check.
func NewPiecewise(times, values []float64, smooth bool) (*Piecewise, error) {
	p := &Piecewise{slices.Clone(times), slices.Clone(values), smooth}
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p, nil
}

// Check returns an error if the lengths differ, a number is not finite, times do not
// increase, or a slope overflows.
func (p *Piecewise) Check() error {
	if len(p.Times) != len(p.Values) {
		return fmt.Errorf("%d times and %d values: give as many times as values", len(p.Times), len(p.Values))
	}
	if len(p.Times) == 0 {
		return errors.New("no times and values: give at least one of each")
	}
	for i, t := range p.Times {
		if x := p.Values[i]; math.IsNaN(t-t) || math.IsNaN(x-x) {
			return fmt.Errorf("knot %d (%g s, %g): times and values must be finite", i+1, t, x)
		}
		if i == 0 {
			continue
		}
		before, from, to := p.Times[i-1], p.Values[i-1], p.Values[i]
		if !(t > before) {
			return fmt.Errorf("times must ascend: %g s follows %g s", t, before)
		}
		if s := steepest * (to - from) / (t - before); math.IsNaN(s - s) {
			return fmt.Errorf("from %g at %g s to %g at %g s is too steep: set the knots further apart", from, before, to, t)
		}
	}
	return nil
}

// At implements Motion.
func (p *Piecewise) At(t float64) (x, dx float64) {
	i := sort.Search(len(p.Times), func(i int) bool { return p.Times[i] > t }) // the knot ahead
	switch {
	case math.IsNaN(t):
		return t, t
	case i == 0:
		return p.Values[0], 0
	case i == len(p.Times):
		end := p.Times[i-1]
		if !p.Smooth && i > 1 && t-end <= endSlack*math.Abs(end) {
			dx = (p.Values[i-1] - p.Values[i-2]) / (end - p.Times[i-2])
		}
		return p.Values[i-1], dx
	}
	T, d := p.Times[i]-p.Times[i-1], p.Values[i]-p.Values[i-1]
	s := (t - p.Times[i-1]) / T
	if !p.Smooth {
		return p.Values[i-1] + d*s, d / T
	}
	x, dx = step(s)
	return p.Values[i-1] + d*x, d / T * dx
}
