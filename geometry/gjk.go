package geometry

// Distance of two convex cores by the GJK algorithm with support functions (Gilbert,
// Johnson, Keerthi 1988; in the form of van den Bergen 2003). With A and B the cores
// and D = {b − a} their Minkowski difference,
//
//	v = argmin |v|, v ∈ D             x_B − x_A of the closest points  (1)
//	s(n) = min n·b − max n·a          separation along a unit n        (2)
//	s(n) ≤ |v|, equal at n = v/|v|                                     (3)
//
// A simplex of points of D moves towards the origin: each round adds the point of D
// farthest against v, the support point of −v, and keeps the part of the simplex that is
// nearest to the origin. (3) bounds the error of every round.
//
//	A, B     cores of the shapes, in the frame of A; a shape is its core and all
//	         points within Rounding of it
//	v        the point of the simplex nearest to the origin, m
//	n, s     unit normal from A to B, and the separation along it, m

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const (
	// gjkRounds bounds the rounds; polytopes need about ten, curved cores thirty.
	gjkRounds = 64
	// gjkTol ends the search when the squared distance is known to this fraction. The
	// direction is then good to its root; round-off ends most searches earlier.
	gjkTol = 1e-15
	// touchTol is the fraction of the size of the pair below which a distance has lost
	// its direction and the cores count as overlapping.
	touchTol = 1e-12
	// polishGap is the fraction of the size of the pair by which polish separates curved
	// cores: small against radii of curvature, large against round-off.
	polishGap = 1e-2
	// polishRounds bounds the rounds of polish.
	polishRounds = 12
)

// cores is a pair of convex cores in the frame of A.
type cores struct {
	A, B SupportMap
	X_AB r3.Pose
	// searches continue to round-off, without smoothNormal; nested ones also without polish
	plain, nested bool
	// what is known of their distance, and where that is kept; nil: nothing
	distance *coreDistance
}

// supportPoint is a point w = b − a of D with the points of A and B it comes from, in A.
type supportPoint struct{ w, a, b r3.Vec }

// support returns the point of D farthest against n: it comes from the point of A
// farthest along n and the point of B farthest against n.
func (k *cores) support(n r3.Vec) (c supportPoint) {
	var m r3.Vec
	// Directions turn into B's frame, points back into A's.
	m.SetTMul(&k.X_AB.R, &n)
	c.a = k.A.Support(n)
	c.b = k.B.Support(r3.Vec{-m[0], -m[1], -m[2]})
	c.b.SetPoint(&k.X_AB, &c.b)
	c.w.SetSub(&c.b, &c.a)
	return c
}

// separation returns s(n) for a unit n (2), m.
func (k *cores) separation(n r3.Vec) float64 { return n.Dot(k.support(n).w) }

// closest is the answer about two cores, in A's frame: b − a = s·n.
type closest struct {
	// distance, or the negative depth of overlap, m
	s float64
	// unit normal, from A to B
	n r3.Vec
	// closest points of the cores, valid if located
	a, b    r3.Vec
	located bool
}

// closest returns the closest points of the cores, or for overlapping cores the points
// that the least translation brings to touch. It returns ok = false when the cores are
// known to be farther apart than reach (m), by s at least.
func (k *cores) closest(reach float64) (c closest, ok bool) {
	tol := gjkTol
	if k.isCurved() {
		tol = coarseTol
	}
	var sx simplex
	// Start with the support point of the line between the origins.
	_, dir := direction(k.X_AB.P)
	sx.v[0], sx.w[0], sx.n = k.support(dir), 1, 1
	v := sx.v[0].w
	scale := sx.v[0].size()
	for range gjkRounds {
		d := v.Norm()
		// The origin lies on the simplex: the cores touch or overlap.
		if d <= touchTol*scale {
			return k.penetration(&sx), true
		}
		c := k.support(v)
		scale = max(scale, c.size())
		vw := v.Dot(c.w)
		if vw > reach*d {
			return closest{s: vw / d}, false // by (3)
		}
		// The support point is a corner of the simplex: v is exact.
		if sx.has(c.w) {
			return sx.answer(v), true // a corner, known: exact
		}
		// v is as good as the tolerance or round-off allow.
		if d*d-vw <= tol*d*d+2e-16*scale*d {
			break
		}
		// Add the support point and keep the part of the simplex nearest to the origin.
		next := sx
		next.v[next.n] = c
		next.n++
		u, inside := next.reduce()
		if inside {
			return k.penetration(&next), true
		}
		if u.Norm2() >= v.Norm2() {
			break // no progress: round-off
		}
		sx, v = next, u
	}
	// The direction is inexact, of polytopes only where they nearly touch.
	c = sx.answer(v)
	if tol == coarseTol {
		// what n separates: the distance so far is an upper bound, which no normal attains
		c.s = k.separation(c.n)
		if !k.smoothNormal(&c, scale) {
			exact := *k
			exact.plain = true
			return exact.closest(reach)
		}
	}
	if tol == gjkTol && c.s < polishGap*scale && !k.nested {
		k.polish(&c, scale)
	}
	return c, true
}

// polish sharpens the normal of curved cores that overlap or nearly touch, whose distance
// is too small for its direction to be exact. With B moved out along n by a fair
// distance, the normal of the closest points is nearer to the true one: its error shrinks
// by the ratio of that distance to itself plus the radius of curvature. Where that is
// slow, the steps form a geometric series and are summed (Aitken's extrapolation).
func (k *cores) polish(c *closest, scale float64) {
	out := *k
	out.plain, out.nested = true, true
	// The separation that n stands for, to compare with.
	c.s = k.separation(c.n)
	c.b = c.a.AddScaled(c.s, c.n)
	// Length of the step before; 0 when it is not to be used for extrapolation.
	last := 0.0
	for range polishRounds {
		// Move B out, and take the normal of the closest points there.
		out.X_AB.P = k.X_AB.P.AddScaled(2*polishGap*scale-c.s, c.n)
		d, ok := out.closest(math.Inf(1))
		if !ok || d.s <= polishGap*scale {
			return
		}
		// A normal that separates less is worse: round-off.
		s := k.separation(d.n)
		if s < c.s-1e-15*scale {
			return
		}
		step := d.n.Sub(c.n)
		turn := step.Norm()
		*c = closest{s, d.n, d.a, d.a.AddScaled(s, d.n), true}
		if turn < 1e-9 {
			return
		}
		// The ratio of successive steps of a geometric series.
		q := turn / last
		last = turn
		if q < 0.97 && q > 0.1 {
			// Its limit is tried, and kept where it separates more.
			_, n := direction(c.n.AddScaled(q/(1-q), step))
			if s := k.separation(n); s > c.s {
				c.s, c.n, last = s, n, 0
				c.b = c.a.AddScaled(s, n)
			}
		}
	}
}

// size returns the largest coordinate behind c.w, m: round-off is relative to it.
func (c *supportPoint) size() float64 {
	m := 0.0
	for i := range c.w {
		m = max(m, math.Abs(c.a[i]), math.Abs(c.b[i]), math.Abs(c.w[i]))
	}
	return m
}

// simplex is one to four points of D and the weights of the point nearest to the origin.
type simplex struct {
	v [4]supportPoint
	w [4]float64
	n int
}

// has reports whether a point is a corner of the simplex.
func (s *simplex) has(w r3.Vec) bool {
	for i := range s.n {
		if s.v[i].w == w {
			return true
		}
	}
	return false
}

// answer makes the answer for separated cores from the nearest point v. The normal of an
// edge or a triangle is computed from its sides, which unlike v do not shrink with the
// gap.
func (s *simplex) answer(v r3.Vec) closest {
	d, n := direction(v)
	switch s.n {
	// Square to the edge.
	case 2:
		_, e := direction(s.v[1].w.Sub(s.v[0].w))
		_, n = direction(n.AddScaled(-n.Dot(e), e))
	// The normal of the triangle, unless the triangle is degenerate.
	case 3:
		var m r3.Vec
		normalOf(&m, &s.v[0].w, &s.v[1].w, &s.v[2].w)
		if _, m = direction(m); math.Abs(m.Dot(n)) > 0.5 {
			n = m.Scale(sign(m.Dot(n)))
		}
	}
	a := s.point()
	return closest{d, n, a, a.AddScaled(d, n), true}
}

// point returns the point of A at the weights.
func (s *simplex) point() r3.Vec {
	var a r3.Vec
	for i := range s.n {
		a = a.AddScaled(s.w[i], s.v[i].a)
	}
	return a
}

// carrier is the corner, edge or face of a simplex that contains its point nearest to the
// origin, v, with the weights of v.
type carrier struct {
	n int
	i [3]int
	w [3]float64
	v r3.Vec
}

// reduce shrinks the simplex to its carrier and returns the point nearest to the origin,
// or reports that the origin is inside.
func (s *simplex) reduce() (v r3.Vec, inside bool) {
	var p carrier
	switch s.n {
	case 1:
		s.corner(0, &p)
	case 2:
		s.segment(0, 1, &p)
	case 3:
		s.triangle(0, 1, 2, &p)
	default:
		if s.tetrahedron(&p) {
			return v, true
		}
	}
	var t simplex
	// Keep the corners of the carrier.
	for k := range p.n {
		t.v[k], t.w[k] = s.v[p.i[k]], p.w[k]
	}
	t.n = p.n
	*s = t
	return p.v, false
}

// corner makes corner i the carrier.
func (s *simplex) corner(i int, p *carrier) {
	p.n, p.i[0], p.w[0], p.v = 1, i, 1, s.v[i].w
}

// segment makes p the carrier on the edge from i to j: the edge itself or one of its
// ends.
func (s *simplex) segment(i, j int, p *carrier) {
	a := &s.v[i].w
	var ab r3.Vec
	ab.SetSub(&s.v[j].w, a)
	t := -a.DotOf(&ab)
	l := ab.DotOf(&ab)
	switch {
	case t <= 0:
		s.corner(i, p)
		return
	case t >= l:
		s.corner(j, p)
		return
	}
	t /= l
	p.n, p.i[0], p.i[1], p.w[0], p.w[1] = 2, i, j, 1-t, t
	p.v.SetScale(t, &ab)
	p.v.IncScale(1, a)
}

// normalOf sets n to (b−a)×(c−a), computed from the two shortest sides: the product of
// long sides that are nearly parallel would lose the direction.
func normalOf(n, a, b, c *r3.Vec) {
	var ab, bc, ca r3.Vec
	ab.SetSub(b, a)
	bc.SetSub(c, b)
	ca.SetSub(a, c)
	x, y, z := ab.DotOf(&ab), bc.DotOf(&bc), ca.DotOf(&ca)
	// Leave out the longest side.
	switch {
	case y >= x && y >= z:
		n.SetCross(&ca, &ab)
	case z >= x:
		n.SetCross(&ab, &bc)
	default:
		n.SetCross(&bc, &ca)
	}
}

// triangle makes p the carrier on the triangle i j k: the weights of the origin's
// projection are n·(b×c) and so on, over their sum.
func (s *simplex) triangle(i, j, k int, p *carrier) {
	a, b, c := &s.v[i].w, &s.v[j].w, &s.v[k].w
	var n, x r3.Vec
	normalOf(&n, a, b, c)
	x.SetCross(b, c)
	wa := n.DotOf(&x)
	x.SetCross(c, a)
	wb := n.DotOf(&x)
	x.SetCross(a, b)
	wc := n.DotOf(&x)
	if sum := wa + wb + wc; wa > 0 && wb > 0 && wc > 0 {
		p.n, p.i, p.w = 3, [3]int{i, j, k}, [3]float64{wa / sum, wb / sum, wc / sum}
		p.v.SetScale(n.DotOf(a)/n.DotOf(&n), &n)
		return
	}
	// Outside of the triangle, or the triangle is degenerate: the nearest point lies on
	// an edge.
	s.segment(i, j, p)
	var q carrier
	for _, e := range [2][2]int{{j, k}, {k, i}} {
		if s.segment(e[0], e[1], &q); q.v.DotOf(&q.v) < p.v.DotOf(&p.v) {
			*p = q
		}
	}
}

// tetrahedron makes p the carrier on the surface of the tetrahedron, or reports that the
// origin is inside.
func (s *simplex) tetrahedron(p *carrier) (inside bool) {
	inside = true
	var q carrier
	for _, f := range [4][4]int{{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}} {
		a := &s.v[f[0]].w
		var n, up r3.Vec
		normalOf(&n, a, &s.v[f[1]].w, &s.v[f[2]].w)
		up.SetSub(&s.v[f[3]].w, a)
		// A face whose apex lies on the side of the origin cannot be nearest. A flat
		// tetrahedron has no inside.
		if origin, apex := -n.DotOf(a), n.DotOf(&up); origin*apex > 0 {
			continue
		}
		// Of the faces that see the origin the nearest one counts.
		if s.triangle(f[0], f[1], f[2], &q); inside || q.v.DotOf(&q.v) < p.v.DotOf(&p.v) {
			*p, inside = q, false
		}
	}
	return inside
}
