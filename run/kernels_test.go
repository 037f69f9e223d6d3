package run

import (
	"strings"
	"testing"
)

func TestRunsOfSeveralKernelsWarn(t *testing.T) {
	if w := kernelWarning(nil) + kernelWarning([]string{"avx2"}); w != "" {
		t.Error(w)
	}
	if w := kernelWarning([]string{"avx512", "avx2"}); !strings.Contains(w, "avx512, then avx2") || !strings.Contains(w, "CURLFREE_KERNEL") {
		t.Error(w)
	}
}
