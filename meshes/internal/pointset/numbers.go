package pointset

import (
	"fmt"

	"github.com/curlfree/curlfree/r3"
)

// Compact returns the vertices that visit marks, in order, the new number of
// each vertex (−1 for dropped ones) and the old number of each kept one.
func Compact(verts []r3.Vec, visit func(mark func(int32))) (kept []r3.Vec, renumber, from []int32) {
	renumber = make([]int32, len(verts))
	for i := range renumber {
		renumber[i] = -1
	}
	visit(func(v int32) { renumber[v] = 0 })
	for i, p := range verts {
		if renumber[i] == 0 {
			renumber[i] = int32(len(kept))
			kept = append(kept, p)
			from = append(from, int32(i))
		}
	}
	return kept, renumber, from
}

// IdentityAsNil returns from, or nil if it keeps n vertices in their order.
func IdentityAsNil(from []int32, n int) []int32 {
	if len(from) != n {
		return from
	}
	for i, v := range from {
		if int(v) != i {
			return from
		}
	}
	return nil
}

// Compose returns the vertex map second followed by first; nil stands for
// identity.
func Compose(first, second []int32) []int32 {
	if first == nil {
		return second
	}
	if second == nil {
		return first
	}
	// Go through the second map first.
	out := make([]int32, len(second))
	// second gives the number in the middle mesh, first that in the file
	for i, j := range second {
		out[i] = first[j]
	}
	return out
}

// CheckIndices returns an error that names the first index that is not one of n vertices.
func CheckIndices(idx []int32, n int) error {
	for _, v := range idx {
		// the first fault is enough: the program that made the mesh has to be mended
		if v < 0 || int(v) >= n {
			return fmt.Errorf("vertex %d does not exist: there are %d", v, n)
		}
	}
	return nil
}

// CheckFinite returns an error that names the first vertex that is not finite.
func CheckFinite(verts []r3.Vec) error {
	// NaN and infinities have no form in binary files that all programs agree on
	for i, p := range verts {
		if !p.IsFinite() {
			return fmt.Errorf("vertex %d is at %v, which is not finite", i, p)
		}
	}
	return nil
}
