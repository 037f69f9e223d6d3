// Package atomicfile writes files that appear whole or not at all.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write writes a file through write: into a temporary file of the same folder,
// flushed to the disk, then renamed. On any fault, a full disk among them, the
// temporary file is removed and an older file of that name is left as it was.
// The error names the file.
func Write(path string, write func(io.Writer) error) (err error) {
	var f *os.File
	part, err := create(1, func() (name string, err error) {
		if f, err = os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*"); err == nil {
			name = f.Name()
		}
		return name, err
	})
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	defer forget(1, part)
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("%s was not written: %w", path, err)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), f.Chmod(0o644)); err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
