// Package workers runs the items of a loop on a fixed set of goroutines that
// live between calls, so that a step starts no goroutine and allocates nothing.
// Results cannot depend on the number of workers as long as every item writes
// its own slots and sums are taken in item order afterwards.
package workers

import (
	"sync"
	"sync/atomic"
)

// Task is a loop body: Do runs item i on one of the workers (0..Size−1).
type Task interface{ Do(worker, i int) }

// Pool is a set of workers. A nil *Pool runs everything on the caller.
type Pool struct {
	n    int
	wake []chan struct{}
	done sync.WaitGroup
	next atomic.Int64
	task Task
	num  int64
}

// NewPool returns a pool of n workers, the caller included; nil for n ≤ 1.
// Close it when done.
func NewPool(n int) *Pool {
	if n <= 1 {
		return nil
	}
	p := &Pool{n: n, wake: make([]chan struct{}, n-1)}
	for w := range p.wake {
		p.wake[w] = make(chan struct{})
		go func() {
			for range p.wake[w] {
				p.work(w + 1)
				p.done.Done()
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
	return p.n
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
	p.next.Store(0)
	p.done.Add(len(p.wake))
	for _, c := range p.wake {
		c <- struct{}{}
	}
	p.work(0)
	p.done.Wait()
	p.task = nil
}

func (p *Pool) work(worker int) {
	for i := p.next.Add(1) - 1; i < p.num; i = p.next.Add(1) - 1 {
		p.task.Do(worker, int(i))
	}
}

// Close ends the workers.
func (p *Pool) Close() {
	if p != nil {
		for _, c := range p.wake {
			close(c)
		}
	}
}
