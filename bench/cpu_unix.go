//go:build unix

package bench

import "golang.org/x/sys/unix"

// cpuTime returns the processor time that the process has used, s. Unlike wall-clock time, it
// does not grow while other processes use the processor.
func cpuTime() float64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) * 1e-9
}
