package pointset

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Vertices within the tolerance are welded to the first of them, wherever the sides of cells are.
func TestWeldMapAtSidesOfCells(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	const tol = 1e-3
	for range 100 {
		var verts []r3.Vec
		for range 60 {
			x := r3.Vec{float64(r.Intn(4)), float64(r.Intn(4)), float64(r.Intn(4))}.Scale(weldCell * tol)
			for k := range x {
				x[k] += tol * (2*r.Float64() - 1) // about the corners of cells
			}
			verts = append(verts, x)
		}
		to, n := Weld(verts, tol)
		want, wanted := make([]int32, len(verts)), 0
		for i := range verts {
			want[i] = int32(i)
			for j := range i {
				if want[j] == int32(j) && verts[j].Sub(verts[i]).Norm2() <= tol*tol {
					want[i] = int32(j)
					wanted++
					break
				}
			}
		}
		if !slices.Equal(to, want) || n != wanted {
			t.Fatalf("%v, want %v", to, want)
		}
	}
}
