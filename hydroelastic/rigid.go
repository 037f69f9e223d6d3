package hydroelastic

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Rigid is a rigid body in hydroelastic contact, given by its surface mesh.
type Rigid struct {
	verts []r3.Vec
	tris  [][3]int32
	// for each triangle the triangle of the given mesh that it is part of
	source []int32
	// outward unit normals
	normal []r3.Vec
	// diagonal of each triangle's bounds, m
	size []float64
	tree *bvh.Tree
	// largest distance of a vertex from the frame's origin, m
	reach float64
	searched
}

var _ Geometry = (*Rigid)(nil)

// NewRigid returns the rigid body with the given surface (outward triangles, closed,
// without self-intersections). Triangles are cut until no edge is longer than hint
// (m): each contributes at least one face, and a flat side of two triangles would touch
// at two points. 0 keeps the triangles as they are.
func NewRigid(surface *meshes.Tri, hint float64) (*Rigid, error) {
	if !(hint >= 0) {
		return nil, fmt.Errorf("hydroelastic: rigid: resolution hint is %g m: give the longest edge wanted, or 0 to take the triangles as they are", hint)
	}
	// No edge is too long.
	if hint == 0 {
		hint = math.Inf(1)
	}
	checked, err := checkSolid("rigid", surface)
	if err != nil {
		return nil, err
	}
	// The number of parts must be reasonable before they are made.
	total := 0.0
	for _, t := range surface.Tris {
		total += bisectedParts(surface.Verts[t[0]], surface.Verts[t[1]], surface.Verts[t[2]], hint)
	}
	if err := (Options{ResolutionHint: hint}).checkCells("rigid", total); err != nil {
		return nil, err
	}
	// Parts in the order of the mesh, without triangles that have no area.
	b := builder{}
	var cut Rigid // in the order of the mesh
	var boxes []r3.Box
	for i, t := range surface.Tris {
		x, y, z := surface.Verts[t[0]], surface.Verts[t[1]], surface.Verts[t[2]]
		n := r3.TriangleNormal(x, y, z).Unit()
		if n == (r3.Vec{}) {
			continue
		}
		refine(x, y, z, hint, func(x, y, z r3.Vec) {
			cut.tris = append(cut.tris, [3]int32{b.vertex(x, 0), b.vertex(y, 0), b.vertex(z, 0)})
			cut.source, cut.normal = append(cut.source, int32(i)), append(cut.normal, n)
			boxes = append(boxes, r3.EmptyBox().Extend(x).Extend(y).Extend(z))
		})
	}
	// The same parts in the order of the tree.
	r := cut.inTreeOrder(b.verts, boxes)
	r.unchecked = !checked
	return r, nil
}

// inTreeOrder returns the surface with its triangles in the order of their tree and the
// vertices in the order of the triangles, so that a query reads memory in order.
func (c *Rigid) inTreeOrder(verts []r3.Vec, boxes []r3.Box) *Rigid {
	r := &Rigid{tree: bvh.Build(boxes)}
	number := newNumbering(len(verts))
	for _, i := range r.tree.Renumber() { // as those of a field
		t := c.tris[i]
		r.tris = append(r.tris, [3]int32{number.of(t[0]), number.of(t[1]), number.of(t[2])})
		r.source, r.normal = append(r.source, c.source[i]), append(r.normal, c.normal[i])
		r.size = append(r.size, boxes[i].Size().Norm())
	}
	for _, v := range number.order {
		r.verts = append(r.verts, verts[v])
		r.reach = max(r.reach, verts[v].Norm())
	}
	return r
}

// Bounds returns the bounds in the body's frame, m.
func (r *Rigid) Bounds() r3.Box { return r.tree.Bounds() }

// Compliant returns false.
func (r *Rigid) Compliant() bool { return false }
