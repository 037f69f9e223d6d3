package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// rollDisc rolls a disc (0.4 kg, radius 5 cm, 1 mm thick) on its rim, tilted by 20°, in the steady motion in which its
// centre of mass rests, for a time, and returns the energy at the end and its greatest rise above the least before,
// over that of the start.
func rollDisc(t *testing.T, h, duration float64) (left, rise float64) {
	const radius, mass, tilt = 0.05, 0.4, 20 * math.Pi / 180
	w := newScaffold(t)
	w.Rule = midpointRule
	mat := w.contactMaterial(constraints.ContactMaterial{Stiffness: 1e6, Dissipation: 20, Friction: 0.9, StaticFriction: 0.9})
	w.ground(mat)
	// Ω of the point of contact: Ω² = 4 g/(R sin α), with ω = Ω sin α along the diameter through it, as a ring turns
	Omega := 2 * math.Sqrt(9.81/(radius*math.Sin(tilt)))
	X := r3.Pose{R: r3.RotExp(r3.Vec{0, tilt, 0}), P: r3.Vec{0, 0, radius*math.Sin(tilt) + 0.0005*math.Cos(tilt)}}
	spin := X.R.MulVec(r3.Vec{-Omega * math.Sin(tilt), 0, 0})
	w.body("disc", must(geometry.NewCylinder(radius, 0.001)), mass, X, spin, r3.Vec{}, mat)
	s, x := w.build()
	e0 := energy(s, x)
	least := e0
	for x.Time < duration {
		run(t, s, x, h, 1)
		if g := s.Report.EnergyGained.Energy; g > 0 {
			t.Fatalf("%g s: %g J are reported as gained at %g s", h, g, x.Time)
		}
		s.Place(x, h)
		e := energy(s, x)
		least = min(least, e)
		rise = max(rise, (e-least)/e0)
	}
	return energy(s, x) / e0, rise
}

// A disc that rolls on its rim neither gains energy nor falls: contacts of the middle of the step have the rows by
// which gaps change. With those of its start it gained up to its whole energy in this time.
func TestMidpointDiscRollsOnItsRim(t *testing.T) {
	for _, h := range []float64{5e-4, 1e-3, 2e-3} {
		left, rise := rollDisc(t, h, 1)
		t.Logf("%g s: %.5f of the energy is left, which rose by %.2g", h, left, rise)
		if rise > 1e-3 || left < 0.985 {
			t.Errorf("%g s: %.4f of the energy is left, which rose by %.2g", h, left, rise)
		}
	}
}

// A ball with an elastic pressure field that rolls at its static depth rolls on without sinking, and loses speed by
// the second order of the step.
func TestMidpointFieldRolls(t *testing.T) {
	ball := func(d, height float64, spin r3.Vec, u r3.Vec, rule timestep.Rule) (*Stepper, *State) {
		w := newScaffold(t)
		w.Rule = rule
		soft := constraints.ContactMaterial{Stiffness: 1e6, Dissipation: d, Friction: 0.5, StaticFriction: 0.5, HydroelasticModulus: 1e6}
		rigid := soft
		rigid.HydroelasticModulus = 0
		mat := w.contactMaterial(soft)
		w.ground(w.contactMaterial(rigid))
		w.body("ball", w.sphere(0.05), 0.5, at(0, 0, height), spin, u, mat)
		return w.build()
	}
	rest, settled := ball(100, 0.049, r3.Vec{}, r3.Vec{}, timestep.Rule{})
	run(t, rest, settled, 1e-3, 1000)
	height := settled.Q[6]
	for _, h := range []float64{1e-3, 2e-3, 5e-3} {
		s, x := ball(0, height, r3.Vec{0, 1 / height, 0}, r3.Vec{1, 0, 0}, midpointRule)
		run(t, s, x, h, int(math.Round(1/h)))
		t.Logf("%g s: speed %.6f, slip %.2g, height %g of %g", h, x.V[3], x.V[3]-x.Q[6]*x.V[1], x.Q[6], height)
		near(t, fmt.Sprint(h, " s: speed"), x.V[3], 1, 1.5e3*h*h)
		near(t, fmt.Sprint(h, " s: slip"), x.V[3]-x.Q[6]*x.V[1], 0, 5e-3)
		near(t, fmt.Sprint(h, " s: height"), x.Q[6], height, 5e-5)
	}
}

// Elastic impacts on fields give back more than under Euler at any step, and no more than they took: the faces are
// ahead, and have the mean force of the step. Damped ones have the rebound of steps of 10 µs.
func TestMidpointImpactsOnFields(t *testing.T) {
	for _, c := range []struct {
		law           constraints.ContactModel
		d, speed      float64
		peak, rebound float64    // at 10 µs under Euler
		least         [3]float64 // rebounds over that
	}{
		{constraints.Lagged{}, 0, 0.2, 6.331, 0.9991, [3]float64{0.99, 0.95, 0.87}},
		{constraints.Lagged{}, 10, 0.2, 5.687, 0.4106, [3]float64{0.99, 0.97, 0.95}},
		{constraints.Lagged{}, 0, 1, 50.23, 0.9985, [3]float64{0.99, 0.96, 0.82}},
		{constraints.Lagged{}, 10, 1, 64.67, 0.09998, [3]float64{0.99, 0.99, 0.99}},
		{constraints.Lagged{}, 0, 5, 259.2, 0.9982, [3]float64{0.99, 0.97, 0.87}},
		{constraints.Similar{}, 0, 1, 50.23, 0.9985, [3]float64{0.99, 0.96, 0.82}},
		{constraints.SAP{Beta: 1}, 0, 1, 46.15, 0.8621, [3]float64{0.99, 0.95, 0.8}},
	} {
		for i, h := range []float64{1e-4, 1e-3, 5e-3} {
			peak, rebound := fieldImpact(t, midpointRule, c.law, c.d, c.speed, h)
			if rebound /= c.rebound; peak > 1.05*c.peak || rebound > 1.03 || rebound < c.least[i] {
				t.Errorf("%T, d %g, %g m/s, %g s: %.3g of the peak, %.4g of the rebound", c.law, c.d, c.speed, h, peak/c.peak, rebound)
			}
		}
	}
}

// A bullet that a step does not resolve leaves about as slowly as its dissipation lets it: displacement velocities are
// at most 1/d, velocities at the end of a step twice that. What an impact took is not remembered, and does not throw
// the body back when it rests.
func TestMidpointBulletHardlyRebounds(t *testing.T) {
	const d, h = 50, 0.01
	for phase := range 16 {
		w := newScaffold(t)
		w.Rule, w.Gravity = midpointRule, r3.Vec{}
		mat := w.contactMaterial(constraints.ContactMaterial{Stiffness: 1e6, HydroelasticModulus: 1e8, Dissipation: d})
		w.geom(geometry.World, at(0, 0, 0), w.box(0.4, 0.4, 0.002), mat)
		w.body("bullet", w.sphere(0.01), 0.01, at(0.01, 0.03, 0.2+0.5*float64(phase)/16), r3.Vec{}, r3.Vec{0, 0, -50}, mat)
		s, x := w.build()
		run(t, s, x, h, 20)
		if v := x.V[5]; x.Q[6] < 0 || v < 0 || v > 2.2/d {
			t.Errorf("phase %d: leaves at %g m/s from %g m, at most %g m/s is right", phase, v, x.Q[6], 1./d)
		}
	}
}

// A block that friction stops ends at rest, whatever the phase of the step, after its way v²/(2 μ g).
func TestMidpointFrictionStopsBlocks(t *testing.T) {
	const mu, h = 0.5, 2e-3
	for phase := range 10 {
		w := newScaffold(t)
		w.Rule = midpointRule
		mat := w.contactMaterial(constraints.ContactMaterial{Stiffness: 1e6, Dissipation: 50, Friction: mu, StaticFriction: mu})
		w.ground(mat)
		v := 1 + mu*9.81*h*float64(phase)/10
		w.body("block", w.box(0.2, 0.2, 0.02), 1, at(0, 0, 0.01-9.81/4e6), r3.Vec{}, r3.Vec{v, 0, 0}, mat)
		s, x := w.build()
		back := 0.0
		for x.Time < 0.3 {
			run(t, s, x, h, 1)
			back = min(back, x.V[3])
		}
		if back < -2e-4 {
			t.Errorf("phase %d: slips back at %g m/s", phase, -back)
		}
		near(t, "way", x.Q[4], v*v/(2*mu*9.81), 2e-3*v*h+1e-4)
	}
}
