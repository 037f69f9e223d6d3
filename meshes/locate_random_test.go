package meshes_test

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/internal/samples/prisms"
	"github.com/curlfree/curlfree/r3"
)

// Points of random volumes are found in a tet that contains them, and points outside at the place of
// the boundary that a search over all its triangles finds.
func TestLocateAgreesWithBruteForce(t *testing.T) {
	r := samples.NewRand(t, 12)
	for range 3 {
		for name, m := range prisms.RandomTets(t, r) {
			tris, _ := m.Boundary()
			surface := &meshes.Tri{Verts: m.Verts, Tris: tris}
			box := surface.Bounds()
			inside := 0
			for range 200 {
				var p r3.Vec
				for k := range p {
					p[k] = box.Min[k] + (1.2*r.Float64()-0.1)*(box.Max[k]-box.Min[k])
				}
				q := m.Locate(p)
				within := rayInside(surface, p, r3.Vec{0.32, 0.51, 0.8})
				d := q.Pos.Sub(p).Norm()
				if within {
					inside++
					if d > 1e-12 || q.N != 4 {
						t.Fatalf("%s: a point inside is found %g m away, with %d vertices", name, d, q.N)
					}
				} else if want := bruteDistance(surface, p); math.Abs(d-want) > 1e-9 || q.N > 3 {
					t.Fatalf("%s: a point %g m outside is found %g m away, with %d vertices", name, want, d, q.N)
				}
			}
			if inside < 10 {
				t.Errorf("%s: only %d points inside", name, inside)
			}
		}
	}
}

// Weighted means of two and three vertices of a tet are found with just these: the point moves with
// an edge or a face, not with what is opposite.
func TestLocateFindsEdgesAndFaces(t *testing.T) {
	r := samples.NewRand(t, 13)
	for name, m := range prisms.RandomTets(t, r) {
		for range 100 {
			tet := m.Tets[r.IntN(len(m.Tets))]
			n := 2 + r.IntN(2)
			corners := r.Perm(4)[:n]
			var p r3.Vec
			sum, w := 0.0, make([]float64, n)
			for k := range w {
				w[k] = 0.1 + r.Float64()
				sum += w[k]
			}
			want := map[int32]float64{}
			for k, c := range corners {
				p = p.AddScaled(w[k]/sum, m.Verts[tet[c]])
				want[tet[c]] = w[k] / sum
			}
			q := m.Locate(p)
			if q.N != n {
				t.Fatalf("%s: a mean of %d vertices is found with %d", name, n, q.N)
			}
			for k, v := range q.Verts[:q.N] {
				if math.Abs(q.Weights[k]-want[v]) > 1e-9 {
					t.Fatalf("%s: vertex %d has the weight %g, want %g", name, v, q.Weights[k], want[v])
				}
			}
		}
	}
}

// A flat tet contains nothing, and hides nothing of its neighbour.
func TestLocatePassesOverFlatTets(t *testing.T) {
	m := samples.UnitTets()
	m.Tets = append([][4]int32{{0, 1, 2, 0}, {0, 2, 1, 3}}, m.Tets...) // flat, inside out, good
	p := r3.Vec{0.2, 0.3, 0.1}
	if q := m.Locate(p); q.N != 4 || q.Pos.Sub(p).Norm() > 1e-15 {
		t.Errorf("found %+v", q)
	}
}
