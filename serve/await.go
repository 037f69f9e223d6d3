package serve

import (
	"time"

	"github.com/curlfree/curlfree/sim"
)

// await calls a function beside the connection, which an interrupt leaves. What the function still does ends by
// itself: it must not change what the connection has.
func await[T any](c *connection, f func() (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case r := <-done:
			return r.v, r.err
		case <-tick.C:
			if c.interrupted() {
				var none T
				return none, sim.ErrInterrupted
			}
		}
	}
}
