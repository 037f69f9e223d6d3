package geometry

import (
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/workers"
)

// selfQuery finds the parts of one deformable that are near each other: (1) and (2) of
// deformable_self.go.
type selfQuery struct {
	surf *deformableSurface
	spec *SelfContact
	// that of the Data
	halt *halt
	// predicted motions of the vertices, m
	predicted [][]r3.Vec
	// boxes of the faces, extended by their predicted motion
	swept hierarchy
	// boxes of the tetrahedra
	tets hierarchy
	// pairs of faces
	facing neighborList
	// pairs of a face and a tetrahedron
	inside neighborList
	// how far ahead contacts are sought, m
	margin float64
	// pairs that are left of each part of a list
	filtered []filteredPairs
	// (face, face ahead of it) by (2), sorted
	near [][2]int32
	// (face, tetrahedron) by (1), sorted
	cuts [][2]int32
	// faces that are in any of these
	faces []selfFace
}

// newSelfQuery returns the query of a surface. It panics if the rest shape is not that of
// the surface.
func newSelfQuery(s *deformableSurface) *selfQuery {
	q := &selfQuery{surf: s, spec: s.spec.Self}
	if n, m := len(q.spec.mesh.Verts), len(q.spec.rest.Mesh().Tris); n != s.spec.NumVerts || m != len(s.spec.Tris) {
		panic(fmt.Sprintf("geometry: deformable %q has %d vertices and %d triangles, its rest shape %d and %d", s.spec.Name, s.spec.NumVerts, len(s.spec.Tris), n, m))
	}
	// Boxes of faces and tetrahedra.
	q.swept.boxes, q.tets.boxes = make([]r3.Box, len(s.spec.Tris)), make([]r3.Box, len(q.spec.mesh.Tets))
	// The trees are built at rest, so that they do not depend on the first placement.
	q.place(q.spec.mesh.Verts)
	q.placeTets(q.spec.mesh.Verts)
	q.swept.refit()
	q.tets.refit()
	// Neighbours in the mesh are always near each other and never touch.
	tris, tets := s.spec.Tris, q.spec.mesh.Tets
	q.facing = neighborList{a: &q.swept, b: &q.swept, common: func(t, u int32) bool { return shareVertex(tris[t][:], tris[u][:]) }}
	q.inside = neighborList{a: &q.swept, b: &q.tets, common: func(t, tet int32) bool { return shareVertex(tris[t][:], tets[tet][:]) }}
	return q
}

// place sets the boxes of the faces, with their predicted motion.
func (q *selfQuery) place(x_W []r3.Vec) {
	for i, t := range q.surf.spec.Tris {
		b := r3.EmptyBox()
		// Each vertex at its place and where it is predicted to be.
		for _, v := range t {
			b = b.Extend(x_W[v])
			for _, d := range q.predicted {
				b = b.Extend(x_W[v].Add(d[v]))
			}
		}
		q.swept.boxes[i] = b
	}
}

// placeTets sets the boxes of the tetrahedra.
func (q *selfQuery) placeTets(x_W []r3.Vec) {
	for i, t := range q.spec.mesh.Tets {
		q.tets.boxes[i] = r3.EmptyBox().Extend(x_W[t[0]]).Extend(x_W[t[1]]).Extend(x_W[t[2]]).Extend(x_W[t[3]])
	}
}

// find sets near and cuts; margin is how far ahead contacts are sought besides the
// predicted motion, m.
func (q *selfQuery) find(pool *workers.Pool, margin float64) {
	q.margin = margin
	// Pairs of faces from the list.
	q.facing.update(margin)
	var crossed bool
	q.near, crossed = q.filter(pool, (*facingPairs)(q), len(q.facing.pairs), q.near[:0])
	q.cuts = q.cuts[:0]
	// The surface of a body in one piece crosses itself wherever the body overlaps
	// itself.
	if crossed {
		q.placeTets(q.surf.dist.Mesh().Verts)
		q.inside.update(0)
		q.cuts, _ = q.filter(pool, (*insidePairs)(q), len(q.inside.pairs), q.cuts)
	}
	// In the order of the faces.
	slices.SortFunc(q.near, comparePairs)
	slices.SortFunc(q.cuts, comparePairs)
}

// filteredPairs are the pairs of one part of a list that passed the filter.
type filteredPairs struct {
	pairs [][2]int32
	// some faces cross
	crossed bool
}

// filterChunk is the number of pairs that are worth a worker's time.
const filterChunk = 1024

// filter appends the pairs that a task leaves of num listed pairs, and reports whether
// any faces cross.
func (q *selfQuery) filter(pool *workers.Pool, task workers.Task, num int, dst [][2]int32) (left [][2]int32, crossed bool) {
	n := (num + filterChunk - 1) / filterChunk
	for len(q.filtered) < n {
		q.filtered = append(q.filtered, filteredPairs{})
	}
	// Each part of the list writes its own slot.
	pool.Run(n, task)
	for i := range q.filtered[:n] {
		dst = append(dst, q.filtered[i].pairs...)
		crossed = crossed || q.filtered[i].crossed
	}
	return dst, crossed
}

// partOf returns part k of the listed pairs.
func partOf(pairs [][2]int32, k int) [][2]int32 {
	return pairs[k*filterChunk : min((k+1)*filterChunk, len(pairs))]
}

// facingPairs is a query that keeps the pairs of faces that may meet (2).
type facingPairs selfQuery

// Do implements workers.Task.
func (f *facingPairs) Do(_, k int) {
	q, out := (*selfQuery)(f), filteredPairs{pairs: f.filtered[k].pairs[:0]}
	if q.halt.ends() {
		q.filtered[k] = out
		return
	}
	for _, p := range partOf(q.facing.pairs, k) {
		t, u := p[0], p[1]
		if !within(&q.swept.boxes[t], &q.swept.boxes[u], q.margin) {
			continue
		}
		// Crossing faces mean that the body overlaps itself.
		crosses := q.cross(t, u)
		out.crossed = out.crossed || crosses
		// Each face is ahead of the other.
		if q.mayMeet(t, u, q.margin, crosses) {
			out.pairs = append(out.pairs, p, [2]int32{u, t})
		}
	}
	q.filtered[k] = out
}

// insidePairs is a query that keeps the faces that cut tetrahedra (1).
type insidePairs selfQuery

// Do implements workers.Task.
func (f *insidePairs) Do(_, k int) {
	q, out := (*selfQuery)(f), filteredPairs{pairs: f.filtered[k].pairs[:0]}
	if q.halt.ends() {
		q.filtered[k] = out
		return
	}
	for _, p := range partOf(q.inside.pairs, k) {
		if within(q.surf.dist.Box(p[0]), &q.tets.boxes[p[1]], 0) && q.cutsTet(p[0], p[1]) {
			out.pairs = append(out.pairs, p)
		}
	}
	q.filtered[k] = out
}

// cross reports whether an edge of one face meets the other face, within round-off; faces
// in one plane do not cross.
func (q *selfQuery) cross(t, u int32) bool {
	a, b := q.surf.dist.Box(t), q.surf.dist.Box(u)
	return within(a, b, 1e4*crossTol*(a.Size().Norm()+b.Size().Norm())) && (q.pierces(t, u) || q.pierces(u, t))
}

// pierces reports whether an edge of t meets u.
func (q *selfQuery) pierces(t, u int32) bool {
	x := q.surf.dist.Mesh().Verts
	vt, vu := &q.surf.spec.Tris[t], &q.surf.spec.Tris[u]
	// The plane of u.
	a, b, c := x[vu[0]], x[vu[1]], x[vu[2]]
	n := q.surf.dist.FaceNormal(u)
	tol := crossTol * q.surf.dist.Box(u).Size().Norm()
	// Heights of t's vertices above the plane of u.
	h := [3]float64{x[vt[0]].Sub(a).Dot(n), x[vt[1]].Sub(a).Dot(n), x[vt[2]].Sub(a).Dot(n)}
	// All of t lies on one side.
	if min(h[0], h[1], h[2]) > tol || max(h[0], h[1], h[2]) < -tol {
		return false
	}
	// Edges that cross the plane within u.
	for k, i := range vt {
		l := (k + 1) % 3
		if d := h[k] - h[l]; math.Abs(d) > 2*tol && min(h[k], h[l]) <= tol && max(h[k], h[l]) >= -tol {
			// Where the edge crosses the plane of u.
			w := r3.Barycentric(x[i].Lerp(x[vt[l]], h[k]/d), a, b, c)
			if min(w[0], w[1], w[2]) >= -1e3*crossTol {
				return true
			}
		}
	}
	return false
}

// mayMeet is (2), without the test for common vertices.
func (q *selfQuery) mayMeet(t, u int32, margin float64, crosses bool) bool {
	s := q.surf
	vt, vu := &s.spec.Tris[t], &s.spec.Tris[u]
	if !s.isActive(t) || !s.isActive(u) {
		return false
	}
	nt, nu := s.dist.FaceNormal(t), s.dist.FaceNormal(u)
	// They must face each other.
	if turnsAway(nt, nu) {
		return false
	}
	x := s.dist.Mesh().Verts
	// Each must lie in front of the other.
	ot, ou := x[vt[0]], x[vu[0]]
	if highest(x, vu[:], ot, nt) <= 0 || highest(x, vt[:], ou, nu) <= 0 {
		return false
	}
	// They must be near enough: by their planes, then by boxes, then exactly.
	far := margin + q.closing(t, u)
	if -highest(x, vu[:], ot, nt.Neg()) > far || -highest(x, vt[:], ou, nu.Neg()) > far {
		return false
	}
	return boxOf(x, vt).Inflate(far).Overlaps(boxOf(x, vu)) && (crosses || q.apart(t, u) <= far*far)
}

// apart returns the squared distance of two faces that do not cross, m².
func (q *selfQuery) apart(t, u int32) float64 {
	_, a, b, c := q.surf.corners(t)
	_, d, e, f := q.surf.corners(u)
	best := math.Inf(1)
	x, y := [3]r3.Vec{a, b, c}, [3]r3.Vec{d, e, f}
	for i := range x {
		// Vertices to faces, and edges to edges.
		p, _ := r3.ClosestOnTriangle(x[i], d, e, f)
		r, _ := r3.ClosestOnTriangle(y[i], a, b, c)
		best = min(best, p.Sub(x[i]).Norm2(), r.Sub(y[i]).Norm2())
		for j := range y {
			x0, x1, y0, y1 := x[i], x[(i+1)%3], y[j], y[(j+1)%3]
			s, w := r3.ClosestOnSegments(x0, x1, y0, y1)
			best = min(best, x0.Lerp(x1, s).Sub(y0.Lerp(y1, w)).Norm2())
		}
	}
	return best
}

// boxOf returns the bounds of a triangle.
func boxOf(x []r3.Vec, v *[3]int32) r3.Box {
	return r3.EmptyBox().Extend(x[v[0]]).Extend(x[v[1]]).Extend(x[v[2]])
}

// closing bounds how far two faces approach within the step along their normals, m.
func (q *selfQuery) closing(t, u int32) float64 {
	nt, nu := q.surf.dist.FaceNormal(t), q.surf.dist.FaceNormal(u)
	most := 0.0
	for _, d := range q.predicted {
		// Each vertex of t against each vertex of u.
		for _, i := range q.surf.spec.Tris[t] {
			for _, j := range q.surf.spec.Tris[u] {
				v := d[i].Sub(d[j])
				most = max(most, v.Dot(nt), -v.Dot(nu))
			}
		}
	}
	return most
}

// approach returns how far two material points approach within the step along a direction
// from a to b, m.
func (q *selfQuery) approach(a, b *MaterialPoint, dir_W r3.Vec) float64 {
	most := 0.0
	for _, d := range q.predicted {
		// Relative motion of the two points.
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

// cutsTet is (1), without the test for common vertices. Planes of faces are tried as
// separating planes; planes through two edges are not, because the distance field
// decides.
func (q *selfQuery) cutsTet(t, tet int32) bool {
	s := q.surf
	vt, v := &s.spec.Tris[t], &q.spec.mesh.Tets[tet]
	x, n := s.dist.Mesh().Verts, s.dist.FaceNormal(t)
	tol := crossTol * q.tets.boxes[tet].Size().Norm()
	// The plane of t.
	o := x[vt[0]].Dot(n)
	h0, h1, h2, h3 := x[v[0]].Dot(n)-o, x[v[1]].Dot(n)-o, x[v[2]].Dot(n)-o, x[v[3]].Dot(n)-o
	// All of the tetrahedron lies on one side of the face.
	if max(h0, h1, h2, h3) <= tol || min(h0, h1, h2, h3) >= -tol || !s.isActive(t) {
		return false
	}
	// The planes of the tetrahedron.
	for _, f := range tetFaces {
		a := x[v[f[0]]]
		// The face lies outside of this side.
		m := r3.TriangleNormal(a, x[v[f[1]]], x[v[f[2]]])
		if highest(x, vt[:], a, m.Neg()) <= tol*m.Norm() {
			return false
		}
	}
	return true
}

// tetFaces are the faces of a tetrahedron, outward.
var tetFaces = [4][3]int{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}

// highest returns the greatest height of vertices above the plane through o with normal
// n, times the length of n.
func highest(x []r3.Vec, verts []int32, o, n r3.Vec) float64 {
	h := x[verts[0]].Sub(o).Dot(n)
	for _, v := range verts[1:] {
		h = max(h, x[v].Sub(o).Dot(n))
	}
	return h
}

// shareVertex reports whether two elements have a vertex in common.
func shareVertex(a, b []int32) bool {
	for _, i := range a {
		for _, j := range b {
			if i == j {
				return true
			}
		}
	}
	return false
}
