package motion

import (
	"math"
	"testing"
)

// A live value is constant until it is set, and then linear through the value that was set.
func TestLiveValuesAreLinearInAStep(t *testing.T) {
	l := &Live{Name: "x", Value: 0.5, Min: 0, Max: 2}
	if x, dx := l.At(7); x != 0.5 || dx != 0 {
		t.Errorf("before it is set: %g with rate %g", x, dx)
	}
	l.Set(1, 4, 3)
	if x, dx := l.At(2.9); math.Abs(x-0.6) > 1e-12 || dx != 4 {
		t.Errorf("0.1 s before the end of the step: %g with rate %g, want 1 − 4·0.1", x, dx)
	}
	if l.RateLimit() != 2 {
		t.Errorf("rate limit %g, want the range in a second", l.RateLimit())
	}
}

// Ranges that no slider can have are refused.
func TestFaultyLiveValuesAreRefused(t *testing.T) {
	for _, l := range []Live{
		{Value: 0, Min: 0, Max: 1}, {Name: "x"}, {Name: "x", Value: 2, Max: 1}, {Name: "x", Max: 1, Rate: -1},
		{Name: "x", Max: math.Inf(1)}, {Name: "x", Max: 1, Value: math.NaN()},
	} {
		if l.Check() == nil {
			t.Errorf("%+v is accepted", l)
		}
	}
}
