package formats

// glTF: JSON that describes meshes and nodes, and buffers of numbers.

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// glTF 2.0 (Khronos), .gltf with buffers beside it or inside, and binary .glb:
//
//	"glTF" 2 LENGTH   LENGTH "JSON" {…}   LENGTH "BIN\0" bytes       header and chunks of a .glb
//	scene → nodes → meshes → primitives → accessors → bufferViews → buffers
//
// A node has a matrix, in columns, or translation t, rotation quaternion q and scale s; a point of
// its mesh is at the product of the maps of the nodes above it. The y axis of glTF points up, here
// z does, as in Drake, so that at last
//
//	(x, y, z) → (x, −z, y)                                                (1)
//
// Lengths are metres. Triangles, strips and fans are read; points and lines are counted. Materials,
// normals, skins and morph targets are left out.

var _ = Formats.Register(kinds.Kind[Format]{
	Name:    "gltf",
	Doc:     "glTF 2.0 files: .glb, and .gltf with buffers beside it.",
	About:   "Triangles of all meshes are read, placed by the nodes of the scene. The y axis of the file, which is up, becomes z. Materials, normals, skins and animations are left out; compressed and sparse buffers are refused.",
	New:     func() Format { return &gltfFormat{} },
	Samples: func() []Format { return []Format{&gltfFormat{}} },
})

// gltfFormat is the Format.
type gltfFormat struct{}

// Extensions implements Format.
func (*gltfFormat) Extensions() []string { return []string{".glb", ".gltf"} }

// Volumes implements Format.
func (*gltfFormat) Volumes() bool { return false }

// glbMagic begins binary files.
var glbMagic = []byte("glTF")

// Recognize implements Format.
func (*gltfFormat) Recognize(data []byte) Match {
	if head := bytes.TrimSpace(data[:min(len(data), 4096)]); bytes.HasPrefix(head, []byte("{")) && bytes.Contains(data, []byte(`"asset"`)) {
		return Likely
	}
	return certainIf(bytes.HasPrefix(data, glbMagic))
}

// Read implements Format.
func (f *gltfFormat) Read(data []byte) (*RawMesh, error) { return f.ReadBeside(data, nil) }

// Beside implements PartedFormat.
func (*gltfFormat) Beside(data []byte) (names []string) {
	doc, _, err := gltfDocument(data)
	if err != nil {
		return nil
	}
	for _, b := range doc.Buffers {
		if name, ok := gltfFile(b); ok {
			names = append(names, name)
		}
	}
	return names
}

// ReadBeside implements PartedFormat.
func (*gltfFormat) ReadBeside(data []byte, open func(name string) ([]byte, error)) (*RawMesh, error) {
	doc, bin, err := gltfDocument(data)
	if err != nil {
		return nil, err
	}
	// of extensions that a reader must support, those of materials change no geometry
	for _, x := range doc.ExtensionsRequired {
		if x != "KHR_mesh_quantization" && !strings.HasPrefix(x, "KHR_materials") && !strings.HasPrefix(x, "KHR_texture") && !strings.HasPrefix(x, "EXT_texture") {
			return nil, fmt.Errorf("the file needs the extension %s, which is not read: export it without compression", x)
		}
	}
	r := &gltfReader{doc: doc, m: &RawMesh{}, buffers: make([][]byte, len(doc.Buffers))}
	// all buffers, whose accessors are read later
	for i, b := range doc.Buffers {
		if r.buffers[i], err = gltfBuffer(b, i, bin, open); err != nil {
			return nil, err
		}
	}
	r.scene()
	// the fault is that of the first node or accessor that had one
	if r.err != nil {
		return nil, r.err
	}
	for i, p := range r.m.Verts {
		if !p.IsFinite() {
			return nil, fmt.Errorf("vertex %d is at %v: coordinates must be finite", i, p)
		}
		r.m.Verts[i] = r3.Vec{p[0], -p[2], p[1]} // (1)
	}
	return r.m, nil
}

// gltfDocument decodes the JSON of a file, and returns the binary chunk where it has one.
func gltfDocument(data []byte) (doc *gltf.Document, bin []byte, err error) {
	// a .gltf is JSON as a whole
	text := data
	if bytes.HasPrefix(data, glbMagic) {
		if text, bin, err = glbChunks(data); err != nil {
			return nil, nil, err
		}
	}
	doc = &gltf.Document{}
	if err := json.Unmarshal(text, doc); err != nil {
		return nil, nil, fmt.Errorf("not a glTF file: %w", err)
	}
	return doc, bin, nil
}

// glbChunks returns the JSON and the bytes of a binary file.
func glbChunks(data []byte) (text, bin []byte, err error) {
	// magic number, version and length, each of four bytes
	const header = 12
	if len(data) < header {
		return nil, nil, fmt.Errorf("the file ends within its header: it is cut short")
	}
	// chunks of unknown kinds are passed over, as the format asks
	for rest := data[header:]; len(rest) >= 8; {
		n, kind := uint64(binary.LittleEndian.Uint32(rest)), string(rest[4:8])
		if rest = rest[8:]; n > uint64(len(rest)) {
			return nil, nil, fmt.Errorf("a chunk of %d bytes is announced, but only %d follow: the file is cut short", n, len(rest))
		}
		switch {
		case kind == "JSON" && text == nil:
			text = rest[:n]
		case kind == "BIN\x00" && bin == nil:
			bin = rest[:n]
		}
		rest = rest[n:]
	}
	return text, bin, nil
}

// gltfFile returns the name of the file of a buffer; false where it is in the file itself.
func gltfFile(b *gltf.Buffer) (string, bool) {
	if b == nil || b.URI == "" || strings.HasPrefix(b.URI, "data:") {
		return "", false
	}
	// names may be escaped like those of pages, %20 for a space; others stay as they are
	name, err := url.PathUnescape(b.URI)
	if err != nil {
		name = b.URI
	}
	return path.Clean(name), true
}

// gltfBuffer returns the bytes of buffer i: those of the binary chunk, of base64 or of a file.
func gltfBuffer(b *gltf.Buffer, i int, bin []byte, open func(name string) ([]byte, error)) ([]byte, error) {
	// the first buffer without a name is the binary chunk
	name, beside := gltfFile(b)
	switch {
	case b == nil || b.URI == "" && i == 0:
		return bin, nil
	case b.URI == "":
		return nil, fmt.Errorf("buffer %d has no uri", i)
	case beside && open == nil:
		return nil, fmt.Errorf("its buffer %s is another file, which is not there: save it as .glb", name)
	case beside:
		return open(name)
	}
	// data:application/octet-stream;base64,…
	_, text, ok := strings.Cut(b.URI, ";base64,")
	if !ok {
		return nil, fmt.Errorf("buffer %d: only base64 is read of data in a uri", i)
	}
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("buffer %d: %w", i, err)
	}
	return bytes, nil
}

// gltfReader places the meshes of a document.
type gltfReader struct {
	doc     *gltf.Document
	buffers [][]byte // by number
	m       *RawMesh // what was read
	count   int      // nodes so far
	err     error    // the first fault
}

// fail records the first fault.
func (r *gltfReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// scene adds the nodes of the scene, the first where the file names none; without scenes all meshes.
func (r *gltfReader) scene() {
	d := r.doc
	if len(d.Scenes) == 0 {
		for i := range d.Meshes {
			r.mesh(i, identity4())
		}
		return
	}
	// the one that the file shows at first
	i := 0
	if d.Scene != nil {
		i = *d.Scene
	}
	if i < 0 || i >= len(d.Scenes) || d.Scenes[i] == nil {
		r.fail("there is no scene %d", i)
		return
	}
	for _, n := range d.Scenes[i].Nodes {
		r.node(n, identity4(), 0)
	}
}

// node adds what a node and those in it contain. Nodes may be named many times, which limits bound.
func (r *gltfReader) node(i int, X mat4, depth int) {
	if r.count++; r.count > maxDaeNodes || depth > maxDaeDepth {
		r.fail("the nodes of the file nest too deep or are too many: export the mesh alone")
	}
	if r.err != nil {
		return
	}
	if i < 0 || i >= len(r.doc.Nodes) || r.doc.Nodes[i] == nil {
		r.fail("there is no node %d", i)
		return
	}
	// maps of the nodes above come first
	n := r.doc.Nodes[i]
	X = X.mul(gltfMap(n))
	if n.Mesh != nil {
		r.mesh(*n.Mesh, X)
	}
	for _, c := range n.Children {
		r.node(c, X, depth+1)
	}
}

// gltfMap returns the map of a node.
func gltfMap(n *gltf.Node) mat4 {
	// columns of a 4×4 matrix
	if a := n.MatrixOrDefault(); a != gltf.DefaultMatrix {
		return mat4{L: r3.Mat{a[0], a[4], a[8], a[1], a[5], a[9], a[2], a[6], a[10]}, p: r3.Vec{a[12], a[13], a[14]}}
	}
	// a quaternion x, y, z, w, which files may leave unnormalized by round-off
	q, s := n.RotationOrDefault(), n.ScaleOrDefault()
	R := r3.Quat{q[3], q[0], q[1], q[2]}.Unit().Mat()
	return mat4{L: R.Mul(r3.Diag(s)), p: n.TranslationOrDefault()}
}

// mesh adds the primitives of a mesh at X; one that mirrors turns its triangles.
func (r *gltfReader) mesh(i int, X mat4) {
	if i < 0 || i >= len(r.doc.Meshes) || r.doc.Meshes[i] == nil {
		r.fail("there is no mesh %d", i)
		return
	}
	for _, p := range r.doc.Meshes[i].Primitives {
		if p == nil || r.err != nil {
			continue
		}
		if p.Mode == gltf.PrimitivePoints || p.Mode == gltf.PrimitiveLines || p.Mode == gltf.PrimitiveLineLoop || p.Mode == gltf.PrimitiveLineStrip {
			r.m.Skip("points and lines", 1)
			continue
		}
		verts, corners := r.primitive(p)
		if r.err != nil {
			return
		}
		// a small file may name a mesh many times
		if len(r.m.Verts)+len(verts) > 1<<28 || len(r.m.Tris)+len(corners) > 1<<28 {
			r.fail("instances of meshes are too many: export the mesh alone")
			return
		}
		r.place(verts, gltfTriangles(p.Mode, corners), X)
	}
}

// place adds an instance of a primitive, moved by X. A mirror turns its triangles over, which are
// turned back.
func (r *gltfReader) place(verts []r3.Vec, tris [][3]int32, X mat4) {
	first := int32(len(r.m.Verts))
	for _, v := range verts {
		r.m.Verts = append(r.m.Verts, X.point(v))
	}
	for _, t := range tris {
		if X.det() < 0 {
			t[1], t[2] = t[2], t[1]
		}
		r.m.Tris = append(r.m.Tris, [3]int32{t[0] + first, t[1] + first, t[2] + first})
	}
}

// gltfTriangles cuts the corners of a primitive into triangles.
func gltfTriangles(mode gltf.PrimitiveMode, c []int32) (tris [][3]int32) {
	switch mode {
	case gltf.PrimitiveTriangleStrip:
		for i := 2; i < len(c); i++ {
			// each second triangle of a strip is the other way round
			tris = append(tris, [3]int32{c[i-2], c[i-1+i%2], c[i-i%2]})
		}
	case gltf.PrimitiveTriangleFan:
		for i := 2; i < len(c); i++ {
			tris = append(tris, [3]int32{c[0], c[i-1], c[i]})
		}
	default:
		for i := 2; i < len(c); i += 3 {
			tris = append(tris, [3]int32{c[i-2], c[i-1], c[i]})
		}
	}
	return tris
}
