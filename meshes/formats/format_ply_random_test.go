package formats

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// plyTypes are the types of numbers with both of their names, and how a value is written.
var plyTypes = []struct {
	names [2]string
	// put appends a value, given as a whole number within the type or as a fraction, and returns it as it is read.
	put func(order binary.AppendByteOrder, b []byte, x float64) ([]byte, float64)
}{
	{[2]string{"char", "int8"}, func(_ binary.AppendByteOrder, b []byte, x float64) ([]byte, float64) {
		return append(b, byte(int8(x))), float64(int8(x))
	}},
	{[2]string{"uchar", "uint8"}, func(_ binary.AppendByteOrder, b []byte, x float64) ([]byte, float64) {
		return append(b, uint8(math.Abs(x))), float64(uint8(math.Abs(x)))
	}},
	{[2]string{"short", "int16"}, func(o binary.AppendByteOrder, b []byte, x float64) ([]byte, float64) {
		return o.AppendUint16(b, uint16(int16(x))), float64(int16(x))
	}},
	{[2]string{"ushort", "uint16"}, func(o binary.AppendByteOrder, b []byte, x float64) ([]byte, float64) {
		return o.AppendUint16(b, uint16(math.Abs(x))), float64(uint16(math.Abs(x)))
	}},
	{[2]string{"int", "int32"}, func(o binary.AppendByteOrder, b []byte, x float64) ([]byte, float64) {
		return o.AppendUint32(b, uint32(int32(x))), float64(int32(x))
	}},
	{[2]string{"uint", "uint32"}, func(o binary.AppendByteOrder, b []byte, x float64) ([]byte, float64) {
		return o.AppendUint32(b, uint32(math.Abs(x))), float64(uint32(math.Abs(x)))
	}},
	{[2]string{"float", "float32"}, func(o binary.AppendByteOrder, b []byte, x float64) ([]byte, float64) {
		return o.AppendUint32(b, math.Float32bits(float32(x))), float64(float32(x))
	}},
	{[2]string{"double", "float64"}, func(o binary.AppendByteOrder, b []byte, x float64) ([]byte, float64) {
		return o.AppendUint64(b, math.Float64bits(x)), x
	}},
}

// plyFileOf writes a file of PLY; a nil order writes text.
type plyFileOf struct {
	r     *rand.Rand
	order binary.AppendByteOrder
	head  bytes.Buffer
	body  []byte
}

// number writes a value of a type and returns it as it is read.
func (f *plyFileOf) number(kind int, x float64) float64 {
	if f.order != nil {
		f.body, x = plyTypes[kind].put(f.order, f.body, x)
		return x
	}
	_, x = plyTypes[kind].put(binary.LittleEndian, nil, x)
	f.body = append(strconv.AppendFloat(f.body, x, 'g', -1, 64), " \n\t"[f.r.IntN(3)])
	return x
}

// name returns one of the names of a type.
func (f *plyFileOf) name(kind int) string { return plyTypes[kind].names[f.r.IntN(2)] }

// property is a column of the file: a number, or a list with a count.
type plyColumn struct {
	name        string
	kind, count int // count is −1 for numbers
}

// element writes the header of an element of random foreign properties with some of its own, in
// random order.
func (f *plyFileOf) element(name string, n int, own ...plyColumn) []plyColumn {
	for i := range f.r.IntN(3) {
		foreign := plyColumn{fmt.Sprintf("other%d", i), f.r.IntN(len(plyTypes)), -1}
		if f.r.IntN(2) == 0 {
			foreign.count = f.r.IntN(6)
		}
		own = append(own, foreign)
	}
	f.r.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
	fmt.Fprintf(&f.head, "element %s %d\n", name, n)
	for _, c := range own {
		if c.count < 0 {
			fmt.Fprintf(&f.head, "property %s %s\n", f.name(c.kind), c.name)
		} else {
			fmt.Fprintf(&f.head, "property list %s %s %s\n", f.name(c.count), f.name(c.kind), c.name)
		}
	}
	return own
}

// foreign writes a value that no reader wants.
func (f *plyFileOf) foreign(c plyColumn) {
	if c.count < 0 {
		f.number(c.kind, float64(f.r.IntN(100)))
		return
	}
	n := f.r.IntN(4)
	f.number(c.count, float64(n))
	for range n {
		f.number(c.kind, float64(f.r.IntN(100)))
	}
}

// Vertices and polygons are read whatever the order and types of properties, in text and in both
// byte orders: vertices as they are in the file, and n − 2 triangles for each polygon, of the same
// vector area, on its corners alone.
func TestPLYOfRandomLayouts(t *testing.T) {
	r := samples.NewRand(t, 6)
	for round := range 300 {
		f := &plyFileOf{r: r, order: []binary.AppendByteOrder{nil, binary.LittleEndian, binary.BigEndian}[round%3]}
		fmt.Fprintf(&f.head, "ply\nformat %s 1.0\ncomment element vertex 7\nobj_info %d\n\n", [3]string{"ascii", "binary_little_endian", "binary_big_endian"}[round%3], round)
		// elements that are passed over, and counted where they have a form
		for _, name := range []string{"camera", "edge", "tristrips"} {
			if n := r.IntN(3); n > 0 {
				columns := f.element(name, n, plyColumn{"first", r.IntN(len(plyTypes)), -1})
				for range n {
					for _, c := range columns {
						f.foreign(c)
					}
				}
			}
		}
		n := 4 + r.IntN(12)
		kinds := [3]int{r.IntN(len(plyTypes)), r.IntN(len(plyTypes)), r.IntN(len(plyTypes))}
		columns := f.element("vertex", n, plyColumn{"x", kinds[0], -1}, plyColumn{"y", kinds[1], -1}, plyColumn{"z", kinds[2], -1})
		verts := make([]r3.Vec, n)
		for i := range verts {
			for _, c := range columns {
				if k := strings.Index("xyz", c.name); k >= 0 {
					verts[i][k] = f.number(c.kind, 200*r.Float64()-100)
				} else {
					f.foreign(c)
				}
			}
		}
		// polygons of up to six corners; those of fewer than three are no faces
		faces := 1 + r.IntN(6)
		list := plyColumn{[2]string{"vertex_index", "vertex_indices"}[r.IntN(2)], r.IntN(6), r.IntN(6)}
		columns = f.element("face", faces, list)
		var loops [][]r3.Vec
		few := 0
		for range faces {
			for _, c := range columns {
				if c.name != list.name {
					f.foreign(c)
					continue
				}
				corners := r.Perm(n)[:min(n, r.IntN(7))]
				f.number(c.count, float64(len(corners)))
				var loop []r3.Vec
				for _, v := range corners {
					f.number(c.kind, float64(v))
					loop = append(loop, verts[v])
				}
				if len(loop) < 3 {
					few++
				} else {
					loops = append(loops, loop)
				}
			}
		}
		f.head.WriteString("end_header\n")
		m, err := (&plyFormat{}).Read(append(f.head.Bytes(), f.body...))
		if err != nil {
			t.Fatalf("round %d: %v\n%s", round, err, f.head.String())
		}
		if len(m.Verts) != n {
			t.Fatalf("round %d: %d vertices, want %d", round, len(m.Verts), n)
		}
		for i, p := range m.Verts {
			if p != verts[i] {
				t.Fatalf("round %d: vertex %d is %v, want %v", round, i, p, verts[i])
			}
		}
		at := 0
		for _, loop := range loops {
			var got r3.Vec
			for range len(loop) - 2 {
				tri := m.Tris[at]
				got = got.Add(samples.VectorArea([]r3.Vec{m.Verts[tri[0]], m.Verts[tri[1]], m.Verts[tri[2]]}))
				at++
			}
			if d := got.Sub(samples.VectorArea(loop)).Norm(); d > 1e-9 {
				t.Fatalf("round %d: a polygon of %d corners has a vector area off by %g", round, len(loop), d)
			}
		}
		if at != len(m.Tris) {
			t.Fatalf("round %d: %d triangles, want %d", round, len(m.Tris), at)
		}
		counted := 0
		for _, s := range m.skipped {
			if s.name == "faces of fewer than three corners" {
				counted = s.n
			}
		}
		if counted != few {
			t.Errorf("round %d: %d faces are reported as too small, want %d", round, counted, few)
		}
	}
}

// Lines of the header that mean nothing are faults, with their line or their words.
func TestHeadersOfPLYAreChecked(t *testing.T) {
	const vertex = "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
	for _, c := range []struct{ text, want string }{
		{"ply\nformat ascii 1.0\n" + vertex + "end_header\n1 2\n", "where a number is required"},
		{"ply\nformat ascii 1.0\n" + vertex + "element face 1\nproperty list float3 int vertex_index\nend_header\n", `the property "property list float3 int vertex_index"`},
		{"ply\nformat ascii 1.0\n" + vertex + "element face 1\nproperty list uchar colour vertex_index\nend_header\n", `the property "property list uchar colour vertex_index"`},
		{"ply\nformat ascii 1.0\n" + vertex + "element face 1\nproperty list float int vertex_index\nend_header\n0 0 0 0.5 0\n", "a list of element face has 0.5 numbers"},
		{"ply\nformat ascii 1.0\n" + vertex + "element face 1\nproperty list uchar float vertex_index\nend_header\n0 0 0 3 0 0.5 0\n", "a face names vertex 0.5 of 1"},
		{"ply\nformat ascii 1.0\nelement vertex 99999999999\nend_header\n", `the number of elements "99999999999"`},
		{"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\nproperty float y\nend_header\n1 2 3\n", "has no properties x, y and z"},
		{"ply\nformat binary_little_endian 1.0\n" + vertex + "end_header\n\x00\x00\x00", "a number"},
	} {
		_, err := (&plyFormat{}).Read([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
}
