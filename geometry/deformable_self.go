package geometry

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// Contact of one deformable with itself. Every face t of the surface is clipped, as
// against other bodies, by a distance field: that of the parts of the same body that t
// may meet. These are
//
//	tetrahedra that t cuts although they have no vertex in common       (1)
//	faces u in front of t, t in front of u, that face each other,
//	without a common vertex, near enough to meet within the step        (2)
//
// In a body that does not overlap itself no face cuts a tetrahedron except at its own
// vertices, however thin its walls are and however it is bent: (1) needs no distance
// below which parts count as one, and the two sides of a wall, behind each other, are
// never in (2). Parts ahead of contact count if they are closer than at rest, or close
// within the step: narrow slits do not touch by themselves.
//
// The distance by which t and u close is what their vertices are predicted to approach
// along the normals besides the motion of the body as a rigid whole: a spinning body, or
// one whose parts swing together or slide along each other, has no contacts.

// SelfContact is the undeformed shape of a deformable that may touch itself, for the
// search of self-contact. It is immutable and may be shared by several bodies.
type SelfContact struct {
	mesh *meshes.Tet
	rest *meshes.Distance
}

// NewSelfContact returns the value of Deformable.Self: mesh is the rest mesh, m, and tris
// are its boundary, the same triangles as Deformable.Tris.
func NewSelfContact(mesh *meshes.Tet, tris [][3]int32) *SelfContact {
	return &SelfContact{mesh, meshes.NewDeformableDistance(&meshes.Tri{Verts: mesh.Verts, Tris: tris})}
}

const (
	// crossTol is the distance, relative to the longest edge, from which faces surely cut
	// or approach each other: round-off of a turned body is far less.
	crossTol = 1e-9
	// approachShare is the least relative decrease of the distance of two points since
	// rest with which they make a contact ahead of touching.
	approachShare = 1e-3
)

// predictedMotions returns the motions predicted for a deformable's vertices.
func (s *Data) predictedMotions(soft int) [][]r3.Vec {
	if soft < len(s.PredictedDeformation) {
		return s.PredictedDeformation[soft]
	}
	return nil
}

// selfContacts appends the contacts of a deformable with itself. Both sides are clipped
// and contribute half of the area each.
func (s *Data) selfContacts(soft int) {
	q := s.selves[soft]
	q.predicted = s.predictedMotions(soft)
	q.surf.dist.TabulateFaceNormals()
	// Find the pairs (1) and (2).
	q.place(s.X_W[soft])
	margin := s.DeformableSpeculativeDistance + s.slack
	q.find(s.Pool, s.selfMargin(q, margin))
	q.group()
	// Clip each face by the parts that it may meet.
	s.selfField.query = q
	s.clipper.onSelf = selfFaces{s, margin}
	from := len(s.contacts)
	s.contacts = s.clipper.run(s.Pool, &s.clipper.onSelf, len(q.faces), s.contacts)
	slices.SortStableFunc(s.contacts[from:], compareElem)
}

// selfFace is a face of a deformable that may meet others of its faces, or cuts its
// tetrahedra.
type selfFace struct {
	tri int32
	// pairs of tri with the faces (2) and with the tetrahedra (1)
	ahead, cuts [][2]int32
}

// group lists the faces that are in any pair, with their pairs.
func (q *selfQuery) group() {
	q.faces = q.faces[:0]
	for i, j := 0, 0; i < len(q.near) || j < len(q.cuts); {
		// The next face in either list.
		f := selfFace{tri: 1<<31 - 1}
		if i < len(q.near) {
			f.tri = q.near[i][0]
		}
		if j < len(q.cuts) {
			f.tri = min(f.tri, q.cuts[j][0])
		}
		f.ahead, i = run(q.near, i, f.tri)
		f.cuts, j = run(q.cuts, j, f.tri)
		q.faces = append(q.faces, f)
	}
}

// run returns the pairs from i on that begin with tri, and the index after them.
func run(pairs [][2]int32, i int, tri int32) ([][2]int32, int) {
	from := i
	for i < len(pairs) && pairs[i][0] == tri {
		i++
	}
	return pairs[from:i], i
}

// selfMargin adds to the margin the distance by which contact laws act farther ahead than
// parts move.
func (s *Data) selfMargin(q *selfQuery, margin float64) float64 {
	if s.SpeculativeFactor <= 1 {
		return margin
	}
	// Two parts close by at most twice the fastest motion.
	fastest := 0.0
	for _, d := range q.predicted {
		for _, x := range d {
			fastest = max(fastest, x.Norm2())
		}
	}
	closing := 2 * math.Sqrt(fastest)
	return margin + s.speculative(closing) - closing
}

// selfFaces are the faces of a deformable near other parts of it.
type selfFaces struct {
	scene  *Data
	margin float64
}

// begin implements faceJob.
func (j *selfFaces) begin(w *clipWorker) {
	w.self.query = j.scene.selfField.query
	w.field, w.size = &w.self, math.Inf(1)
}

// item implements faceJob.
func (j *selfFaces) item(w *clipWorker, i int, dst []Contact) []Contact {
	f, s := &w.self, j.scene
	f.setFace(f.query.faces[i])
	b := f.query.surf
	v, pa, pb, pc := b.corners(f.tri)
	area := r3.TriangleNormal(pa, pb, pc).Norm() / 2
	if area == 0 {
		return dst
	}
	// The distance by which the face closes with any face ahead of it.
	closing := 0.0
	for _, p := range f.ahead {
		closing = max(closing, f.query.closing(p[0], p[1]))
	}
	closing = s.speculative(closing)
	n := b.dist.FaceNormal(f.tri)
	edge := math.Sqrt(max(pa.Sub(pb).Norm2(), pb.Sub(pc).Norm2(), pc.Sub(pa).Norm2()))
	// The field at the corners, and the parts by its levels.
	f.none = j.margin + closing + 2*edge
	w.margin, w.products = j.margin+closing, b.parent(f.tri) != nil
	var corner [3]sample
	for k, x := range [3]r3.Vec{pa, pb, pc} {
		corner[k].w[k], corner[k].pos_W = 1, x
		corner[k].phi, corner[k].grad_W = f.at(x, n)
	}
	for _, p := range withinReach(w.clip(&corner[0], &corner[1], &corner[2], n), closing+s.slack) {
		x := b.face(f.tri, p.w, &p.products)
		// The other side of each part.
		hit := f.find(x.Pos_W, n)
		if hit.tri < 0 || !b.isActive(hit.tri) || shareVertex(v[:], b.spec.Tris[hit.tri][:]) {
			continue
		}
		other := f.feature(&hit)
		normal_W := p.grad_W.Neg()
		// Ahead of contact the parts must come closer than at rest, or close within the
		// step.
		if !p.overlap {
			reach := s.speculative(f.query.approach(&x, &other, normal_W))
			if p.phi > j.margin+reach || p.phi+crossTol*edge > reach && !f.cameCloser(&x, &other) {
				continue
			}
		}
		dst = append(dst, Contact{
			A: x, B: other,
			Materials: [2]int{b.spec.Material, b.spec.Material},
			Pos_W:     x.Pos_W,
			Normal_W:  normal_W,
			Phi:       p.phi,
			Area:      p.area * area / 2,
			Elem:      [2]int32{f.tri, hit.tri},
		})
	}
	return dst
}
