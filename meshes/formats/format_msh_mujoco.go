package formats

import (
	"encoding/binary"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// MuJoCo has binary files of its own that also end in .msh (XML reference, asset/mesh). Numbers are
// little-endian and have 32 bits:
//
//	counts of vertices, normals, texture coordinates and faces
//	x y z of each vertex and of each normal, u v of each texture coordinate
//	three vertices of each face
//
// Nothing marks such a file but its length, which follows from the counts. Without faces it means the
// convex hull of its vertices.

// mujocoHeader is the number of bytes of the counts.
const mujocoHeader = 16

// isMujocoMSH reports whether data have the length that their first four numbers give.
func isMujocoMSH(data []byte) bool {
	if len(data) < mujocoHeader || len(data)%4 != 0 {
		return false
	}
	numbers := int64(mujocoHeader / 4)
	for i, width := range []int64{3, 3, 2, 3} {
		count := int64(int32(binary.LittleEndian.Uint32(data[4*i:])))
		if count < 0 || i == 0 && count == 0 {
			return false
		}
		numbers += width * count
	}
	return numbers == int64(len(data)/4)
}

// readMujocoMSH reads vertices and faces of data that isMujocoMSH accepts.
func readMujocoMSH(data []byte) (*RawMesh, error) {
	count := func(i int) int { return int(binary.LittleEndian.Uint32(data[4*i:])) }
	m := &RawMesh{Verts: make([]r3.Vec, count(0)), Tris: make([][3]int32, count(3))}
	word := func(at, i int) uint32 { return binary.LittleEndian.Uint32(data[at+4*i:]) }
	for i := range m.Verts {
		for k := range 3 {
			x := float64(math.Float32frombits(word(mujocoHeader, 3*i+k)))
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, &SyntaxError{Offset: mujocoHeader + 4*(3*i+k), Msg: "a coordinate is no finite number: export the mesh again, as OBJ or STL"}
			}
			m.Verts[i][k] = x
		}
	}
	faces := len(data) - 12*len(m.Tris)
	for i := range m.Tris {
		for k := range 3 {
			v := word(faces, 3*i+k)
			if v >= uint32(len(m.Verts)) {
				return nil, &SyntaxError{Offset: faces + 4*(3*i+k), Msg: "the face has a vertex that the file does not have: export the mesh again, as OBJ or STL"}
			}
			m.Tris[i][k] = int32(v)
		}
	}
	return m, nil
}
