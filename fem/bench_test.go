package fem

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes/profiles"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// finger returns a FinRay finger of some 1,000 vertices and 2,700 tets in motion,
// fixed at its base and bent to a visible degree.
func finger(b *testing.B, law ConstitutiveLaw, elements Elements) *world {
	b.Helper()
	f := profiles.DefaultFinRay()
	mesh, err := f.Tets(profiles.FinRayOptions{})
	if err != nil {
		b.Fatal(err)
	}
	m := mustModel(b, Spec{Mesh: mesh, Law: law, Elements: elements, Density: 1000, StiffnessDamping: 0.01, Fixed: f.BaseVertices(mesh)})
	w := newWorld(m)
	for i, X := range mesh.Verts {
		x := r3.RotExp(r3.Vec{0.1, 0, 3 * X[0]}).MulVec(X)
		copy(w.x[3*i:], x[:])
		w.v[3*i+1] = 0.1 * math.Sin(30*X[0])
	}
	w.d.Place(w.x)
	return w
}

func benchmarkFree(b *testing.B, w *world) {
	w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
	b.ReportAllocs()
	for b.Loop() {
		w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(w.d.model.NumTets()), "ns/tet")
	if w.d.newton != nil {
		b.ReportMetric(float64(w.d.newton.iterations), "iterations")
	}
}

func BenchmarkFreeMotionFinRay(b *testing.B) {
	law, err := NewCorotational(2.5e6, 0.49)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("corotational", func(b *testing.B) { benchmarkFree(b, finger(b, law, Tet4)) })
	b.Run("corotational, hexahedra", func(b *testing.B) { benchmarkFree(b, finger(b, law, Hex12)) })
	b.Run("corotational, 2 workers", func(b *testing.B) {
		w := finger(b, law, Tet4)
		w.pool = workers.NewPool(2)
		defer w.pool.Close()
		benchmarkFree(b, w)
	})
	b.Run("neo_hookean", func(b *testing.B) { benchmarkFree(b, finger(b, neoHookean(b, 2.5e6, 0.45), Tet4)) })
}

func BenchmarkReports(b *testing.B) {
	law, err := NewCorotational(2.5e6, 0.49)
	if err != nil {
		b.Fatal(err)
	}
	w := finger(b, law, Tet4)
	b.Run("Place", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			w.d.Place(w.x)
		}
	})
	b.Run("MaxVonMises", func(b *testing.B) {
		for b.Loop() {
			w.d.MaxVonMises()
		}
	})
	b.Run("ElasticEnergy", func(b *testing.B) {
		for b.Loop() {
			w.d.ElasticEnergy()
		}
	})
}

// The parts of a step of the midpoint rule, per tet: the first pass, the test of its linearization by rotations, and a
// further pass.
func BenchmarkMidpointFinRay(b *testing.B) {
	law, err := NewCorotational(2.5e6, 0.49)
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range []Elements{Tet4, Hex12} {
		w := newMidWorld(finger(b, law, e).d.model)
		w.world = finger(b, law, e)
		w.step(0.01, r3.Vec{0, 0, -9.81})
		w.step(0.01, r3.Vec{0, 0, -9.81})
		per := func(name string, f func()) {
			b.Run(string(e)+", "+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(w.d.model.NumTets()), "ns/tet")
			})
		}
		per("first pass", func() {
			w.d.Integrate(w.rule.Step(0.01, w.memory, w.before))
			w.p.Reset(0, 0.01)
			w.d.Linearize(0.01, r3.Vec{}, w.x, w.v, nil, &w.p)
		})
		w.solve()
		w.d.LinearizationError(w.next, true, nil, &w.p)
		per("bounds", func() { w.d.free.strains.run(nil, true) })
		per("strains", func() { w.d.free.strains.run(nil, false) })
		per("further pass", func() { w.d.Relinearize(w.next, nil, &w.p) })
		per("ledger", func() { w.d.Ledger(w.next, &w.p) })
	}
}
