package geometry

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Contact of one triangle of a deformable surface with a signed distance field. The
// triangle is cut where the field, interpolated linearly between its corners, is 0 and
// where it is the margin:
//
//	overlap      φ ≤ 0                                               (1)
//	speculative  0 ≤ φ ≤ margin                                      (2)
//
// and each part makes one contact at its centroid, with its area: a linear pressure then
// gives the exact force, ∫ p dA = A p(centroid), and parts in contact and ahead of
// contact are never averaged. The parts change continuously when a level passes a corner,
// and add up to the triangle where all of it is near.
//
// Where the field is not linear on the scale of the triangle the triangle is divided into
// four, and so on. With e_ij = φ_j − φ_i − ∇φ_i·(x_j − x_i) the error of the linear
// interpolation of a convex field is at most
//
//	max_j Σ_i e_ij / 3                                               (3)
//
// which is 0 on a flat shape and costs no further sample of it. Across an edge of a shape
// with flat faces the field is the greatest of the tangents at the corners, across a
// concave edge the least,
//
//	φ(x) = max_i φ_i + ∇φ_i·(x − x_i)                                (4)
//
// and where samples confirm this the triangle is cut along the crease, exactly, instead
// of divided. As |∇φ| = 1, a part of radius r about its centre c has
//
//	φ ≥ φ(c) − r                                                     (5)
//
// so that parts that are far are dropped at once, while a ball, an edge or a needle that
// reaches through the middle of a large triangle is found, however small. For a quadratic
// field the mean over a whole triangle differs from the linear one by ¾ of the difference
// at the centre                               (6)

// field is a signed distance field in world coordinates for a face with the outward unit
// normal facing_W. A zero normal stands for the plain distance; with a normal, fields of
// thin walls measure the side that the face came from.
type field interface {
	at(p_W, facing_W r3.Vec) (phi float64, grad_W r3.Vec)
}

// bearing returns the share of its area with which the face is loaded in a field of gradient grad_W. A
// pressure acts along the face's normal, so that the sides of a pressed body carry nothing where
// they dip in; what they bore would strain the elements at its edges, by 1e-5 of the compression.
// All of the area counts up to 78° from the direction of contact, nothing from 87° on. Faces of linear
// tetrahedra are loaded on all of their area unless they are turned away: their strain is not that exact,
// and the reference solutions for them count the sides.
func (c *cutter) bearing(grad_W r3.Vec) float64 {
	if !c.products {
		if turnsAway(c.normal_W, grad_W) {
			return 0
		}
		return 1
	}
	return min(1, max(0, (-c.normal_W.Dot(grad_W)-leastFacing)/(fullFacing-leastFacing)))
}

// turnsAway reports whether a face with the outward normal facing_W is turned away from a
// shape with the gradient grad_W.
func turnsAway(facing_W, grad_W r3.Vec) bool { return facing_W.Dot(grad_W) >= -cosTurnedAway }

const (
	// linearTol is the error of the distance, relative to the triangle's longest edge or, of
	// large faces, to the least extent of the shape, below which a smooth field counts as linear. 0.03 divides a
	// triangle on a ball of ten times its size once. Larger values sample the shape less often and make the force
	// rougher.
	linearTol = 0.03
	// facetTol is the same for (4), and for fields that are linear without a further
	// sample.
	facetTol = 0.002
	// farTol is added per metre that a part is surely away from the shape.
	farTol = 0.5
	// maxDivisions is how often a triangle may be halved: features down to 1/32 of it, or of
	// the shape where the face is large, are resolved, smaller ones are represented by their
	// deepest point.
	maxDivisions = 5
	// mostDivisions is the same for large faces, which bounds the cost of shapes
	// thinner than 1/256 of them.
	mostDivisions = maxDivisions + 7
	// largeFace is the edge of a face, relative to the least extent of the shape, above which it is
	// large.
	largeFace = 2
	// cosTurnedAway is the least cosine between the outward normal of a face and −∇φ,
	// 112.5° apart: a face beyond that is on the far side of the shape.
	cosTurnedAway = -0.38268343236508977
	// leastFacing and fullFacing are the cosines between the outward normal of a face and −∇φ
	// from which on it is loaded, and is loaded on all of its area.
	leastFacing, fullFacing = 0.05, 0.2
	// sameNormal is the least cosine between normals of parts that share a contact, 30°
	// apart.
	sameNormal = 0.8660254037844386
	// roundoff is the distance, relative to the longest edge, below which a corner counts
	// as on the surface, so that a face at rest is not cut.
	roundoff = 1e-9
	// hiddenDepth is the depth between the corners of a triangle, over that at its corners, from which on
	// it is hidden.
	hiddenDepth = 2
	// leastPart is the fraction of a triangle's area below which a part is dropped.
	leastPart = 1e-10
)

// sample is a point of the triangle and the field there.
type sample struct {
	// barycentric weights
	w      [3]float64
	pos_W  r3.Vec
	phi    float64
	grad_W r3.Vec
}

// part is a piece of the triangle, or several pieces of about the same normal.
type part struct {
	// the part is (1), else (2)
	overlap bool
	// fraction of the triangle's area that is loaded
	area float64
	// barycentric weights of the centroid; times area while summing
	w [3]float64
	// mean products of the weights where cutter.products; times area while summing
	products products
	// mean distance, m; times area while summing
	phi float64
	// mean gradient; times area while summing
	grad_W r3.Vec
	// gradient of the first piece
	first_W r3.Vec
}

// cutter cuts triangles one after the other and has the working memory for that.
type cutter struct {
	field    field
	margin   float64
	corner_W [3]r3.Vec
	// outward, unit
	normal_W r3.Vec
	// least extent of the shape, m; +Inf where it is not known
	size float64
	// longest edge of the triangle, m, of large ones halved until they are not: the scale of tolerances
	edge float64
	// how often the triangle may be halved
	divisions int
	// whether the triangle has a parent face, which needs products
	products bool
	parts    []part
	// tangents on the sub-triangle in question
	level levelSet
	// pieces that made the parts, for derivatives; nil: they are not noted
	pieces *pieces
	// parts of a triangle nearby, for differences
	former []part
}

// clip cuts the triangle with the given corner samples; the parts are valid until the
// next call. normal_W is its outward unit normal.
func (c *cutter) clip(a, b, d *sample, normal_W r3.Vec) []part {
	c.corner_W = [3]r3.Vec{a.pos_W, b.pos_W, d.pos_W}
	c.normal_W = normal_W
	c.edge = math.Sqrt(max(a.pos_W.Sub(b.pos_W).Norm2(), b.pos_W.Sub(d.pos_W).Norm2(), d.pos_W.Sub(a.pos_W).Norm2()))
	// On a large face errors count relative to the shape: tolerances of a face of
	// 0.2 m exceed the depth to which a rim of 1 mm dents it, whose force would be lost.
	c.divisions = maxDivisions
	for c.edge > largeFace*c.size && c.divisions < mostDivisions {
		c.edge, c.divisions = c.edge/2, c.divisions+1
	}
	c.parts = c.parts[:0]
	c.pieces.reset()
	c.divideWhole(a, b, d, 0)
	// Sums become means.
	for i := range c.parts {
		p := &c.parts[i]
		s := 1 / p.area
		p.w = [3]float64{p.w[0] * s, p.w[1] * s, p.w[2] * s}
		p.phi *= s
		p.products = products{p.products[0] * s, p.products[1] * s, p.products[2] * s}
		p.grad_W = p.grad_W.Unit()
	}
	return c.parts
}

// sampleAt samples the field at barycentric weights.
func (c *cutter) sampleAt(s *sample, w0, w1, w2 float64) {
	a, b, d := &c.corner_W[0], &c.corner_W[1], &c.corner_W[2]
	s.w = [3]float64{w0, w1, w2}
	for k := range s.pos_W {
		s.pos_W[k] = w0*a[k] + w1*b[k] + w2*d[k]
	}
	s.phi, s.grad_W = c.field.at(s.pos_W, c.normal_W)
}

// between samples the field midway between two samples, with the same bits in either
// order.
func (c *cutter) between(s, a, b *sample) {
	c.sampleAt(s, (a.w[0]+b.w[0])/2, (a.w[1]+b.w[1])/2, (a.w[2]+b.w[2])/2)
}

// middle samples the field at the centre of a sub-triangle.
func (c *cutter) middle(s, a, b, d *sample) {
	c.sampleAt(s, (a.w[0]+b.w[0]+d.w[0])/3, (a.w[1]+b.w[1]+d.w[1])/3, (a.w[2]+b.w[2]+d.w[2])/3)
}

// divide cuts the sub-triangle a b d with centre m, in four where the field is not linear on it.
func (c *cutter) divide(a, b, d, m *sample, depth int) {
	r := math.Sqrt(max(a.pos_W.Sub(m.pos_W).Norm2(), b.pos_W.Sub(m.pos_W).Norm2(), d.pos_W.Sub(m.pos_W).Norm2()))
	// Far parts are dropped.
	low := m.phi - r // (5)
	if low > c.margin {
		return
	}
	corners, bend := [3]*sample{a, b, d}, nonlinearity(a, b, d, m)
	hidden := c.hides(&corners, m, bend)
	far := farTol * max(0, low)
	// Linear: no further samples.
	if !hidden && bend <= facetTol*c.edge+far {
		c.cut(a, b, d, m)
		return
	}
	tol := facetTol*c.edge + far
	if hidden {
		// Tangents alone must not make a contact.
		tol = roundoff * c.edge
	}
	smooth := !hidden && bend <= linearTol*c.edge+far && (low > 0 || isSmooth(corners))
	crease := creaseAt(corners, tol, m)
	// Three more samples distinguish creases from curved fields, and are corners of the four.
	var ab, bd, da sample
	if crease.any() || !smooth && depth < c.divisions {
		c.between(&ab, a, b)
		c.between(&bd, b, d)
		c.between(&da, d, a)
	}
	if crease.any() {
		crease = crease.and(creaseAt(corners, tol, &ab, &bd, &da))
	}
	// Along a crease, as a linear field, in four, or about the deepest point.
	switch {
	case c.cutAlong(crease, corners, tol):
	case smooth:
		c.cut(a, b, d, m)
	case depth < c.divisions:
		c.divideWhole(a, &ab, &da, depth+1)
		c.divideWhole(&ab, b, &bd, depth+1)
		c.divideWhole(&da, &bd, d, depth+1)
		c.divide(&ab, &bd, &da, m, depth+1) // which has the same centre
	case hidden:
		c.cutAtDeepest(a, b, d, m)
	default:
		c.cut(a, b, d, m)
	}
}

// divideWhole is divide of a sub-triangle whose centre has yet to be sampled.
func (c *cutter) divideWhole(a, b, d *sample, depth int) {
	var m sample
	c.middle(&m, a, b, d)
	c.divide(a, b, d, &m, depth)
}

// hides reports whether a sub-triangle hides a feature: a level lies between the least distance that the linear field
// has, and the least that there may be. So does depth beyond that of the corners: a corner that begins to touch must
// not take the place of a face that is pressed in between.
func (c *cutter) hides(corners *[3]*sample, m *sample, bend float64) bool {
	seen := min(corners[0].phi, corners[1].phi, corners[2].phi)
	level := c.levelBelow(seen)
	if m.phi <= level {
		return true
	}
	if seen-bend <= level {
		c.level.place(corners, m)
		return c.level.reaches(level)
	}
	return false
}

// levelBelow returns the level that is nearest below a distance: the margin or 0, else hiddenDepth times the distance.
func (c *cutter) levelBelow(phi float64) float64 {
	switch {
	case phi > c.margin:
		return c.margin
	case phi > 0:
		return 0
	}
	return hiddenDepth*phi - roundoff*c.edge
}

// isSmooth reports whether the gradients at the corners are about the same.
func isSmooth(s [3]*sample) bool {
	return min(s[0].grad_W.Dot(s[1].grad_W), s[1].grad_W.Dot(s[2].grad_W), s[2].grad_W.Dot(s[0].grad_W)) >= sameNormal
}

// nonlinearity returns (3), or the error at the centre where that is more: the field of a
// shape that is not convex.
func nonlinearity(a, b, d, m *sample) float64 {
	e := func(i, j *sample) float64 { return math.Abs(j.phi - i.phi - i.rise(&j.pos_W)) }
	bound := max(e(b, a)+e(d, a), e(a, b)+e(d, b), e(a, d)+e(b, d)) / 3
	return max(bound, math.Abs(m.phi-(a.phi+b.phi+d.phi)/3))
}

// cutAtDeepest cuts a sub-triangle that is not to be divided further although its corners
// may miss the shape: the field is that of a tent with its tip at the deepest point.
func (c *cutter) cutAtDeepest(a, b, d, m *sample) {
	x := c.deepest(a, b, d, m)
	if x.phi >= min(a.phi, b.phi, d.phi) {
		c.cut(a, b, d, m)
		return
	}
	c.pieces.follow()
	for _, s := range [3][2]*sample{{a, b}, {b, d}, {d, a}} {
		var mid sample
		c.middle(&mid, s[0], s[1], &x)
		c.cut(s[0], s[1], &x, &mid)
	}
}

// deepest returns a point of least distance in the sub-triangle by descent along the
// projected gradient; the step is halved when it fails.
func (c *cutter) deepest(a, b, d, m *sample) sample {
	x := *m
	n := r3.TriangleNormal(a.pos_W, b.pos_W, d.pos_W).Unit()
	step := m.pos_W.Sub(a.pos_W).Norm()
	for range 12 {
		// A step against the gradient within the plane, back into the sub-triangle.
		t := x.grad_W.AddScaled(-x.grad_W.Dot(n), n).Unit()
		_, v := r3.ClosestOnTriangle(x.pos_W.AddScaled(-step, t), a.pos_W, b.pos_W, d.pos_W)
		var w [3]float64
		// Weights of the whole triangle.
		for k := range w {
			w[k] = v[0]*a.w[k] + v[1]*b.w[k] + v[2]*d.w[k]
		}
		var y sample
		if c.sampleAt(&y, w[0], w[1], w[2]); y.phi < x.phi {
			x = y
		} else {
			step /= 2
		}
	}
	return x
}

// cut adds the parts (1) and (2) of the sub-triangle a b d with centre m.
func (c *cutter) cut(a, b, d, m *sample) {
	c.pieces.begin(a, b, d, noFacet, 0)
	whole := polygon{n: 3}
	for k, s := range [3]*sample{a, b, d} {
		whole.v[k] = polygonVertex{s.w, s.phi}
	}
	// All of it overlaps.
	if whole.below(roundoff * c.edge) {
		c.add(&whole, m, true, 1)
		return
	}
	size := whole.area()
	// The part that overlaps.
	if p := whole.keep(0, 1); p.n > 2 {
		c.addCut(&p, true, size)
	}
	// The part ahead, up to the margin.
	p := whole.keep(0, -1)
	if p.below(c.margin) {
		if whole.above(0) {
			c.add(&whole, m, false, 1)
			return
		}
	} else {
		p = p.keep(c.margin, 1)
	}
	if p.n > 2 {
		c.addCut(&p, false, size)
	}
}

// addCut adds a polygon whose centroid has yet to be sampled; size is the area of the
// sub-triangle it is cut from.
func (c *cutter) addCut(p *polygon, overlap bool, size float64) {
	if area := p.area(); area > leastPart {
		var m sample
		w := p.centroid()
		c.sampleAt(&m, w[0], w[1], w[2])
		c.add(p, &m, overlap, area/size)
	}
}

// add adds a polygon with centroid m to the parts; share is its fraction of the
// sub-triangle.
func (c *cutter) add(p *polygon, m *sample, overlap bool, share float64) {
	area := p.area() * c.bearing(m.grad_W)
	if area <= leastPart {
		return
	}
	linear := p.mean()
	phi := linear + (1-share/4)*(m.phi-linear) // (6)
	if phi > c.margin {
		return
	}
	// Pieces of about one normal are one part.
	into := c.partLike(overlap, m.grad_W)
	c.pieces.note(c, into, m, overlap, share)
	into.area += area
	for k := range into.w {
		into.w[k] += area * m.w[k]
	}
	if c.products {
		for b, x := range p.products() {
			into.products[b] += area * x
		}
	}
	into.phi += area * phi
	into.grad_W = into.grad_W.AddScaled(area, m.grad_W)
}

// partLike returns the part that a piece with the gradient belongs to.
func (c *cutter) partLike(overlap bool, grad_W r3.Vec) *part {
	for i := range c.parts {
		if q := &c.parts[i]; q.overlap == overlap && q.first_W.Dot(grad_W) >= sameNormal {
			return q
		}
	}
	c.parts = append(c.parts, part{overlap: overlap, first_W: grad_W})
	return &c.parts[len(c.parts)-1]
}
