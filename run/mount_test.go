//go:build !linux

package run

import "testing"

// mount skips the test: file systems are mounted on Linux only.
func mount(t *testing.T, dir string, size int) { t.Skip("needs Linux") }
