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

// Kernels and scalar code compute the same energies of eight tets.
func TestEnergiesSideBySideAreEnergiesAlone(t *testing.T) {
	if !haveKernels {
		t.Skip("this machine or build has no vector kernels")
	}
	r := rand.New(rand.NewPCG(20261124, 71))
	law, err := NewCorotational(2.5e6, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	m := mustModel(t, Spec{Mesh: boxMesh(r3.Vec{0.1, 0.05, 0.03}, 2, 1, 1), Law: law, Density: 1000})
	constants := m.kernelConstants()
	for range 200 {
		var x, w [9][8]float64
		var rest restLanes
		for k := range 9 {
			for l := range 8 {
				x[k][l], w[k][l] = r.NormFloat64(), r.NormFloat64()
			}
		}
		for l := range 8 {
			rest.root[l] = r.Float64()
		}
		var got [8]float64
		laneEnergies(&got, &x, &w, &rest, &constants)
		for l := range 8 {
			// a compiler may fuse products and sums of the scalar code
			if want := m.laneEnergy(&x, &w, &rest, l); !(math.Abs(got[l]-want) <= 1e-13*want) {
				t.Fatalf("lane %d: %g, scalar %g", l, got[l], want)
			}
		}
	}
}

// laneEnergy returns the elastic energy V Ψ (2) of the tet in lane l, with the edges x and the
// stiffness vectors w.
func (m *Model) laneEnergy(x, w *[9][8]float64, rest *restLanes, l int) float64 {
	l &= 7
	// edges by component, then stiffness vectors
	a0, b0, c0 := x[0][l], x[1][l], x[2][l]
	a1, b1, c1 := x[3][l], x[4][l], x[5][l]
	a2, b2, c2 := x[6][l], x[7][l], x[8][l]
	u0, u1, u2 := w[0][l], w[1][l], w[2][l]
	v0, v1, v2 := w[3][l], w[4][l], w[5][l]
	w0, w1, w2 := w[6][l], w[7][l], w[8][l]
	// (1), times √V
	root := rest.root[l]
	xx, yy, zz := a0*u0+b0*v0+c0*w0-root, a1*u1+b1*v1+c1*w1-root, a2*u2+b2*v2+c2*w2-root
	xy := a0*u1 + b0*v1 + c0*w1 + a1*u0 + b1*v0 + c1*w0
	xz := a0*u2 + b0*v2 + c0*w2 + a2*u0 + b2*v0 + c2*w0
	yz := a1*u2 + b1*v2 + c1*w2 + a2*u1 + b2*v1 + c2*w1
	tr := xx + yy + zz
	return m.mu*(xx*xx+yy*yy+zz*zz+0.5*(xy*xy+xz*xz+yz*yz)) + 0.5*m.lambda*tr*tr // (2)
}
