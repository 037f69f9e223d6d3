package fem

import (
	"testing"

	"curlfree/r3"
)

// A body of the size of a FinRay finger: 855 vertices, 2,688 tets.
func BenchmarkFreeMotion(b *testing.B) {
	mesh := boxMesh(r3.Vec{0.1, 0.02, 0.006}, 56, 4, 2)
	mat, _ := NewCorotational(2.5e6, 0.45)
	m := mustModel(b, Spec{Mesh: mesh, Material: mat, Density: 1000, StiffnessDamping: 0.01})
	w := newWorld(m)
	w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
	b.ReportAllocs()
	for b.Loop() {
		w.freeMotion(0.01, r3.Vec{0, 0, -9.81})
	}
	b.ReportMetric(float64(m.NumTets()), "tets")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.NumTets()), "ns/tet")
}
