package hydroelastic

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// gear returns the surface of a disk of the given thickness whose rim is a wave
// of the given number of teeth, n points around.
func gear(radius, height, thickness float64, teeth, n int) *meshes.Tri {
	m := &meshes.Tri{}
	for _, z := range [2]float64{-thickness / 2, thickness / 2} {
		for i := range n {
			a := 2 * math.Pi * float64(i) / float64(n)
			r := radius + height*math.Cos(float64(teeth)*a)
			m.Verts = append(m.Verts, r3.Vec{r * math.Cos(a), r * math.Sin(a), z})
		}
	}
	lo, hi := int32(2*n), int32(2*n+1)
	m.Verts = append(m.Verts, r3.Vec{0, 0, -thickness / 2}, r3.Vec{0, 0, thickness / 2})
	for i := range int32(n) {
		j := (i + 1) % int32(n)
		k := int32(n)
		m.Tris = append(m.Tris, [3]int32{lo, j, i}, [3]int32{hi, k + i, k + j},
			[3]int32{i, j, k + j}, [3]int32{i, k + j, k + i})
	}
	return m
}

// gears returns a gear of about 10,000 elements, compliant and rigid, and the
// pose at which another one meshes with it.
func gears(b testing.TB, overlap float64) (soft *Compliant, hard *Rigid, X r3.Pose) {
	const radius, height, teeth = 0.03, 0.003, 20
	m := gear(radius, height, 0.012, teeth, 400)
	soft, err := NewFromSurface(m, Options{HydroelasticModulus: 1e7, ResolutionHint: 0.0028})
	if err != nil {
		b.Fatal(err)
	}
	if hard, err = NewRigid(m, 0.0085); err != nil {
		b.Fatal(err)
	}
	s, c := math.Sincos(math.Pi / teeth)
	return soft, hard, r3.Pose{R: r3.Mat{c, -s, 0, s, c, 0, 0, 0, 1}, P: r3.Vec{2*radius - overlap, 0, 0.001}}
}

func benchmarkContact(b *testing.B, A, B Geometry, X r3.Pose) {
	var q Query
	var s ContactSurface
	q.Contact(A, B, r3.PoseIdentity(), X, &s)
	b.ReportAllocs()
	for b.Loop() {
		q.Contact(A, B, r3.PoseIdentity(), X, &s)
	}
	b.ReportMetric(float64(len(s.Faces)), "faces")
	b.ReportMetric(float64(len(q.pairs)), "pairs")
}

func BenchmarkCompliantGearOnRigidGear(b *testing.B) {
	soft, hard, X := gears(b, 0.001)
	b.Logf("%d cells, %d triangles", soft.NumCells(), len(hard.tris))
	benchmarkContact(b, soft, hard, X)
}

func BenchmarkCompliantGearOnCompliantGear(b *testing.B) {
	soft, _, X := gears(b, 0.001)
	b.Logf("%d cells each", soft.NumCells())
	benchmarkContact(b, soft, soft, X)
}

func BenchmarkSphereOnSphere(b *testing.B) {
	s, err := NewSphere(0.05, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.005})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkContact(b, s, s, r3.Pose{R: r3.RotExp(r3.Vec{1, 2, 3}), P: r3.Vec{0, 0, 0.095}})
}

func BenchmarkBoxOnBox(b *testing.B) {
	s, err := NewBox(r3.Vec{0.1, 0.08, 0.06}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.01, Margin: 1e-4})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkContact(b, s, s, r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.1}), P: r3.Vec{0, 0, 0.0599}})
}

func BenchmarkCubeOnRigidHalfSpace(b *testing.B) {
	s, err := NewBox(r3.Vec{0.1, 0.1, 0.1}, Options{HydroelasticModulus: 1e6, ResolutionHint: 0.0036, Margin: 1e-4})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkContact(b, s, NewRigidHalfSpace(), r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.1}), P: r3.Vec{0.01, 0, -0.04999}})
}

func BenchmarkBuildingAGear(b *testing.B) {
	m := gear(0.03, 0.003, 0.012, 20, 400)
	for b.Loop() {
		if _, err := NewFromSurface(m, Options{HydroelasticModulus: 1e7, ResolutionHint: 0.0028, Margin: 1e-4}); err != nil {
			b.Fatal(err)
		}
	}
}
