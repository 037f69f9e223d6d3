package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/formats"
)

// Studies, scenes of studies and meshes that are devices are refused at once: reading them would
// take all memory, and a pipe would wait for its other end.
func TestInputsThatNeverEndAreRefused(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"zero.yaml", "zero.stl"} {
		if err := os.Symlink("/dev/zero", filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	if st, err := os.Stat("/dev/zero"); err != nil || st.Mode()&os.ModeDevice == 0 {
		t.Skip("no /dev/zero")
	}
	for _, c := range []struct {
		read func() error
		want string
	}{
		{func() error { _, err := Load(filepath.Join(dir, "zero.yaml")); return err }, "is a device, not a file"},
		{func() error { _, err := new(Study).sceneTree(filepath.Join(dir, "zero.yaml")); return err }, "is a device, not a file"},
		{func() error {
			_, _, err := formats.ReadTri(filepath.Join(dir, "zero.stl"), formats.ReadOptions{})
			return err
		}, "a device, not a file"},
	} {
		if err := c.read(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
