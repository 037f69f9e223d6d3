package render

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls do for 0..n−1 on all processors. Items write their own slots.
func parallel(n int, do func(i int)) {
	var (
		next atomic.Int64
		wg   sync.WaitGroup
	)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		}()
	}
	wg.Wait()
}
