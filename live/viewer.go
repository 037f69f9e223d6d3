package live

import (
	"context"
	"errors"
)

// ErrClosed is the error of a session that has ended.
var ErrClosed = errors.New("the session has ended")

// Viewer is someone who watches a session and commands it. Its methods may be called from several
// goroutines.
type Viewer struct {
	session *Session
	wake    chan struct{} // has a token while something may be new
	seen    uint64        // number of the last snapshot, for the goroutine that calls Next
	notices chan string
}

// maxViewers bounds the viewers of a session: each costs time for its frames.
const maxViewers = 16

// Join adds a viewer to the session. It must Leave.
func (s *Session) Join() (*Viewer, error) {
	// a token more than one would wake a viewer for nothing; notices that nobody reads are dropped
	v := &Viewer{session: s, wake: make(chan struct{}, 1), notices: make(chan string, 8)}
	if err := s.board.add(v); err != nil {
		return nil, err
	}
	// a run that stands still has a snapshot taken for whoever comes
	select {
	case s.commands <- request{viewer: v, join: true}:
	case <-s.done:
		return nil, ErrClosed
	}
	return v, nil
}

// add adds a viewer.
func (b *board) add(v *Viewer) error {
	// the board forgets it first: no snapshot is made for who has left
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	// a run that has ended has no frames to give
	case b.closed:
		return ErrClosed
	case len(b.viewers) >= maxViewers:
		return errTooMany
	}
	b.viewers[v] = true
	return nil
}

// errTooMany refuses a viewer.
var errTooMany = errors.New("too many viewers: close another page of this run")

// Leave removes the viewer: what it drags is let go, and what it steers stops.
func (v *Viewer) Leave() {
	b := &v.session.board
	b.mu.Lock()
	delete(b.viewers, v)
	b.mu.Unlock()
	// the session ends what the viewer does; one that has ended has nothing to end
	select {
	case v.session.commands <- request{viewer: v, leave: true}:
	case <-v.session.done:
	}
}

// Send gives a command to the session. Faults of it come as notices.
func (v *Viewer) Send(ctx context.Context, c Command) error {
	select {
	case <-v.session.done:
		return ErrClosed // commands of a session that has ended would fit its queue
	default:
	}
	select {
	// the queue is short: a session that is busy lets its viewers wait, and not its steps
	case v.session.commands <- request{viewer: v, command: c}:
		return nil
	case <-v.session.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Notices are messages for this viewer alone, such as what is wrong with a command of it. Those that
// nobody reads are dropped.
func (v *Viewer) Notices() <-chan string { return v.notices }

// Next waits for a snapshot that is newer than that of the last call, and returns the newest. It must be given back by
// Release.
func (v *Viewer) Next(ctx context.Context) (*Snapshot, error) {
	for {
		if s, err := v.newest(); s != nil || err != nil {
			return s, err
		}
		select {
		case <-v.wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// newest returns the newest snapshot; nil where it was returned before.
func (v *Viewer) newest() (*Snapshot, error) {
	b := &v.session.board
	b.mu.Lock()
	defer b.mu.Unlock()
	// a reference keeps the session from writing it again
	if s := b.newest; s != nil && s.number > v.seen {
		s.refs++
		v.seen = s.number
		return s, nil
	}
	if b.closed {
		return nil, ErrClosed
	}
	return nil, nil
}

// Release gives a snapshot back.
func (v *Viewer) Release(s *Snapshot) {
	b := &v.session.board
	b.mu.Lock()
	b.release(s)
	b.mu.Unlock()
}

// wakeUp lets Next look again.
func (v *Viewer) wakeUp() {
	select {
	case v.wake <- struct{}{}:
	default: // it will
	}
}

// notify sends a notice.
func (v *Viewer) notify(text string) {
	select {
	case v.notices <- text:
		v.wakeUp()
	default: // a viewer that makes faults faster than it reads has enough of them
	}
}
