package geometry

// Contact manifold of two convex shapes: the points at which two faces touch. Seen along
// the normal n both faces are convex polygons of a plane with coordinates q, and each is
// the graph of an affine height h(q) along n. On the intersection of the polygons
//
//	x_A = q + h_A n,  x_B = q + h_B n,  φ = h_B − h_A      (1)
//
// so that its corners are contact points whose gap is exact, whichever face a corner
// comes from, and φ, affine too, is least at a corner. A and B play the same part in (1):
// neither face is a reference face.
//
// The normal is turned to that of a face where this separates the cores (nearly) as well,
// to a blend of both faces' normals where both do: with s_A and s_B the separations along
// the two normals and τ the tolerance of the preference
//
//	n ∝ w n_A − (1−w) n_B,  w = ½ + (s_A − s_B)/2τ in [0, 1]   (2)
//
// which is continuous, so that the normal of a stack at rest does not jump.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const (
	// maxCorners bounds the corners of the polygon that two faces share.
	maxCorners = 8
	// maxPoints bounds the points of one pair of shapes: the deepest point over a face and
	// the closest points may join the corners. None of these is dropped for them, since their
	// weight fades in from 0 (extraWeight): a corner that went at once would make the force jump.
	maxPoints = maxCorners + 2
	// faceBias, over the size of the smaller shape, and faceBiasRel: a face's normal is preferred unless another
	// direction separates sharp shapes better by both, 1 µm for parts of 10 cm and 5 %.
	faceBias, faceBiasRel = 1e-5, 0.05
	// roundBias is the preference, relative to size, for cores inside a radius, whose
	// distance is positive and whose normal turns with it.
	roundBias = 1e-12
	// flatTol is the share of a polygon's size by which a corner may stick out and still
	// be dropped: two squares that nearly coincide share four corners.
	flatTol = 1e-3
	// slackTol is the share of the size by which such a corner may be deeper than its
	// neighbours: less than that is the round-off of equally deep corners.
	slackTol = 1e-8
	// missTol is the share of the size by which the polygon's least gap may miss the
	// least gap of the pair before that point joins.
	missTol = 1e-9
	// parallelTol is the angle, rad, within which two edges overlap along a segment.
	parallelTol = 1e-3
)

// point is a contact in A's frame; a and b lie on the surfaces, b − a = phi·n.
type point struct {
	a, b, n r3.Vec
	phi     float64
	w       float64 // weight, see contact_weights.go
}

// manifold is the contact of one pair of shapes in A's frame.
type manifold struct {
	n  int
	pt [maxPoints]point
	// mean distance of the points of the face over that of the polygon
	round float64
}

// add appends a point.
func (p *manifold) add(q point) {
	p.pt[p.n] = q
	p.n++
}

// addAt appends the point of heights hA, hB along n over x.
func (p *manifold) addAt(x, n *r3.Vec, hA, hB, phi, w float64) {
	q := &p.pt[p.n]
	for i := range x {
		q.a[i], q.b[i], q.n[i] = x[i]+hA*n[i], x[i]+hB*n[i], n[i]
	}
	q.phi, q.w = phi, w
	p.n++
}

// projectedFace is a face as seen along the normal of contact.
type projectedFace struct {
	// corners: those of A turn counter-clockwise, those of B clockwise
	q [][2]float64
	heightFunction
	// an edge along the normal, which is no graph of a height
	edgeOn bool
}

// facePair is two faces that touch or may touch.
type facePair struct {
	// closest points of the cores
	c closest
	// normal of contact, and the axes of the plane
	n, t1, t2 r3.Vec
	// size of the smaller face, m
	size float64
	A, B projectedFace
	// intersection of the two faces as seen along n
	poly clipPolygon
}

// manifold finds the contact points with φ < margin (m), given the closest points of the
// cores.
func (k *cores) manifold(c closest, margin float64, out *manifold) {
	out.n, out.round = 0, 1
	rA, rB := k.A.Rounding(), k.B.Rounding()
	reach := margin + rA + rB
	if c.s >= reach {
		return
	}
	// The faces that face each other along the normal of the closest points.
	fA, fB := k.faces(c.n)
	size := min(fA.size(), fB.size())
	// A corner: the closest points are the only contact.
	if size == 0 {
		k.addClosest(c, out)
		return
	}
	// Turn the normal to that of a face, which may change the faces.
	n := k.faceNormal(&c, &fA, &fB)
	if n != c.n {
		fA, fB = k.faces(n)
	}
	// Buffers on the stack.
	var q [2][maxFace][2]float64
	var p [2][2 * maxFace]clipVertex
	m := facePair{
		c: c, n: n, size: size, A: projectedFace{q: q[0][:fA.N]}, B: projectedFace{q: q[1][:fB.N]}, poly: clipPolygon{p: p[0][:], old: p[1][:]},
	}
	m.t1, m.t2 = r3.Basis(n)
	m.A.project(&fA, &m)
	m.B.project(&fB, &m)
	k.points(&m, reach, true, out)
	if out.n > 1 && fA.Area+fB.Area > 0 {
		area := m.poly.area()
		out.round *= fA.roundness(area) * fB.roundness(area)
	}
}

// roundness returns how much larger the mean distance from the centre is in a round face than in the part of the given
// area, m², of the polygon that stands for it: as the square root of their areas where it is all of it, 1 where it is
// small.
func (f *Face) roundness(part float64) float64 {
	if f.Area == 0 {
		return 1
	}
	t1, t2 := r3.Basis(f.Normal)
	var q [maxFace]clipVertex
	for i, p := range f.P[:f.N] {
		q[i].q = [2]float64{t1.DotOf(&p), t2.DotOf(&p)}
	}
	own := clipPolygon{n: f.N, p: q[:]}
	area := own.area()
	share := min(1, part/area)
	return 1 + share*share*(math.Sqrt(f.Area/area)-1)
}

// points finds the points of two faces with φ < reach. It returns false when the least
// gap of the faces is not that of the cores and these have not been searched; with search
// set it searches them itself.
func (k *cores) points(m *facePair, reach float64, search bool, out *manifold) bool {
	c, n, poly, size := &m.c, &m.n, &m.poly, m.size
	// Intersection of the faces, without corners that stick out little.
	poly.common(&m.A, &m.B)
	poly.weigh(size)
	out.round = poly.reduceRound(flatTol*size, slackTol*size)
	r := k.A.Rounding() + k.B.Rounding()

	// Corners within reach, and the least gap among them.
	near, least := 0, math.Inf(1)
	for _, p := range poly.p[:poly.n] {
		if p.phi() < reach {
			poly.p[near], least = p, min(least, p.phi())
			near++
		}
	}
	poly.n = near
	// The point of least gap must be a contact even if it is not a corner of the polygon.
	if *n != c.n || !c.located {
		if p, ok := k.deepestOverFace(m); ok && p.phi() < min(reach, least-missTol*size) {
			p.w = extraWeight(p.phi()-r, least-r)
			poly.p[poly.n], least = p, p.phi()
			poly.n++
		}
	}
	// The closest points themselves, where the polygon misses them.
	missed := least > c.s+missTol*size
	if missed && !c.located {
		if !search {
			return false
		}
		k.locate(c)
		missed = least > c.s+missTol*size
	}
	// The closest points take the place of corners that repeat them.
	taken := 0.0
	if missed {
		taken = poly.dropNear([2]float64{m.t1.DotOf(&c.a), m.t2.DotOf(&c.a)}, flatTol*size)
	}
	// Move the points from the cores to the rounded surfaces.
	rA, rB := k.A.Rounding(), k.B.Rounding()
	for i := range poly.n {
		p := &poly.p[i]
		x, phi := m.at(p.q), p.phi()-rA-rB
		out.addAt(&x, n, p.hA+rA, p.hB-rB, phi, p.w)
	}
	if missed {
		k.addClosest(*c, out)
		out.pt[out.n-1].w = max(taken, extraWeight(c.s-r, least-r))
	}
	return true
}

// at returns the point q of the plane.
func (m *facePair) at(q [2]float64) (x r3.Vec) {
	x.SetScale(q[0], &m.t1)
	x.IncScale(q[1], &m.t2)
	return x
}

// addClosest adds the closest points themselves.
func (k *cores) addClosest(c closest, out *manifold) {
	rA, rB := k.A.Rounding(), k.B.Rounding()
	out.add(point{c.a.AddScaled(rA, c.n), c.b.AddScaled(-rB, c.n), c.n, c.s - rA - rB, 1})
}

// deepestOverFace returns the farthest point of a core along n over the face of the
// other, if one lies over it; of two such points the deeper. A curved rim reaches beyond
// the corners of its face.
func (k *cores) deepestOverFace(m *facePair) (p clipVertex, ok bool) {
	// The point of B over A's face.
	w := k.support(m.n)
	if len(m.A.q) >= 3 {
		at := [2]float64{m.t1.DotOf(&w.b), m.t2.DotOf(&w.b)}
		p, ok = clipVertex{q: at, hA: m.A.at(at), hB: m.n.DotOf(&w.b)}, contains(m.A.q, at, 1)
	}
	// The point of A under B's face.
	if len(m.B.q) >= 3 {
		at := [2]float64{m.t1.DotOf(&w.a), m.t2.DotOf(&w.a)}
		r := clipVertex{q: at, hA: m.n.DotOf(&w.a), hB: m.B.at(at)}
		if contains(m.B.q, at, -1) && (!ok || r.phi() < p.phi()) {
			p, ok = r, true
		}
	}
	return p, ok
}

// contains reports whether q lies in a convex polygon that turns as in clip.
func contains(poly [][2]float64, q [2]float64, turn float64) bool {
	for i := range poly {
		a, b := &poly[i], &poly[next(i, len(poly))]
		if turn*((b[0]-a[0])*(q[1]-a[1])-(b[1]-a[1])*(q[0]-a[0])) < 0 {
			return false
		}
	}
	return true
}

// locate finds the closest points, where only a normal that separates nearly as well was
// known.
func (k *cores) locate(c *closest) {
	if !c.located {
		*c, _ = k.closest(math.Inf(1))
	}
}

// faces returns the faces of A and B that face each other along n, in A.
func (k *cores) faces(n r3.Vec) (fA, fB Face) {
	fA, fB = k.A.Face(n), k.B.Face(k.X_AB.R.TMulVec(n.Neg()))
	for i := range fB.N {
		fB.P[i] = k.X_AB.Point(fB.P[i])
	}
	fB.Normal = k.X_AB.R.MulVec(fB.Normal)
	return fA, fB
}

// size returns the longest distance of a corner from the first, m; 0 for a corner.
func (f *Face) size() float64 {
	d := 0.0
	for _, p := range f.P[:f.N] {
		d = max(d, p.Sub(f.P[0]).Norm2())
	}
	return math.Sqrt(d)
}

// faceNormal returns the normal of the contact (2).
func (k *cores) faceNormal(c *closest, fA, fB *Face) r3.Vec {
	var blend, tau float64
	// Rounded shapes: the distance of the cores is positive and its normal exact.
	if k.A.Rounding()+k.B.Rounding() > 0 {
		blend = roundBias * max(fA.size(), fB.size())
		tau = blend
	} else {
		blend = bias(k.A.Bounds(), k.B.Bounds())
		tau = faceTau(blend, c.s)
	}
	nA, nB := fA.Normal, fB.Normal.Neg()
	sA, sB := math.Inf(-1), math.Inf(-1)
	// Separations along the normals of the faces.
	if fA.N >= 3 {
		sA = k.separation(nA)
	}
	if fB.N >= 3 {
		sB = k.separation(nB)
	}
	return c.towards(&nA, &nB, sA, sB, blend, tau)
}

// bias returns by how much another direction separates sharp shapes of the given bounds better, m, for a face's normal
// to be left.
func bias(a, b r3.Box) float64 { return faceBias * min(SizeOf(a), SizeOf(b)) }

// faceTau returns τ of sharp shapes of a bias that are s apart, m.
func faceTau(bias, s float64) float64 { return bias + faceBiasRel*math.Abs(s) }

// towards returns the normal turned to those of faces (2); sA and sB are the separations
// along them.
func (c *closest) towards(nA, nB *r3.Vec, sA, sB, blend, tau float64) r3.Vec {
	okA, okB := sA >= c.s-tau, sB >= c.s-tau
	switch {
	case okA && okB:
		w := min(max(0.5+(sA-sB)/(2*blend), 0), 1)
		var n r3.Vec
		n.SetScale(w, nA)
		n.IncScale(1-w, nB)
		_, n = direction(n)
		return n
	case okA:
		return *nA
	case okB:
		return *nB
	}
	return c.n
}

// heightFunction is a face as an affine height over the plane: h = h0 + g·(q − q0).
type heightFunction struct {
	q0, g [2]float64
	h0    float64
}

// at returns the height at q, m.
func (g *heightFunction) at(q [2]float64) float64 {
	return g.h0 + g.g[0]*(q[0]-g.q0[0]) + g.g[1]*(q[1]-g.q0[1])
}

// project sets the heights and corners of a face.
func (o *projectedFace) project(f *Face, m *facePair) {
	q := o.q
	for i := range q {
		p := &f.P[i]
		q[i] = [2]float64{m.t1.DotOf(p), m.t2.DotOf(p)}
	}
	o.q0, o.h0 = q[0], m.n.DotOf(&f.P[0])
	// The height of a polygon follows from its normal, that of an edge from its rise.
	if f.N >= 3 {
		c := f.Normal.DotOf(&m.n)
		o.g = [2]float64{-f.Normal.DotOf(&m.t1) / c, -f.Normal.DotOf(&m.t2) / c}
		return
	}
	if f.N < 2 {
		o.edgeOn = true
		return
	}
	d := [2]float64{q[1][0] - q[0][0], q[1][1] - q[0][1]}
	rise := m.n.Dot(f.P[1].Sub(f.P[0]))
	l2 := d[0]*d[0] + d[1]*d[1]
	// An edge within 6° of n has no height over the plane.
	if o.edgeOn = l2 < 1e-2*(l2+rise*rise); !o.edgeOn {
		o.g = [2]float64{d[0] * rise / l2, d[1] * rise / l2}
	}
}

// common sets the polygon to the intersection of two faces with at least two corners, and
// the heights of both at its corners.
func (f *clipPolygon) common(A, B *projectedFace) {
	f.n = 0
	if A.edgeOn || B.edgeOn {
		return
	}
	switch {
	case len(A.q) == 2 && len(B.q) == 2:
		f.sharedSegment(A.q, B.q)
	// B turns the other way, its normal being against n.
	case len(A.q) == 2:
		f.set(A.q)
		f.clip(B.q, -1)
	default:
		f.set(B.q)
		f.clip(A.q, 1)
	}
	// Both heights at each corner (1).
	for i := range f.n {
		p := &f.p[i]
		p.hA, p.hB = A.at(p.q), B.at(p.q)
	}
}
