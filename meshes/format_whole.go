package meshes

import (
	"fmt"
	"io"

	"github.com/curlfree/curlfree/internal/atomicfile"
)

// writeWhole writes a file that appears whole or not at all.
func writeWhole(path string, write func(io.Writer) error) error {
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("meshes: %w", err)
	}
	return nil
}
