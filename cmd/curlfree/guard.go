package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/curlfree/curlfree/internal/memory"
)

// Under a limit of address space or of data the system refuses memory, and the runtime of Go then ends the process with
// a trace of its goroutines, wherever it is: also for stacks of threads, which no estimate has. So the program runs as
// a child of itself there. The parent passes on what the child writes, and puts a line in the place of such a trace.
//
// Signals act as on one process. Both are in one group, since Ctrl-C, Ctrl-Z and the end of a terminal go to groups,
// and many supervisors send signals to groups as well. Others send them to the parent alone, which passes them on by a
// pipe: so the child can distinguish which of its signals were sent to it and which were passed on, and takes one that
// comes both ways for one (signals.go). The parent stops and continues with the child. SIGSTOP to the parent alone
// cannot be passed on: the child continues.

// orderFile is the descriptor by which a child reads the signals that its parent passes on, one a byte.
const orderFile = 3

// guardedKey is the environment variable that marks the parent and its child.
const guardedKey = "CURLFREE_GUARDED"

// refused are the first lines of what the runtime writes where the system refuses memory.
var refused = regexp.MustCompile(`^(runtime: (out of memory|cannot allocate|failed to create new OS thread)|runtime/cgo: pthread_create failed|fatal error: (runtime: )?(out of memory|cannot allocate memory|.*newosproc))`)

// guard runs the program as a child where the system may refuse memory, and returns its exit code; ok is false
// elsewhere.
func (a *app) guard(args []string) (code int, ok bool) {
	if os.Getenv(guardedKey) == "child" || !memory.Refused() {
		return 0, false
	}
	debug.SetTraceback("none") // of the parent, which needs little
	self, err := os.Executable()
	if err != nil {
		return 0, false
	}
	// the C library reads at its start that it may have one arena alone: each one takes 64 MB of address space
	if os.Getenv(guardedKey) == "" {
		restart(self, append(os.Environ(), guardedKey+"=parent", "MALLOC_ARENA_MAX=1"))
	}
	child := exec.Command(self, args...)
	child.Env = append(os.Environ(), guardedKey+"=child", "MALLOC_ARENA_MAX=1")
	child.Stdin, child.Stdout = os.Stdin, os.Stdout
	said := &crashFilter{to: os.Stderr}
	child.Stderr = said
	order, tell, err := os.Pipe()
	if err != nil {
		return 0, false
	}
	child.ExtraFiles = []*os.File{order} // orderFile
	asChild(child)
	came := make(chan os.Signal, 4)
	for _, s := range stopSignals {
		if !signal.Ignored(s) {
			signal.Notify(came, s) // and is not ended by it
		}
	}
	err = child.Start()
	_ = order.Close() // the child has its own
	if err != nil {
		signal.Reset()
		return 0, false
	}
	go func() {
		for s := range came {
			if n, ok := s.(syscall.Signal); ok {
				_, _ = tell.Write([]byte{byte(n)}) // a child that has ended needs none
			}
		}
	}()
	stopWith(child.Process)
	_ = child.Wait() // its exit code says it
	said.flush()
	if said.refused {
		r := memory.Available()
		fmt.Fprintf(os.Stderr, "curlfree: no memory is left of %s, %s: give fewer vertices or a larger size, or raise the limit\n", memory.Text(r.Limit), r.Of)
		return exitInput, true
	}
	if code = child.ProcessState.ExitCode(); code < 0 {
		code = endedBySignal(child.ProcessState)
	}
	return code, true
}

// crashFilter passes lines on up to one of refused.
type crashFilter struct {
	to      io.Writer
	line    []byte
	refused bool
}

// Write implements io.Writer.
func (f *crashFilter) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0 && !f.refused; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			f.line = append(f.line, rest...)
			// what is no beginning of such a line does not wait for its end
			if !strings.HasPrefix("runtime", string(f.line)) && !strings.HasPrefix("fatal error", string(f.line)) &&
				!bytes.HasPrefix(f.line, []byte("runtime")) && !bytes.HasPrefix(f.line, []byte("fatal error")) {
				f.flush()
			}
			break
		}
		f.line = append(f.line, rest[:end+1]...)
		rest = rest[end+1:]
		if f.refused = refused.Match(f.line); !f.refused {
			f.flush()
		}
	}
	return len(p), nil
}

// flush writes what there is of a line.
func (f *crashFilter) flush() {
	if !f.refused {
		_, _ = f.to.Write(f.line)
	}
	f.line = f.line[:0]
}
