package alloctest

import "testing"

var kept []*[64]byte

func TestWhatAFunctionAllocatesIsCounted(t *testing.T) {
	for want := range 4 {
		got := PerRun(10, func() {
			kept = kept[:0]
			for range want {
				kept = append(kept, new([64]byte))
			}
		})
		if got != float64(want) {
			t.Errorf("%g allocations, want %d", got, want)
		}
	}
}

// An allocation in one measurement alone is not one of the function.
func TestWhatIsAllocatedOnceIsNotCounted(t *testing.T) {
	const runs = 3
	calls := 0
	got := PerRun(runs, func() {
		if calls++; calls <= 1+runs {
			kept = append(kept[:0], new([64]byte))
		}
	})
	if got != 0 {
		t.Errorf("%g allocations", got)
	}
}
