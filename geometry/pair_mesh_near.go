package geometry

// The vertices of one shape that may touch another one: those with φ < reach, near its
// surface or anywhere inside. In the field of a mesh each φ is a search, so that boxes of
// vertices are compared with boxes of triangles first:
//
//	no triangle within reach of a box ⇒ it is wholly inside or wholly outside   (1)
//	|y − x| < |φ(x)| ⇒ φ(y) has the sign of φ(x)                               (2)
//
// One distance then decides about many boxes.

import (
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// nearVertex is a vertex that may touch, with its distance and gradient.
type nearVertex struct {
	v int32
	// position and gradient in the field's frame
	p, g r3.Vec
	phi  float64
}

// nearSearch finds the vertices near a shape.
type nearSearch struct {
	// the result
	found []nearVertex
	// distances found on the way
	known []knownPhi
	// vertices of boxes near the field
	items []int32

	// features of the one shape, and the distance field of the other
	feat  *features
	field *distanceQuery
	// distances to the mesh, if the other is one, and the nodes of both trees
	dist  *meshes.Distance
	verts []bvh.Node
	tris  []bvh.Node
	// pose of the one shape in the frame of the other
	X_OS r3.Pose
	// bounds of the mesh
	bounds r3.Box
	// reach², m²
	reach2 float64
}

// knownPhi is a distance found on the way, for (2).
type knownPhi struct {
	x r3.Vec
	// φ² less round-off
	phi2 float64
	// the point lies inside
	in bool
}

// run returns all vertices of s with φ < reach in the field of o, and a few others,
// ascending; X_OS is the pose of s in the frame of o.
func (q *nearSearch) run(s, o *side, X_OS r3.Pose, reach float64) []nearVertex {
	q.found, q.known = q.found[:0], q.known[:0]
	q.feat, q.field, q.X_OS = s.feat, &o.distance, X_OS
	// Flat or round shapes without vertices.
	if len(s.feat.verts) == 0 {
		return nil
	}
	if o.distance.mesh == nil {
		q.inField(reach)
	} else {
		// A mesh: both trees are searched together.
		q.dist = o.distance.mesh.distance()
		q.verts, q.tris, q.bounds = s.feat.vertTree.Nodes(), q.dist.Tree().Nodes(), o.distance.mesh.Bounds()
		// Round-off of the boxes.
		reach += 1e-9*reach + 1e-12*q.bounds.Size().Norm()
		q.reach2 = reach * reach
		q.below(0, 0)
	}
	// In the order of the vertices.
	slices.SortFunc(q.found, func(a, b nearVertex) int { return int(a.v) - int(b.v) })
	return q.found
}

// inField searches where distances are cheap: a box of vertices is dropped if the
// distance of its centre is more than reach and its half diagonal.
func (q *nearSearch) inField(reach float64) {
	bounds := q.field.shape.Bounds().Inflate(reach)
	q.items = q.feat.vertTree.Select(func(b *r3.Box) bool {
		// Bounds of the box in the frame of the field.
		c := b.Transform(q.X_OS)
		if !c.Overlaps(bounds) {
			return false
		}
		phi, _ := q.field.at(c.Center())
		return phi <= reach+0.5000001*b.Size().Norm()
	}, q.items[:0])
	for _, v := range q.items {
		q.take(v)
	}
}

// take adds a vertex.
func (q *nearSearch) take(v int32) {
	p := q.X_OS.Point(q.feat.verts[v])
	phi, g := q.field.at(p)
	q.found = append(q.found, nearVertex{v, p, g, phi})
}

// below searches below node k of the vertices; from is a node of triangles that contains all
// triangles within reach of it.
func (q *nearSearch) below(k, from int32) {
	n := &q.verts[k]
	// The box of the node in the mesh's frame.
	var box r3.Box
	box.SetTransform(&q.X_OS, &n.Box)
	from = q.narrow(from, &box)
	items := q.feat.vertTree.Order()[n.Lo:n.Hi]
	switch {
	// No triangle is near: all vertices are on one side (1).
	case from < 0 || !q.reaches(from, &box):
		if q.isInside(box.Center()) { // (1)
			for _, v := range items {
				q.take(v)
			}
		}
	// Few vertices: each on its own.
	case n.Leaf():
		for _, v := range items {
			q.vertex(v, from)
		}
	// Both halves of the vertices.
	default:
		q.below(k+1, from)
		q.below(n.Right, from)
	}
}

// vertex adds a vertex if it is within reach or inside.
func (q *nearSearch) vertex(v, from int32) {
	var at r3.Box
	at.Min.SetPoint(&q.X_OS, &q.feat.verts[v])
	at.Max = at.Min
	if q.reaches(from, &at) || q.isInside(at.Min) {
		q.take(v)
	}
}

// narrow returns the lowest node of triangles from k down that contains all triangles within
// reach of the box; −1 if there are none.
func (q *nearSearch) narrow(k int32, box *r3.Box) int32 {
	for !q.tris[k].Leaf() {
		right := q.tris[k].Right
		// Which halves of the triangles are within reach.
		l, r := q.near(&q.tris[k+1].Box, box), q.near(&q.tris[right].Box, box)
		switch {
		case l && r:
			return k
		case l:
			k++
		case r:
			k = right
		default:
			return -1
		}
	}
	return k
}

// reaches reports whether the box of a triangle below a node is within reach of a box.
func (q *nearSearch) reaches(k int32, box *r3.Box) bool {
	n := &q.tris[k]
	if !q.near(&n.Box, box) {
		return false
	}
	// Either half may contain such a triangle.
	if !n.Leaf() {
		return q.reaches(k+1, box) || q.reaches(n.Right, box)
	}
	for _, t := range q.dist.Tree().Order()[n.Lo:n.Hi] {
		if q.near(q.dist.Box(t), box) {
			return true
		}
	}
	return false
}

// near reports whether two boxes come within reach of each other.
func (q *nearSearch) near(a, b *r3.Box) bool {
	// Squared distance of the boxes, over the axes along which they are apart.
	d2 := 0.0
	for i := range 3 {
		if d := max(a.Min[i]-b.Max[i], b.Min[i]-a.Max[i]); d > 0 {
			d2 += d * d
		}
	}
	return d2 <= q.reach2
}

// isInside reports whether a point is in the mesh.
func (q *nearSearch) isInside(p r3.Vec) bool {
	// Outside of the bounds of the mesh.
	for i := range p {
		if p[i] < q.bounds.Min[i] || p[i] > q.bounds.Max[i] {
			return false
		}
	}
	// (2), from the latest distance on, which is likely the nearest.
	for i := len(q.known) - 1; i >= 0; i-- {
		if k := &q.known[i]; p.Sub(k.x).Norm2() < k.phi2 {
			return k.in // (2)
		}
	}
	// A new distance, for (2).
	phi, _ := q.field.at(p)
	q.known = append(q.known, knownPhi{p, phi * phi * (1 - 1e-9), phi < 0})
	return phi < 0
}
