package unionfind

import (
	"math/rand"
	"slices"
	"testing"
)

// Joined at random, trees are what a flood over the same pairs finds.
func TestTreesAreWhatHangsTogether(t *testing.T) {
	for seed := range int64(50) {
		r := rand.New(rand.NewSource(seed))
		n := 1 + r.Intn(40)
		f, label := New(n), make([]int32, n)
		for i := range label {
			label[i] = int32(i)
		}
		for range r.Intn(2 * n) {
			i, j := int32(r.Intn(n)), int32(r.Intn(n))
			f.Union(i, j)
			lo, hi := min(label[i], label[j]), max(label[i], label[j])
			for k, l := range label {
				if l == hi {
					label[k] = lo
				}
			}
		}
		of, trees := f.Labels()
		roots := slices.Compact(slices.Sorted(slices.Values(label)))
		if trees != len(roots) {
			t.Fatalf("seed %d: %d trees, want %d", seed, trees, len(roots))
		}
		for i, l := range label {
			if f.Find(int32(i)) != l || roots[of[i]] != l {
				t.Fatalf("seed %d: %d hangs on %d in tree %d, want %d", seed, i, f.Find(int32(i)), of[i], l)
			}
		}
	}
}
