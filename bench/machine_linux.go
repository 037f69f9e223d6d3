package bench

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// cpuName returns the name of the processor, from the kernel.
func cpuName() string {
	// x86, ARM servers and small boards use different keys
	for _, key := range []string{"model name", "Model", "Hardware"} {
		if name := entry("/proc/cpuinfo", key); name != "" {
			return name
		}
	}
	return runtime.GOARCH
}

// resetPeak resets the largest memory of the process so far. Where the kernel does not allow
// this, peak is the largest memory since the start of the process.
// The number 5 resets VmHWM alone; see proc(5).
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peak returns the largest resident memory of the process, bytes, 0 if unknown.
func peak() float64 {
	// VmHWM is the high-water mark of resident memory
	kB, err := strconv.ParseFloat(strings.TrimSuffix(entry("/proc/self/status", "VmHWM"), " kB"), 64)
	if err != nil {
		return 0
	}
	return 1024 * kB
}

// entry returns the first value of a key in a file of lines "key : value".
func entry(path, key string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	// the first processor stands for all of them
	for line := range strings.Lines(string(text)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
