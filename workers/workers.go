// Package workers runs the items of a loop on a fixed set of goroutines that live
// between calls, so that a simulation step starts no goroutine and allocates nothing.
//
//	pool := workers.NewPool(runtime.NumCPU())
//	defer pool.Close()
//	solver.Pool = pool // and that of other users that run one after the other
//
// Results cannot depend on the number of workers as long as every item writes only its
// own slots and sums are taken in item order afterwards. All packages of this module use
// pools in that way: a run has the same bits with any number of threads.
package workers

import (
	"runtime"
	"sync/atomic"
	"time"
)

// Waking a goroutine whose thread sleeps takes some tens of microseconds, as long as
// many a loop. So idle workers spin for about that time, looking for the next loop,
// before they sleep; and the caller waits for items that others have begun, never for
// workers that woke too late to begin any.

// spinTime is how long a goroutine that waits stays awake. Longer takes time from other
// goroutines that need the processor.
const spinTime = 50 * time.Microsecond

// Task is the body of a parallel loop.
type Task interface {
	// Do runs iteration (item) i of the loop on the worker with the given number,
	// 0..Size−1; the caller of Run is worker 0. Different workers run items at the same
	// time, one worker runs its items one after the other.
	Do(worker, i int)
}

// Pool is a thread pool: a set of workers. A nil *Pool is valid and runs everything on the caller. Run
// must not be called by two goroutines at the same time, nor by a task.
type Pool struct {
	workers  []sleeper // all but the caller
	caller   sleeper
	spinTime time.Duration // 0 where there are fewer processors than workers
	closed   atomic.Bool

	// The present loop. task and num are read only by goroutines that have taken an
	// item, and stay until all items that were taken are done.
	task Task
	num  int64
	left atomic.Int64 // items to take, ≤ 0 for none
	done atomic.Int64 // items done
}

// sleeper is a goroutine that may sleep until woken.
type sleeper struct {
	asleep atomic.Bool
	wake   chan struct{} // has room for one
}

// usefulPerCore is the number of jobs at a time for each core beyond which no time is gained: one that waits for
// a file leaves its core to others.
const usefulPerCore = 4

// Useful returns the number of jobs of their own memory that may run at a time where n are asked for, at least 1:
// further ones, above four for each core, would take memory and no less time.
func Useful(n int) int { return max(1, min(n, usefulPerCore*runtime.NumCPU())) }

// NewPool returns a pool of n workers, the caller of Run included: it starts n − 1
// goroutines. For n ≤ 1 it returns nil. Close it when done.
func NewPool(n int) *Pool {
	if n <= 1 {
		return nil
	}
	p := &Pool{workers: make([]sleeper, n-1)}
	if runtime.GOMAXPROCS(0) >= n { // else a spinning worker takes a processor from a working one
		p.spinTime = spinTime
	}
	p.caller.wake = make(chan struct{}, 1)
	for w := range p.workers {
		s := &p.workers[w]
		s.wake = make(chan struct{}, 1)
		go func() {
			for !p.closed.Load() {
				p.work(w + 1)
				s.wait(p.spinTime, p.hasWork)
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
	// write the loop before left admits workers to it
	p.task, p.num = t, int64(num)
	p.done.Store(0)
	p.left.Store(p.num)
	// the caller takes an item too: more workers would find none left
	for w := range p.workers[:min(len(p.workers), num-1)] {
		p.workers[w].wakeUp()
	}
	p.work(0)
	p.caller.wait(p.spinTime, p.isDone)
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
		// an item is taken: the loop stays until it is done
		num = p.num
		p.task.Do(worker, int(num-1-left))
		did++
	}
	if did > 0 && p.done.Add(did) == num { // from here on the loop may be another
		p.caller.wakeUp()
	}
}

// hasWork reports whether a worker has a reason to be awake.
func (p *Pool) hasWork() bool { return p.left.Load() > 0 || p.closed.Load() }

// isDone reports whether all items are done.
func (p *Pool) isDone() bool { return p.done.Load() == p.num }

// wait returns when ready reports true; it spins for a while, then sleeps.
func (s *sleeper) wait(spin time.Duration, ready func() bool) {
	for begin := time.Now(); ; {
		if ready() {
			return
		}
		if time.Since(begin) >= spin {
			break
		}
	}
	for !ready() {
		s.asleep.Store(true)
		// ready may have become true before asleep did, when no wake-up is sent
		if ready() && s.asleep.CompareAndSwap(true, false) {
			return
		}
		<-s.wake
	}
}

// wakeUp wakes the goroutine if it sleeps.
func (s *sleeper) wakeUp() {
	if s.asleep.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

// Close ends the goroutines of the pool, which must not run a loop. A nil pool may be
// closed, too.
func (p *Pool) Close() {
	if p != nil {
		p.closed.Store(true)
		for w := range p.workers {
			p.workers[w].wakeUp()
		}
	}
}
