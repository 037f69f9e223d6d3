//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package record

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a run folder for this run, until the file is closed or the process ends,
// however it does; errBusy if another has it. Folders that cannot be read and file
// systems without locks give none.
func lock(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, nil
	}
	// The lock is that of the open file, so the system releases it with the process.
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, errBusy
	}
	return f, nil
}
