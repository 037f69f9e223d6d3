package geometry

// Contact of a deformable with a rigid body that has no pressure field: its faces are
// clipped by the distance field of the shape.

import "github.com/curlfree/curlfree/r3"

// shapeField is the distance field of a placed shape.
type shapeField struct {
	X_WG  r3.Pose
	query distanceQuery
}

// at is called thousands of times in a step: rotations are written out and the pose is
// not copied.
func (f *shapeField) at(p_W, _ r3.Vec) (float64, r3.Vec) {
	R, o := &f.X_WG.R, &f.X_WG.P
	// Into the frame of the shape, and the gradient back into the world.
	x, y, z := p_W[0]-o[0], p_W[1]-o[1], p_W[2]-o[2]
	phi, g := f.query.at(r3.Vec{R[0]*x + R[3]*y + R[6]*z, R[1]*x + R[4]*y + R[7]*z, R[2]*x + R[5]*y + R[8]*z})
	return phi, r3.Vec{
		R[0]*g[0] + R[1]*g[1] + R[2]*g[2],
		R[3]*g[0] + R[4]*g[1] + R[5]*g[2],
		R[6]*g[0] + R[7]*g[1] + R[8]*g[2],
	}
}

// distanceQuery evaluates the distances of a shape at one point after the other; on meshes and large hulls
// each search starts from the triangle of the last answer.
type distanceQuery struct {
	shape Shape
	// the shape, if it is a mesh
	mesh *Mesh
	// the search of the shape, if it is a large hull
	hull *nearestOnHull
	// triangle of the last answer, or −1
	last int32
}

// newDistanceQuery returns a query of the shape.
func newDistanceQuery(s Shape) distanceQuery {
	q := distanceQuery{shape: s, last: -1}
	switch s := s.(type) {
	case *Mesh:
		q.mesh = s
	case *Convex:
		q.hull = s.near
	}
	return q
}

// at returns the signed distance, m, and its gradient.
func (l *distanceQuery) at(p_G r3.Vec) (phi float64, grad_G r3.Vec) {
	switch {
	case l.mesh != nil:
		phi, _, l.last, _, grad_G = l.mesh.distance().SignedFrom(p_G, l.last)
	case l.hull != nil:
		phi, l.last, grad_G = l.hull.signedFrom(p_G, l.last)
	default:
		phi, grad_G = l.shape.SignedDistance(p_G)
	}
	return phi, grad_G
}

// rigidDeformableContacts appends the contacts of a geom (A) with a deformable (B). The
// centroid of a part of the deformable's face is the material point of B and the point
// where the force acts on both, so that angular momentum is conserved.
func (s *Data) rigidDeformableContacts(geom int, soft int, margin float64) {
	g := &s.Model.Geoms[geom]
	// The pressure field of a compliant geom replaces its distance.
	if g.Field != nil && g.Field.Compliant() {
		s.hydroelasticDeformableContacts(geom, soft, margin)
		return
	}
	s.clipFaces(geom, &s.deformables[soft], margin, false)
}

// clipFaces appends the contacts of a deformable's faces in the distance field of a geom;
// with ahead set, only those ahead of contact.
func (s *Data) clipFaces(geom int, b *deformableSurface, margin float64, ahead bool) {
	s.shape = shapeField{s.geoms[geom].X_WG, newDistanceQuery(s.Model.Geoms[geom].Shape)}
	// Faces near the shape.
	near := b.findNear(&s.shape, s.boxes[geom], margin)
	s.clipper.onShape = shapeFaces{s, geom, b, near, margin, ahead}
	s.clipNear(b, near, &s.clipper.onShape)
}

// shapeFaces are the faces of a deformable near a geom.
type shapeFaces struct {
	scene  *Data
	geom   int
	surf   *deformableSurface
	near   []int32
	margin float64
	// overlapping parts are left out
	ahead bool
}

// begin implements faceJob.
func (f *shapeFaces) begin(w *clipWorker) {
	w.shape = f.scene.shape
	w.field, w.margin, w.size = &w.shape, f.margin, f.scene.geoms[f.geom].thickness
}

// item implements faceJob.
func (f *shapeFaces) item(w *clipWorker, i int, dst []Contact) []Contact {
	g, b, tri := &f.scene.Model.Geoms[f.geom], f.surf, f.near[i]
	parts := f.scene.clipTriangle(w, b, tri)
	for i := range parts {
		p := &parts[i]
		// The pressure field makes the contacts of these parts.
		if f.ahead && p.overlap {
			continue
		}
		x := b.face(tri, p.w, &p.products)
		dst = append(dst, Contact{
			A:         MaterialPoint{Body: g.Body, Pos_W: x.Pos_W},
			B:         x,
			Materials: [2]int{g.Material, b.spec.Material},
			Pos_W:     x.Pos_W,
			Normal_W:  p.grad_W,
			Phi:       p.phi,
			Area:      p.area,
			Elem:      [2]int32{int32(f.geom), tri},
		})
	}
	return dst
}
