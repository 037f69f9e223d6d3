package geometry

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// Contact of one triangle of a deformable surface with a signed distance field.
// The triangle is cut where the field, interpolated linearly between its
// corners, is 0 and where it is the margin:
//
//	overlap      φ ≤ 0                                               (1)
//	speculative  0 ≤ φ ≤ margin                                      (2)
//
// and each part makes one contact at its centroid, with its area: a linear
// pressure then gives the exact force, ∫ p dA = A p(centroid), and no part that
// pulls is weighed against one that pushes. The parts change continuously when a
// level passes a corner, and add up to the triangle where all of it is near.
//
// Where the field is not linear on the scale of the triangle the triangle is
// divided into four, and so on. With e_ij = φ_j − φ_i − ∇φ_i·(x_j − x_i) the
// error of the linear interpolation of a convex field is at most
//
//	max_j Σ_i e_ij / 3                                               (3)
//
// which is 0 on a flat shape and costs no further look at it. Across an edge of a
// shape with flat faces the field is the greatest of the tangents at the corners,
// across a concave edge the least,
//
//	φ(x) = max_i φ_i + ∇φ_i·(x − x_i)                                (4)
//
// and where the field bears this out the triangle is cut along the crease,
// exactly, instead of divided. As |∇φ| = 1, a part of radius r about its centre
// c has
//
//	φ ≥ φ(c) − r                                                     (5)
//
// so that what is far is dropped at once, while a ball, an edge or a needle that
// pokes through the middle of a large triangle is found, however small. For a
// quadratic field the mean over a whole triangle differs from the linear one
// by ¾ of the difference at the centre                               (6)

// field is a signed distance field in world coordinates, as a face with the
// outward unit normal facing_W sees it; a zero normal sees it plainly.
type field interface {
	at(p_W, facing_W r3.Vec) (phi float64, grad_W r3.Vec)
}

// turnsAway reports whether a face with that outward normal turns its back on
// the shape with the gradient.
func turnsAway(facing_W, grad_W r3.Vec) bool { return facing_W.Dot(grad_W) >= -cosTurnedAway }

const (
	// linearTol is the error of the distance, relative to the triangle's longest
	// edge, below which a smooth one counts as linear. 0.03 divides a triangle on a
	// ball of ten times its size once. Larger: fewer looks at the shape, rougher
	// force.
	linearTol = 0.03
	// facetTol is the same for (4), and for what is linear without a further look.
	facetTol = 0.002
	// farTol is added per metre that a part is surely away from the shape.
	farTol = 0.5
	// maxDivisions is how often a triangle may be halved: features down to 1/32
	// of it are resolved, smaller ones are represented by their deepest point.
	maxDivisions = 5
	// wrongWay is the least cosine between the outward normal of a face and −∇φ,
	// 112.5° apart: a face that turns its back on the shape is on the far side.
	cosTurnedAway = -0.38268343236508977
	// sameNormal is the least cosine between normals of parts that share a
	// contact, 30° apart.
	sameNormal = 0.8660254037844386
	// roundoff is the distance, relative to the longest edge, below which a
	// corner counts as on the surface, so that a face at rest is not cut up.
	roundoff = 1e-9
	// leastPart is the fraction of a triangle's area below which a part is dropped.
	leastPart = 1e-10
)

// sample is a point of the triangle and the field there.
type sample struct {
	w      [3]float64 // barycentric
	pos_W  r3.Vec
	phi    float64
	grad_W r3.Vec
}

// part is a piece of the triangle, or several of about the same normal.
type part struct {
	overlap bool       // (1), else (2)
	area    float64    // fraction of the triangle
	w       [3]float64 // centroid, barycentric; times area while summing
	phi     float64    // mean; times area while summing
	grad_W  r3.Vec     // mean; times area while summing
	first_W r3.Vec     // gradient of the first piece
}

// cutter cuts triangles one after the other; it is the scratch for that.
type cutter struct {
	field    field
	margin   float64
	corner_W [3]r3.Vec
	normal_W r3.Vec // outward, unit
	edge     float64
	parts    []part
}

// clip cuts the triangle with the given corner samples; the result is in parts
// until the next call. normal_W is its outward unit normal.
func (c *cutter) clip(a, b, d *sample, normal_W r3.Vec) []part {
	c.corner_W = [3]r3.Vec{a.pos_W, b.pos_W, d.pos_W}
	c.normal_W = normal_W
	c.edge = math.Sqrt(max(a.pos_W.Sub(b.pos_W).Norm2(), b.pos_W.Sub(d.pos_W).Norm2(), d.pos_W.Sub(a.pos_W).Norm2()))
	c.parts = c.parts[:0]
	c.divide(a, b, d, 0)
	for i := range c.parts {
		p := &c.parts[i]
		s := 1 / p.area
		p.w = [3]float64{p.w[0] * s, p.w[1] * s, p.w[2] * s}
		p.phi *= s
		p.grad_W = p.grad_W.Unit()
	}
	return c.parts
}

// look samples the field at barycentric weights.
func (c *cutter) sampleAt(s *sample, w0, w1, w2 float64) {
	a, b, d := &c.corner_W[0], &c.corner_W[1], &c.corner_W[2]
	s.w = [3]float64{w0, w1, w2}
	for k := range s.pos_W {
		s.pos_W[k] = w0*a[k] + w1*b[k] + w2*d[k]
	}
	s.phi, s.grad_W = c.field.at(s.pos_W, c.normal_W)
}

// between samples the field midway between two samples, the same bits in either
// order.
func (c *cutter) between(s, a, b *sample) {
	c.sampleAt(s, (a.w[0]+b.w[0])/2, (a.w[1]+b.w[1])/2, (a.w[2]+b.w[2])/2)
}

// middle samples the field at the centre of a sub-triangle.
func (c *cutter) middle(s, a, b, d *sample) {
	c.sampleAt(s, (a.w[0]+b.w[0]+d.w[0])/3, (a.w[1]+b.w[1]+d.w[1])/3, (a.w[2]+b.w[2]+d.w[2])/3)
}

// divide cuts the sub-triangle abd, in four where the field is not linear on it.
func (c *cutter) divide(a, b, d *sample, depth int) {
	var m sample
	c.middle(&m, a, b, d)
	r := math.Sqrt(max(a.pos_W.Sub(m.pos_W).Norm2(), b.pos_W.Sub(m.pos_W).Norm2(), d.pos_W.Sub(m.pos_W).Norm2()))
	low := m.phi - r // (5)
	if low > c.margin {
		return
	}
	bend := nonlinearity(a, b, d, &m)
	seen := min(a.phi, b.phi, d.phi) // what the linear field knows of
	lower := min(seen-bend, m.phi)
	hidden := seen > c.margin && lower <= c.margin || seen > 0 && lower <= 0
	far := farTol * max(0, low)
	if !hidden && bend <= facetTol*c.edge+far {
		c.cut(a, b, d, &m)
		return
	}
	var ab, bd, da sample
	c.between(&ab, a, b)
	c.between(&bd, b, d)
	c.between(&da, d, a)
	corners, looks, tol := [3]*sample{a, b, d}, [4]*sample{&m, &ab, &bd, &da}, facetTol*c.edge+far
	if hidden {
		tol = roundoff * c.edge // tangents alone must not make up a contact
	}
	switch convex, concave := areCreases(corners, looks, tol); {
	case convex && c.cutCrease(corners, 1, tol):
	case concave && c.cutCrease(corners, -1, tol):
	case !hidden && bend <= linearTol*c.edge+far && (low > 0 || isSmooth(corners)):
		c.cut(a, b, d, &m)
	case depth < maxDivisions:
		c.divide(a, &ab, &da, depth+1)
		c.divide(&ab, b, &bd, depth+1)
		c.divide(&da, &bd, d, depth+1)
		c.divide(&ab, &bd, &da, depth+1)
	case hidden:
		c.cutAtDeepest(a, b, d, &m)
	default:
		c.cut(a, b, d, &m)
	}
}

// isSmooth reports whether the corners see about the same normal.
func isSmooth(s [3]*sample) bool {
	return min(s[0].grad_W.Dot(s[1].grad_W), s[1].grad_W.Dot(s[2].grad_W), s[2].grad_W.Dot(s[0].grad_W)) >= sameNormal
}

// nonlinearity returns (3), or what the centre tells where that is more: the
// field of a shape that is not convex.
func nonlinearity(a, b, d, m *sample) float64 {
	e := func(i, j *sample) float64 { return math.Abs(j.phi - i.phi - i.rise(&j.pos_W)) }
	bound := max(e(b, a)+e(d, a), e(a, b)+e(d, b), e(a, d)+e(b, d)) / 3
	return max(bound, math.Abs(m.phi-(a.phi+b.phi+d.phi)/3))
}

// cutAtDeepest cuts a sub-triangle that is not to be divided further although
// its corners may not see the shape: as a tent with its tip at the deepest point.
func (c *cutter) cutAtDeepest(a, b, d, m *sample) {
	x := c.deepest(a, b, d, m)
	if x.phi >= min(a.phi, b.phi, d.phi) {
		c.cut(a, b, d, m)
		return
	}
	for _, s := range [3][2]*sample{{a, b}, {b, d}, {d, a}} {
		var mid sample
		c.middle(&mid, s[0], s[1], &x)
		c.cut(s[0], s[1], &x, &mid)
	}
}

// deepest returns a point of least distance in the sub-triangle by descent along
// the projected gradient, the step halved when it fails.
func (c *cutter) deepest(a, b, d, m *sample) sample {
	x := *m
	n := r3.TriangleNormal(a.pos_W, b.pos_W, d.pos_W).Unit()
	step := m.pos_W.Sub(a.pos_W).Norm()
	for range 12 {
		t := x.grad_W.AddScaled(-x.grad_W.Dot(n), n).Unit()
		_, v := r3.ClosestOnTriangle(x.pos_W.AddScaled(-step, t), a.pos_W, b.pos_W, d.pos_W)
		var w [3]float64
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

// cut adds the parts (1) and (2) of the sub-triangle abd with centre m.
func (c *cutter) cut(a, b, d, m *sample) {
	whole := polygon{n: 3}
	for k, s := range [3]*sample{a, b, d} {
		whole.v[k] = polygonVertex{s.w, s.phi}
	}
	if whole.below(roundoff * c.edge) {
		c.add(&whole, m, true, 1)
		return
	}
	size := whole.area()
	if p := whole.keep(0, 1); p.n > 2 {
		c.addCut(&p, true, size)
	}
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

// addCut adds a polygon whose centroid has yet to be sampled; size is the area
// of the sub-triangle it is cut from.
func (c *cutter) addCut(p *polygon, overlap bool, size float64) {
	if area := p.area(); area > leastPart {
		var m sample
		w := p.centroid()
		c.sampleAt(&m, w[0], w[1], w[2])
		c.add(p, &m, overlap, area/size)
	}
}

// add puts a polygon with centroid m to the parts; share is the fraction of the
// sub-triangle that it is.
func (c *cutter) add(p *polygon, m *sample, overlap bool, share float64) {
	area := p.area()
	if area <= leastPart || turnsAway(c.normal_W, m.grad_W) {
		return
	}
	linear := p.mean()
	phi := linear + (1-share/4)*(m.phi-linear) // (6)
	if phi > c.margin {
		return
	}
	into := c.partLike(overlap, m.grad_W)
	into.area += area
	for k := range into.w {
		into.w[k] += area * m.w[k]
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
