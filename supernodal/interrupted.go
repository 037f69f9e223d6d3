package supernodal

import "errors"

// ErrInterrupted is the error of a factorization that Cholesky.Interrupted ended. Refactor needs another Factor then.
var ErrInterrupted = errors.New("supernodal: the factorization was interrupted")

// askFrom is the number of multiplications and additions from which a piece of work asks whether to go on: it takes some 0.1 ms, far
// longer than to ask, and far shorter than anybody waits.
const askFrom = 2e6

// halted reports whether the factorization at hand is to end, as it stays until the next one.
func (c *Cholesky) halted() bool {
	if c.Interrupted == nil {
		return false
	}
	if !c.stopped.Load() && c.Interrupted() {
		c.stopped.Store(true)
	}
	return c.stopped.Load()
}
