package formats

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/mutation"
	"github.com/curlfree/curlfree/meshes/repair"
	"github.com/curlfree/curlfree/r3"
)

// plyCube writes a cube of edge 2 of six squares with a property before, between and after those
// that count, in a byte order, nil for text.
func plyCube(order binary.ByteOrder) []byte {
	var b bytes.Buffer
	name := map[binary.ByteOrder]string{nil: "ascii", binary.LittleEndian: "binary_little_endian", binary.BigEndian: "binary_big_endian"}[order]
	fmt.Fprintf(&b, "ply\nformat %s 1.0\ncomment a cube\nelement thing 1\nproperty list uchar short list\nelement vertex 8\nproperty float x\nproperty double y\n"+
		"property uchar red\nproperty float z\nelement face 6\nproperty short tag\nproperty list uchar uint vertex_indices\nend_header\n", name)
	put := func(x ...any) {
		for _, x := range x {
			if order == nil {
				fmt.Fprint(&b, x, " ")
			} else if err := binary.Write(&b, order, x); err != nil {
				panic(err)
			}
		}
		if order == nil {
			b.WriteString("\n")
		}
	}
	put(uint8(2), int16(-3), int16(7))
	for i := range 8 {
		put(float32(2*(i&1)-1), float64(i&2-1), uint8(200), float32(i&4/2-1))
	}
	for _, f := range [][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		put(int16(-5), uint8(4), f[0], f[1], f[2], f[3])
	}
	return b.Bytes()
}

// The same cube as text and in both byte orders is closed and has the volume 2³.
func TestPLYIsReadAsTextAndInBothByteOrders(t *testing.T) {
	for _, order := range []binary.ByteOrder{nil, binary.LittleEndian, binary.BigEndian} {
		data := plyCube(order)
		m, _, err := ReadTriFrom(bytes.NewReader(data), ".ply", ReadOptions{Unit: "m"})
		if err != nil {
			t.Fatal(order, err)
		}
		if err := repair.Watertight(m); err != nil || len(m.Tris) != 12 || math.Abs(m.Volume()-8) > 1e-15 || m.Verts[0] != (r3.Vec{-1, -1, -1}) {
			t.Errorf("%v: %d triangles of volume %g: %v", order, len(m.Tris), m.Volume(), err)
		}
		// cut anywhere it is a fault
		for n := 4; n < len(data)-2; n++ {
			if _, err := (&plyFormat{}).Read(data[:n]); err == nil {
				t.Fatalf("%v: cut at byte %d of %d", order, n, len(data))
			}
		}
	}
}

func TestFaultyPLYIsRefused(t *testing.T) {
	const head = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n"
	for _, c := range [][2]string{
		{"ply\nformat ascii 1.0\nelement vertex 1\n", "the header has no end_header"},
		{"ply\nformat hex 1.0\nend_header\n", `the format "hex"`},
		{"ply\nelement vertex -1\nend_header\n", `the number of elements "-1"`},
		{"ply\nelement vertex 1\nproperty colour x\nend_header\n", `the property "property colour x"`},
		{"ply\nelement vertex 9999999\nend_header\n", "has no properties"},
		{"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1", "no properties x, y and z"},
		{head + "0 0 nan 3 0 0 0", "must be finite"},
		{head + "0 0 0 3 0 0 1", "line 10: a face names vertex 1 of 1"},
		{head + "0 0 0 3 0 0 -1", "a face names vertex -1 of 1"},
		{head + "0 0 0 300000 0 0", "a list of element face has 300000 numbers"},
		{head + "0 0 0 3 0 x", `"x" where a number is required`},
	} {
		if _, err := (&plyFormat{}).Read([]byte(c[0])); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%.60q: %v, want %s", c[0], err, c[1])
		}
	}
}

func FuzzPLY(f *testing.F) {
	seeds := [][]byte{plyCube(nil), plyCube(binary.LittleEndian), plyCube(binary.BigEndian)}
	mutation.Fuzz(f, seeds, func(t testing.TB, data []byte) string { return judge(t, data, ".ply") })
}
