package formats

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/repair"
)

// Real robot and finger models, where CURLFREE_MODELS names a folder of them.
func TestRealModelsAreRead(t *testing.T) {
	root := os.Getenv("CURLFREE_MODELS")
	if root == "" {
		t.Skip("CURLFREE_MODELS is not set")
	}
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".stl", ".obj", ".vtk"}, strings.ToLower(filepath.Ext(path))) {
			return err
		}
		n++
		f, rep, err := Read(path, ReadOptions{})
		if err != nil {
			t.Errorf("%v", err)
			return nil
		}
		name, _ := filepath.Rel(root, path)
		if f.Tet != nil {
			r := repair.CheckTet(f.Tet)
			t.Logf("%s: %s\n%s%s", name, f.Format, rep.String(), r.String())
			if f.Tri, _ = f.Tet.Surface(); repair.Watertight(f.Tri) != nil {
				t.Errorf("%s: the boundary of tetrahedra: %v", name, repair.Watertight(f.Tri))
			}
			return nil
		}
		d2 := repair.Diagnose(f.Tri)
		r := d2.Findings(f.Tri)
		t.Logf("%s: %s\n%s--\n%s%v", name, f.Format, rep.String(), r.String(), repair.Watertight(f.Tri))
		return nil
	})
	if err != nil || n == 0 {
		t.Fatalf("%d models read: %v", n, err)
	}
}
