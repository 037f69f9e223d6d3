package sim

import (
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// A box slides with μ = 2 in the gap at which its law has it glide: μ h v, or μ (h+τ) v
// where damping acts ahead of touch. So it does at rest on a surface that runs. If
// contact were not sought that far ahead, it would fall through and strike.
func TestGlidingBodiesDoNotFallThroughTheirGap(t *testing.T) {
	const h, mu, v, tau = 1e-3, 2.0, 3.0, 2e-3
	for _, c := range []struct {
		law constraints.ContactModel
		gap float64
	}{
		{constraints.Lagged{}, 0}, {constraints.Similar{}, mu * h * v}, {constraints.SAP{Beta: 1}, mu * (h + tau) * v},
		{constraints.SAP{Beta: 1, DampingFromTouch: true}, mu * h * v},
	} {
		for _, runs := range []float64{0, -v} { // the body slides, or the ground's surface runs
			w := newScaffold(t)
			w.Contact = c.law
			w.material(1e6, 10, mu)
			w.mat(0).RelaxationTime = tau / 2
			w.material(1e6, 10, mu)
			w.mat(1).RelaxationTime = tau / 2
			w.mat(1).SurfaceVelocity_B = r3.Vec{runs, 0, 0}
			w.ground(1)
			w.body("plate", w.box(0.2, 0.2, 0.002), 1, at(0, 0, 0.001+c.gap), r3.Vec{}, r3.Vec{v + runs, 0, 0}, 0)
			s, x := w.build()
			peak := 0.0
			for range 60 { // it slows down and sinks as it does, at μ² g
				run(t, s, x, h, 1)
				peak = max(peak, ContactForce{On: 0, Kind: NormalSum}.Value(s, x))
			}
			if peak > 1.5*grav {
				t.Errorf("%T, surface at %g m/s: struck with %g N", c.law, runs, peak)
			}
		}
	}
}
