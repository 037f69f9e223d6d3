//go:build !linux

package bench

import "runtime"

func cpuName() string { return runtime.GOARCH }

func resetPeak() {}

// peak returns 0: the memory is not known on this system.
func peak() float64 { return 0 }
