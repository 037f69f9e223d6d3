package sim

import (
	"runtime"
	"testing"
	"time"
)

// goroutines waits until at most n goroutines run, and returns how many do.
func goroutines(n int) int {
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > n && time.Now().Before(end); {
		runtime.GC() // runs cleanups of what is unreachable
		time.Sleep(time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// settled returns the number of goroutines once it does not change any more: threads of
// unreachable steppers of earlier tests end at some time after a collection.
func settled() int {
	n := runtime.NumGoroutine()
	for same := 0; same < 30; same++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
		if now := runtime.NumGoroutine(); now != n {
			n, same = now, 0
		}
	}
	return n
}

// A stepper's threads end with Close, or when the stepper is unreachable.
func TestSteppersReleaseTheirThreads(t *testing.T) {
	w := newScaffold(t)
	stack(w, 3, 1, 1e6)
	m := w.model()
	before := settled()
	step := func(end func(s *Stepper)) {
		s, err := NewStepper(m, Options{Threads: 3})
		if err != nil {
			t.Fatal(err)
		}
		if n := runtime.NumGoroutine(); n != before+2 {
			t.Errorf("%d goroutines beside the caller, want 2", n-before)
		}
		trace(t, s, m.Start.Clone(), 2)
		end(s)
	}
	step(func(s *Stepper) { s.Close(); s.Close() })
	if n := goroutines(before); n != before {
		t.Errorf("Close leaves %d goroutines", n-before)
	}
	step(func(*Stepper) {})
	if n := goroutines(before); n != before {
		t.Errorf("a stepper that is unreachable leaves %d goroutines", n-before)
	}
}

func TestThreadsAreNotNegative(t *testing.T) {
	w := newScaffold(t)
	stack(w, 1, 1, 1e6)
	_, err := NewStepper(w.model(), Options{Threads: -1})
	if err == nil || err.Error() != "sim: Threads is -1: give 0 for all cores, or a positive number" {
		t.Errorf("error %v", err)
	}
}
