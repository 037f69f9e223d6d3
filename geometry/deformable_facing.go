package geometry

import "github.com/curlfree/curlfree/r3"

// Faces of hexahedra and ten-node tetrahedra that carry nothing against another deformable are found before they are
// clipped. The gradient of the field at a place is the normal of the nearest triangle of the
// other surface or, at its edges and vertices, a mean of the normals there. Where no triangle
// within reach faces the face, its loaded share is 0 all over it. So are the flush sides of two bodies
// that press each other, whose fields have a kink all along the other's rim: dividing them there
// would take most of the time of the pair.
//
// The nearest triangle of a point of a face with centre c and radius r is within |φ(c)| + 2r of c;
// where the face has sunk by d, the side that it came from may be maxDepthRatio d away.

// flushFacing is the cosine between the outward normal of a face and the reversed normal of a
// triangle below which that one does not face it. The mean of three normals at right angles to
// each other is shorter by √3 than these: half of leastFacing leaves room for it.
const flushFacing = leastFacing / 2

// mayBear reports whether any triangle of the other surface that the field of a face may be
// of faces it.
func (f *deformableFaces) mayBear(w *clipWorker, tri int32) bool {
	v, a, b, c := f.surf.corners(tri)
	center := r3.Vec{(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3}
	r := max(a.Sub(center).Norm(), b.Sub(center).Norm(), c.Sub(center).Norm())
	phi, _ := w.deformable.at(center, r3.Vec{})
	at := f.scene.samples.phi
	depth := max(0, -phi, -at[v[0]], -at[v[1]], -at[v[2]])
	reach := max(phi, -phi) + 2*r + maxDepthRatio*depth
	box := r3.EmptyBox().Extend(center).Inflate(reach)
	other, n := f.other.dist, f.surf.dist.FaceNormal(tri)
	w.within = other.Tree().Query(box, w.within[:0])
	for _, t := range w.within {
		if other.FaceNormal(t).Dot(n) < -flushFacing {
			return true
		}
	}
	return false
}
