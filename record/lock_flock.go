//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package record

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a run folder for this run, until the file is closed or the process ends,
// however it does; ErrBusy if another has it. Folders that cannot be read and file
// systems without locks give none.
func lock(dir string) (*os.File, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, nil
	}
	// The lock is that of the open file, so the system releases it with the process.
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, ErrBusy
	}
	return f, nil
}

// lockFile takes a file, which it makes if there is none, until the file is closed or the process
// ends; ErrBusy if another has it. The file is opened for writing, as file systems of networks want
// it for a lock that other machines see. Where there are no locks it gives the file without one.
func lockFile(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
			f.Close()
			return nil, ErrBusy
		}
		// whoever held the lock may have removed the file in the meantime: then another one counts
		mine, err := f.Stat()
		if there, lerr := os.Lstat(path); err != nil || lerr == nil && os.SameFile(mine, there) {
			return f, err
		}
		f.Close()
	}
}
