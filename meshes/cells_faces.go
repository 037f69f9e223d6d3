package meshes

import "slices"

// ParentFace is the face of a cell that a boundary triangle is a part of: one half of a face of
// four vertices, or a quarter of a triangle of six.
type ParentFace struct {
	// N is the number of vertices: 3 where the triangle is a face by itself, 4 or 6.
	N int8
	// At are the indices into Verts of the corners of the triangle.
	At [3]int8
	// Verts are the vertices: the four around a face, or the corners of a triangle and then the
	// midpoints of its sides 01, 12 and 20.
	Verts [6]int32
}

// Across returns the corner of a half of a face of four vertices that is across from the fourth
// vertex, and that vertex.
func (p *ParentFace) Across() (corner int, fourth int32) {
	missing := int8(6) - p.At[0] - p.At[1] - p.At[2] // of 0 + 1 + 2 + 3
	corner = slices.Index(p.At[:], (missing+2)%4)
	return corner, p.Verts[missing]
}

// ParentFaces returns the parent faces of boundary triangles, each of which belongs to the tet
// owner; see Boundary. It returns nil for a mesh without cells.
func (m *Tet) ParentFaces(tris [][3]int32, owner []int32) []ParentFace {
	if m.Cells == nil {
		return nil
	}
	out := make([]ParentFace, len(tris))
	for i, t := range tris {
		v := m.Cells.Cell(int(m.Cells.Of[owner[i]]))
		faces := HexFaces
		switch len(v) {
		case 6:
			faces = WedgeFaces
		case 10:
			faces = tet10Faces
		}
		out[i].N = 3
		for _, f := range faces {
			if p, ok := parentFace(v, f, t); ok {
				out[i] = p
				break
			}
		}
	}
	return out
}

// parentFace returns the face f of a cell with the vertices v where it has all corners of a
// triangle and more.
func parentFace(v []int32, f []int, tri [3]int32) (p ParentFace, ok bool) {
	if len(f) == 3 {
		return p, false
	}
	p.N = int8(len(f))
	for k, a := range f {
		p.Verts[k] = v[a]
	}
	for k, a := range tri {
		at := slices.Index(p.Verts[:p.N], a)
		if at < 0 {
			return p, false
		}
		p.At[k] = int8(at)
	}
	return p, true
}
