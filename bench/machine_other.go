//go:build !linux

package bench

import "runtime"

func cpuName() string { return runtime.GOARCH }

func resetPeak() {}

// peak is not known here.
func peak() float64 { return 0 }
