package run

import (
	"fmt"
	"syscall"
	"testing"
)

// mount puts a file system of that many bytes on a folder for the test; without
// the permission for that the test is skipped.
func mount(t *testing.T, dir string, size int) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("mounting is not permitted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}
