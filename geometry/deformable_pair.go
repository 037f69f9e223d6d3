package geometry

// Contact of two deformables: the faces of each are clipped by the distance field of the
// other's surface.

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// deformableField is the distance field of a deformable's current surface. Where a face
// has sunk beyond the middle of a thin wall the nearest surface is the far side of the
// wall, which would pull the face through; there the distance to the side that the face
// came from counts, the surface that faces it.
type deformableField struct {
	surf *deformableSurface
	// triangle of the last answer, from which the next search starts
	last int32
}

// maxDepthRatio is the greatest ratio of the distance from the side that a face came from
// to the distance from the nearest side. Beyond it, or where the face is flush with a
// surface of the same direction, as the sides of stacked blocks are, the side that it
// came from is unknown.
const maxDepthRatio = 19

// at implements field.
func (f *deformableField) at(p_W, facing_W r3.Vec) (float64, r3.Vec) {
	phi, _, _, grad_W := f.nearest(p_W, facing_W)
	return phi, grad_W
}

// nearest returns the signed distance, the triangle it is to, the weights of the closest
// point on it and the gradient.
func (f *deformableField) nearest(p_W, facing_W r3.Vec) (phi float64, tri int32, w [3]float64, grad_W r3.Vec) {
	d := f.surf.dist
	phi, _, tri, w, grad_W = d.SignedFrom(p_W, f.last)
	f.last = tri
	if phi >= 0 || !turnsAway(facing_W, grad_W) {
		return phi, tri, w, grad_W
	}
	// The nearest triangle that faces the face, at most maxDepthRatio as far.
	m := d.Mesh()
	most := maxDepthRatio * phi
	front, d2 := d.Tree().Nearest(p_W, most*most, func(i int32) float64 {
		if d.FaceNormal(i).Dot(facing_W) >= cosTurnedAway {
			return math.Inf(1)
		}
		t := &m.Tris[i]
		q, _ := r3.ClosestOnTriangle(p_W, m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]])
		return p_W.Sub(q).Norm2()
	})
	if front < 0 || d2 == 0 {
		return phi, tri, w, grad_W
	}
	// The direction out of the wall, to the side that the face came from.
	t := &m.Tris[front]
	q, w := r3.ClosestOnTriangle(p_W, m.Verts[t[0]], m.Verts[t[1]], m.Verts[t[2]])
	return -math.Sqrt(d2), front, w, q.Sub(p_W).Unit()
}

// deformablePairContacts appends the contacts of deformables a and b, a the lower: the
// faces of a in the field of b and the faces of b in the field of a, with half of the
// area each, so that neither surface is preferred and no face is missed.
func (s *Data) deformablePairContacts(ia, ib int, margin float64) {
	from := len(s.contacts)
	s.overField(ia, ib, margin, false)
	s.overField(ib, ia, margin, true)
	slices.SortStableFunc(s.contacts[from:], compareElem)
}

// overField appends the contacts of the faces of one deformable in the field of another,
// which is the lower body (A) if fieldIsA.
func (s *Data) overField(faces, other int, margin float64, fieldIsA bool) {
	b, o := &s.deformables[faces], &s.deformables[other]
	s.deformableDist = deformableField{o, -1}
	// Faces near the other surface.
	near := b.findNear(&s.deformableDist, o.dist.Tree().Bounds(), margin)
	s.clipper.onDeformable = deformableFaces{s, b, o, near, margin, fieldIsA}
	s.clipNear(b, near, &s.clipper.onDeformable)
}

// deformableFaces are the faces of a deformable near another one.
type deformableFaces struct {
	scene    *Data
	surf     *deformableSurface
	other    *deformableSurface
	near     []int32
	margin   float64
	fieldIsA bool
}

// begin implements faceJob.
func (f *deformableFaces) begin(w *clipWorker) {
	w.deformable = f.scene.deformableDist
	w.field, w.margin, w.size = &w.deformable, f.margin, math.Inf(1)
}

// item implements faceJob. The point of the other body is that of its nearest tetrahedron,
// continued to the point of the face.
func (f *deformableFaces) item(w *clipWorker, i int, dst []Contact) []Contact {
	b, o, tri := f.surf, f.other, f.near[i]
	if b.parent(tri) != nil && !f.mayBear(w, tri) {
		return dst
	}
	for _, p := range f.scene.clipTriangle(w, b, tri) {
		// Inactive triangles make no contact on either side.
		x := b.face(tri, p.w, &p.products)
		_, hit, weights, _ := w.deformable.nearest(x.Pos_W, b.dist.FaceNormal(tri))
		if !o.isActive(hit) {
			continue
		}
		c := Contact{
			A: x, B: o.opposite(hit, weights, x.Pos_W, &w.corner_W, p.w, &p.products),
			Materials: [2]int{b.spec.Material, o.spec.Material},
			Pos_W:     x.Pos_W,
			Normal_W:  p.grad_W.Neg(),
			Phi:       p.phi,
			Area:      p.area / 2,
			Elem:      [2]int32{tri, hit},
		}
		if f.fieldIsA {
			c.mirror()
		}
		dst = append(dst, c)
	}
	return dst
}

// compareElem orders contacts of one pair of bodies by their elements.
func compareElem(x, y Contact) int { return comparePairs(x.Elem, y.Elem) }
