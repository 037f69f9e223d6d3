package meshes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Points of a block are found where they are: the weighted mean of the vertices is the
// point, with as many vertices as the feature has that it lies on.
func TestLocateFindsPointsOfABlock(t *testing.T) {
	m, err := meshes.BoxTets(r3.Vec{0.4, 0.3, 0.2}, [3]int{4, 3, 2})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, 1))
	half := r3.Vec{0.2, 0.15, 0.1}
	for i := range 2000 {
		// inside, on a face of the block, or outside
		var p, want r3.Vec
		for k := range p {
			p[k] = (2*r.Float64() - 1) * half[k]
			if i%3 == 1 && k == i%2 {
				p[k] = math.Copysign(half[k], p[k])
			}
			if i%3 == 2 {
				p[k] *= 3
			}
			want[k] = max(-half[k], min(half[k], p[k])) // the nearest point of a box
		}
		q := m.Locate(p)
		mean, sum := r3.Vec{}, 0.0
		for k := range q.N {
			if q.Weights[k] <= 0 {
				t.Fatalf("%v: weight %g", p, q.Weights[k])
			}
			mean = mean.AddScaled(q.Weights[k], m.Verts[q.Verts[k]])
			sum += q.Weights[k]
		}
		if d := q.Pos.Sub(want).Norm(); d > 1e-9 || mean.Sub(q.Pos).Norm() > 1e-15 || math.Abs(sum-1) > 1e-15 {
			t.Fatalf("%v is found at %v, %g m from %v; mean %v, sum of weights %g", p, q.Pos, d, want, mean, sum)
		}
	}
	for v, p := range m.Verts {
		if q := m.Locate(p); q.N != 1 || q.Verts[0] != int32(v) || q.Pos != p {
			t.Errorf("vertex %d is found as %+v", v, q)
		}
	}
	if q := new(meshes.Tet).Locate(r3.Vec{}); q.N != 0 {
		t.Errorf("a mesh without tets has the point %+v", q)
	}
}
