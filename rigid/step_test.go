package rigid

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

var (
	xAxis, yAxis, zAxis = r3.Vec{1, 0, 0}, r3.Vec{0, 1, 0}, r3.Vec{0, 0, 1}
	gravity             = r3.Vec{0, 0, -9.81}
)

// z(n) = z0 + n h v0 − ½ g h² n (n + 1).
func TestFreeFallIsExact(t *testing.T) {
	r := newRand(0)
	s := LinkSpec{Name: "ball", Parent: World, Joint: Floating{}}
	randBody(r, &s)
	s.Com_B = r3.Vec{}
	w := newWorld(build(t, s))
	w.gravity = gravity
	const z0, v0, h, n = 2.0, 1.5, 1e-3, 1000
	w.q[6], w.v[5] = z0, v0
	for range n {
		w.step(t, h, nil)
	}
	want := z0 + n*h*v0 - 0.5*9.81*h*h*n*(n+1)
	if math.Abs(w.q[6]-want) > 1e-12 {
		t.Errorf("z = %.15g, want %.15g", w.q[6], want)
	}
}

// pendulum swings about y, a body of inertia I about its centre, l below.
func pendulum(t testing.TB, m, l, I, rotor float64) *world {
	w := newWorld(build(t, LinkSpec{
		Name: "bob", Parent: World, Joint: Revolute{Axis: yAxis},
		Mass: m, Com_B: r3.Vec{0, 0, -l}, Inertia_B: r3.Diag(r3.Vec{I, I, I}), RotorInertia: rotor,
	}))
	w.gravity = gravity
	return w
}

// period returns the mean time between upward crossings of zero of a position.
func period(t testing.TB, w *world, h float64, swings int) float64 {
	t.Helper()
	var first, last float64
	for count := -1; count < swings; {
		before := w.q[0]
		w.step(t, h, nil)
		if before < 0 && w.q[0] >= 0 {
			if last = w.t - h*w.q[0]/(w.q[0]-before); count < 0 {
				first = last
			}
			count++
		}
		if w.t > 1e4 {
			t.Fatal("no swings")
		}
	}
	return (last - first) / float64(swings)
}

// T = 2π/(ω agm(1, cos(θ/2))), the complete elliptic integral.
func TestPendulumPeriodIsTheEllipticIntegral(t *testing.T) {
	const m, l, I, amplitude = 0.7, 0.4, 0.02, 1.2
	w := pendulum(t, m, l, I, 0)
	w.q[0] = amplitude
	a, b := 1.0, math.Cos(amplitude/2)
	for range 6 {
		a, b = (a+b)/2, math.Sqrt(a*b)
	}
	want := 2 * math.Pi / (math.Sqrt(m*9.81*l/(I+m*l*l)) * a)
	if T := period(t, w, 2e-4, 3); math.Abs(T/want-1) > 1e-6 {
		t.Errorf("period %.9g s, want %.9g", T, want)
	}
}

// ω = √(m g l/(I + I_r)).
func TestRotorInertiaSlowsThePendulum(t *testing.T) {
	const m, l, I, rotor = 0.7, 0.4, 0.02, 0.3
	w := pendulum(t, m, l, I, rotor)
	w.q[0] = 1e-3
	want := 2 * math.Pi * math.Sqrt((I+m*l*l+rotor)/(m*9.81*l))
	if T := period(t, w, 2e-4, 3); math.Abs(T/want-1) > 1e-6 {
		t.Errorf("period %.9g s, want %.9g", T, want)
	}
}

// v = (m v0 − h k (q0 − q_r))/(m + h d + h² k), for any h.
func TestDampedSpringStepIsExact(t *testing.T) {
	const m, d, k, rest = 0.5, 3.0, 2000.0, 0.1
	for _, h := range []float64{1e-4, 1e-2, 1, 1e3, 1e9} {
		w := newWorld(build(t, LinkSpec{
			Name: "cart", Parent: World, Joint: Prismatic{Axis: xAxis}, Mass: m, Damping: d, Stiffness: k, Rest: rest,
		}))
		w.q[0], w.v[0] = 0.3, -0.7
		start := w.q[0] - rest
		for i := range 50 {
			A := m + h*d + h*h*k
			want := (m*w.v[0] - h*k*(w.q[0]-rest)) / A
			ulp := 2e-16 * (math.Abs(w.v[0]) + h*k/A*(math.Abs(w.q[0])+rest))
			w.step(t, h, nil)
			if math.Abs(w.v[0]-want) > 8*ulp {
				t.Fatalf("h = %g step %d: v = %.16g, want %.16g", h, i, w.v[0], want)
			}
			if x := math.Abs(w.q[0] - rest); !(x < 2*math.Abs(start)) {
				t.Fatalf("h = %g: unstable, %g from rest", h, x)
			}
		}
		w.Place(0, h, w.q, w.v)
		if x := w.q[0] - rest; math.Abs(w.SpringEnergy()-0.5*k*x*x) > 1e-12*k {
			t.Errorf("spring energy %g", w.SpringEnergy())
		}
	}
}

// z̈ = −g m s²/(I + m s²) with s = pitch/2π per radian.
func TestScrewFallsBySharingWithItsSpin(t *testing.T) {
	const m, I, pitch, h, n = 0.3, 2e-5, 0.05, 1e-3, 400
	w := newWorld(build(t, LinkSpec{
		Name: "nut", Parent: World, Joint: Screw{Axis: zAxis, Pitch: pitch}, Mass: m, Inertia_B: r3.Diag(r3.Vec{I, I, I}),
	}))
	w.gravity = gravity
	for range n {
		w.step(t, h, nil)
	}
	s := pitch / (2 * math.Pi)
	want := -9.81 * m * s * s / (I + m*s*s) * 0.5 * h * h * n * (n + 1)
	w.Place(0, h, w.q, w.v)
	if z := w.Pose(0).P[2]; math.Abs(z-want) > 1e-12 {
		t.Errorf("z = %.15g, want %.15g", z, want)
	}
}

// drift halves with the step: error(h)/error(h/2) → 2.
func checkFirstOrder(t *testing.T, drift func(h float64) float64) {
	t.Helper()
	a, b := drift(1e-3), drift(5e-4)
	if rate := a / b; !(rate > 1.9 && rate < 2.1) {
		t.Errorf("drift %g at h = 1 ms, %g at 0.5 ms: ratio %.3f, want 2", a, b, rate)
	}
}

// A heavy fast top, level, precesses steadily with Ω = m g l/(I_s ω_s).
func TestHeavyTopPrecesses(t *testing.T) {
	const m, l, Is, Ix, spin = 0.5, 0.06, 4e-4, 3e-4, 300.0
	Omega := m * 9.81 * l / (Is * spin)
	var links []LinkSpec
	for i, axis := range []r3.Vec{zAxis, yAxis, xAxis} {
		links = append(links, LinkSpec{Name: "gimbal", Parent: i - 1, Joint: Revolute{Axis: axis}})
	}
	links[2].Mass, links[2].Com_B, links[2].Inertia_B = m, r3.Vec{l, 0, 0}, r3.Diag(r3.Vec{Is, Ix, Ix})
	w := newWorld(build(t, links...))
	w.gravity = gravity
	w.v[0], w.v[2] = Omega, spin
	const h, T = 1e-5, 0.2
	for w.t < T-h/2 {
		w.step(t, h, nil)
	}
	if math.Abs(w.q[0]/(Omega*T)-1) > 1e-3 || math.Abs(w.q[1]) > 2e-3 {
		t.Errorf("precessed by %g, want %g; nods by %g", w.q[0], Omega*T, w.q[1])
	}
}

func floatingChain(t testing.TB) *world {
	r := newRand(7)
	var links []LinkSpec
	for i := range 5 {
		s := LinkSpec{Name: "l", Parent: i - 1, Joint: Revolute{Axis: randVec(r).Unit()}, X_PF: randPose(r), X_BM: randPose(r)}
		if i == 0 {
			s.Joint = Floating{}
		}
		randBody(r, &s)
		links = append(links, s)
	}
	w := newWorld(build(t, links...))
	for k := range w.v {
		w.v[k] = r.NormFloat64()
	}
	return w
}

func TestFloatingTreeKeepsItsMomentumToFirstOrder(t *testing.T) {
	checkFirstOrder(t, func(h float64) float64 {
		w := floatingChain(t)
		w.Place(0, h, w.q, w.v)
		p0, L0 := w.Momentum(), w.AngularMomentum(r3.Vec{})
		for w.t < 0.2 {
			w.step(t, h, nil)
		}
		w.Place(w.t, h, w.q, w.v)
		return w.Momentum().Sub(p0).Norm() + w.AngularMomentum(r3.Vec{}).Sub(L0).Norm()
	})
}

// Symplectic Euler: the energy error of a double pendulum is of first order in h.
func TestDoublePendulumKeepsItsEnergyToFirstOrder(t *testing.T) {
	swing := func(h float64) float64 {
		arm := LinkSpec{Name: "arm", Parent: World, Joint: Revolute{Axis: yAxis}, Mass: 1, Com_B: r3.Vec{0, 0, -0.3}, Inertia_B: r3.Diag(r3.Vec{0.03, 0.03, 0.03})}
		fore := arm
		fore.Parent, fore.X_PF = 0, r3.Pose{R: r3.Identity(), P: r3.Vec{0, 0, -0.6}}
		w := newWorld(build(t, arm, fore))
		w.gravity = gravity
		w.q[0], w.q[1] = 0.8, -0.3
		energy := func() float64 {
			w.Place(w.t, h, w.q, w.v)
			return w.KineticEnergy() + w.PotentialEnergy(gravity)
		}
		E0, worst := energy(), 0.0
		for w.t < 3 {
			w.step(t, h, nil)
			worst = math.Max(worst, math.Abs(energy()-E0))
		}
		return worst
	}
	checkFirstOrder(t, swing)
}

// A mass that slides without friction on a cart that is shaken stays where it is.
func TestSliderFeelsTheInertialForceOfItsBase(t *testing.T) {
	shake := motion.Sine{Amplitude: 0.3, Frequency: 2, Phase: 0.4}
	w := newWorld(build(t,
		LinkSpec{Name: "cart", Parent: World, Joint: Prescribed{Translation: [3]motion.Motion{shake}}},
		LinkSpec{Name: "mass", Parent: 0, Joint: Prismatic{Axis: xAxis}, Mass: 2},
	))
	const h = 1e-3
	before, _ := shake.At(-h)
	start, _ := shake.At(0)
	w.v[0] = -(start - before) / h // at rest in the world
	for range 2000 {
		w.step(t, h, nil)
		now, _ := shake.At(w.t)
		if e := w.q[0] + now - start; math.Abs(e) > 1e-11 {
			t.Fatalf("t = %g: moved by %g m", w.t, e)
		}
	}
	w.Place(w.t, h, w.q, w.v)
	if p := w.Momentum().Norm(); p > 1e-9 {
		t.Errorf("momentum %g", p)
	}
}

// On a turntable a mass in a radial slot moves outwards as r0 cosh(ω t).
func TestSliderOnATurntableRunsOutwards(t *testing.T) {
	const omega, r0, T = 3.0, 0.1, 0.8
	checkFirstOrder(t, func(h float64) float64 {
		turn, err := motion.NewPiecewise([]float64{-1, 2}, []float64{-omega, 2 * omega}, false)
		if err != nil {
			t.Fatal(err)
		}
		w := newWorld(build(t,
			LinkSpec{Name: "table", Parent: World, Joint: Prescribed{Axis: zAxis, Angle: turn}},
			LinkSpec{Name: "mass", Parent: 0, Joint: Prismatic{Axis: xAxis}, Mass: 2},
		))
		w.q[0] = r0
		for range int(math.Round(T / h)) {
			w.step(t, h, nil)
		}
		return math.Abs(w.q[0] - r0*math.Cosh(omega*T))
	})
}

// StepVelocity is the velocity of the coming step for links that prescribed joints move,
// and the present one for all others.
func TestStepVelocityLooksAheadOfPrescribedJoints(t *testing.T) {
	ramp, err := motion.NewPiecewise([]float64{0, 1}, []float64{0, 2}, false)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(build(t,
		LinkSpec{Name: "cart", Parent: World, Joint: Prescribed{Translation: [3]motion.Motion{ramp}}},
		LinkSpec{Name: "mass", Parent: 0, Joint: Prismatic{Axis: yAxis}, Mass: 2},
	))
	w.v[0] = 3
	w.Place(0, 0.01, w.q, w.v)
	if _, v := w.StepVelocity(0); math.Abs(v[0]-2) > 1e-12 {
		t.Errorf("the cart moves with %v, want 2 m/s", v)
	}
	if _, v := w.Velocity(0); v != (r3.Vec{}) {
		t.Errorf("the cart moves with %v before it starts", v)
	}
	if _, v := w.StepVelocity(1); *v != (r3.Vec{0, 3, 0}) {
		t.Errorf("the mass moves with %v, want as now", v)
	}
	if q, v := w.Dof(0); q != 0 || v != 3 {
		t.Errorf("q = %g, v = %g", q, v)
	}
}

func TestDofsHavePositionsWhereRatesAreVelocities(t *testing.T) {
	w := newWorld(build(t,
		LinkSpec{Name: "puck", Parent: World, Joint: Planar{}, Mass: 1, Inertia_B: r3.Diag(r3.Vec{1, 1, 1})},
		LinkSpec{Name: "stone", Parent: World, Joint: Floating{}, Mass: 1, Inertia_B: r3.Diag(r3.Vec{1, 1, 1})},
	))
	for i := range 3 {
		w.q[i], w.v[i], w.v[3+i] = 10+float64(i), 20+float64(i), 30+float64(i)
	}
	w.Place(0, 0.01, w.q, w.v)
	for i := range 3 {
		if q, v := w.Dof(i); q != w.q[i] || v != w.v[i] {
			t.Errorf("dof %d of the puck: %g, %g", i, q, v)
		}
		if q, v := w.Dof(3 + i); !math.IsNaN(q) || v != w.v[3+i] {
			t.Errorf("dof %d of the stone: %g, %g", i, q, v)
		}
	}
}
