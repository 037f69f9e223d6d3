package run

import (
	"fmt"
	"strings"
)

// kernelWarning is the warning of a run whose parts used different vector instructions,
// which round differently; empty for others.
func kernelWarning(kernels []string) string {
	if len(kernels) < 2 {
		return ""
	}
	return fmt.Sprintf("parts of this run used the kernels %s: its results differ from those of an uninterrupted run by rounding; continue runs on the same processor, or with CURLFREE_KERNEL, for the same bits",
		strings.Join(kernels, ", then "))
}
