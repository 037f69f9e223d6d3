package reference

import (
	"bytes"
	"os"
	"testing"
)

// The module of the Python package has the kinds and sections of this program.
func TestPythonModuleIsCurrent(t *testing.T) {
	const path = "../python/curlfree/_kinds.py"
	want := Python()
	if *update {
		if err := os.WriteFile(path, want, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, want) {
		t.Errorf("%s is not that of the registered kinds: run go test ./reference -update (%v)", path, err)
	}
}
