package meshes

import "github.com/curlfree/curlfree/r3"

// flat is the height of a triangle over its longest side below which the triangle
// counts as degenerate. The round-off of single precision coordinates (STL) is a
// hundred times larger, so that no sliver of a real part is taken for one.
const flat = 1e-9

// area returns the area of a triangle, m².
func area(m *Tri, t [3]int32) float64 {
	a := m.Verts[t[0]]
	return 0.5 * m.Verts[t[1]].Sub(a).Cross(m.Verts[t[2]].Sub(a)).Norm()
}

// isFlat reports whether a triangle has no area.
func isFlat(m *Tri, t [3]int32) bool {
	a, b, c := m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]
	side2 := max(b.Sub(a).Norm2(), c.Sub(b).Norm2(), a.Sub(c).Norm2())
	return 2*area(m, t) <= flat*side2
}

// corners returns the corners of a triangle, m.
func corners(m *Tri, t [3]int32) [3]r3.Vec {
	return [3]r3.Vec{m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]]}
}

// centroid returns the mean of a triangle's corners, m.
func centroid(m *Tri, t int32) r3.Vec {
	v := m.Tris[t]
	return m.Verts[v[0]].Add(m.Verts[v[1]]).Add(m.Verts[v[2]]).Scale(1.0 / 3)
}

// welded returns m with vertices at the same place made one, and without the
// triangles that vanish by that.
func welded(m *Tri) *Tri {
	to, _ := weldMap(m.Verts, weldTolerance*m.Bounds().Size().Norm())
	out := &Tri{Verts: m.Verts}
	for _, t := range m.Tris {
		v := [3]int32{to[t[0]], to[t[1]], to[t[2]]}
		if v[0] != v[1] && v[1] != v[2] && v[2] != v[0] {
			out.Tris = append(out.Tris, v)
		}
	}
	return out
}
