package meshes

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeWhole writes a file through write so that it appears whole or not at
// all: into a temporary file of the same folder, flushed to the disk, then
// renamed. On any fault the temporary file is removed and an older file of that
// name is left as it was.
func writeWhole(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("meshes: %s cannot be written: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("meshes: %s was not written: %w", path, err)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err = write(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
