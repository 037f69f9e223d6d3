package workers

import (
	"sync/atomic"
	"testing"
)

// count counts how often each item was done and checks who did it.
type count struct {
	t    *testing.T
	size int
	done []atomic.Int32
}

func (c *count) Do(worker, i int) {
	if worker < 0 || worker >= c.size {
		c.t.Errorf("worker %d of %d", worker, c.size)
	}
	c.done[i].Add(1)
}

func TestEveryItemIsDoneOnce(t *testing.T) {
	for _, n := range []int{-1, 0, 1, 2, 4, 9} {
		p := NewPool(n)
		if want := max(1, n); p.Size() != want {
			t.Errorf("pool of %d has size %d", n, p.Size())
		}
		for _, num := range []int{0, 1, 2, 3, 100, 1000, 1} {
			c := &count{t: t, size: p.Size(), done: make([]atomic.Int32, num)}
			p.Run(num, c)
			for i := range c.done {
				if d := c.done[i].Load(); d != 1 {
					t.Fatalf("%d workers, %d items: item %d was done %d times", n, num, i, d)
				}
			}
		}
		p.Close()
	}
}

// sums writes its own slots.
type sums struct{ x []float64 }

func (s *sums) Do(_, i int) {
	s.x[i] = 0
	for k := range i {
		s.x[i] += 1 / float64(k+1)
	}
}

func TestResultsDoNotDependOnTheWorkers(t *testing.T) {
	want := &sums{make([]float64, 300)}
	(*Pool)(nil).Run(300, want)
	p := NewPool(4)
	defer p.Close()
	for range 20 {
		got := &sums{make([]float64, 300)}
		p.Run(300, got)
		for i := range got.x {
			if got.x[i] != want.x[i] {
				t.Fatalf("item %d: %g, want %g", i, got.x[i], want.x[i])
			}
		}
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	p := NewPool(3)
	defer p.Close()
	s := &sums{make([]float64, 50)}
	if n := testing.AllocsPerRun(100, func() { p.Run(50, s) }); n != 0 {
		t.Errorf("%g allocations a run", n)
	}
}
