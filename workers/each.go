package workers

// Loops outside of steps, over items of unequal cost, such as meshes to read or bands of a picture: a
// processor that has finished an item takes the next one. Which processor has an item differs from run
// to run, so an item may only write its own slot and read what was complete before the loop.

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for 0..n−1 on all processors. Items write their own slots.
func Each(n int, do func(i int)) {
	var (
		next atomic.Int64
		wg   sync.WaitGroup
	)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			// next counts the items that were taken: Add returns each number to one caller only
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		}()
	}
	// the caller continues when all items are done
	wg.Wait()
}
