package hydroelastic

import (
	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/r3"
)

// Moving is a surface whose vertices move, such as a deformable body's: rigid for
// the moment of a query.
type MovingSurface struct {
	rigid Rigid
	boxes []r3.Box
}

// NewMoving returns the surface of the given triangles, outward, with the vertices
// where they are first (m). Elements are numbered like the triangles.
func NewMovingSurface(verts []r3.Vec, tris [][3]int32) *MovingSurface {
	n := len(tris)
	m := &MovingSurface{boxes: make([]r3.Box, n)}
	m.rigid = Rigid{tris: tris, normal: make([]r3.Vec, n), size: make([]float64, n), source: make([]int32, n)}
	for i := range m.rigid.source {
		m.rigid.source[i] = int32(i)
	}
	m.place(verts)
	m.rigid.tree = bvh.Build(m.boxes)
	return m
}

// Move takes up new positions, which are kept, not copied.
func (m *MovingSurface) Move(verts []r3.Vec) {
	m.place(verts)
	m.rigid.tree.Refit(m.boxes)
}

// Body returns the surface as one side of a contact; the same at all times.
func (m *MovingSurface) Rigid() *Rigid { return &m.rigid }

func (m *MovingSurface) place(verts []r3.Vec) {
	r := &m.rigid
	r.verts, r.reach = verts, 0
	for i, t := range r.tris {
		a, b, c := verts[t[0]], verts[t[1]], verts[t[2]]
		m.boxes[i] = r3.EmptyBox().Extend(a).Extend(b).Extend(c)
		r.size[i] = m.boxes[i].Size().Norm()
		r.normal[i] = r3.TriangleNormal(a, b, c).Unit()
		r.reach = max(r.reach, a.Norm(), b.Norm(), c.Norm())
	}
}
