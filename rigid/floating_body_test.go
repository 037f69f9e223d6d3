package rigid

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// tumbler returns a body that spins about no principal axis, in two welded parts
// with its joint anywhere, or in one with its joint at the centre of mass.
func tumbler(t testing.TB, i int, central bool) *world {
	r := newRand(i)
	a := LinkSpec{Name: "a", Parent: World, Joint: Floating{}, X_PF: randPose(r), X_BM: randPose(r)}
	b := LinkSpec{Name: "b", Parent: 0, Joint: Weld{}, X_PF: randPose(r), X_BM: randPose(r)}
	randBody(r, &a)
	randBody(r, &b)
	links := []LinkSpec{a, b}
	if central {
		links = links[:1]
		links[0].X_BM.P = a.Com_B
	}
	w := newWorld(build(t, links...))
	for k := range w.v {
		w.v[k] = 10 * r.NormFloat64()
	}
	return w
}

// state returns momenta, the angular one about the centre of mass, and energy.
func (w *world) state(h float64) (p, L, c r3.Vec, E float64) {
	w.Place(w.t, h, w.q, w.v)
	w.computeComposites(w.m.allLinks)
	c = w.x_WB[0].P.AddScaled(1/w.compositeInertia[0].mass, w.compositeInertia[0].mc)
	return w.Momentum(), w.AngularMomentum(c), c, w.KineticEnergy()
}

// The momenta of a floating body are constant and its energy does not grow. With the joint
// at its centre of mass it moves along a straight line.
func TestFlyingBodiesKeepTheirMomenta(t *testing.T) {
	for i := range 20 {
		central := i%2 == 0
		w := tumbler(t, i, central)
		const h, n = 0.01, 1000
		p0, L0, c0, last := w.state(h)
		for k := range n {
			w.step(t, h, nil)
			p, L, c, E := w.state(h)
			round := 1e-14 * float64(k+10)
			if e := p.Sub(p0).Norm() / p0.Norm(); e > round {
				t.Fatalf("body %d step %d: momentum drifts by %g of it", i, k, e)
			}
			if e := L.Sub(L0).Norm() / L0.Norm(); e > round {
				t.Fatalf("body %d step %d: angular momentum drifts by %g of it", i, k, e)
			}
			if E > last*(1+1e-13) {
				t.Fatalf("body %d step %d: energy grows from %.16g to %.16g", i, k, last, E)
			}
			last = E
			path := c0.AddScaled(w.t/w.compositeInertia[0].mass, p0)
			if e := c.Sub(path).Norm(); central && e > 1e-14*path.Norm()*float64(k+10) {
				t.Fatalf("body %d step %d: %g m off its path", i, k, e)
			}
		}
	}
}

// An axisymmetric body's ω turns about L at |L|/I_t: spin converges to that with
// order one.
func TestSymmetricTopNutatesAsEulerSays(t *testing.T) {
	const It, Ia, T = 0.01, 0.015, 1.0
	checkFirstOrder(t, func(h float64) float64 {
		w := newWorld(build(t, LinkSpec{
			Name: "top", Parent: World, Joint: Floating{}, Mass: 1, Inertia_B: r3.Diag(r3.Vec{It, It, Ia}),
		}))
		w.v[0], w.v[2] = 1, 6
		w0 := r3.Vec(w.v[:3])
		L := r3.Vec{It * w0[0], 0, Ia * w0[2]}
		for range int(math.Round(T / h)) {
			w.step(t, h, nil)
		}
		return r3.RotExp(L.Scale(T / It)).MulVec(w0).Sub(r3.Vec(w.v[:3])).Norm()
	})
}

// At any spin, also many turns a step, a body's velocity stays bounded.
func TestSpinIsBoundedAtAnySpeed(t *testing.T) {
	r := newRand(0)
	for i := range 200 {
		s := LinkSpec{Name: "b", Parent: World, Joint: Floating{}}
		randBody(r, &s)
		w := newWorld(build(t, s))
		speed := math.Exp(6 * r.Float64()) // rad/s
		axis := randVec(r).Unit().Scale(speed)
		copy(w.v, axis[:])
		const h = 0.1
		_, _, _, E0 := w.state(h)
		for k := range 300 {
			w.step(t, h, nil)
			if _, _, _, E := w.state(h); !(E <= E0*(1+1e-11)) {
				t.Fatalf("body %d: %g rad a step: energy grows from %g to %g in %d steps", i, h*speed, E0, E, k)
			}
		}
	}
}

// Tumbling decays into rotation about the axis of largest inertia.
func TestTumblingSettlesAboutTheLargestInertia(t *testing.T) {
	I := r3.Vec{0.01, 0.02, 0.025}
	w := newWorld(build(t, LinkSpec{Name: "box", Parent: World, Joint: Floating{}, Mass: 1, Inertia_B: r3.Diag(I)}))
	w.v[0], w.v[1], w.v[2] = 10, 0.5, 0.5 // about the smallest, nearly
	for range 4000 {
		w.step(t, 0.02, nil)
	}
	if axis := w.Pose(0).R.TMulVec(r3.Vec(w.v[:3])).Unit(); math.Abs(axis[2]) < 1-1e-6 {
		t.Errorf("turns about %v in its own axes", axis)
	}
}

func TestLeftJacobianIsThatOfTheExponential(t *testing.T) {
	const e = 1e-6
	for i := range 50 {
		r := newRand(i)
		theta, d := randVec(r).Scale(math.Exp(-0.3*float64(i))), randVec(r)
		hi, lo := r3.RotExp(theta.AddScaled(e, d)), r3.RotExp(theta.AddScaled(-e, d))
		want := hi.Mul(lo.T()).Quat().Log().Scale(0.5 / e)
		if x := leftJacobian(theta).MulVec(d); x.Sub(want).Norm() > 1e-9*(1+want.Norm()) {
			t.Fatalf("θ = %v: %v, by differences %v", theta, x, want)
		}
	}
}
