package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

var unitInertia = r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3})

// pendulum appends a point mass of 1 kg on a rod of length l about y, at angle 0
// hanging down.
func pendulum(w *scaffold, l float64) int {
	return w.link(rigid.LinkSpec{
		Name: "pendulum", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}},
		Mass: 1, Com_B: r3.Vec{0, 0, -l},
	})
}

// period returns the mean period of two swings from rest at angle θ0, at step h.
func period(t *testing.T, l, theta0, h float64) float64 {
	w := newScaffold(t)
	p := pendulum(w, l)
	w.setQ(p, theta0)
	s, x := w.build()
	// crossings of θ = 0 going down, interpolated with angles and velocities
	var first float64
	for swings := 0; ; {
		q, v := x.Q[0], x.V[0]
		run(t, s, x, h, 1)
		if q > 0 && x.Q[0] <= 0 {
			u := root(q, x.Q[0], h*v, h*x.V[0])
			at := x.Time - h + u*h
			if swings == 0 {
				first = at
			}
			if swings++; swings == 3 {
				return (at - first) / 2
			}
		}
	}
}

// root returns where the cubic with these values and slopes at 0 and 1 vanishes.
func root(a, b, da, db float64) float64 {
	u := a / (a - b)
	for range 50 {
		f := a*(1+2*u)*(1-u)*(1-u) + da*u*(1-u)*(1-u) + b*u*u*(3-2*u) + db*u*u*(u-1)
		df := (b-a)*6*u*(1-u) + da*(1-u)*(1-3*u) + db*u*(3*u-2)
		u -= f / df
	}
	return u
}

// T = 4 √(l/g) K(sin θ0/2) = 2π √(l/g)/agm(1, cos θ0/2). The symplectic step's
// period errs by O(h²).
func TestPendulumPeriodIsTheEllipticIntegral(t *testing.T) {
	long(t)
	const l, theta0 = 0.5, 1.2
	a, b := 1.0, math.Cos(theta0/2)
	for range 10 {
		a, b = (a+b)/2, math.Sqrt(a*b)
	}
	want := 2 * math.Pi * math.Sqrt(l/grav) / a
	coarse, fine := period(t, l, theta0, 2e-4), period(t, l, theta0, 1e-4)
	near(t, "period", fine, want, 1e-8*want)
	near(t, "error of twice the step", (coarse-want)/(fine-want), 4, 0.05)
}

// A nut on a screw moves by its pitch a turn, whatever loads it.
func TestScrewAdvancesByItsPitch(t *testing.T) {
	w := newScaffold(t)
	const pitch = 0.01
	nut := w.link(rigid.LinkSpec{Name: "nut", Parent: rigid.World, Joint: rigid.Screw{Axis: r3.Vec{0, 0, 1}, Pitch: pitch}, Mass: 1, Inertia_B: unitInertia})
	w.setV(nut, 3)
	s, x := w.build()
	run(t, s, x, 1e-3, 2000)
	turns := JointPosition{0}.Value(s, x) / (2 * math.Pi)
	if math.Abs(turns) < 1 {
		t.Fatal("it hardly turned")
	}
	near(t, "height", s.kin.Pose(nut).P[2], pitch*turns, 1e-12*pitch*math.Abs(turns))
	// I ω̇ = −m g p/2π + …: (I + m (p/2π)²) ω̇ = −m g p/2π
	lead := pitch / (2 * math.Pi)
	want := 3 - 2*grav*lead/(1e-3+lead*lead)
	near(t, "spin", JointVelocity{0}.Value(s, x), want, 1e-9*math.Abs(want))
}

// A coupler holds q_a = ρ q_b to 1e-6 while a load on one side drives the other:
// with inertias I, b = (τ_b + ρ τ_a)/(I_b + ρ² I_a).
func TestCouplerKeepsItsRatioUnderLoad(t *testing.T) {
	w := newScaffold(t)
	const ratio = -2.5
	w.Gravity = r3.Vec{}
	for _, name := range []string{"a", "b"} {
		w.link(rigid.LinkSpec{Name: name, Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}}, Mass: 1, Inertia_B: unitInertia})
	}
	c := &constraints.Coupler{A: 0, B: 1, Ratio: ratio}
	w.constrain(c, &constraints.PD{Dof: 0, FeedForward: func(float64) float64 { return 0.02 }})
	s, x := w.build()
	const h, n = 1e-3, 1000
	run(t, s, x, h, n)
	qb := x.Q[1]
	want := 0.02 * ratio / (1e-3 + ratio*ratio*1e-3) * 0.5 * h * h * n * (n + 1)
	near(t, "angle", qb, want, 1e-6*math.Abs(want))
	near(t, "ratio", x.Q[0]/qb, ratio, 1e-6)
	// the effort that accelerates b is −ρ times the coupler's effort on a
	near(t, "effort", Effort{0}.Value(s, x), -1e-3*want/(0.5*h*h*n*(n+1))/ratio, 1e-8)
}

// A drive that wants more than its effort gives just that; one that holds a load
// m g l sags by m g l/Kp.
func TestDriveSaturatesAtItsEffort(t *testing.T) {
	w := newScaffold(t)
	const l = 0.5
	p := pendulum(w, l)
	w.setQ(p, math.Pi/2)
	drive := &constraints.PD{Dof: 0, Kp: 1000, Kd: 50, Min: -3, Max: 3, Target: motion.Constant(0)}
	w.constrain(drive)
	s, x := w.build()
	near(t, "effort before any step", Effort{0}.Value(s, x), 0, 0)
	run(t, s, x, 1e-3, 1)
	near(t, "effort", Effort{0}.Value(s, x), -3, 1e-12)

	w = newScaffold(t)
	p = pendulum(w, l)
	w.setQ(p, -math.Pi/2)
	w.constrain(&constraints.PD{Dof: 0, Kp: 1000, Kd: 50, Target: motion.Constant(-math.Pi / 2)})
	s, x = w.build()
	run(t, s, x, 1e-3, 3000)
	q := x.Q[0]
	near(t, "effort", Effort{0}.Value(s, x), grav*l*math.Sin(q), 1e-6)
	near(t, "sag", q+math.Pi/2, -grav*l*math.Sin(q)/1000, 1e-8)
}

// A rigid limit holds the load m g l sin q.
func TestLimitsAreKeptUnderLoad(t *testing.T) {
	w := newScaffold(t)
	const l, stop = 0.5, -0.3
	p := pendulum(w, l)
	w.setQ(p, -0.2)
	w.Gravity = r3.Vec{grav, 0, 0} // pulls towards negative angles
	w.constrain(&constraints.Limit{Dof: 0, Lower: stop, Upper: 1})
	s, x := w.build()
	lowest := 0.0
	for range 2000 {
		run(t, s, x, 1e-3, 1)
		lowest = min(lowest, x.Q[0])
	}
	near(t, "angle", x.Q[0], stop, 1e-6)
	near(t, "lowest angle", lowest, stop, 1e-6)
	near(t, "reaction", Effort{0}.Value(s, x), grav*l*math.Cos(stop), 1e-6)
}

// Signals of a stepper that has not taken the step to a state are 0.
func TestForcesAreThoseOfTheStepThatLedToTheState(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.ground(mat)
	b := w.body("box", w.box(0.1, 0.1, 0.1), 1, at(0, 0, 0.0499), r3.Vec{}, r3.Vec{}, mat)
	s, x := w.build()
	signals := []Signal{ContactForce{On: b, Of: Z}, ContactCount{}, Penetration{}}
	for _, g := range signals {
		near(t, "before a step", g.Value(s, x), 0, 0)
	}
	run(t, s, x, 1e-3, 1)
	for _, g := range signals {
		if g.Value(s, x) == 0 {
			t.Errorf("%T is 0 after a step in contact", g)
		}
		near(t, "of another state", g.Value(s, &State{}), 0, 0)
	}
	x.V[0] = math.NaN()
	if s.Step(x, 1e-3) == nil || (ContactCount{}).Value(s, x) != 0 {
		t.Error("a failed step left forces")
	}
}
