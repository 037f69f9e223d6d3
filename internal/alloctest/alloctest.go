// Package alloctest counts allocations of functions in tests.
package alloctest

import "testing"

// measurements is how often PerRun measures at most.
const measurements = 5

// PerRun returns the average number of heap allocations of a call of f, as
// [testing.AllocsPerRun] does: the least of up to five measurements of runs calls
// each, after a call that is not counted. The counter of the Go runtime is one for
// the whole process, so that a measurement may include what the runtime allocates
// meanwhile, such as a goroutine for finalizers. What f allocates itself is in all of them.
func PerRun(runs int, f func()) float64 {
	least := testing.AllocsPerRun(runs, f)
	for k := 1; k < measurements && least > 0; k++ {
		least = min(least, testing.AllocsPerRun(runs, f))
	}
	return least
}
