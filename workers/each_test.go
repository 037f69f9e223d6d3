package workers

import (
	"sync/atomic"
	"testing"
)

// Every item of a parallel loop is done once.
func TestEachDoesEachItemOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		done := make([]atomic.Int32, n)
		Each(n, func(i int) { done[i].Add(1) })
		for i := range done {
			if k := done[i].Load(); k != 1 {
				t.Errorf("item %d of %d is done %d times", i, n, k)
			}
		}
	}
}
