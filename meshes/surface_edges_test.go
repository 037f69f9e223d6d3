package meshes

import (
	"cmp"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Sides of triangles stand in the order of their edges, then of the triangles.
func TestSidesAreSortedByEdge(t *testing.T) {
	r := newRand(t, 7)
	for range 50 {
		m := &Tri{Verts: make([]r3.Vec, 1+r.IntN(30))}
		for range r.IntN(60) {
			m.Tris = append(m.Tris, [3]int32{int32(r.IntN(len(m.Verts))), int32(r.IntN(len(m.Verts))), int32(r.IntN(len(m.Verts)))})
		}
		got := edgeUses(m)
		want := slices.Clone(got)
		slices.SortFunc(want, func(u, v edgeUse) int {
			return cmp.Or(cmp.Compare(u.a, v.a), cmp.Compare(u.b, v.b), cmp.Compare(u.tri, v.tri), cmp.Compare(u.side, v.side))
		})
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}
