package repair

import (
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// The rim of two triangles that form an arrowhead can be covered from above only along
// the diagonal that the surface has already. The cover must join the rim to a new vertex
// at the mean of the rim, so that no edge has four triangles.
func TestACoverNeverRepeatsAnEdgeOfTheSurface(t *testing.T) {
	m := &meshes.Tri{
		Verts: []r3.Vec{{0, 0, 0}, {2, 0, 0}, {1, 2, 0}, {1, 0.7, 0.4}},
		Tris:  [][3]int32{{0, 3, 1}, {1, 3, 2}},
	}
	// Vertex 3 is reflex between 0 and 2 if the rim is 0, 1, 2, 3.
	got, rep := Repair(m, Options{FillHoles: 10})
	if err := rep.Err(); err != nil {
		t.Fatal(err)
	}
	if len(got.Verts) != 5 || len(got.Tris) != 6 {
		t.Fatalf("%d vertices and %d triangles, want 5 and 2 + 4", len(got.Verts), len(got.Tris))
	}
	mean := r3.Vec{1, 0.675, 0.1}
	if d := got.Verts[4].Sub(mean).Norm(); d > 1e-12 {
		t.Errorf("the new vertex is at %v, %g m from the mean of the rim", got.Verts[4], d)
	}
	uses := map[[2]int32]int{}
	for _, tri := range got.Tris {
		for k := range 3 {
			uses[meshes.SideKey(tri[k], tri[(k+1)%3])]++
		}
	}
	for e, n := range uses {
		if n != 2 {
			t.Errorf("edge %v has %d triangles, want 2", e, n)
		}
	}
	if v := volumeInside(got); !(v > 0) {
		t.Errorf("volume %g m³, want a positive one", v)
	}
}

// volumeInside sums the signed volumes of the tetrahedra over the origin, m³.
func volumeInside(m *meshes.Tri) float64 {
	v := 0.0
	for _, t := range m.Tris {
		a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
		v += a.Dot(b.Cross(c)) / 6
	}
	return v
}
