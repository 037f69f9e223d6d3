package formats

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// gltfDoc makes a document by the library, with the corners of a cube of edge 2 as triangles, and
// nodes that have its mesh.
func gltfDoc(nodes ...*gltf.Node) *gltf.Document {
	d := gltf.NewDocument()
	cube := samples.CubeTri(r3.Vec{-1, -1, -1}, 2)
	var pos [][3]float32
	for _, v := range cube.Verts {
		pos = append(pos, [3]float32{float32(v[0]), float32(v[1]), float32(v[2])})
	}
	var idx []uint16
	for _, tri := range cube.Tris {
		idx = append(idx, uint16(tri[0]), uint16(tri[1]), uint16(tri[2]))
	}
	d.Meshes = []*gltf.Mesh{{Primitives: []*gltf.Primitive{{
		Indices: gltf.Index(modeler.WriteIndices(d, idx)), Attributes: gltf.PrimitiveAttributes{gltf.POSITION: modeler.WritePosition(d, pos)},
	}}}}
	d.Nodes = nodes
	d.Scenes[0].Nodes = []int{0}
	return d
}

// glbOf encodes a document as one binary file.
func glbOf(t testing.TB, d *gltf.Document) []byte {
	t.Helper()
	var b bytes.Buffer
	e := gltf.NewEncoder(&b)
	e.AsBinary = true
	if err := e.Encode(d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A node shifts, turns and scales a cube; one inside of it mirrors. glTF's y axis, which is up,
// becomes z, and z becomes −y.
func TestGLTFNodesPlaceMeshes(t *testing.T) {
	half := math.Sqrt(0.5)
	for _, c := range []struct {
		nodes []*gltf.Node
		least r3.Vec // corner of the box about it
		most  r3.Vec
	}{
		{[]*gltf.Node{{Mesh: gltf.Index(0), Translation: [3]float64{10, 20, 30}}}, r3.Vec{9, -31, 19}, r3.Vec{11, -29, 21}},
		// scaled by (1, 2, 3), then turned by a quarter about x, which takes y to z and z to −y
		{[]*gltf.Node{{Mesh: gltf.Index(0), Rotation: [4]float64{half, 0, 0, half}, Scale: [3]float64{1, 2, 3}}}, r3.Vec{-1, -2, -3}, r3.Vec{1, 2, 3}},
		// columns: x to x, y shifted by 5, z mirrored
		{[]*gltf.Node{{Children: []int{1}, Translation: [3]float64{0, 0, 1}}, {Mesh: gltf.Index(0), Matrix: [16]float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 5, 0, 1}}}, r3.Vec{-1, -2, 4}, r3.Vec{1, 0, 6}},
	} {
		m, _, err := ReadTriFrom(bytes.NewReader(glbOf(t, gltfDoc(c.nodes...))), ".glb", ReadOptions{Unit: "m", Raw: true})
		if err != nil {
			t.Fatal(err)
		}
		b := m.Bounds()
		if b.Min.Sub(c.least).Norm() > 1e-12 || b.Max.Sub(c.most).Norm() > 1e-12 {
			t.Errorf("%+v: bounds %v", c.nodes[0], b)
		}
		// faces still look outwards
		s := c.most.Sub(c.least)
		if v := m.Volume(); math.Abs(v-s[0]*s[1]*s[2]) > 1e-12 {
			t.Errorf("%+v: volume %g", c.nodes[0], v)
		}
	}
}

// Strips and fans are cut such that all triangles look the same way as those of a list.
func TestGLTFStripsAndFansBecomeTriangles(t *testing.T) {
	corners := []int32{0, 1, 2, 3, 4}
	for mode, want := range map[gltf.PrimitiveMode][][3]int32{
		gltf.PrimitiveTriangleStrip: {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}},
		gltf.PrimitiveTriangleFan:   {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}},
		gltf.PrimitiveTriangles:     {{0, 1, 2}},
	} {
		got := gltfTriangles(mode, corners)
		if len(got) != len(want) {
			t.Fatalf("mode %d: %v", mode, got)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("mode %d: triangle %d is %v, want %v", mode, i, got[i], want[i])
			}
		}
	}
}

// A .gltf names its buffer, which lies beside it or is in it as base64. The one beside it is listed.
func TestGLTFWithBuffersBesideIt(t *testing.T) {
	dir := t.TempDir()
	d := gltfDoc(&gltf.Node{Mesh: gltf.Index(0)})
	d.Buffers[0].URI = "cube%20of%202.bin"
	path := filepath.Join(dir, "cube.gltf")
	if err := os.WriteFile(filepath.Join(dir, "cube of 2.bin"), d.Buffers[0].Data, 0o666); err != nil {
		t.Fatal(err)
	}
	write := func() []byte {
		var b bytes.Buffer
		e := gltf.NewEncoder(&b)
		e.AsBinary = false
		if err := e.Encode(d); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	text := write()
	check := func() {
		t.Helper()
		m, _, err := ReadTri(path, ReadOptions{Unit: "m"})
		if err != nil || repair.Watertight(m) != nil || m.Volume() != 8 {
			t.Fatal(m, err)
		}
	}
	check()
	if got := ReferencedFiles(path, text); len(got) != 1 || got[0] != filepath.Join(dir, "cube of 2.bin") {
		t.Errorf("beside it: %v", got)
	}
	if _, _, err := ReadTriFrom(bytes.NewReader(text), ".gltf", ReadOptions{}); err == nil || !strings.Contains(err.Error(), "cube of 2.bin is another file") {
		t.Errorf("a stream: %v", err)
	}
	d.Buffers[0].EmbeddedResource()
	if got := ReferencedFiles(path, write()); len(got) != 0 {
		t.Errorf("beside it: %v", got)
	}
	check()
	d.Buffers[0].URI, d.Buffers[0].Data = "../cube.bin", nil
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "cube%20of%202.bin", "../cube.bin", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadTri(path, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "not below its folder") {
		t.Errorf("a buffer outside: %v", err)
	}
}

func TestFaultyGLTFIsRefused(t *testing.T) {
	for want, change := range map[string]func(*gltf.Document){
		"names vertex":                  func(d *gltf.Document) { d.Accessors[1].Count = 2 },
		"more than its buffer":          func(d *gltf.Document) { d.Accessors[1].Count = 1 << 20 },
		"there is no bufferView 9":      func(d *gltf.Document) { d.Accessors[0].BufferView = gltf.Index(9) },
		"there is no accessor 7":        func(d *gltf.Document) { d.Meshes[0].Primitives[0].Indices = gltf.Index(7) },
		"there is no node 3":            func(d *gltf.Document) { d.Nodes[0].Children = []int{3} },
		"nest too deep":                 func(d *gltf.Document) { d.Nodes[0].Children = []int{0, 0} },
		"has no POSITION":               func(d *gltf.Document) { d.Meshes[0].Primitives[0].Attributes = nil },
		"not of the type":               func(d *gltf.Document) { d.Accessors[1].Type = gltf.AccessorVec2 },
		"needs the extension KHR_draco": func(d *gltf.Document) { d.ExtensionsRequired = []string{"KHR_draco_mesh_compression"} },
		"there is no scene 4":           func(d *gltf.Document) { d.Scene = gltf.Index(4) },
		"accessor 1 is sparse":          func(d *gltf.Document) { d.Accessors[1].BufferView = nil },
		"there is no mesh 5":            func(d *gltf.Document) { d.Nodes[0].Mesh = gltf.Index(5) },
	} {
		d := gltfDoc(&gltf.Node{Mesh: gltf.Index(0)})
		change(d)
		if _, err := (&gltfFormat{}).Read(glbOf(t, d)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	data := glbOf(t, gltfDoc(&gltf.Node{Mesh: gltf.Index(0)}))
	for n := range data[:len(data)-4] {
		if _, err := (&gltfFormat{}).Read(data[:n]); err == nil {
			t.Fatalf("cut at byte %d of %d", n, len(data))
		}
	}
}

func FuzzGLTF(f *testing.F) {
	seeds := [][]byte{glbOf(f, gltfDoc(&gltf.Node{Mesh: gltf.Index(0)})), []byte(`{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}`)}
	mutation.Fuzz(f, seeds, func(t testing.TB, data []byte) string { return judge(t, data, ".glb") })
}
