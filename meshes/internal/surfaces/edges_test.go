package surfaces

import (
	"cmp"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// Sides of triangles stand in the order of their edges, then of the triangles.
func TestSidesAreSortedByEdge(t *testing.T) {
	r := samples.NewRand(t, 7)
	for range 50 {
		m := &meshes.Tri{Verts: make([]r3.Vec, 1+r.IntN(30))}
		for range r.IntN(60) {
			m.Tris = append(m.Tris, [3]int32{int32(r.IntN(len(m.Verts))), int32(r.IntN(len(m.Verts))), int32(r.IntN(len(m.Verts)))})
		}
		got := EdgeUses(m)
		want := slices.Clone(got)
		slices.SortFunc(want, func(u, v EdgeUse) int {
			return cmp.Or(cmp.Compare(u.A, v.A), cmp.Compare(u.B, v.B), cmp.Compare(u.Tri, v.Tri), cmp.Compare(u.Side, v.Side))
		})
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}
