package geometry

import (
	"fmt"
	"math"
	"slices"

	"curlfree/bvh"
	"curlfree/meshes"
	"curlfree/r3"
)

// Contact of one deformable with itself. Every face t of the surface is clipped,
// as against other bodies, by a distance field: that of the parts of the same body
// that t may meet. These are
//
//	tets that t cuts although they have no vertex in common             (1)
//	faces u in front of t, t in front of u, that face each other,
//	without a common vertex, near enough to meet within the step        (2)
//
// In a body that does not overlap itself no face cuts a tet but at its own
// vertices, however thin its walls are and however it is bent: (1) needs no
// distance below which parts count as one, and the two sides of a wall, behind
// each other, are never in (2). What is ahead counts if it has come closer than
// it was at rest, or closes within the step: narrow slits do not touch by
// themselves.
//
// How much t and u close is what their vertices approach along the normals besides
// the motion of the body as a rigid whole, as foreseen: a spinning body, or one
// whose parts swing together or slide along each other, has no contacts.

// SelfContact is what lets a deformable touch itself: its rest shape. It is
// immutable and may be shared.
type SelfContact struct {
	mesh *meshes.Tet
	rest *meshes.Distance
}

// NewSelfContact returns what Soft.Self needs: the rest mesh and its boundary,
// the same triangles as Soft.Tris.
func NewSelfContact(mesh *meshes.Tet, tris [][3]int32) *SelfContact {
	return &SelfContact{mesh, meshes.NewMovingDistance(&meshes.Tri{Verts: mesh.Verts, Tris: tris})}
}

const (
	// touching is the distance, relative to the longest edge, by which faces
	// surely cut or approach: round-off of a turned body is far less.
	touching = 1e-9
	// closer is the least relative decrease of the distance of two points since
	// rest that brings them in contact ahead of touch.
	closer = 1e-3
)

// selfQuery finds the parts of one deformable that are near each other.
type selfQuery struct {
	surf  *softSurface
	spec  *SelfContact
	flex  [][]r3.Vec // foreseen motions of the vertices
	faces hierarchy  // with the way that they move
	tets  hierarchy
	pairs [][2]int32 // scratch
	near  [][2]int32 // (face, face ahead of it) by (2), sorted
	cuts  [][2]int32 // (face, tet) by (1), sorted
}

// hierarchy is a tree over boxes that move.
type hierarchy struct {
	boxes []r3.Box
	tree  *bvh.Tree
}

func (h *hierarchy) refit() {
	if h.tree == nil {
		h.tree = bvh.Build(h.boxes)
		return
	}
	h.tree.Refit(h.boxes)
}

func newSelfQuery(s *softSurface) *selfQuery {
	q := &selfQuery{surf: s, spec: s.spec.Self}
	if n, m := len(q.spec.mesh.Verts), len(q.spec.rest.Mesh().Tris); n != s.spec.Verts || m != len(s.spec.Tris) {
		panic(fmt.Sprintf("geometry: deformable %q has %d vertices and %d triangles, its rest shape %d and %d", s.spec.Name, s.spec.Verts, len(s.spec.Tris), n, m))
	}
	q.faces.boxes, q.tets.boxes = make([]r3.Box, len(s.spec.Tris)), make([]r3.Box, len(q.spec.mesh.Tets))
	q.place(q.spec.mesh.Verts) // at rest: the trees do not depend on what is asked first
	return q
}

// place takes up vertex positions.
func (q *selfQuery) place(x_W []r3.Vec) {
	for i, t := range q.surf.spec.Tris {
		b := r3.EmptyBox()
		for _, v := range t {
			b = b.Extend(x_W[v])
			for _, d := range q.flex {
				b = b.Extend(x_W[v].Add(d[v]))
			}
		}
		q.faces.boxes[i] = b
	}
	for i, t := range q.spec.mesh.Tets {
		q.tets.boxes[i] = r3.EmptyBox().Extend(x_W[t[0]]).Extend(x_W[t[1]]).Extend(x_W[t[2]]).Extend(x_W[t[3]])
	}
	q.faces.refit()
	q.tets.refit()
}

// find lists near and cuts; margin is how far ahead contacts are sought besides
// the motion foreseen.
func (q *selfQuery) find(margin float64) {
	still := r3.PoseIdentity()
	q.pairs = q.faces.tree.Pairs(q.faces.tree, still, margin, q.pairs[:0])
	q.near = q.near[:0]
	for _, p := range q.pairs {
		if q.mayMeet(p[0], p[1], margin) {
			q.near = append(q.near, p)
		}
	}
	q.pairs = q.faces.tree.Pairs(q.tets.tree, still, 0, q.pairs[:0])
	q.cuts = q.cuts[:0]
	for _, p := range q.pairs {
		if q.cutsTet(p[0], p[1]) {
			q.cuts = append(q.cuts, p)
		}
	}
	slices.SortFunc(q.near, comparePairs)
	slices.SortFunc(q.cuts, comparePairs)
}

// mayMeet is (2).
func (q *selfQuery) mayMeet(t, u int32, margin float64) bool {
	s := q.surf
	vt, vu := &s.spec.Tris[t], &s.spec.Tris[u]
	if !s.isLive(t) || !s.isLive(u) || haveCommon(vt[:], vu[:]) {
		return false
	}
	nt, nu := s.dist.FaceNormal(t), s.dist.FaceNormal(u)
	if turnsAway(nt, nu) {
		return false
	}
	x := s.dist.Mesh().Verts
	if highest(x, vu[:], x[vt[0]], nt) <= 0 || highest(x, vt[:], x[vu[0]], nu) <= 0 {
		return false
	}
	far := margin + q.closing(t, u)
	return boxOf(x, vt).Inflate(far).Overlaps(boxOf(x, vu))
}

func boxOf(x []r3.Vec, v *[3]int32) r3.Box {
	return r3.EmptyBox().Extend(x[v[0]]).Extend(x[v[1]]).Extend(x[v[2]])
}

// closing bounds how far two faces approach in the step along their normals.
func (q *selfQuery) closing(t, u int32) float64 {
	nt, nu := q.surf.dist.FaceNormal(t), q.surf.dist.FaceNormal(u)
	most := 0.0
	for _, d := range q.flex {
		for _, i := range q.surf.spec.Tris[t] {
			for _, j := range q.surf.spec.Tris[u] {
				v := d[i].Sub(d[j])
				most = max(most, v.Dot(nt), -v.Dot(nu))
			}
		}
	}
	return most
}

// approach returns how far a material point a comes nearer to b in the step along
// a direction from a to b.
func (q *selfQuery) approach(a, b *Feature, dir_W r3.Vec) float64 {
	most := 0.0
	for _, d := range q.flex {
		var v r3.Vec
		for k := range a.N {
			v = v.AddScaled(a.W[k], d[a.Vert[k]])
		}
		for k := range b.N {
			v = v.AddScaled(-b.W[k], d[b.Vert[k]])
		}
		most = max(most, v.Dot(dir_W))
	}
	return most
}

// cutsTet is (1); planes of faces separate, edges are left to the closer look.
func (q *selfQuery) cutsTet(t, tet int32) bool {
	s := q.surf
	vt, v := &s.spec.Tris[t], &q.spec.mesh.Tets[tet]
	if !s.isLive(t) || haveCommon(vt[:], v[:]) {
		return false
	}
	x := s.dist.Mesh().Verts
	size := boxOf(x, vt).Size().Norm() + q.tets.boxes[tet].Size().Norm()
	tol := touching * size
	n := s.dist.FaceNormal(t)
	if highest(x, v[:], x[vt[0]], n) <= tol || highest(x, v[:], x[vt[0]], n.Neg()) <= tol {
		return false
	}
	for _, f := range tetFaces {
		a := x[v[f[0]]]
		m := r3.TriangleNormal(a, x[v[f[1]]], x[v[f[2]]]).Unit()
		if highest(x, vt[:], a, m.Neg()) <= tol {
			return false
		}
	}
	return true
}

// tetFaces are the faces of a tet, outward.
var tetFaces = [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}

// highest returns the greatest height of vertices above the plane through o with
// unit normal n.
func highest(x []r3.Vec, verts []int32, o, n r3.Vec) float64 {
	h := x[verts[0]].Sub(o).Dot(n)
	for _, v := range verts[1:] {
		h = max(h, x[v].Sub(o).Dot(n))
	}
	return h
}

func haveCommon(a, b []int32) bool {
	for _, i := range a {
		for _, j := range b {
			if i == j {
				return true
			}
		}
	}
	return false
}

// flexOf returns the motions foreseen of a deformable's vertices.
func (s *Scene) flexOf(soft int) [][]r3.Vec {
	if soft < len(s.Flex) {
		return s.Flex[soft]
	}
	return nil
}

// softSelf appends the contacts of a deformable with itself. Both sides are
// clipped and bring half of the area each.
func (s *Scene) softSelf(soft int) {
	q := s.selves[soft]
	q.flex = s.flexOf(soft)
	q.place(s.X_W[soft])
	margin := s.SoftMargin + slack
	q.find(s.stretchedMargin(q, margin))
	f := &s.selfField
	f.query = q
	from := len(s.contacts)
	for i, j := 0, 0; i < len(q.near) || j < len(q.cuts); {
		tri := int32(1<<31 - 1)
		if i < len(q.near) {
			tri = q.near[i][0]
		}
		if j < len(q.cuts) {
			tri = min(tri, q.cuts[j][0])
		}
		f.tri, f.last = tri, -1
		f.ahead, i = run(q.near, i, tri)
		f.cuts, j = run(q.cuts, j, tri)
		s.selfFace(f, margin)
	}
	slices.SortStableFunc(s.contacts[from:], compareElem)
}

// run returns the pairs from i on that begin with tri, and where they end.
func run(pairs [][2]int32, i int, tri int32) ([][2]int32, int) {
	from := i
	for i < len(pairs) && pairs[i][0] == tri {
		i++
	}
	return pairs[from:i], i
}

// stretchedMargin adds to the margin what contact laws look farther ahead than
// parts move.
func (s *Scene) stretchedMargin(q *selfQuery, margin float64) float64 {
	if s.Stretch <= 1 {
		return margin
	}
	fastest := 0.0
	for _, d := range q.flex {
		for _, x := range d {
			fastest = max(fastest, x.Norm2())
		}
	}
	closing := 2 * math.Sqrt(fastest)
	return margin + s.stretched(closing) - closing
}

// selfFace appends the contacts of the field's triangle.
func (s *Scene) selfFace(f *selfField, margin float64) {
	b := f.query.surf
	v, pa, pb, pc := b.corners(f.tri)
	area := r3.TriangleNormal(pa, pb, pc).Norm() / 2
	if area == 0 {
		return
	}
	closing := 0.0
	for _, p := range f.ahead {
		closing = max(closing, f.query.closing(p[0], p[1]))
	}
	closing = s.stretched(closing)
	n := b.dist.FaceNormal(f.tri)
	edge := math.Sqrt(max(pa.Sub(pb).Norm2(), pb.Sub(pc).Norm2(), pc.Sub(pa).Norm2()))
	f.none = margin + closing + 2*edge
	c := &s.clipper
	c.field, c.margin = f, margin+closing
	var corner [3]sample
	for k, x := range [3]r3.Vec{pa, pb, pc} {
		corner[k].w[k], corner[k].pos_W = 1, x
		corner[k].phi, corner[k].grad_W = f.at(x, n)
	}
	for _, p := range withinReach(c.clip(&corner[0], &corner[1], &corner[2], n), closing+slack) {
		x := b.feature(f.tri, p.w)
		hit := f.find(x.Pos_W, n)
		if hit.tri < 0 || !b.isLive(hit.tri) || haveCommon(v[:], b.spec.Tris[hit.tri][:]) {
			continue
		}
		other := f.feature(&hit)
		normal_W := p.grad_W.Neg()
		if !p.overlap {
			reach := s.stretched(f.query.approach(&x, &other, normal_W))
			if p.phi > margin+reach || p.phi+touching*edge > reach && !f.cameCloser(&x, &other) {
				continue
			}
		}
		s.contacts = append(s.contacts, Contact{
			A: x, B: other,
			Mat:      [2]int{b.spec.Material, b.spec.Material},
			Pos_W:    x.Pos_W,
			Normal_W: normal_W,
			Phi:      p.phi,
			Area:     p.area * area / 2,
			Elem:     [2]int32{f.tri, hit.tri},
		})
	}
}
