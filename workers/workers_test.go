package workers

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/curlfree/curlfree/internal/alloctest"
)

// count counts how often each item was done and checks the worker.
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
	if n := alloctest.PerRun(100, func() { p.Run(50, s) }); n != 0 {
		t.Errorf("%g allocations a run", n)
	}
}

// late delays the first item until all others are done.
type late struct{ done atomic.Int32 }

func (l *late) Do(_, i int) {
	for i == 0 && l.done.Load() < 99 {
		runtime.Gosched()
	}
	l.done.Add(1)
}

// A run ends when all its items are done, and another may follow at once.
func TestRunsFollowEachOther(t *testing.T) {
	for _, procs := range []int{1, 2} {
		before := runtime.GOMAXPROCS(procs)
		p := NewPool(3)
		for range 500 {
			l := new(late)
			p.Run(100, l)
			if n := l.done.Load(); n != 100 {
				t.Fatalf("%d items done at the end of the run", n)
			}
			c := &count{t: t, size: 3, done: make([]atomic.Int32, 2)}
			p.Run(2, c)
			if c.done[0].Load() != 1 || c.done[1].Load() != 1 {
				t.Fatal("items of a short run were not done once each")
			}
		}
		p.Close()
		runtime.GOMAXPROCS(before)
	}
}

func TestWorkersEndWithTheirPool(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		p := NewPool(3)
		p.Run(10, &sums{make([]float64, 10)})
		p.Close()
	}
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines are left of %d", runtime.NumGoroutine(), before)
}

// A number of jobs that no machine serves is cut to four for each core, one below 1 is 1, and ordinary ones stay.
func TestJobsAreBoundedByTheCores(t *testing.T) {
	cores := runtime.NumCPU()
	for asked, want := range map[int]int{-3: 1, 0: 1, 1: 1, cores: cores, 4 * cores: 4 * cores, 4*cores + 1: 4 * cores, 1_000_000_000: 4 * cores} {
		if got := Useful(asked); got != want {
			t.Errorf("%d jobs on %d cores: %d, want %d", asked, cores, got, want)
		}
	}
}
