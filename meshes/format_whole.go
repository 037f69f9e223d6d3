package meshes

import (
	"fmt"
	"io"

	"curlfree/internal/whole"
)

// writeWhole writes a file that appears whole or not at all.
func writeWhole(path string, write func(io.Writer) error) error {
	if err := whole.Write(path, write); err != nil {
		return fmt.Errorf("meshes: %w", err)
	}
	return nil
}
