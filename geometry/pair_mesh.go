package geometry

// Point contact of a triangle mesh, or of any shape that is not convex, with any other
// shape. The features that can touch first are
//
//	a vertex of one in the distance field of the other               (1)
//	an edge of one across an edge of the other                       (2)
//
// each of them only where it sticks out (features.go). For two edges the normal is n ∥
// e_A×e_B, from A to B, and the contact exists if n lies between the normals of the faces
// at A's edge and −n between those at B's, that is, if the arcs of their Gauss maps
// cross; φ = n·(x_B − x_A) then is valid on either side of touching. Which face a vertex inside touches
// says vertex_star.go; edges that overlap count up to 15° beside their arcs, as vertices do. On flat faces (1) and
// (2) together are the corners of the overlap, as between convex shapes. Points of about
// one normal are reduced to the corners of their convex hull (contact_reduction.go).

import (
	"math"
	"slices"

	"github.com/curlfree/curlfree/r3"
)

// meshScratch is the working memory of mesh contact.
type meshScratch struct {
	// the two shapes, features and distance fields
	a, b side
	// least extent of both, and the distance within which points are on a surface, m
	thickness, slop float64
	near            nearSearch
	tris            []int32
	// pairs of edges near each other
	pairs  [][2]int32
	shared sharedStar
	// contacts before reduction
	candidates     []candidate
	ballCandidates []ballCandidate
	reduction      reduction
	friction       faceFriction
	// faces of either side that carry a group, and the boundary of them
	bearing  [2][]int32
	boundary []planeEdge
	// contacts of which only the nearest is wanted
	nearest []Contact
}

// candidate is a contact before reduction, in the frame of shape A.
type candidate struct {
	// points of the surfaces
	x_A, x_B r3.Vec
	// unit normal, from A to B
	n   r3.Vec
	phi float64
	// vertices of either side, or edges of both; −1: none
	vertex, edge [2]int32
}

// side is a shape with its distance field and its features, and its pose in A's frame.
type side struct {
	distance distanceQuery
	feat     *features
	X_AS     r3.Pose
}

// deepestEdges is the overlap of crossing edges, relative to the least extent of the two
// shapes, up to which edges are searched.
const deepestEdges = 0.05

// Sines of the angles beside the normals of an edge's faces within which edges touch. An edge that overlaps a face
// ends at the rim of that face although it is a little turned against it, as its vertices would: a
// shaft of many facets in a plate is supported at several of them.
const (
	alongFace  = 1e-6
	besideFace = 0.25881904510252074 // 15°, as of one group of contact_reduction.go
)

// contacts appends the contacts of two placed geoms with φ < margin, Elem and bodies
// left to the caller. One of them is a mesh, or both have at least a distance and a
// surface. Swapping a and b mirrors the contacts bit for bit.
func (m *meshScratch) contacts(a, b *placedGeom, margin float64, dst []Contact) []Contact {
	if comesFirst(a.shape, b.shape, &a.X_WG, &b.X_WG) {
		return m.ordered(a, b, margin, dst)
	}
	first := len(dst)
	dst = m.ordered(b, a, margin, dst)
	for i := first; i < len(dst); i++ {
		dst[i].mirror()
	}
	return dst
}

// ordered is contacts in the order of comesFirst.
func (m *meshScratch) ordered(a, b *placedGeom, margin float64, dst []Contact) []Contact {
	X_WA := a.X_WG
	m.a = side{newDistanceQuery(a.shape), a.features(), r3.PoseIdentity()}
	m.b = side{newDistanceQuery(b.shape), b.features(), X_WA.Inv().Mul(b.X_WG)}
	// (1) in both directions, then (2).
	m.candidates = m.candidates[:0]
	m.thickness, m.slop = min(a.thickness, b.thickness), slopShare*min(a.size, b.size)
	m.vertices(&m.a, &m.b, margin, 1)
	m.vertices(&m.b, &m.a, margin, -1)
	m.edges(margin)
	// Reduce the candidates and place them in the world.
	scale := min(a.bounds_G.Size().Norm(), b.bounds_G.Size().Norm())
	m.reduction.run(m.candidates, scale)
	for k, g := range m.reduction.groups {
		first := len(dst)
		for _, i := range m.reduction.keep[g.keepFrom:g.keepTo] {
			t := &m.candidates[i]
			p, q := X_WA.Point(t.x_A), X_WA.Point(t.x_B)
			c := Contact{Pos_W: p.Add(q).Scale(0.5), Normal_W: X_WA.R.MulVec(t.n), Phi: t.phi}
			c.A.Pos_W, c.B.Pos_W = p, q
			dst = append(dst, c)
		}
		m.spreadFriction(dst[first:], int32(k+1), m.reduction.members[g.from:g.to], &X_WA)
	}
	return dst
}

// thickness returns the least extent of a box, m.
func thickness(b r3.Box) float64 {
	d := b.Size()
	return min(d[0], d[1], d[2])
}

// Thickness returns the least extent of a geom's shape, m.
func (s *Data) Thickness(geom int) float64 { return s.geoms[geom].thickness }

// vertices adds (1): the vertices of s in the field of o; sign is 1 if s is A, −1 if it
// is B.
func (m *meshScratch) vertices(s, o *side, margin, sign float64) {
	X_OS := o.X_AS.Inv().Mul(s.X_AS)
	near := m.near.run(s, o, X_OS, margin+s.feat.rounding)
	for i := range near {
		t := &near[i]
		// A ball may touch a mesh at several places.
		if o.distance.mesh != nil && s.feat.rounding > 0 {
			m.ball(o.distance.mesh, o, t.p, s.feat.rounding, margin, sign)
			continue
		}
		if phi, g, ok := m.touched(s, o, &t.p, t.phi, t.g, &s.feat.stars[t.v], &X_OS.R); ok {
			m.add(o, t.v, t.p, g, phi, s.feat.rounding, margin, sign)
		}
	}
}

// add puts the contact of a vertex at p with rounding r, at distance phi from o with gradient
// g, all in the frame of o.
func (m *meshScratch) add(o *side, vertex int32, p, g r3.Vec, phi, r, margin, sign float64) {
	if phi-r >= margin {
		return
	}
	own, other := o.X_AS.Point(p.AddScaled(-r, g)), o.X_AS.Point(p.AddScaled(-phi, g))
	t := candidate{x_A: own, x_B: other, n: o.X_AS.R.MulVec(g).Scale(-sign), phi: phi - r}
	t.vertex, t.edge = [2]int32{vertex, -1}, [2]int32{-1, -1}
	if sign < 0 {
		t.x_A, t.x_B = other, own
		t.vertex = [2]int32{-1, vertex}
	}
	m.candidates = append(m.candidates, t)
}

// edges adds (2), down to a small overlap. Edges that are farther apart than they
// are long add nothing to their ends: this bounds the pairs of edges of fine meshes that
// move by more than an edge length in a step.
func (m *meshScratch) edges(margin float64) {
	a, b := m.a.feat, m.b.feat
	if len(a.edges) == 0 || len(b.edges) == 0 {
		return
	}
	from := len(m.candidates)
	round := a.rounding + b.rounding
	margin = min(margin, a.longest+b.longest)
	m.pairs = a.edgeTree.Pairs(b.edgeTree, m.b.X_AS, max(margin+round, deepestEdges*m.thickness), m.pairs[:0])
	slices.SortFunc(m.pairs, comparePairs)
	// Each pair of edges near each other, B's in A's frame.
	for _, p := range m.pairs {
		e, f := &a.edges[p[0]], b.edges[p[1]].moved(m.b.X_AS)
		x_A, x_B, n, ok := crossing(e, &f, round > 0)
		if !ok {
			continue
		}
		core := n.Dot(x_B.Sub(x_A))
		if core < 0 && !m.overlaps(x_A, x_B) {
			continue
		}
		if phi := core - round; phi < margin {
			m.candidates = append(m.candidates, candidate{x_A.AddScaled(a.rounding, n), x_B.AddScaled(-b.rounding, n), n, phi, [2]int32{-1, -1}, p})
		}
	}
	m.dropDeepEdges(from)
}

// crossing returns the points in which two edges are closest, both within the edges, and
// the normal from the first to the second in which they can touch.
func crossing(e, f *edge, rounded bool) (x_A, x_B, n r3.Vec, ok bool) {
	s, t := r3.ClosestOnSegments(e.a, e.b, f.a, f.b)
	// At an end of an edge a vertex is closer, see (1).
	if s <= 0 || s >= 1 || t <= 0 || t >= 1 {
		return // a vertex is closer, see (1)
	}
	x_A, x_B = e.a.Lerp(e.b, s), f.a.Lerp(f.b, t)
	n = e.b.Sub(e.a).Cross(f.b.Sub(f.a)).Unit()
	if n == (r3.Vec{}) {
		return
	}
	if rounded {
		// Rounded edges stop each other in the direction in which they are apart.
		if n.Dot(x_B.Sub(x_A)) < 0 {
			n = n.Neg()
		}
		return x_A, x_B, n, e.faces(n, alongFace) && f.faces(n.Neg(), alongFace)
	}
	// Sharp edges touch where their arcs cross, with either sign of n; where they overlap also beside their arcs.
	m := n.Neg()
	apart := n.Dot(x_B.Sub(x_A))
	switch {
	case e.faces(n, alongFace) && f.faces(m, alongFace):
		return x_A, x_B, n, true
	case e.faces(m, alongFace) && f.faces(n, alongFace):
		return x_A, x_B, m, true
	case apart < 0:
		return x_A, x_B, n, e.faces(n, besideFace) && f.faces(m, besideFace)
	default:
		return x_A, x_B, m, e.faces(m, besideFace) && f.faces(n, besideFace)
	}
}

// overlaps reports whether crossing edges, x_A and x_B their points, bound a part of both solids: what lies between
// them is in both, or one of the edges is in the other solid.
func (m *meshScratch) overlaps(x_A, x_B r3.Vec) bool {
	inA := func(p r3.Vec) bool { phi, _ := m.a.distance.at(p); return phi <= m.slop }
	inB := func(p r3.Vec) bool { phi, _ := m.b.distance.at(m.b.X_AS.InvPoint(p)); return phi <= m.slop }
	mid := x_A.Lerp(x_B, 0.5)
	return inA(mid) && inB(mid) || inB(x_A) || inA(x_B)
}

// edgeDepth returns the gap of a point x of A's frame, on an edge of one shape, from the other, m: that of the face
// that it touches, or 0.
func (m *meshScratch) edgeDepth(own, o *side, e *edge, x r3.Vec) float64 {
	var spokes [4]spoke
	X_OS := o.X_AS.Inv().Mul(own.X_AS)
	around := e.star(own.X_AS.InvPoint(x), &spokes)
	p := o.X_AS.InvPoint(x)
	phi, g := o.distance.at(p)
	if phi, _, ok := m.touched(own, o, &p, phi, g, &around, &X_OS.R); ok {
		return phi
	}
	return 0
}

// dropDeepEdges drops the overlapping edge contacts, those from index from on, that are
// much deeper than any contact near them: of two solids that overlap a little, edges on
// far sides face each other, too. A depth is accepted up to the deepest vertex, without one up to twice the
// shallowest edge, or as far as the distance field confirms it.
func (m *meshScratch) dropDeepEdges(from int) {
	// sharpest is the ratio of the depth along the normal of an edge of 30° to the depth
	// of its faces.
	const sharpest = 4
	believed, shallow := 0.0, math.Inf(-1)
	for i, t := range m.candidates {
		switch {
		case t.phi >= 0:
		case i < from:
			believed = min(believed, t.phi)
		default:
			shallow = max(shallow, t.phi)
		}
	}
	// Where no vertex says how deep it is, twice the shallowest edge.
	if believed == 0 && !math.IsInf(shallow, -1) {
		believed = 2 * shallow
	}
	keep := from
	// Deeper ones need the confirmation of the distance field.
	for _, t := range m.candidates[from:] {
		if t.phi < believed {
			e, f := &m.a.feat.edges[t.edge[0]], &m.b.feat.edges[t.edge[1]]
			if t.phi < sharpest*min(m.edgeDepth(&m.a, &m.b, e, t.x_A), m.edgeDepth(&m.b, &m.a, f, t.x_B)) {
				continue
			}
		}
		m.candidates[keep] = t
		keep++
	}
	m.candidates = m.candidates[:keep]
}
