package surfaces

import (
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/r3"
)

// Flatness is the height of a triangle over its longest side below which the triangle
// counts as degenerate. The round-off of single precision coordinates (STL) is a
// hundred times larger, so that no sliver of a real part is taken for one.
const Flatness = 1e-9

// Area returns the area of a triangle, m².
func Area(m *meshes.Tri, t [3]int32) float64 {
	a := m.Verts[t[0]]
	return 0.5 * m.Verts[t[1]].Sub(a).Cross(m.Verts[t[2]].Sub(a)).Norm()
}

// IsFlat reports whether a triangle has no area.
func IsFlat(m *meshes.Tri, t [3]int32) bool {
	a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
	side2 := max(b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2())
	return 2*Area(m, t) <= Flatness*side2
}

// Corners returns the corners of a triangle, m.
func Corners(m *meshes.Tri, t [3]int32) [3]r3.Vec {
	return [3]r3.Vec{m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]}
}

// Centroid returns the mean of a triangle's corners, m.
func Centroid(m *meshes.Tri, t int32) r3.Vec {
	v := m.Tris[t]
	return m.Verts[v[0]].Add(m.Verts[v[1]]).Add(m.Verts[v[2]]).Scale(1.0 / 3)
}

// Welded returns m with vertices at the same place made one, and without the
// triangles that vanish by that.
func Welded(m *meshes.Tri) *meshes.Tri {
	to, _ := pointset.Weld(m.Verts, pointset.WeldTolerance*m.Bounds().Size().Norm())
	return Collapsed(m, to)
}

// Collapsed returns the mesh with other numbers of vertices, those that it has for nil, without the triangles that use
// a vertex twice. All vertices stay.
func Collapsed(m *meshes.Tri, to []int32) *meshes.Tri {
	out := &meshes.Tri{Verts: m.Verts}
	for _, t := range m.Tris {
		if to != nil {
			t = [3]int32{to[t[0]], to[t[1]], to[t[2]]}
		}
		if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
			out.Tris = append(out.Tris, t)
		}
	}
	return out
}
