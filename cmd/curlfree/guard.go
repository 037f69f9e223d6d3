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

	"golang.org/x/term"

	"github.com/curlfree/curlfree/internal/memory"
)

// Under a limit of address space or of data the system refuses memory, and the runtime of Go then ends the process with a trace of its
// goroutines, wherever it is: also for stacks of threads, which no estimate has. So the program runs as a child of itself there. The
// parent passes signals on and what the child writes, and puts a line in the place of such a trace.

// guardedKey is the environment variable that marks the parent and its child.
const guardedKey = "CURLFREE_GUARDED"

// refused are the first lines of what the runtime writes where the system refuses memory.
var refused = regexp.MustCompile(`^(runtime: (out of memory|cannot allocate|failed to create new OS thread)|runtime/cgo: pthread_create failed|fatal error: (runtime: )?(out of memory|cannot allocate memory|.*newosproc))`)

// guard runs the program as a child where the system may refuse memory, and returns its exit code; ok is false elsewhere.
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
	// the terminal sends Ctrl-C and Ctrl-Z to parent and child
	terminal := term.IsTerminal(int(os.Stdin.Fd()))
	asChild(child, !terminal)
	came := make(chan os.Signal, 4)
	for _, s := range stopSignals {
		if !signal.Ignored(s) {
			signal.Notify(came, s) // and is not ended by it
		}
	}
	if err := child.Start(); err != nil {
		signal.Reset()
		return 0, false
	}
	go func() {
		for s := range came {
			if terminal && s == os.Interrupt {
				continue
			}
			_ = child.Process.Signal(s) // one that has ended needs none
		}
	}()
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
