package formats

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// parsedFile parses a file.
func parsedFile(t *testing.T, path string) *Parsed {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(path, data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The surfaces of a parsed file are those of reading it for each use, in any order and at once, and share no memory:
// files of all formats, with tetrahedra too.
func TestParsedFilesHaveTheSurfacesOfReadingThem(t *testing.T) {
	cube := samples.CubeTri(r3.Vec{1, 2, 3}, 20)
	cube.Tris[3] = [3]int32{cube.Tris[3][1], cube.Tris[3][0], cube.Tris[3][2]} // turned over
	box, err := meshes.BoxTets(r3.Vec{20, 30, 40}, [3]int{2, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, write := range map[string]func(path string) error{
		"cube.stl": func(path string) error { return WriteTri(path, cube) },
		"cube.obj": func(path string) error { return WriteTri(path, cube) },
		"box.vtk":  func(path string) error { return WriteTet(path, box) },
	} {
		path := filepath.Join(dir, name)
		if err := write(path); err != nil {
			t.Fatal(err)
		}
		opt := ReadOptions{Unit: "mm"}
		want, wantFound, err := ReadTri(path, opt)
		if err != nil {
			t.Fatal(err)
		}
		wantSeen, err := parsedFile(t, path).Seen(opt)
		if err != nil {
			t.Fatal(err)
		}
		p := parsedFile(t, path)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				seen, err := p.Seen(opt)
				if err != nil || !slices.Equal(seen.Verts, wantSeen.Verts) || !slices.Equal(seen.Tris, wantSeen.Tris) {
					t.Errorf("%s: seen: %v", name, err)
				}
				for i := range seen.Verts { // as a scale of the use does
					seen.Verts[i] = seen.Verts[i].Scale(-3)
				}
				for i := range seen.Tris {
					seen.Tris[i] = [3]int32{}
				}
			})
			wg.Go(func() {
				tri, found, err := p.Tri(opt)
				if err != nil || !slices.Equal(tri.Verts, want.Verts) || !slices.Equal(tri.Tris, want.Tris) || !slices.Equal(found.List, wantFound.List) {
					t.Errorf("%s: %v, %v", name, err, found.List)
				}
				for i := range tri.Verts {
					tri.Verts[i] = r3.Vec{}
				}
			})
		}
		wg.Wait()
	}
}

// A surface that is only looked at keeps its triangles, open, doubled and without area as they
// are, on vertices that each place has once.
func TestSeenSurfacesKeepAllTheirTriangles(t *testing.T) {
	cube := samples.CubeTri(r3.Vec{}, 20)
	cube.Tris = append(cube.Tris[1:], cube.Tris[3], [3]int32{0, 0, 1}) // a hole, a double, no area
	path := filepath.Join(t.TempDir(), "cube.stl")
	if err := WriteTri(path, cube); err != nil {
		t.Fatal(err)
	}
	m, err := parsedFile(t, path).Seen(ReadOptions{Unit: "mm"})
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
	if _, err := parsedFile(t, points).Seen(ReadOptions{}); !errors.Is(err, ErrNoTris) {
		t.Errorf("a file without triangles: %v", err)
	}
}

// A solid is the same whether it is taken as in the file or has to be repaired first: turned inside
// out, with one piece turned, or with a triangle twice.
func TestSolidsHaveTheVolumeOfRepairedSurfaces(t *testing.T) {
	cube, far := samples.CubeTri(r3.Vec{}, 1), samples.CubeTri(r3.Vec{5, 0, 0}, 2)
	turned := func(m *meshes.Tri) *meshes.Tri {
		out := &meshes.Tri{Verts: m.Verts}
		for _, f := range m.Tris {
			out.Tris = append(out.Tris, [3]int32{f[0], f[2], f[1]})
		}
		return out
	}
	both := func(a, b *meshes.Tri) *meshes.Tri {
		out := &meshes.Tri{Verts: slices.Concat(a.Verts, b.Verts), Tris: slices.Clone(a.Tris)}
		n := int32(len(a.Verts))
		for _, f := range b.Tris {
			out.Tris = append(out.Tris, [3]int32{f[0] + n, f[1] + n, f[2] + n})
		}
		return out
	}
	for name, c := range map[string]struct {
		m    *meshes.Tri
		want float64
	}{
		"closed": {cube, 1}, "inside out": {turned(cube), 1}, "one turned": {both(cube, turned(far)), 9}, "two": {both(far, cube), 9},
		"twice": {&meshes.Tri{Verts: cube.Verts, Tris: append(slices.Clone(cube.Tris), cube.Tris[0])}, 1},
	} {
		for _, ext := range []string{".stl", ".obj"} {
			var b bytes.Buffer
			if err := writeTriTo(&b, ext, c.m); err != nil {
				t.Fatal(err)
			}
			m, err := Solid(bytes.NewReader(b.Bytes()), ext, ReadOptions{Unit: "mm"})
			if err != nil || repair.Watertight(m) != nil || math.Abs(m.Volume()-1e-9*c.want) > 1e-15 {
				t.Errorf("%s %s: %v, volume %g", name, ext, err, m.Volume())
			}
		}
	}
}
