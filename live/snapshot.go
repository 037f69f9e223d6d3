package live

import (
	"sync"

	"github.com/curlfree/curlfree/record"
)

// Snapshot is the run after a step, as viewers see it. It does not change until it is released.
type Snapshot struct {
	// Frame is the frame of the recording at that moment.
	Frame record.Frame
	// Step is the number of steps taken.
	Step int
	// Signals and Stats are the values of the scene's signals, and of StatNames.
	Signals, Stats []float64
	// Status is that of the session.
	Status Status

	// the board writes these, under its mutex
	number uint64 // of the snapshots of a session
	refs   int    // viewers that read it, and the board while it is the newest
}

// Status is what viewers get of a session besides frames.
type Status struct {
	// Paused reports that the run stands still.
	Paused bool `json:"paused"`
	// Speed is the simulated time in a second that is wanted; 0: as fast as possible.
	Speed float64 `json:"speed"`
	// Failure is the error of the step that stopped the run; empty: none.
	Failure string `json:"failure,omitempty"`
	// Saved are the times to which the run can jump back, s.
	Saved []float64 `json:"saved"`
	// Values are what is wanted of the live values of the model, in their order.
	Values []float64 `json:"values,omitempty"`

	revision uint64 // grows with each change
}

// board hands the newest snapshot to viewers. The session publishes and never waits; a snapshot that
// nobody reads any more is written again, so that there are as many as viewers and two more.
type board struct {
	// mu is locked for a few instructions only: the session takes it between steps
	mu      sync.Mutex
	newest  *Snapshot
	free    []*Snapshot
	viewers map[*Viewer]bool
	closed  bool
	number  uint64
}

// blank returns a snapshot to be filled.
func (b *board) blank() *Snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	// its slices keep their memory: frames of a run have nearly one size
	if n := len(b.free); n > 0 {
		s := b.free[n-1]
		b.free = b.free[:n-1]
		return s
	}
	return &Snapshot{}
}

// publish makes a snapshot the newest and wakes all viewers.
func (b *board) publish(s *Snapshot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	// viewers distinguish new from seen by the number
	b.number++
	s.number, s.refs = b.number, 1
	// the board lets go of the last one; viewers may still read it
	if b.newest != nil {
		b.release(b.newest)
	}
	b.newest = s
	// a token at most waits for each viewer: who is slow sees the newest of several
	for v := range b.viewers {
		v.wakeUp()
	}
}

// release gives up a snapshot; the mutex is held.
func (b *board) release(s *Snapshot) {
	if s.refs--; s.refs == 0 {
		b.free = append(b.free, s)
	}
}

// watched reports whether there are viewers.
func (b *board) watched() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.viewers)
}

// close ends the waiting of all viewers.
func (b *board) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for v := range b.viewers {
		v.wakeUp()
	}
}
