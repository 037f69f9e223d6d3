// Package workers runs the items of a loop on a fixed set of goroutines that
// live between calls, so that a step starts no goroutine and allocates nothing.
// Results cannot depend on the number of workers as long as every item writes
// its own slots and sums are taken in item order afterwards.
package workers

import (
	"runtime"
	"sync/atomic"
	"time"
)

// To wake a goroutine whose thread sleeps takes some tens of microseconds, as long as
// many a loop. So workers look out for the next loop for about as long before they
// sleep, and the caller waits for items that others have begun, never for workers that
// woke too late to begin any.

// lookOut is how long who waits stays awake: longer takes time from whoever else needs
// the processor.
const lookOut = 50 * time.Microsecond

// Task is a loop body: Do runs item i on one of the workers (0..Size−1).
type Task interface{ Do(worker, i int) }

// Pool is a set of workers. A nil *Pool runs everything on the caller.
type Pool struct {
	workers []sleeper // all but the caller
	caller  sleeper
	lookOut time.Duration
	closed  atomic.Bool

	// of the present loop: task and num are read by who has taken an item only, and
	// stay until all that were taken are done
	task Task
	num  int64
	left atomic.Int64 // items to take, ≤ 0 for none
	done atomic.Int64
}

// sleeper is a goroutine that may sleep until woken.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{} // holds one
}

// NewPool returns a pool of n workers, the caller included; nil for n ≤ 1.
// Close it when done.
func NewPool(n int) *Pool {
	if n <= 1 {
		return nil
	}
	p := &Pool{workers: make([]sleeper, n-1)}
	if runtime.GOMAXPROCS(0) >= n { // else who looks out is in the way
		p.lookOut = lookOut
	}
	p.caller.wake = make(chan struct{}, 1)
	for w := range p.workers {
		s := &p.workers[w]
		s.wake = make(chan struct{}, 1)
		go func() {
			for !p.closed.Load() {
				p.work(w + 1)
				s.wait(p.lookOut, p.busy)
			}
		}()
	}
	return p
}

// Size returns the number of workers, 1 for nil.
func (p *Pool) Size() int {
	if p == nil {
		return 1
	}
	return len(p.workers) + 1
}

// Run calls t.Do for the items 0..num−1 and returns when all are done.
func (p *Pool) Run(num int, t Task) {
	if p == nil || num <= 1 {
		for i := range num {
			t.Do(0, i)
		}
		return
	}
	p.task, p.num = t, int64(num)
	p.done.Store(0)
	p.left.Store(p.num)
	for w := range p.workers[:min(len(p.workers), num-1)] {
		p.workers[w].rouse()
	}
	p.work(0)
	p.caller.wait(p.lookOut, p.over)
	p.task = nil
}

// work does items until none is left.
func (p *Pool) work(worker int) {
	did, num := int64(0), int64(-1)
	for {
		left := p.left.Add(-1)
		if left < 0 {
			break
		}
		num = p.num
		p.task.Do(worker, int(num-1-left))
		did++
	}
	if did > 0 && p.done.Add(did) == num { // the loop may be another from here on
		p.caller.rouse()
	}
}

// busy reports whether workers are needed.
func (p *Pool) busy() bool { return p.left.Load() > 0 || p.closed.Load() }

// over reports whether all items are done.
func (p *Pool) over() bool { return p.done.Load() == p.num }

// wait returns when come reports true; it looks out for that first, then sleeps.
func (s *sleeper) wait(lookOut time.Duration, come func() bool) {
	for begin := time.Now(); ; {
		if come() {
			return
		}
		if time.Since(begin) >= lookOut {
			break
		}
	}
	for !come() {
		s.asleep.Store(true)
		if come() && s.asleep.CompareAndSwap(true, false) {
			return
		}
		<-s.wake
	}
}

// rouse wakes who sleeps.
func (s *sleeper) rouse() {
	if s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

// Close ends the workers.
func (p *Pool) Close() {
	if p != nil {
		p.closed.Store(true)
		for w := range p.workers {
			p.workers[w].rouse()
		}
	}
}
