package rigid

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// energyError returns the largest change of the energy of a run of T seconds, of weight and springs too, and its largest rise above the start.
func (w *damped) energyError(t testing.TB, h, T float64) (worst, rise float64) {
	energy := func() float64 {
		w.Place(w.t, h, w.q, w.v)
		return w.KineticEnergy() + w.PotentialEnergy(w.gravity) + w.SpringEnergy()
	}
	E0 := energy()
	for range int(math.Round(T / h)) {
		w.free(t, h)
		e := energy() - E0
		worst, rise = max(worst, math.Abs(e)), max(rise, e)
	}
	return worst, rise
}

func TestZZTrees(t *testing.T) {
	for _, h := range []float64{1e-3, 5e-3, 1e-2, 2e-2} {
		w := newDamped(build(t, LinkSpec{Name: "bob", Parent: World, Joint: Revolute{Axis: yAxis}, Mass: 1, Com_B: r3.Vec{0, 0, -0.0981}}), 0.05)
		w.gravity = gravity
		w.q[0] = 1
		worst, _ := w.energyError(t, h, 20)
		t.Logf("pendulum %g: %.2e", h, worst/(9.81*0.0981*(1-math.Cos(1))))
	}
	for _, h := range []float64{1e-3, 5e-3, 1e-2, 2e-2} {
		arm := LinkSpec{Name: "arm", Parent: World, Joint: Revolute{Axis: yAxis}, Mass: 1, Com_B: r3.Vec{0, 0, -0.25}, Inertia_B: r3.Diag(r3.Vec{0.03, 0.02, 0.03})}
		fore := arm
		fore.Parent, fore.X_PF = 0, r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, -0.5}}
		w := newDamped(build(t, arm, fore), 0.05)
		w.gravity = gravity
		w.q[0], w.q[1] = 1, 0.5
		worst, rise := w.energyError(t, h, 5)
		t.Logf("double pendulum %g: %.2e J, rise %.2e", h, worst, rise)
	}
	for _, h := range []float64{1e-3, 5e-3, 1e-2, 2e-2} {
		w := newDamped(boxWithPendulum(t, 0.5).m, 0.05)
		copy(w.v, boxWithPendulum(t, 0.5).v)
		w.Place(0, h, w.q, w.v)
		p0, L0, E0 := w.Momentum(), w.AngularMomentum(r3.Vec{}), w.KineticEnergy()
		worst, rise := w.energyError(t, h, 5)
		w.Place(0, h, w.q, w.v)
		t.Logf("floating %g: %.2e, rise %.2e, p %.1e L %.1e", h, worst/E0, rise/E0, w.Momentum().Sub(p0).Norm(), w.AngularMomentum(r3.Vec{}).Sub(L0).Norm()/L0.Norm())
	}
}
