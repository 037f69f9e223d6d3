package motion

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// endSlack is how far behind its last knot a table still ends, as a share of that time:
// times of steps have round-off.
const endSlack = 1e-12

// Piecewise runs through knots and holds the first and last value outside them.
type Piecewise struct {
	times, values []float64
	smooth        bool
}

// NewPiecewise returns a function through values at ascending times (s): between
// knots linear, or smooth: from rest to rest with minimum jerk. The slices are
// copied. The error says which knot is wrong.
func NewPiecewise(times, values []float64, smooth bool) (*Piecewise, error) {
	if len(times) != len(values) {
		return nil, fmt.Errorf("%d times and %d values: as many of both are wanted", len(times), len(values))
	}
	if len(times) == 0 {
		return nil, errors.New("no times and values: one of each is wanted at least")
	}
	for i, t := range times {
		if x := values[i]; math.IsNaN(t-t) || math.IsNaN(x-x) {
			return nil, fmt.Errorf("knot %d (%g s, %g): times and values must be finite", i+1, t, x)
		}
		if i == 0 {
			continue
		}
		if !(t > times[i-1]) {
			return nil, fmt.Errorf("times must ascend: %g s follows %g s", t, times[i-1])
		}
		if s := steepest * (values[i] - values[i-1]) / (t - times[i-1]); math.IsNaN(s - s) {
			return nil, fmt.Errorf("from %g at %g s to %g at %g s is too steep: set the knots further apart", values[i-1], times[i-1], values[i], t)
		}
	}
	return &Piecewise{slices.Clone(times), slices.Clone(values), smooth}, nil
}

// At implements Motion.
func (p *Piecewise) At(t float64) (x, dx float64) {
	i := sort.Search(len(p.times), func(i int) bool { return p.times[i] > t }) // the knot ahead
	switch {
	case math.IsNaN(t):
		return t, t
	case i == 0:
		return p.values[0], 0
	case i == len(p.times):
		end := p.times[i-1]
		if !p.smooth && i > 1 && t-end <= endSlack*math.Abs(end) {
			dx = (p.values[i-1] - p.values[i-2]) / (end - p.times[i-2])
		}
		return p.values[i-1], dx
	}
	T, d := p.times[i]-p.times[i-1], p.values[i]-p.values[i-1]
	s := (t - p.times[i-1]) / T
	if !p.smooth {
		return p.values[i-1] + d*s, d / T
	}
	x, dx = step(s)
	return p.values[i-1] + d*x, d / T * dx
}
