package meshes

import (
	"fmt"
	"io"

	"github.com/curlfree/curlfree/internal/atomicfile"
)

// writeAtomically writes a file that appears whole or not at all.
func writeAtomically(path string, write func(io.Writer) error) error {
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("meshes: %w", err)
	}
	return nil
}
