package motion

import (
	"math"
	"testing"
)

// Passages begin and end at rest, their rates are derivatives, and bounds are reached and kept.
func TestPassagesKeepTheirBounds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		timing       Timing
		rate, change float64
	}{
		{MinimumJerk, 0.5, inf}, {MinimumJerk, inf, 2}, {MinimumJerk, 0.5, 3}, {MinimumJerk, 5, 3},
		{Trapezoidal, 0.5, 3}, {Trapezoidal, 50, 3},
	} {
		p, err := c.timing.Passage(c.rate, c.change)
		if err != nil {
			t.Fatal(err)
		}
		fastest, steepest := 0.0, 0.0
		const n = 2000
		d := p.Duration / n
		for i := range n {
			at := (float64(i) + 0.5) * d
			s, ds, dds := p.At(at)
			lo, lower, _ := p.At(at - 1e-3*d)
			hi, upper, _ := p.At(at + 1e-3*d)
			if math.Abs((hi-lo)/(2e-3*d)-ds) > 1e-6 || math.Abs((upper-lower)/(2e-3*d)-dds) > 1e-3*math.Max(1, math.Abs(dds)) || s < 0 || s > 1 {
				t.Errorf("%v at %g: %g, rates %g and %g", c, at, s, ds, dds)
			}
			fastest, steepest = max(fastest, ds), max(steepest, math.Abs(dds))
		}
		if fastest > c.rate*(1+1e-12) || steepest > c.change*(1+1e-12) {
			t.Errorf("%v: rates %g and %g", c, fastest, steepest)
		}
		if fastest < c.rate*(1-1e-5) && steepest < c.change*(1-1e-5) {
			t.Errorf("%v: rates %g and %g reach no bound", c, fastest, steepest)
		}
		if s, ds, _ := p.At(p.Duration); s != 1 || ds != 0 {
			t.Errorf("%v ends at %g with %g", c, s, ds)
		}
		q := p.Stretch(3 * p.Duration)
		_, ds, _ := p.At(0.4 * p.Duration)
		if s, slow, _ := q.At(1.2 * p.Duration); math.Abs(slow-ds/3) > 1e-12 || s <= 0 {
			t.Errorf("%v: stretched rate %g, want %g", c, slow, ds/3)
		}
	}
	for _, c := range []struct {
		timing       Timing
		rate, change float64
	}{{MinimumJerk, inf, inf}, {Trapezoidal, 1, inf}, {Trapezoidal, 0, 1}, {MinimumJerk, math.NaN(), 1}} {
		if _, err := c.timing.Passage(c.rate, c.change); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}
