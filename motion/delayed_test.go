package motion

import (
	"strings"
	"testing"
)

// A delayed motion is the other one, later by exactly the delay; before, it rests where the other one begins.
func TestDelayedMotionsAreLaterByTheDelay(t *testing.T) {
	m := &Sine{Amplitude: 2, Frequency: 1.5, Phase: 0.4}
	d := &Delayed{By: 0.125, Motion: m}
	first, _ := m.At(0)
	for _, time := range []float64{0, 0.0625, 0.125, 0.25, 1, 3.5} {
		x, dx := d.At(time)
		wantX, wantDx := first, 0.0
		if time >= 0.125 {
			wantX, wantDx = m.At(time - 0.125)
		}
		if x != wantX || dx != wantDx {
			t.Errorf("at %g s: %g and %g, want %g and %g", time, x, dx, wantX, wantDx)
		}
	}
	for _, c := range []struct {
		d    Delayed
		want string
	}{{Delayed{By: -1, Motion: m}, "must be finite and not negative"}, {Delayed{By: 1, Motion: &Live{Name: "squeeze"}}, `live value "squeeze" cannot be delayed`}, {Delayed{Motion: &Sine{Ramp: -1}}, "ramp"}} {
		if err := c.d.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q in it", err, c.want)
		}
	}
}
