//go:build unix

package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Known reports whether this system has the time.
const Known = true

// Used returns the processor time that all threads of the process have used so far.
func Used() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
