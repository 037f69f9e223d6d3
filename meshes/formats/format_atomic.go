package formats

// Atomic writing: to a temporary file in the same folder, which then takes the
// name. A simulation that is stopped, or a full disk, thus never leaves half a
// mesh under a name that a scene refers to.

import (
	"fmt"
	"io"

	"github.com/curlfree/curlfree/internal/atomicfile"
)

// writeAtomically writes a file that appears whole or not at all: a fault, such
// as a full disk, leaves a file of that name as it was.
func writeAtomically(path string, write func(io.Writer) error) error {
	if err := atomicfile.Write(path, write); err != nil {
		return fmt.Errorf("meshes: %w", err)
	}
	return nil
}
