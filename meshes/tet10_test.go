package meshes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Ten-node tets keep volume and boundary of the tets that they stand for: eight tets in each,
// none flat or inside out, that neighbours share.
func TestTetsOfTenNodesFillTheMesh(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 4))
	m, err := meshes.BoxTets(r3.Vec{3, 2, 1}, [3]int{3, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Verts {
		for k := range 3 {
			m.Verts[i][k] += 0.15 * (r.Float64() - 0.5)
		}
	}
	q := m.Quadratic()
	if err := q.CheckCells(); err != nil {
		t.Fatal(err)
	}
	if len(q.Tets) != 8*len(m.Tets) || q.Cells.Len() != len(m.Tets) {
		t.Fatalf("%d tets in %d cells of %d tets", len(q.Tets), q.Cells.Len(), len(m.Tets))
	}
	fill := make([]float64, len(m.Tets))
	for i, c := range q.Cells.Of {
		v := q.Volume(i)
		if !(v > 0) {
			t.Fatalf("tet %d has the volume %g", i, v)
		}
		fill[c] += v
	}
	for c, v := range fill {
		if want := m.Volume(c); math.Abs(v-want) > 1e-14 {
			t.Errorf("cell %d has the volume %g, its tets %g", c, want, v)
		}
	}
	// four triangles for each, each a quarter of a face of six vertices with their midpoints
	tris, owner := q.Boundary()
	coarse, _ := m.Boundary()
	if len(tris) != 4*len(coarse) {
		t.Fatalf("%d boundary triangles of %d faces", len(tris), len(coarse))
	}
	whole := map[[6]int32]int{}
	for i, p := range q.ParentFaces(tris, owner) {
		if p.N != 6 {
			t.Fatalf("triangle %d has a parent of %d vertices", i, p.N)
		}
		whole[p.Verts]++
		for k, a := range p.At {
			if p.Verts[a] != tris[i][k] {
				t.Fatalf("triangle %d: corner %d is at %d of %v, want %d", i, k, a, p.Verts, tris[i][k])
			}
		}
		x := func(k int) r3.Vec { return q.Verts[p.Verts[k]] }
		for k := range 3 {
			if d := x(k).Add(x((k + 1) % 3)).Scale(0.5).Sub(x(3 + k)).Norm(); d > 1e-15 {
				t.Fatalf("vertex %d of %v is %g off the middle of its side", 3+k, p.Verts, d)
			}
		}
		// outward, as the triangle
		n := r3.TriangleNormal(x(0), x(1), x(2))
		if d := r3.TriangleNormal(q.Verts[tris[i][0]], q.Verts[tris[i][1]], q.Verts[tris[i][2]]).Sub(n.Scale(0.25)).Norm(); d > 1e-14 {
			t.Fatalf("triangle %d is not a quarter of its parent: %g", i, d)
		}
	}
	for v, n := range whole {
		if n != 4 {
			t.Errorf("face %v has %d triangles", v, n)
		}
	}
}

// All three diagonals of the octahedron make tets of positive volume.
func TestOctahedraAreCutAlongTheirShortestDiagonal(t *testing.T) {
	seen := map[[2]int]bool{}
	for _, stretch := range []r3.Vec{{1, 1, 1}, {3, 1, 1}, {1, 3, 1}, {1, 1, 3}, {3, 3, 1}, {1, 3, 3}, {3, 1, 3}} {
		m := &meshes.Tet{Verts: []r3.Vec{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}, Tets: [][4]int32{{0, 2, 1, 3}}}
		for i := range m.Verts {
			for k := range 3 {
				m.Verts[i][k] *= stretch[k]
			}
		}
		if m.Volume(0) < 0 {
			m.Tets[0] = [4]int32{0, 1, 2, 3}
		}
		q := m.Quadratic()
		for i := range q.Tets {
			if !(q.Volume(i) > 0) {
				t.Errorf("stretched by %v: tet %d has the volume %g", stretch, i, q.Volume(i))
			}
		}
		d := [2]int{int(q.Tets[4][0]), int(q.Tets[4][1])}
		seen[d] = true
		length := func(d [2]int) float64 { return q.Verts[d[0]].Sub(q.Verts[d[1]]).Norm() }
		for _, other := range [][2]int{{4, 9}, {5, 7}, {6, 8}} {
			if length(other) < length(d)-1e-12 {
				t.Errorf("stretched by %v: diagonal %v is longer than %v", stretch, d, other)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("diagonals taken: %v", seen)
	}
}
