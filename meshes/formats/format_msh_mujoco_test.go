package formats

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/samples"
	"github.com/curlfree/curlfree/r3"
)

// mujocoMSH returns a file of MuJoCo's: vertices, normals, texture coordinates and faces.
func mujocoMSH(verts, normals, coords []float32, faces []int32) []byte {
	var b bytes.Buffer
	for _, x := range []any{[]int32{int32(len(verts) / 3), int32(len(normals) / 3), int32(len(coords) / 2), int32(len(faces) / 3)}, verts, normals, coords, faces} {
		_ = binary.Write(&b, binary.LittleEndian, x) // a buffer takes everything
	}
	return b.Bytes()
}

func TestFilesOfMuJoCoAreRead(t *testing.T) {
	cube := samples.CubeTri(r3.Vec{}, 1)
	var verts []float32
	var faces []int32
	for _, p := range cube.Verts {
		verts = append(verts, float32(p[0]), float32(p[1]), float32(p[2]))
	}
	for _, f := range cube.Tris {
		faces = append(faces, f[:]...)
	}
	for _, normals := range [][]float32{nil, make([]float32, 24)} {
		for _, coords := range [][]float32{nil, make([]float32, 16)} {
			data := mujocoMSH(verts, normals, coords, faces)
			m, _, err := ReadTriFrom(bytes.NewReader(data), ".msh", ReadOptions{Unit: "m"})
			if err != nil {
				t.Fatal(err)
			}
			if len(m.Tris) != 12 || len(m.Verts) != 8 || m.Volume() != cube.Volume() {
				t.Errorf("%d triangles, %d vertices, %g m³", len(m.Tris), len(m.Verts), m.Volume())
			}
			// a byte more or less, and it is another file
			for _, other := range [][]byte{data[:len(data)-1], append(bytes.Clone(data), 0), data[:20], nil} {
				if _, _, err := ReadTriFrom(bytes.NewReader(other), ".msh", ReadOptions{}); err == nil {
					t.Errorf("%d of %d bytes are read", len(other), len(data))
				}
			}
		}
	}
	var fault *SyntaxError
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		other := slices.Clone(verts)
		other[5] = float32(x)
		if _, _, err := ReadTriFrom(bytes.NewReader(mujocoMSH(other, nil, nil, faces)), ".msh", ReadOptions{}); !errors.As(err, &fault) || fault.Offset != 16+5*4 {
			t.Errorf("%g: %v", x, err)
		}
	}
	faces[4] = 8
	if _, _, err := ReadTriFrom(bytes.NewReader(mujocoMSH(verts, nil, nil, faces)), ".msh", ReadOptions{}); !errors.As(err, &fault) || fault.Offset != 16+8*12+4*4 {
		t.Errorf("%v", err)
	}
}

// Vertices without faces are points; files with anything else have none.
func TestPointsAreVerticesAlone(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want int
	}{
		{"a.msh", mujocoMSH([]float32{0, 0, 0, 1, 0, 0}, nil, nil, nil), 2},
		{"a.msh", mujocoMSH([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, nil, nil, []int32{0, 1, 2}), 0},
		{"a.obj", []byte("v 0 0 0\nv 1 2 3\nv 1 2 3\n"), 3},
		{"a.obj", []byte("v 0 0 0\nv 1 2 3\nl 1 2\n"), 0},
		{"a.obj", []byte("v 0 0 x\n"), 0},
	} {
		a := 0
		if p, err := Parse(c.name, c.data); err == nil {
			a = len(p.Points())
		}
		if b := PointsFrom(bytes.NewReader(c.data), filepath.Ext(c.name)); a != c.want || len(b) != c.want {
			t.Errorf("%s of %d bytes: %d and %d points, want %d", c.name, len(c.data), a, len(b), c.want)
		}
	}
}
