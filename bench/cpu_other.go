//go:build !unix

package bench

// cpuTime returns 0: the processor time is not known on this system.
func cpuTime() float64 { return 0 }
