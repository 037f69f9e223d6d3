package fem

import (
	"math"
	"math/rand"
	"testing"

	"curlfree/r3"
)

func rubber(t testing.TB, nu float64) Corotational {
	m, err := NewCorotational(1e5, nu)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// z_n = z0 + n h v0 − ½ g h² n (n + 1), and no strain.
func TestFreeFallIsExact(t *testing.T) {
	g, h := r3.Vec{0.3, -0.2, -9.81}, 0.01
	m := mustModel(t, Spec{Name: "block", Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 2, 3, 2), Material: rubber(t, 0.4), Density: 1000, StiffnessDamping: 0.01})
	w := newWorld(m)
	v0 := r3.Vec{1, 2, 3}
	for i := range m.NumVerts() {
		copy(w.v[3*i:], v0[:])
	}
	const n = 50
	for range n {
		w.step(h, g)
	}
	want := v0.Scale(n*h).AddScaled(0.5*h*h*n*(n+1), g)
	for i, p := range w.d.Positions() {
		if e := p.Sub(m.Mesh().Verts[i]).Sub(want).Norm(); e > 1e-11 {
			t.Fatalf("vertex %d is off by %g m", i, e)
		}
	}
}

// A body that rests in any orientation feels no force.
func TestRotationByNinetyDegreesGivesNoForce(t *testing.T) {
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 2, 3, 2), Material: rubber(t, 0.4), Density: 1000})
	w := newWorld(m)
	for _, axis := range []r3.Vec{{math.Pi / 2}, {0, math.Pi / 2}, {0, 0, math.Pi / 2}, {1, 2, -3}, {0, math.Pi, 0}} {
		R := r3.RotExp(axis)
		for i, X := range m.Mesh().Verts {
			x := R.MulVec(X).Add(r3.Vec{1, 2, 3})
			copy(w.x[3*i:], x[:])
		}
		w.freeMotion(0.01, r3.Vec{})
		for i, p := range w.p.P {
			if math.Abs(p) > 0.01*1e5*0.01*1e-12 { // h E L² relative
				t.Fatalf("rotation %v: momentum %d is %g N s", axis, i, p)
			}
		}
	}
}

// p and A of the problem agree: P(v0) is affine in v0 with slope −A + M … for
// fixed R, so A (v* − v0) = P(v0) at two different v0 gives the same v*.
func TestFreeMotionDoesNotDependOnItsStart(t *testing.T) {
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.2, 0.1}, 1, 2, 1), Material: LinearElastic{hooke{1e4, 3e4}}, Density: 1000})
	w := newWorld(m)
	r := rand.New(rand.NewSource(1))
	for i := range w.x {
		w.x[i] += 0.003 * r.NormFloat64()
		w.v[i] = r.NormFloat64()
	}
	h := 0.01
	w.freeMotion(h, r3.Vec{})
	c := &w.p.Cliques[0]
	dv := conjugateGradients(c, w.p.P)
	// Residual of (1) at the end: M dv = h f(x + h v*), from the energy.
	x0 := append([]float64(nil), w.x...)
	for i := range w.x {
		w.x[i] = x0[i] + h*(w.v[i]+dv[i])
	}
	mom := massTimes(m, dv)
	for i := range w.x {
		f := -difference(w, i, 1e-6)
		if e := math.Abs(mom[i] - h*f); e > 1e-7 {
			t.Fatalf("M dv − h f = %g N s at %d (of %g)", e, i, mom[i])
		}
	}
}

// difference returns ∂(elastic energy)/∂x_i.
func difference(w *world, i int, eps float64) float64 {
	x := w.x[i]
	w.x[i] = x + eps
	w.d.Place(w.x)
	e1 := w.d.ElasticEnergy()
	w.x[i] = x - eps
	w.d.Place(w.x)
	e0 := w.d.ElasticEnergy()
	w.x[i] = x
	w.d.Place(w.x)
	return (e1 - e0) / (2 * eps)
}

// massTimes returns M v with the consistent mass.
func massTimes(m *Model, v []float64) []float64 {
	y := make([]float64, len(v))
	for _, e := range m.elements {
		for _, a := range e.verts {
			for _, b := range e.verts {
				c := m.spec.Density * e.volume / 20
				if a == b {
					c *= 2
				}
				for k := range 3 {
					y[3*int(a)+k] += c * v[3*int(b)+k]
				}
			}
		}
	}
	return y
}
