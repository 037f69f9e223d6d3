// Package memory returns how much memory the process may still take: of the machine, of its control groups (version 1
// and 2), of resource limits of the shell (ulimit -v, -d), and of GOMEMLIMIT. Programs that ask before large work can
// refuse it in words; the runtime of Go ends a process that gets no memory with a trace of all its goroutines, and the
// kernel ends it with nothing at all.
package memory

import (
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// Room is what the process may still take under one limit.
type Room struct {
	// Free is the memory that may be taken, bytes; +Inf without a limit. Memory of the Go heap that is free counts.
	Free float64
	// Limit is the limit as a whole, bytes.
	Limit float64
	// Of says whose limit it is.
	Of string
}

// LackError says that work needs more memory than there is.
type LackError struct {
	// Need is an estimate of what it takes, bytes.
	Need float64
	// Room is the tightest limit.
	Room Room
}

// Error implements error.
func (e *LackError) Error() string {
	return fmt.Sprintf("this takes about %s more memory, and %s are free of %s, %s", Text(e.Need), Text(e.Room.Free), Text(e.Room.Limit), e.Room.Of)
}

// Text returns a size in words.
func Text(bytes float64) string {
	if bytes = math.Max(0, bytes); bytes < 1e9 {
		return fmt.Sprintf("%.3g MB", bytes/1e6)
	}
	return fmt.Sprintf("%.3g GB", bytes/1e9)
}

// Need returns a *LackError where work that takes some bytes would find less; nil where there is enough, or nothing is
// known.
func Need(bytes float64) error {
	if bytes <= Available().Free {
		return nil
	}
	// garbage counts as free once it is given back
	debug.FreeOSMemory()
	if r := Available(); bytes > r.Free {
		return &LackError{bytes, r}
	}
	return nil
}

// Used returns what the process has taken from the system by way of the Go runtime, bytes.
func Used() float64 {
	_, total := heap()
	return total
}

// Available returns the tightest limit.
func Available() Room {
	idle, total := heap()
	tightest := Room{Free: math.Inf(1), Limit: math.Inf(1)}
	for _, r := range append(systemRooms(idle), goRoom(idle, total)) {
		if r.Free < tightest.Free {
			tightest = r
		}
	}
	return tightest
}

// Limited reports whether the process has a limit of its own, below that of the machine.
func Limited() bool {
	for _, r := range systemRooms(0) {
		if r.Of != machine && !math.IsInf(r.Free, 1) {
			return true
		}
	}
	return false
}

// Refused reports whether the system refuses memory beyond a limit, of address space or of data; other limits end the
// process.
func Refused() bool {
	for _, r := range resourceRooms(0) {
		if !math.IsInf(r.Free, 1) {
			return true
		}
	}
	return false
}

// machine is what the memory of the machine is called.
const machine = "the memory of the machine"

// goRoom is the room of GOMEMLIMIT, which the runtime does not enforce but slows down at.
func goRoom(idle, total float64) Room {
	limit := float64(debug.SetMemoryLimit(-1))
	if limit >= math.MaxInt64 || ownLimit.Load() {
		return Room{Free: math.Inf(1)}
	}
	return Room{limit - total + idle, limit, "the limit of GOMEMLIMIT"}
}

// heap returns the memory of the Go heap that is mapped and free, and all that the runtime has mapped and not given
// back, bytes.
func heap() (idle, total float64) {
	s := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/memory/classes/total:bytes"}}
	metrics.Read(s)
	return float64(s[0].Value.Uint64()), float64(s[2].Value.Uint64() - s[1].Value.Uint64())
}
