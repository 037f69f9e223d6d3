package fem

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Vector kernels agree with the scalar code tet by tet, wherever positions are:
// near rest, turned, stretched far, squashed flat, inside out.
func TestTetsSideBySideAreTetsAlone(t *testing.T) {
	if !haveKernels {
		t.Skip("this machine or build has no vector kernels")
	}
	r := rand.New(rand.NewPCG(20261121, 70))
	law, err := NewCorotational(2.5e6, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	mesh := boxMesh(r3.Vec{0.1, 0.05, 0.03}, 5, 3, 3)
	fallbacks := 0
	for trial, noise := range []float64{0, 0.1, 0.3, 1, 3, 10} {
		spec := Spec{Mesh: mesh, Law: law, Density: 1000, StiffnessDamping: 0.01}
		if trial%2 == 1 {
			spec.MassDamping = 2
		}
		m := mustModel(t, spec)
		w := newWorld(m)
		Q := r3.RotExp(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		for i, X := range mesh.Verts {
			x := Q.MulVec(X)
			for k := range 3 {
				w.x[3*i+k] = x[k] + 0.005*noise*r.NormFloat64()
				w.v[3*i+k] = 0.1 * r.NormFloat64()
			}
		}
		copy(w.x[:3], w.x[3:6]) // a flat tet, or more
		w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
		f := &w.d.free
		got := struct{ w, force []padded }{append([]padded(nil), f.w...), append([]padded(nil), f.force...)}
		for i := range m.elements {
			f.elements.tet(i)
			e := &m.elements[i]
			if F := e.gradient(f.pos); F.Det() < 1e-6*math.Pow(F.Norm2(), 1.5) {
				fallbacks++
			}
		}
		forces, vectors := 0.0, 0.0
		for i := range f.w {
			forces, vectors = max(forces, f.force[i].vec().Norm()), max(vectors, f.w[i].vec().Norm())
		}
		for i := range f.w {
			if d := got.w[i].vec().Sub(*f.w[i].vec()).Norm(); !(d < 1e-11*vectors) {
				t.Fatalf("noise %g, tet %d: vector off by %g of %g", noise, i/4, d, vectors)
			}
			if d := got.force[i].vec().Sub(*f.force[i].vec()).Norm(); !(d < 1e-11*forces) {
				t.Fatalf("noise %g, tet %d: force off by %g of %g", noise, i/4, d, forces)
			}
		}
		compareColumns(t, w)
	}
	if fallbacks < 50 {
		t.Errorf("only %d tets were flat or inside out", fallbacks)
	}
}

// compareColumns checks blocks and momenta against sums in Go.
func compareColumns(t *testing.T, w *world) {
	t.Helper()
	w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
	m, f := w.d.model, &w.d.free
	c := &w.p.Cliques[0]
	stiff := f.columns.h * (f.columns.h + m.spec.StiffnessDamping)
	mass := 1 + f.columns.h*m.spec.MassDamping
	for k := range m.pattern.Row {
		b := &m.blocks[k]
		var want [9]float64
		f.gather(&want, m.pairs[b.first:m.blocks[k+1].first], stiff*m.mu, stiff*m.lambda, mass*b.mass+stiff*m.mu*b.dot)
		most := 0.0
		for _, x := range want {
			most = max(most, math.Abs(x))
		}
		for i, x := range want {
			if d := math.Abs(c.A[9*k+i] - x); !(d < 1e-12*most+1e-15) {
				t.Fatalf("block %d: entry %d is %g, want %g", k, i, c.A[9*k+i], x)
			}
		}
	}
	most := 0.0
	for _, x := range w.p.P {
		most = max(most, math.Abs(x))
	}
	for j := range m.pattern.N {
		sum := f.columns.gravity.Scale(m.nodalMass[m.vertex[j]])
		k := m.pattern.Ptr[j]
		for _, p := range m.pairs[m.blocks[k].first:m.blocks[k+1].first] {
			sum = sum.Add(*f.force[p.row].vec())
		}
		if d := r3.Vec(w.p.P[3*j : 3*j+3]).Sub(sum.Scale(0.01)).Norm(); !(d < 1e-12*most) {
			t.Fatalf("momentum of node %d is off by %g of %g", j, d, most)
		}
	}
}
