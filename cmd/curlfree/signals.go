package main

// How signals end the program. Ctrl-C, SIGTERM and SIGHUP, the signal of a terminal that is closed, are one case:
//
//	a command that keeps nothing       removes its temporary files and ends at once
//	one that keeps its work            stops and saves it, then ends; after two seconds, or at a second signal, it ends whatever it does
//
// The exit code is 128 + the number of the signal, as in shells: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP. view
// and live, which only a signal ends, end with 0. A signal that was ignored when the program began, as by nohup, stays
// so.

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/curlfree/curlfree/internal/atomicfile"
	"github.com/curlfree/curlfree/internal/memory"
)

const (
	// grace is the time that a command has to stop and to save its work.
	grace = 1800 * time.Millisecond
	// writeGrace is the time beyond grace until which files that are being written are waited for.
	writeGrace = 10 * time.Second
	// lastWords is the time that the last message may take: what reads it may have stopped.
	lastWords = 100 * time.Millisecond
)

// stopSignals end a command.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// signals waits for signals that end the program.
type signals struct {
	app    *app
	mu     sync.Mutex
	came   os.Signal          // the first one; nil: none
	cancel context.CancelFunc // of a command that keeps its work; nil: the program ends at once
}

// watch begins to wait for signals.
func (a *app) watch() {
	a.signals = &signals{app: a}
	came := make(chan os.Signal, 4)
	for _, s := range stopSignals {
		if !signal.Ignored(s) {
			signal.Notify(came, s)
		}
	}
	passed := orders()
	go func() {
		var n arrivals
		for {
			select {
			case s := <-came:
				if n.add(s, 0) {
					a.signals.receive(s)
				}
			case s := <-passed:
				if n.add(s, 1) {
					a.signals.receive(s)
				}
			}
		}
	}()
}

// arrivals counts how often each signal came: to this process, and by way of its parent (guard.go). One that goes to
// both comes both ways.
type arrivals map[os.Signal]*[2]int

// add counts a signal that came one way, and reports whether it is a new one: it has come this way more often than the
// other.
func (n *arrivals) add(s os.Signal, way int) bool {
	if *n == nil {
		*n = arrivals{}
	}
	c := (*n)[s]
	if c == nil {
		c = new([2]int)
		(*n)[s] = c
	}
	c[way]++
	return c[way] > c[1-way]
}

// receive stops the command, or ends the program.
func (s *signals) receive(came os.Signal) {
	s.mu.Lock()
	again, cancel := s.came != nil, s.cancel
	if !again {
		s.came = came
	}
	s.mu.Unlock()
	if again || cancel == nil {
		s.end()
	}
	cancel()
	time.AfterFunc(grace, func() {
		for late := time.Now().Add(writeGrace); atomicfile.Writing() > 0 && time.Now().Before(late); {
			time.Sleep(10 * time.Millisecond)
		}
		s.end()
	})
}

// end ends the program because of a signal.
func (s *signals) end() {
	s.app.die(&exit{s.app.exitInterrupted(), fmt.Errorf("ended by the signal %v", s.came)})
}

// lacksMemory ends the program where no memory is left.
func (a *app) lacksMemory(r memory.Room) {
	a.die(&exit{exitInput, fmt.Errorf("no memory is left: %s are free of %s, %s: give fewer vertices or a larger size, or raise the limit",
		memory.Text(r.Free), memory.Text(r.Limit), r.Of)})
}

// die ends the program without temporary files, whatever it does.
func (a *app) die(e *exit) {
	atomicfile.Discard()
	said := make(chan struct{})
	go func() {
		defer close(said)
		fmt.Fprintf(a.stderr, "curlfree: %v\n", e)
		a.printFailure(e)
	}()
	select {
	case <-said:
	case <-time.After(lastWords):
	}
	os.Exit(e.code)
}

// interruptible returns a context that the first signal cancels, for commands that then save their work. After stop
// signals end the program at once again.
func (a *app) interruptible(ctx context.Context) (_ context.Context, stop context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	s := a.signals
	if s == nil { // the caller ends ctx
		return ctx, cancel
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel = cancel
	if s.came != nil {
		cancel()
	}
	return ctx, func() {
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.cancel = nil
	}
}

// exitInterrupted is the exit code of a command that was interrupted.
func (a *app) exitInterrupted() int {
	if a.signals != nil {
		a.signals.mu.Lock()
		defer a.signals.mu.Unlock()
		if n, ok := a.signals.came.(syscall.Signal); ok {
			return 128 + int(n)
		}
	}
	return exitInterrupted
}

// await calls a function that takes no context. When ctx ends it returns the error of ctx, at once; what the function
// still does ends with the program.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
