package motion

import (
	"math"
	"testing"
)

// Rates jump at kinks and nowhere else.
func TestKinks(t *testing.T) {
	table := &Piecewise{Times: []float64{0.1, 0.5, 0.7}, Values: []float64{0, 1, -1}}
	for _, m := range []Motion{
		Constant(2), table, &Piecewise{Times: table.Times, Values: table.Values, Smooth: true}, &Sine{Amplitude: 1, Frequency: 2},
		&Delayed{By: 0.2, Motion: &Sine{Amplitude: 1, Frequency: 2}}, &Delayed{By: 0.2, Motion: table},
	} {
		const h = 1e-4
		for k := 1; k < 12000; k++ {
			at := (float64(k) + 0.37) * h
			jumps := false
			for _, x := range KinksOf(m) {
				jumps = jumps || math.Abs(x-at) < h
			}
			_, before := m.At(at - h/2)
			_, after := m.At(at + h/2)
			if !jumps && math.Abs(after-before) > 0.05 {
				t.Errorf("%T jumps by %g at %g s, which is no kink", m, after-before, at)
			}
		}
	}
	if n := len(KinksOf(&Delayed{By: 0.2, Motion: table})); n != 4 {
		t.Errorf("%d kinks of a delayed table", n)
	}
}
