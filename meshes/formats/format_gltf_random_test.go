package formats

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// Files of glTF that no exporter writes, but the format allows: every type of numbers, rows with
// gaps, buffers in several files, trees of nodes. The writer below is the twin of the reader: it
// computes the triangles that a file stands for, by 4×4 matrices of its own.

// gltfFileOf is a document under construction, as JSON.
type gltfFileOf struct {
	r       *rand.Rand
	Buffers [][]byte
	views   []map[string]any
	access  []map[string]any
	meshes  []map[string]any
	nodes   []map[string]any
	// corners of the triangles of each mesh, as the file's numbers say
	tris [][][3]r3.Vec
	skip int // points and lines
}

// rows appends rows of numbers as a view with an accessor, after gaps of random length and with a
// random stride, and returns the number of the accessor. bytesOf is the size of a number.
func (g *gltfFileOf) rows(component int, kind string, bytesOf int, normalized bool, rows [][]byte) int {
	at := g.r.IntN(len(g.Buffers))
	b := append(g.Buffers[at], make([]byte, 4*g.r.IntN(3))...) // bytes that belong to nobody
	start, stride, before := len(b), len(rows[0]), 4*g.r.IntN(3)
	b = append(b, make([]byte, before)...) // byteOffset of the accessor
	spaced := g.r.IntN(2) == 0
	if spaced {
		stride += bytesOf * g.r.IntN(4)
	}
	for i, row := range rows {
		b = append(b, row...)
		if i+1 < len(rows) {
			b = append(b, make([]byte, stride-len(row))...)
		}
	}
	g.Buffers[at] = b
	view := map[string]any{"buffer": at, "byteOffset": start, "byteLength": len(b) - start}
	if spaced && stride >= 4 {
		view["byteStride"] = stride
	} else if stride != len(rows[0]) {
		view["byteStride"] = stride
	}
	g.views = append(g.views, view)
	g.access = append(g.access, map[string]any{"bufferView": len(g.views) - 1, "byteOffset": before, "componentType": component,
		"count": len(rows), "type": kind, "normalized": normalized})
	return len(g.access) - 1
}

// positions appends random positions of a random type, and returns them as they are read.
func (g *gltfFileOf) positions(n int) (accessor int, verts []r3.Vec) {
	// component type, bytes, and the value of 1 where integers are normalized
	types := []struct {
		component, bytes int
		one              float64
	}{{5120, 1, 127}, {5121, 1, 255}, {5122, 2, 32767}, {5123, 2, 65535}, {5126, 4, 0}}
	c := types[g.r.IntN(len(types))]
	normalized := c.one > 0 && g.r.IntN(2) == 0
	var rows [][]byte
	for range n {
		var row []byte
		var p r3.Vec
		for k := range 3 {
			x := g.r.Uint32()
			switch c.component {
			case 5120:
				row, p[k] = append(row, byte(x)), float64(int8(x))
			case 5121:
				row, p[k] = append(row, byte(x)), float64(uint8(x))
			case 5122:
				row, p[k] = binary.LittleEndian.AppendUint16(row, uint16(x)), float64(int16(x))
			case 5123:
				row, p[k] = binary.LittleEndian.AppendUint16(row, uint16(x)), float64(uint16(x))
			default:
				f := float32(g.r.NormFloat64())
				row, p[k] = binary.LittleEndian.AppendUint32(row, math.Float32bits(f)), float64(f)
			}
			if normalized {
				p[k] = max(p[k]/c.one, -1) // −128 and −127 are both −1
			}
		}
		rows, verts = append(rows, row), append(verts, p)
	}
	return g.rows(c.component, "VEC3", c.bytes, normalized, rows), verts
}

// indices appends random indices below n of a random type; nil where vertices are used in turn.
func (g *gltfFileOf) indices(n int) (accessor any, list []int) {
	if g.r.IntN(4) == 0 {
		for i := range n {
			list = append(list, i)
		}
		return nil, list
	}
	kind := g.r.IntN(3) // of 1, 2 and 4 bytes
	var rows [][]byte
	for range 3 + g.r.IntN(9) {
		i := g.r.IntN(n)
		list = append(list, i)
		rows = append(rows, binary.LittleEndian.AppendUint32(nil, uint32(i))[:1<<kind])
	}
	return g.rows([]int{5121, 5123, 5125}[kind], "SCALAR", 1<<kind, false, rows), list
}

// mesh appends a mesh of some primitives of all modes.
func (g *gltfFileOf) mesh() {
	var primitives []map[string]any
	var tris [][3]r3.Vec
	for range 1 + g.r.IntN(3) {
		at, verts := g.positions(3 + g.r.IntN(6))
		indices, list := g.indices(len(verts))
		mode := g.r.IntN(7)
		p := map[string]any{"attributes": map[string]int{"POSITION": at}, "mode": mode}
		if indices != nil {
			p["indices"] = indices
		}
		primitives = append(primitives, p)
		corner := func(i int) r3.Vec { return verts[list[i]] }
		switch mode {
		case 4: // by threes; what is left over is no triangle
			for i := 0; i+2 < len(list); i += 3 {
				tris = append(tris, [3]r3.Vec{corner(i), corner(i + 1), corner(i + 2)})
			}
		case 5: // p_i = {v_i, v_(i+1+i%2), v_(i+2−i%2)}, section 3.7.2.1 of the specification
			for i := range len(list) - 2 {
				tris = append(tris, [3]r3.Vec{corner(i), corner(i + 1 + i%2), corner(i + 2 - i%2)})
			}
		case 6: // p_i = {v_(i+1), v_(i+2), v_0}
			for i := range len(list) - 2 {
				tris = append(tris, [3]r3.Vec{corner(i + 1), corner(i + 2), corner(0)})
			}
		default:
			g.skip++
		}
	}
	g.meshes, g.tris = append(g.meshes, map[string]any{"primitives": primitives}), append(g.tris, tris)
}

// matrix44 is a map of homogeneous coordinates, by rows.
type matrix44 [4][4]float64

func (a matrix44) times(b matrix44) (c matrix44) {
	for i := range 4 {
		for j := range 4 {
			for k := range 4 {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

func (a matrix44) apply(p r3.Vec) (q r3.Vec) {
	for i := range 3 {
		q[i] = a[i][0]*p[0] + a[i][1]*p[1] + a[i][2]*p[2] + a[i][3]
	}
	return q
}

// mirrors reports whether the map turns right hands into left ones.
func (a matrix44) mirrors() bool {
	return a[0][0]*(a[1][1]*a[2][2]-a[1][2]*a[2][1])-a[0][1]*(a[1][0]*a[2][2]-a[1][2]*a[2][0])+a[0][2]*(a[1][0]*a[2][1]-a[1][1]*a[2][0]) < 0
}

// randomNode returns the properties of a node with a random map, and that map: a matrix, or
// translation, rotation and scale, each of which may be missing.
func randomNode(r *rand.Rand) (map[string]any, matrix44) {
	node, X := map[string]any{}, matrix44{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}
	if r.IntN(3) == 0 {
		var columns [16]float64
		for i := range 3 {
			for j := range 4 {
				X[i][j] = r.NormFloat64()
			}
		}
		for i := range 16 {
			columns[i] = X[i%4][i/4]
		}
		node["matrix"] = columns
		return node, X
	}
	if r.IntN(2) == 0 { // the scale comes first
		s := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		node["scale"] = s
		X = matrix44{{s[0], 0, 0, 0}, {0, s[1], 0, 0}, {0, 0, s[2], 0}, {0, 0, 0, 1}}
	}
	if r.IntN(2) == 0 { // then the rotation of a unit quaternion (x, y, z, w)
		q := [4]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
		for i := range q {
			q[i] /= n
		}
		x, y, z, w := q[0], q[1], q[2], q[3]
		node["rotation"] = q
		X = matrix44{
			{1 - 2*(y*y+z*z), 2 * (x*y - z*w), 2 * (x*z + y*w), 0},
			{2 * (x*y + z*w), 1 - 2*(x*x+z*z), 2 * (y*z - x*w), 0},
			{2 * (x*z - y*w), 2 * (y*z + x*w), 1 - 2*(x*x+y*y), 0}, {0, 0, 0, 1}}.times(X)
	}
	if r.IntN(2) == 0 {
		t := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		node["translation"] = t
		for i := range 3 {
			X[i][3] = t[i]
		}
	}
	return node, X
}

// tree appends a node with what is below it, and returns its number and the triangles that it
// places, in the order of the file.
func (g *gltfFileOf) tree(depth int) (number int, tris [][3]r3.Vec) {
	node, X := randomNode(g.r)
	number = len(g.nodes)
	g.nodes = append(g.nodes, node)
	if len(g.meshes) > 0 && g.r.IntN(3) > 0 {
		i := g.r.IntN(len(g.meshes))
		node["mesh"] = i
		tris = append(tris, g.tris[i]...)
	}
	var children []int
	for range g.r.IntN(3 - depth) {
		n, below := g.tree(depth + 1)
		children, tris = append(children, n), append(tris, below...)
	}
	if children != nil {
		node["children"] = children
	}
	for i, t := range tris {
		for k := range 3 {
			t[k] = X.apply(t[k])
		}
		if X.mirrors() {
			t[1], t[2] = t[2], t[1]
		}
		tris[i] = t
	}
	return number, tris
}

// document returns the file with its buffers: beside it, in it, or in the chunk of a .glb.
func (g *gltfFileOf) document(scenes []map[string]any, files map[string][]byte) []byte {
	doc := map[string]any{"asset": map[string]string{"version": "2.0"}, "scenes": scenes, "nodes": g.nodes, "meshes": g.meshes,
		"accessors": g.access, "bufferViews": g.views}
	if len(scenes) > 1 {
		doc["scene"] = len(scenes) - 1
	}
	var buffers []map[string]any
	var chunk []byte
	for i, b := range g.Buffers {
		buffer := map[string]any{"byteLength": len(b)}
		switch {
		case i == 0 && files == nil:
			chunk = b
		case i%2 == 0 || files == nil:
			buffer["uri"] = "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(b)
		default:
			name := fmt.Sprintf("part %d.bin", i)
			buffer["uri"], files[name] = strings.ReplaceAll(name, " ", "%20"), b
		}
		buffers = append(buffers, buffer)
	}
	doc["buffers"] = buffers
	text, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	if files != nil {
		return text
	}
	// chunks are multiples of four bytes; one of an unknown kind stands between them
	pad := func(b []byte, with byte) []byte { return append(b, bytes.Repeat([]byte{with}, (4-len(b)%4)%4)...) }
	var body []byte
	for _, c := range []struct {
		kind string
		b    []byte
	}{{"JSON", pad(text, ' ')}, {"NOTE", []byte("none")}, {"BIN\x00", pad(chunk, 0)}} {
		body = append(binary.LittleEndian.AppendUint32(body, uint32(len(c.b))), c.kind...)
		body = append(body, c.b...)
	}
	head := binary.LittleEndian.AppendUint32([]byte("glTF"), 2)
	return append(binary.LittleEndian.AppendUint32(head, uint32(12+len(body))), body...)
}

// Triangles are where the products of the maps above them put them, y turned up to z; mirrors keep
// the side that looks out.
func TestGLTFOfRandomTreesAndNumbers(t *testing.T) {
	r := samples.NewRand(t, 5)
	read, skipped := 0, 0
	for round := range 300 {
		g := &gltfFileOf{r: r, Buffers: make([][]byte, 1+r.IntN(3))}
		for range 1 + r.IntN(3) {
			g.mesh()
		}
		number, want := g.tree(0)
		scenes := []map[string]any{{"nodes": []int{number}}}
		for range r.IntN(2) { // another one before that which the file shows
			scenes = append([]map[string]any{{"nodes": []int{0, 0}}}, scenes...)
		}
		var files map[string][]byte
		if r.IntN(2) == 0 {
			files = map[string][]byte{}
		}
		data := g.document(scenes, files)
		m, err := (&gltfFormat{}).ReadBeside(data, func(name string) ([]byte, error) { return files[name], nil })
		if err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, data)
		}
		if len(m.Tris) != len(want) {
			t.Fatalf("round %d: %d triangles, want %d", round, len(m.Tris), len(want))
		}
		read += len(want)
		skipped += len(m.skipped)
		for i, tri := range m.Tris {
			for k := range 3 {
				got := m.Verts[tri[k]]
				// any corner may come first
				ok := false
				for s := range 3 {
					p := want[i][(k+s)%3]
					ok = ok || got.Sub(r3.Vec{p[0], -p[2], p[1]}).Norm() <= 1e-9*(1+p.Norm())
				}
				if !ok {
					t.Fatalf("round %d: corner %d of triangle %d is at %v, want one of %v", round, k, i, got, want[i])
				}
			}
			w := want[i]
			n := r3.TriangleNormal(w[0], w[1], w[2])
			n = r3.Vec{n[0], -n[2], n[1]}
			if got := r3.TriangleNormal(m.Verts[tri[0]], m.Verts[tri[1]], m.Verts[tri[2]]); got.Sub(n).Norm() > 1e-7*(1+n.Norm()) {
				t.Fatalf("round %d: triangle %d has the normal %v, want %v", round, i, got, n)
			}
		}
	}
	if read < 1000 || skipped < 20 {
		t.Errorf("%d triangles and %d files with points or lines are too few", read, skipped)
	}
}

// What the format forbids is refused with its place: nodes, numbers and buffers that do not exist
// or do not fit.
func TestGLTFThatContradictsItselfIsRefused(t *testing.T) {
	const whole = `{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],` +
		`"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":3}],"buffers":[{"byteLength":39,"uri":"data:;base64,` + "BYTES" + `"}]}`
	bytesOf := func(x float32, index byte) string {
		var b []byte
		for _, f := range []float32{0, 0, 0, 1, 0, 0, 0, x, 0} {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
		return base64.StdEncoding.EncodeToString(append(b, 0, 1, index))
	}
	for _, c := range []struct{ old, with, want string }{
		{"", "", ""},
		{`"nodes":[0]`, `"nodes":[-1]`, "there is no node -1"},
		{`{"mesh":0}`, `null`, "there is no node 0"},
		{`"scenes":[{"nodes":[0]}]`, `"scenes":[null]`, "there is no scene 0"},
		{`{"mesh":0}`, `{"mesh":-1}`, "there is no mesh -1"},
		{`"buffer":0,"byteOffset"`, `"buffer":3,"byteOffset"`, "there is no buffer 3"},
		{`"count":3,"type":"SCALAR"`, `"count":4,"type":"SCALAR"`, "accessor 1 has 4 rows"},
		{`"count":3,"type":"SCALAR"`, `"count":3,"type":"SCALAR","normalized":true`, "accessor 1 has indices, which cannot be normalized"},
		{`"componentType":5121,"count":3`, `"componentType":5126,"count":3`, "accessor 1 has 3 rows"},
		{`"byteOffset":36,"byteLength":3`, `"byteOffset":36,"byteLength":3,"byteStride":300`, "accessor 1 has 3 rows"},
		{`data:;base64,`, `data:text/plain,`, "only base64 is read"},
		{`data:;base64,`, `data:;base64,?`, "buffer 0: illegal base64"},
		{`"buffers":[{`, `"buffers":[{"byteLength":1},{`, "more than its buffer of 0 bytes"},
		{`"asset"`, `"extensionsRequired":["EXT_meshopt_compression"],"asset"`, "needs the extension EXT_meshopt_compression"},
		{`"asset"`, `"extensionsRequired":["KHR_mesh_quantization","KHR_materials_unlit"],"asset"`, ""},
		{`"scenes":[{"nodes":[0]}],`, ``, ""}, // all meshes
	} {
		text := strings.Replace(strings.Replace(whole, "BYTES", bytesOf(1, 2), 1), c.old, c.with, 1)
		m, err := (&gltfFormat{}).Read([]byte(text))
		if c.want == "" && (err != nil || len(m.Tris) != 1) {
			t.Errorf("%s: %v", c.with, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %s", c.with, err, c.want)
		}
	}
	if _, err := (&gltfFormat{}).Read([]byte(strings.Replace(whole, "BYTES", bytesOf(1, 3), 1))); err == nil || !strings.Contains(err.Error(), "accessor 1 names vertex 3 of 3") {
		t.Errorf("an index beyond the vertices: %v", err)
	}
	if _, err := (&gltfFormat{}).Read([]byte(strings.Replace(whole, "BYTES", bytesOf(float32(math.Inf(1)), 2), 1))); err == nil || !strings.Contains(err.Error(), "must be finite") {
		t.Errorf("an infinite coordinate: %v", err)
	}
	if (&gltfFormat{}).Beside([]byte("{")) != nil {
		t.Error("a file that is no JSON has buffers beside it")
	}
}
