package repair

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

func TestDuplicatesAreThoseOfAMap(t *testing.T) {
	r := rand.New(rand.NewSource(8))
	for range 200 {
		m := &meshes.Tri{Verts: make([]r3.Vec, 3+r.Intn(12))}
		seen, want := map[[3]int32]bool{}, []int32(nil)
		for i := range r.Intn(60) {
			p := r.Perm(len(m.Verts))
			tri := [3]int32{int32(p[0]), int32(p[1]), int32(p[2])}
			m.Tris = append(m.Tris, tri)
			key, _ := meshes.SortedTri(tri)
			if seen[key] {
				want = append(want, int32(i))
			}
			seen[key] = true
		}
		if got := duplicates(m); !slices.Equal(got, want) {
			t.Fatalf("%v: %v, want %v", m.Tris, got, want)
		}
	}
}
