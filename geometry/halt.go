package geometry

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// A detection ends early where its caller asks it to, and where its work runs away: a body that is crumpled to a point
// has a pair of each of its faces with each other one. With the number F of faces of all deformables
//
//	contacts of a detection              ≤ 1,000,000 + 20 F                 (1)
//	pairs of faces of a body with itself ≤ 1,000,000 + 50 F                 (2)
//
// Surfaces that touch have one to four parts a face, and faces of a body that is whole some ten others within reach:
// the bounds are far from both, and keep lists below some 100 bytes and 400 bytes a face, and 1 GB for any model.
// Counts do not depend on threads.

// Bounds of (1) and (2).
const (
	manyItems       = 1_000_000
	contactsPerFace = 20
	pairsPerFace    = 50
)

// ErrInterrupted is the error of a detection that Data.Interrupted ended.
var ErrInterrupted = errors.New("geometry: the detection of contacts was interrupted")

// TooManyError says that a detection found more than there may be.
type TooManyError struct {
	// A and B are the bodies at which the bound was exceeded; the same one for a deformable with itself.
	A, B int
	// What was counted.
	What string
	// Limit is the bound.
	Limit int
}

// Error implements error.
func (e *TooManyError) Error() string { return fmt.Sprintf("more than %d %s", e.Limit, e.What) }

// halt is the state of a detection that may end early.
type halt struct {
	interrupted func() bool // Data.Interrupted
	stopped     atomic.Bool
	tooMany     atomic.Bool
	count       atomic.Int64 // contacts so far
	most        int64        // (1)
	mostPairs   int          // (2)
	runaway     TooManyError
	pair        [2]int // bodies that are looked at
}

// begin begins a detection.
func (s *Data) begin() {
	h := &s.halt
	h.interrupted = s.Interrupted
	h.stopped.Store(false)
	h.tooMany.Store(false)
	h.count.Store(0)
	h.runaway = TooManyError{}
	if h.most > 0 {
		return
	}
	faces := 0
	for i := range s.deformables {
		faces += len(s.deformables[i].spec.Tris)
	}
	h.most, h.mostPairs = int64(manyItems+contactsPerFace*faces), manyItems+pairsPerFace*faces
	if s.manyItems > 0 {
		h.most, h.mostPairs = int64(s.manyItems), s.manyItems
	}
}

// ends reports whether the detection is to end.
func (h *halt) ends() bool {
	if h == nil {
		return false
	}
	if h.interrupted != nil && !h.stopped.Load() && h.interrupted() {
		h.stopped.Store(true)
	}
	return h.stopped.Load() || h.tooMany.Load()
}

// add counts contacts that were found.
func (h *halt) add(contacts int) {
	if contacts > 0 && h.count.Add(int64(contacts)) > h.most {
		h.tooMany.Store(true)
	}
}

// note notes that there are too many items of the pair of bodies at hand.
func (h *halt) note(what string, limit int) {
	h.tooMany.Store(true)
	h.runaway = TooManyError{h.pair[0], h.pair[1], what, limit}
}

// Err returns why the last detection ended early, so that its contacts are not all: nil where it did not,
// ErrInterrupted, or a
// *TooManyError.
func (s *Data) Err() error {
	switch h := &s.halt; {
	case h.stopped.Load():
		return ErrInterrupted
	case h.tooMany.Load():
		if h.runaway.Limit == 0 {
			h.note("contacts of bodies", int(h.most))
		}
		e := h.runaway
		return &e
	}
	return nil
}
