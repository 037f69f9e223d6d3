package supernodal

import "errors"

// ErrInterrupted is the error of a factorization that Cholesky.Interrupted ended. Refactor needs another Factor then.
var ErrInterrupted = errors.New("supernodal: the factorization was interrupted")

// askFrom is the number of multiplications and additions from which a piece of work asks whether to continue: it takes
// some 0.1 ms, far longer than to ask, and far shorter than anybody waits.
const askFrom = 2e6

// asker has the function that planning asks whether to continue.
type asker struct{ interrupted func() bool }

// ask ends Analyze where it is to end, by a panic that Analyze recovers: what plans are made of is not whole then, and
// many calls deep.
func (a asker) ask() {
	if a.interrupted != nil && a.interrupted() {
		panic(ErrInterrupted)
	}
}

// recoverPlan ends an interrupted Analyze without a plan and without an order of the persistent part.
func (c *Cholesky) recoverPlan() {
	switch r := recover(); r {
	case nil:
	case ErrInterrupted:
		c.g, c.err = nil, ErrInterrupted
		c.scratch.persistent.graph.Size = c.scratch.persistent.graph.Size[:0]
	default:
		panic(r)
	}
}

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
