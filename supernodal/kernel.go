package supernodal

import (
	"fmt"
	"syscall"
)

// Each operation of a front has three implementations. Supernodes of thousands of
// columns are rare in bodies of ten thousand vertices, so that most products have a short
// side: general libraries, tuned for large squares, would reach a fraction of the speed.

// kernel names a set of dense kernels. Which one runs is fixed when the program
// starts: the widest that the machine has, or what the environment variable
// CURLFREE_KERNEL says. Results of one set are the same bits on every machine
// that has it; between sets they differ by round-off.
type kernel uint8

const (
	portable kernel = iota // Go
	avx2                   // AVX2 and FMA
	avx512                 // AVX-512 F, DQ and VL
)

// kernelNames are the values of CURLFREE_KERNEL.
var kernelNames = [...]string{portable: "portable", avx2: "avx2", avx512: "avx512"}

// active is the set in use.
var active = chooseKernel()

// Kernel returns the name of the dense kernels in use: "avx512", "avx2" or
// "portable". Recordings store it, because results depend on it by round-off.
func Kernel() string { return kernelNames[active] }

// chooseKernel returns the set that CURLFREE_KERNEL names. It panics when there is none
// of that name on this machine: running another silently would make a comparison of
// kernels wrong.
func chooseKernel() kernel {
	name, _ := syscall.Getenv("CURLFREE_KERNEL")
	k, err := parseKernel(name, widest())
	if err != nil {
		panic(err.Error())
	}
	return k
}

// parseKernel returns the set of a name, or the widest for an empty one. The error names
// the sets there are.
func parseKernel(name string, widest kernel) (kernel, error) {
	if name == "" {
		return widest, nil
	}
	for k, known := range kernelNames {
		if name != known {
			continue
		}
		// sets are in order of width
		if kernel(k) > widest {
			return 0, fmt.Errorf("supernodal: CURLFREE_KERNEL=%s, but this machine or build has no more than %s",
				name, kernelNames[widest])
		}
		return kernel(k), nil
	}
	return 0, fmt.Errorf("supernodal: CURLFREE_KERNEL=%q: want avx512, avx2 or portable", name)
}
