//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Of what the runtime writes where the system refuses memory nothing passes, and all of anything else.
func TestTracesOfRefusedMemoryAreSuppressed(t *testing.T) {
	for _, c := range []struct {
		said, want string
		refused    bool
	}{
		{"33 % done\ncurlfree: a line\n", "33 % done\ncurlfree: a line\n", false},
		{"no end", "no end", false},
		{"runtime of a drive\n", "runtime of a drive\n", false},
		{"a\nruntime: out of memory: cannot allocate 4194304-byte block (3768320 in use)\nfatal error: out of memory\ngoroutine 1\n", "a\n", true},
		{"fatal error: runtime: cannot allocate memory\n\ngoroutine 1 [running]:\n", "", true},
		{"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\n", "", true},
		{"runtime: failed to create new OS thread (have 5 already; errno=11)\nfatal error: runtime.newosproc\n", "", true},
		{"panic: index\n\ngoroutine 1 [running]:\n", "panic: index\n\ngoroutine 1 [running]:\n", false},
	} {
		for _, piece := range []int{1, 3, 1000} { // writes end anywhere
			var out bytes.Buffer
			f := &crashFilter{to: &out}
			for rest := c.said; rest != ""; {
				n := min(piece, len(rest))
				_, _ = f.Write([]byte(rest[:n])) // never fails
				rest = rest[n:]
			}
			f.flush()
			if out.String() != c.want || f.refused != c.refused {
				t.Errorf("%q in pieces of %d: %q, refused %v", c.said, piece, out.String(), f.refused)
			}
		}
	}
}

// Whatever the limit of address space that the runtime itself can start with, a scene runs or is refused in a line.
func TestNoLimitOfMemoryEndsInATrace(t *testing.T) {
	bin, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(file, []byte(strings.Replace(cube(10, "tet4", ""), "duration: 1000", "duration: 0.02", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	for limit := 1_400_000; limit < 2_000_000; limit += 50_000 { // kB
		cmd := exec.Command("sh", "-c", fmt.Sprintf("ulimit -v %d && exec %s run %s -o %s", limit, bin, file, filepath.Join(t.TempDir(), "out")))
		said, err := cmd.CombinedOutput()
		code := cmd.ProcessState.ExitCode()
		if (code != exitOK && code != exitInput) || strings.Contains(string(said), "goroutine") {
			t.Errorf("%d kB: %v\n%.600s", limit, err, said)
		}
		if code == exitInput && !strings.Contains(string(said), "ulimit -v") {
			t.Errorf("%d kB: %s", limit, said)
		}
	}
}
