package pointset

import (
	"fmt"

	"github.com/curlfree/curlfree/r3"
)

// Compact returns the vertices that elements use, in order, and the old number of each. Elements get the new
// numbers; each calls its argument with the vertices of every element.
func Compact(verts []r3.Vec, each func(func(v []int32))) (kept []r3.Vec, from []int32) {
	number := make([]int32, len(verts)) // 0: not used, else the new number and 1
	each(func(v []int32) {
		for _, i := range v {
			number[i] = 1
		}
	})
	for i, p := range verts {
		if number[i] > 0 {
			kept, from = append(kept, p), append(from, int32(i))
			number[i] = int32(len(kept))
		}
	}
	each(func(v []int32) {
		for k, i := range v {
			v[k] = number[i] - 1
		}
	})
	return kept, from
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
		// the first fault is enough: the program that made the mesh has to be repaired
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
