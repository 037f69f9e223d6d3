package hydroelastic

import (
	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// MovingSurface is a surface whose vertices move, such as that of a deformable body:
// rigid for the duration of a query.
type MovingSurface struct {
	rigid Rigid
	// bounds of the triangles
	boxes []r3.Box
}

// NewMovingSurface returns the surface of the given triangles, outward, with the first
// positions of the vertices (m). Elements have the numbers of the triangles.
func NewMovingSurface(verts []r3.Vec, tris [][3]int32) *MovingSurface {
	n := len(tris)
	m := &MovingSurface{boxes: make([]r3.Box, n)}
	// Each triangle is its own source.
	m.rigid = Rigid{tris: tris, normal: make([]r3.Vec, n), size: make([]float64, n), source: make([]int32, n)}
	for i := range m.rigid.source {
		m.rigid.source[i] = int32(i)
	}
	m.place(verts)
	m.rigid.tree = bvh.Build(m.boxes)
	return m
}

// Move sets new positions of the vertices, m. The slice is kept, not copied.
func (m *MovingSurface) Move(verts []r3.Vec) {
	m.place(verts)
	m.rigid.tree.Refit(m.boxes)
}

// Rigid returns the surface as one side of a contact. It is the same object at all times.
func (m *MovingSurface) Rigid() *Rigid { return &m.rigid }

// place computes boxes and normals at the given positions.
func (m *MovingSurface) place(verts []r3.Vec) {
	r := &m.rigid
	// The slice is shared with the caller.
	r.verts, r.reach = verts, 0
	for i, t := range r.tris {
		a, b, c := verts[t[0]], verts[t[1]], verts[t[2]]
		m.boxes[i] = r3.EmptyBox().Extend(a).Extend(b).Extend(c)
		r.size[i] = m.boxes[i].Size().Norm()
		r.normal[i] = r3.TriangleNormal(a, b, c).Unit()
		r.reach = max(r.reach, a.Norm(), b.Norm(), c.Norm())
	}
}
