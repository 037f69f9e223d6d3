package formats

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// A binary string of VTK begins with its length in 6, 14, 30 or 62 bits; the two highest
// bits of the first byte say which. Reading passes over strings of every form.
func TestBinaryStringsOfEveryLengthArePassedOver(t *testing.T) {
	for _, c := range []struct {
		bits uint64 // of the first byte
		size int    // bytes of the length
	}{{3, 1}, {2, 2}, {1, 4}, {0, 8}} {
		const text = "a string of VTK"
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		head := length[8-c.size:]
		head[0] |= byte(c.bits << 6)
		var b bytes.Buffer
		b.WriteString("# vtk DataFile Version 2.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 1\nname 1 1 string\n")
		b.Write(head)
		b.WriteString(text + "\nPOINTS 4 float\n")
		for _, p := range samples.OneTet {
			bigEndian(&b, float32(p[0]), float32(p[1]), float32(p[2]))
		}
		b.WriteString("\nCELLS 1 5\n")
		bigEndian(&b, int32(4), int32(0), int32(1), int32(2), int32(3))
		b.WriteString("\nCELL_TYPES 1\n")
		bigEndian(&b, int32(10))
		m, _, err := ReadTetFrom(bytes.NewReader(b.Bytes()), ".vtk", ReadOptions{})
		if err != nil || len(m.Tets) != 1 || len(m.Verts) != 4 {
			t.Errorf("length in %d bytes: %v", c.size, err)
		}
		// A length beyond the end of the file is a fault, not a panic.
		cut := b.Bytes()[:strings.Index(b.String(), text)+4]
		if _, _, err := ReadTetFrom(bytes.NewReader(cut), ".vtk", ReadOptions{}); err == nil {
			t.Errorf("length in %d bytes: a string that is cut short is read without an error", c.size)
		}
	}
}

// A polygon of two vertices is refused with its number.
func TestAPolygonOfTwoVerticesIsRefused(t *testing.T) {
	text := "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\nPOLYGONS 2 7\n3 0 1 2\n2 0 1\n"
	_, _, err := ReadTriFrom(strings.NewReader(text), ".vtk", ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "polygon 1 has 2 vertices") {
		t.Errorf("error %v, want one that names polygon 1", err)
	}
}

// A grid whose field does not fit its points is refused, and leaves no file.
func TestAGridWithAFieldOfWrongSizeIsNotWritten(t *testing.T) {
	g := &VTU{Points: []r3.Vec{{}, {1, 0, 0}}, Verts: []int32{0, 1}, PointData: []Field{Scalars("heat", []float64{1})}}
	path := filepath.Join(t.TempDir(), "grid.vtu")
	err := g.WriteFile(path)
	if err == nil || !strings.Contains(err.Error(), "heat") || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names the field and the file", err)
	}
	if files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(files) > 0 {
		t.Errorf("files %v are left", files)
	}
}
