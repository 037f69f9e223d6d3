package sim

import (
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/internal/cputime"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// clampedBar is a bar of ten-node tetrahedra, clamped at its lower end, that sags under its weight by a quarter of its
// length.
func clampedBar(b *testing.B, law fem.ConstitutiveLaw, cells int) (*Stepper, *State) {
	w := newScaffold(b)
	length := 0.01 * float64(cells)
	mesh := must(meshes.BoxTets(r3.Vec{length, 0.05, 0.05}, [3]int{cells, 5, 5})).Quadratic()
	w.AddDeformable("bar", DeformableSpec{
		Mesh: mesh, Law: law, Elements: fem.Tet10,
		Attach: []AttachSpec{{Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.4999 * length, 1, 1}})}},
	})
	return w.build()
}

// benchmarkRest measures one state at rest without contact, on one thread, in processor time.
func benchmarkRest(b *testing.B, law fem.ConstitutiveLaw, cells int) {
	s, start := clampedBar(b, law, cells)
	x := start.Clone()
	before := cputime.Used()
	var stages [numStages]float64
	for b.Loop() {
		x.copyFrom(start)
		if err := s.Equilibrium(x, 1); err != nil {
			b.Fatal(err)
		}
		for i, t := range s.Report.Stages {
			stages[i] += t
		}
	}
	n := float64(b.N)
	b.ReportMetric((cputime.Used()-before).Seconds()/n, "cpu-s/op")
	b.ReportMetric(stages[FreeMotion]/n, "free-motion-s/op")
	b.ReportMetric(stages[Solve]/n, "solve-s/op")
	b.ReportMetric(float64(s.Report.PseudoSteps), "pseudo-steps")
	b.ReportMetric(float64(s.Report.Solver.Iterations), "newton-iterations")
	b.ReportMetric(float64(s.Model.Deformables[0].Dofs()), "unknowns")
}

// 20,328 unknowns, corotational.
func BenchmarkEquilibriumTet10Corotational(b *testing.B) {
	benchmarkRest(b, must(fem.NewCorotational(5e5, 0.4)), 28)
}

// 18,876 unknowns, neo-Hookean.
func BenchmarkEquilibriumTet10NeoHookean(b *testing.B) {
	benchmarkRest(b, must(fem.NewNeoHookean(5e5, 0.4)), 26)
}
