package meshes

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A surface that is only looked at keeps its triangles, open, doubled and without area as they
// are, on vertices that each place has once.
func TestSeenSurfacesKeepAllTheirTriangles(t *testing.T) {
	cube := cubeTri(r3.Vec{}, 20)
	cube.Tris = append(cube.Tris[1:], cube.Tris[3], [3]int32{0, 0, 1}) // a hole, a double, no area
	path := filepath.Join(t.TempDir(), "cube.stl")
	if err := WriteTri(path, cube); err != nil {
		t.Fatal(err)
	}
	m, err := Seen(path, ReadOptions{Unit: "mm"})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Verts) != 8 || len(m.Tris) != 13 {
		t.Fatalf("%d vertices, %d triangles, want 8 and 13", len(m.Verts), len(m.Tris))
	}
	for i, tri := range cube.Tris {
		for k := range tri {
			if d := m.Verts[m.Tris[i][k]].Sub(cube.Verts[tri[k]].Scale(1e-3)).Norm(); d > 1e-9 {
				t.Errorf("corner %d of triangle %d is off by %g m", k, i, d)
			}
		}
	}
	points := filepath.Join(t.TempDir(), "points.obj")
	if err := os.WriteFile(points, []byte("v 0 0 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Seen(points, ReadOptions{}); !errors.Is(err, ErrNoTris) {
		t.Errorf("a file without triangles: %v", err)
	}
}
