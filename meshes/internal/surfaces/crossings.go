package surfaces

// Candidates are pairs whose boxes overlap; each is tested once. Triangles that
// share an edge or a vertex overlap in boxes, too, and are separated from
// intersecting ones by the exact signs alone: a shared corner lies in the plane
// of the other triangle, exactly.

// Self-intersections of a triangle surface. Candidate pairs come from a bounding
// volume hierarchy. Two triangles P, Q in different planes intersect in the overlap
// of two intervals on the line common to both planes (T. Möller, A Fast
// Triangle-Triangle Intersection Test, 1997):
//
//	dir = n_P × n_Q                                   direction of the common line
//	I_P = {x·dir : x in P and in the plane of Q},  I_Q likewise
//	P and Q cut each other if |I_P ∩ I_Q| > 0
//
// On which side of a plane a corner lies is decided by an exact predicate
// (internal/exact/side.go), so that neighbours, which share corners, never seem to
// cut each other. Only the length of the overlap is computed in float64.

import (
	"cmp"
	"math"
	"slices"

	"github.com/curlfree/curlfree/bvh"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/meshes/internal/exact"
	"github.com/curlfree/curlfree/meshes/internal/pointset"
	"github.com/curlfree/curlfree/r3"
)

// MaxCrossings bounds the number of pairs that are collected. A surface with more
// cannot be repaired, and coincident copies of a surface have a number of pairs
// that grows with the square of its size.
const MaxCrossings = 10000

// Bounds of the search: a few seconds. Only fans and stars of ten thousands of slivers, whose boxes overlap all
// over, and many copies of a surface need more.
const (
	// maxVisits is the number of pairs of triangles whose boxes meet that are looked at.
	maxVisits = 150_000_000
	// exactVisits is how many of them an exact test counts for.
	exactVisits = 20
)

// contactLength is the length of the common segment, over the size of the two
// triangles, from which they count as cutting each other; shorter segments are
// contact within round-off.
const contactLength = 1e-9

// apartTol is the round-off of distances over coordinates.
const apartTol = 1e-14

// vec2 is a point of a coordinate plane.
type vec2 = [2]float64

// crossings searches a surface for triangles that cut each other.
type crossings struct {
	m     *meshes.Tri
	boxes []r3.Box
	// triangles without area, which cut nothing
	flats []bool
	// planes of the triangles, by which most pairs
	// are separated
	planes []trianglePlane
	// no two vertices are farther apart, m
	size float64
	// pairs that may still be looked at
	left int
}

// trianglePlane is the plane of a triangle in float64.
type trianglePlane struct {
	at     r3.Vec  // a corner, m
	normal r3.Vec  // twice the area, m²
	margin float64 // bound of the round-off of normal·(x − at) for any vertex x of the mesh, m³
}

const (
	// planeBound bounds the round-off of normal·(x − at) over the lengths of its three factors: 4√3 half ulps
	// for the normal, and 4 for the difference and its product with that, are less than 16.
	planeBound = 16 * exact.EpsUnit
	// leastMargin stands for what is lost where products of tiny lengths underflow, m³.
	leastMargin = 0x1p-900
)

// Crossings returns the pairs of triangles that cut each other or overlap
// in a plane, sorted; at most limit of them. Triangles that only touch, at common
// vertices or edges or elsewhere, are not among them. Degenerate triangles are
// skipped. all is false if the search ended before all pairs were looked at, after maxVisits.
func Crossings(m *meshes.Tri, limit int) (pairs [][2]int32, all bool) {
	return newCrossings(m).search(limit)
}

// search is Crossings for a surface that was prepared.
func (s *crossings) search(limit int) (pairs [][2]int32, all bool) {
	// Each pair is tested once, from its lower number. Few are left to sort: most are separated by their planes.
	var doubtful [][2]int32
	met := 0 // boxes, by each of two
	if !bvh.BuildFast(s.boxes).Overlaps(func(i, j int32) bool {
		if met += 2; met > crowded*len(s.m.Tris) {
			return false
		}
		if i > j {
			i, j = j, i
		}
		if !s.flats[i] && !s.flats[j] && !s.apart(i, j) {
			doubtful = append(doubtful, [2]int32{i, j})
		}
		return true
	}) {
		return s.amongPatches(limit)
	}
	slices.SortFunc(doubtful, comparePairs)
	for _, p := range doubtful {
		if !s.cutExactly(p[0], p[1]) {
			continue
		}
		if pairs = append(pairs, p); len(pairs) >= limit {
			return pairs, true
		}
	}
	return pairs, true
}

// comparePairs orders pairs of triangles.
func comparePairs(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// newCrossings prepares the search.
func newCrossings(m *meshes.Tri) *crossings {
	// by the order of triangles, as the mesh has them
	n := len(m.Tris)
	s := &crossings{m: m, left: maxVisits, boxes: make([]r3.Box, n), flats: make([]bool, n), planes: make([]trianglePlane, n)}
	// no difference of two vertices is longer
	size := m.Bounds().Size().Norm()
	s.size = size
	for i, t := range m.Tris {
		c := Corners(m, t)
		s.boxes[i] = pointset.Bounds(c[:])
		s.flats[i] = IsFlat(m, t)
		// edges from the corner that carries the plane
		u, v := c[1].Sub(c[0]), c[2].Sub(c[0])
		s.planes[i] = trianglePlane{at: c[0], normal: u.Cross(v), margin: leastMargin + planeBound*u.Norm()*v.Norm()*size}
	}
	return s
}

// amongPatches is search for surfaces of slivers, whose boxes overlap all over.
func (s *crossings) amongPatches(limit int) (pairs [][2]int32, all bool) {
	// within a flat part nothing is compared
	flatPatches(s.m, s.flats).pairs(s.boxes, s.flats, func(i, j int32) bool {
		if s.left--; s.cut(i, j) {
			pairs = append(pairs, [2]int32{i, j})
		}
		return len(pairs) < limit && s.left > 0
	})
	// the same order as the plain search:
	// results do not depend on patches
	slices.SortFunc(pairs, comparePairs)
	return pairs, s.left > 0
}

// cut reports whether triangles i and j cut each other. Most lie beside each other's plane, which costs
// less to see than by exact signs.
func (s *crossings) cut(i, j int32) bool { return !s.apart(i, j) && s.cutExactly(i, j) }

// apart reports whether a plane surely separates two triangles, up to common corners.
func (s *crossings) apart(i, j int32) bool {
	return s.beside(i, j) || s.beside(j, i) || s.acrossEdge(i, j) || s.acrossEdge(j, i)
}

// cutExactly is cut by exact signs.
func (s *crossings) cutExactly(i, j int32) bool {
	s.left -= exactVisits
	return CutEachOther(s.m, s.m.Tris[i], s.m.Tris[j])
}

// beside reports whether triangle j surely lies on one side of the plane of i, up to corners of i, which
// lie in it.
func (s *crossings) beside(i, j int32) bool {
	p, t := &s.planes[i], s.m.Tris[i]
	// a vertex within the round-off of the plane leaves it to exact signs
	above, below := false, false
	for _, v := range s.m.Tris[j] {
		// common corners lie in the plane
		if v == t[0] || v == t[1] || v == t[2] {
			continue
		}
		switch h := s.m.Verts[v].Sub(p.at).Dot(p.normal); {
		case h > p.margin:
			above = true
		case h < -p.margin:
			below = true
		default:
			return false
		}
	}
	return above != below
}

// acrossEdge reports whether an edge of triangle i surely has all of j on its other side, up to common ends: neighbours
// in one plane, of which plane faces of CAD parts consist. Of the plane through the edge along the normal of i, the
// edge lies in it, the third corner of i on one side, and the corners of j that are no ends of the edge on the other.
func (s *crossings) acrossEdge(i, j int32) bool {
	t, u := &s.m.Tris[i], &s.m.Tris[j]
	n := &s.planes[i].normal
	for k := range t {
		a, b, c := t[k], t[(k+1)%3], t[(k+2)%3]
		if u[0] == c || u[1] == c || u[2] == c {
			continue
		}
		at := &s.m.Verts[a]
		var e, out, x r3.Vec
		e.SetSub(&s.m.Verts[b], at)
		out.SetCross(&e, n)
		// the same bound as that of planes, with the normal taken as it is
		margin := leastMargin + planeBound*math.Sqrt(e.DotOf(&e)*n.DotOf(n))*s.size
		x.SetSub(&s.m.Verts[c], at)
		if x.DotOf(&out) >= -margin {
			continue
		}
		beyond := true
		for _, v := range u {
			if v != a && v != b {
				x.SetSub(&s.m.Verts[v], at)
				beyond = beyond && x.DotOf(&out) > margin
			}
		}
		if beyond {
			return true
		}
	}
	return false
}

// CutEachOther reports whether two triangles cut each other along a segment or overlap in a
// plane. One that lies on one side of the other's plane, or touches it, cannot cut.
func CutEachOther(m *meshes.Tri, s, t [3]int32) bool {
	p, q := Corners(m, s), Corners(m, t)
	sp, kindP := sides(q, p)
	if kindP == oneSide {
		return false
	}
	sq, kindQ := sides(p, q)
	if kindQ == oneSide {
		return false
	}
	if kindP == inPlane {
		return overlapInPlane(p, q)
	}
	// Intervals along the common line, measured from o.
	np, nq := p[1].Sub(p[0]).Cross(p[2].Sub(p[0])), q[1].Sub(q[0]).Cross(q[2].Sub(q[0]))
	if ApartInPlane(p, q, np) || ApartInPlane(q, p, nq) {
		return false
	}
	dir := np.Unit().Cross(nq.Unit()).Unit()
	o := p[0]
	a0, a1 := span(p, sp, nq, q[0], dir, o)
	b0, b1 := span(q, sq, np, p[0], dir, o)
	size := math.Sqrt(max(np.Norm(), nq.Norm()))
	return min(a1, b1)-max(a0, b0) > contactLength*size
}

// ApartInPlane reports whether a side of triangle p, with normal n, has q beyond it or on it up to
// round-off, as seen along n. Triangles of one plane that was turned lie in it up
// to round-off only, so that the line common to their planes is anywhere.
func ApartInPlane(p, q [3]r3.Vec, n r3.Vec) bool {
	for k := range p {
		out := p[(k+1)%3].Sub(p[k]).Cross(n) // to the outside
		// the corner of q that reaches farthest to the inside
		far := math.Inf(1)
		for _, c := range q {
			far = min(far, c.Sub(p[k]).Dot(out))
		}
		if far >= -apartTol*out.Norm()*(p[0].Norm()+q[0].Norm()) {
			return true
		}
	}
	return false
}

// sideKind describes how the corners of a triangle lie to a plane.
type sideKind int

const (
	// Values of sideKind.
	astride sideKind = iota // corners strictly on both sides
	oneSide                 // no corner strictly on one of the sides
	// all corners in the plane
	inPlane
)

// sides returns on which side of the plane of q each corner of p lies: 1 above, −1
// below, 0 in the plane.
func sides(q, p [3]r3.Vec) (s [3]int, kind sideKind) {
	above, below := false, false
	for k := range p {
		s[k] = exact.Side(q[0], q[1], q[2], p[k])
		above, below = above || s[k] > 0, below || s[k] < 0
	}
	switch {
	case above && below:
		return s, astride
	case above || below:
		return s, oneSide
	}
	return s, inPlane
}

// span returns the interval along dir, measured from o, in which triangle p meets
// the plane through c with normal n. s has the sides of its corners, some of them
// above and some below.
func span(p [3]r3.Vec, s [3]int, n, c, dir, o r3.Vec) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	add := func(x r3.Vec) {
		d := x.Sub(o).Dot(dir)
		lo, hi = min(lo, d), max(hi, d)
	}
	// Corners in the plane, and points where an edge passes through it.
	for k := range p {
		j := (k + 1) % 3
		if s[k] == 0 {
			add(p[k])
		}
		if s[k]*s[j] < 0 {
			hk, hj := math.Abs(p[k].Sub(c).Dot(n)), math.Abs(p[j].Sub(c).Dot(n))
			w := 0.5
			if hk+hj > 0 {
				w = hk / (hk + hj)
			}
			add(p[k].Lerp(p[j], w))
		}
	}
	return lo, hi
}

// overlapInPlane reports whether two triangles of one plane share an area. By the
// separating axis theorem they do unless a side of one has all of the other beyond
// it. Both are projected along the coordinate axis that keeps the most area.
func overlapInPlane(p, q [3]r3.Vec) bool {
	n := p[1].Sub(p[0]).Cross(p[2].Sub(p[0]))
	x, y := 0, 1 // the coordinate plane in which the area is largest
	switch a := (r3.Vec{math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2])}); {
	case a[0] >= a[1] && a[0] >= a[2]:
		x, y = 1, 2
	case a[1] >= a[2]:
		x, y = 2, 0
	}
	flatten := func(t [3]r3.Vec) (f [3]vec2) {
		for k, v := range t {
			f[k] = vec2{v[x], v[y]}
		}
		if exact.Orient(f[0], f[1], f[2]) < 0 {
			f[1], f[2] = f[2], f[1]
		}
		return f
	}
	a, b := flatten(p), flatten(q)
	return !separates(a, b) && !separates(b, a)
}

// separates reports whether a side of the counter-clockwise triangle a has all
// corners of b on its outer side or on it.
func separates(a, b [3]vec2) bool {
	for k := range a {
		u, v := a[k], a[(k+1)%3]
		beyond := func(p vec2) bool { return p == u || p == v || exact.Orient(u, v, p) <= 0 }
		if beyond(b[0]) && beyond(b[1]) && beyond(b[2]) {
			return true
		}
	}
	return false
}
