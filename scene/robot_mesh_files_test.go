package scene

import (
	"bytes"
	"sync/atomic"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/meshes/formats"
)

// countedFormat is OBJ with a first line of its own, and counts the files that are parsed.
type countedFormat struct{}

const countedHead = "# counted\n"

var countedReads atomic.Int64

// Extensions implements formats.Format.
func (*countedFormat) Extensions() []string { return []string{".counted"} }

// Volumes implements formats.Format.
func (*countedFormat) Volumes() bool { return false }

// Recognize implements formats.Format.
func (*countedFormat) Recognize(data []byte) formats.Match {
	if bytes.HasPrefix(data, []byte(countedHead)) {
		return formats.Certain
	}
	return formats.NoMatch
}

// Read implements formats.Format.
func (*countedFormat) Read(data []byte) (*formats.RawMesh, error) {
	countedReads.Add(1)
	obj, err := formats.Formats.New("obj")
	if err != nil {
		return nil, err
	}
	return obj.Read(data)
}

var _ = formats.Formats.Register(kinds.Kind[formats.Format]{
	Name: "counted",
	Doc:  "Format of tests that counts the files that are parsed.",
	New:  func() formats.Format { return &countedFormat{} },
})

// A file that is drawn, touches, and touches at another scale and under another name is parsed once, and the robots of
// a scene share its shapes; each has the surface of its use. A later load parses it again.
func TestFilesOfMeshesAreParsedOnce(t *testing.T) {
	cube := countedHead + "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n" +
		"f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
	mesh := func(name, scale string) string { return `<mesh filename="` + name + `" scale="` + scale + `"/>` }
	dir := folder(t, map[string]string{"cube.counted": cube, "r.urdf": shapedRobot(
		`<visual><geometry>` + mesh("cube.counted", "1 1 1") + `</geometry></visual>` +
			collision("0 0 0", "0 0 0", mesh("cube.counted", "1 1 1")) + collision("0 0 5", "0 0 0", mesh("cube.counted", "2 1 -1")) +
			collision("0 0 9", "0 0 0", mesh("file://cube.counted", "1 1 1"))),
	})
	for load := range 2 {
		sc := mustLoad(t, dir, timeOf+"robots: {a: {file: r.urdf}, b: {file: r.urdf, pose: {xyz: [4, 0, 0]}}}\n")
		if n := countedReads.Load(); n != int64(load+1) {
			t.Fatalf("parsed %d times in %d loads", n, load+1)
		}
		geoms := sc.Model.Geometry.Geoms
		if len(geoms) != 6 {
			t.Fatalf("%d shapes touch", len(geoms))
		}
		for i, want := range []float64{1, 2, 1, 1, 2, 1} {
			near(t, "volume", volume(t, geoms[i].Shape), want, 0.02*want)
			same := map[int]int{2: 0, 3: 0, 4: 1, 5: 0}
			if k, ok := same[i]; ok && geoms[i].Shape != geoms[k].Shape {
				t.Errorf("shape %d is not shape %d", i, k)
			}
			if m, ok := geoms[i].Shape.(*geometry.Mesh); !ok || len(m.SurfaceMesh().Verts) != 8 {
				t.Errorf("shape %d is a %T", i, geoms[i].Shape)
			}
		}
	}
}
