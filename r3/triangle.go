package r3

// Closest points. A point of a triangle is given by its barycentric weights,
//
//	q = w_0 a + w_1 b + w_2 c,   w_0 + w_1 + w_2 = 1                         (1)
//
// Which vertex, edge or face is closest to a point p follows from the signs of scalar
// products with the edges (Voronoi regions).
//
// Source: Ericson, "Real-Time Collision Detection", 2005, sections 5.1.5 and 5.1.9.

// ClosestOnSegment returns the point q = a + t(b − a), t ∈ [0, 1], closest to p.
// For a segment of length zero it returns a and t = 0.
func ClosestOnSegment(p, a, b Vec) (q Vec, t float64) {
	d := b.Sub(a)
	l2 := d.Norm2()
	if l2 == 0 {
		return a, 0
	}
	t = p.Sub(a).Dot(d) / l2
	switch {
	case !(t > 0):
		return a, 0
	case t >= 1:
		return b, 1
	}
	return a.AddScaled(t, d), t
}

// ClosestOnSegments returns the parameters s, t ∈ [0, 1] of the points p0 + s(p1 −
// p0) and q0 + t(q1 − q0) that are closest to each other. For parallel segments it
// returns one of the closest pairs (Ericson 2005, §5.1.9).
func ClosestOnSegments(p0, p1, q0, q1 Vec) (s, t float64) {
	d1, d2, r := p1.Sub(p0), q1.Sub(q0), p0.Sub(q0)
	a, e, f := d1.Norm2(), d2.Norm2(), d2.Dot(r)
	switch {
	case a == 0 && e == 0:
		return 0, 0
	case a == 0:
		return 0, clamp01(f / e)
	case e == 0:
		return clamp01(-d1.Dot(r) / a), 0
	}
	// closest points of the lines, then of segments where t leaves [0, 1]
	c, b := d1.Dot(r), d1.Dot(d2)
	if den := a*e - b*b; den > 1e-14*a*e {
		s = clamp01((b*f - c*e) / den)
	}
	t = (b*s + f) / e
	switch {
	case t < 0:
		return clamp01(-c / a), 0
	case t > 1:
		return clamp01((b - c) / a), 1
	}
	return s, t
}

// clamp01 returns the number of [0, 1] nearest to x.
func clamp01(x float64) float64 { return max(0, min(1, x)) }

// TriangleNormal returns (b − a)×(c − a): the normal by the right-hand rule,
// twice the area long.
func TriangleNormal(a, b, c Vec) Vec { return b.Sub(a).Cross(c.Sub(a)) }

// slender is the ratio of area to squared longest edge below which a triangle
// counts as a segment: its plane is not known to the precision of a float64.
const slender = 1e-12

// ClosestOnTriangle returns the point q of the triangle abc closest to p and its
// barycentric weights, q = w[0]a + w[1]b + w[2]c. Weights of vertices outside
// the closest feature (vertex, edge or face) are exactly 0. Any triangle is
// allowed, also one of no area (Ericson 2005, §5.1.5: seven Voronoi regions).
func ClosestOnTriangle(p, a, b, c Vec) (q Vec, w [3]float64) {
	// Searches call this a hundred thousand times a step: components are variables, which stay
	// in registers where vectors do not.
	ux, uy, uz := b[0]-a[0], b[1]-a[1], b[2]-a[2] // ab
	vx, vy, vz := c[0]-a[0], c[1]-a[1], c[2]-a[2] // ac
	if isSlender(ux, uy, uz, vx, vy, vz, &b, &c) {
		return closestOnEdges(p, a, b, c)
	}
	// vertex a
	x, y, z := p[0]-a[0], p[1]-a[1], p[2]-a[2]
	d1, d2 := ux*x+uy*y+uz*z, vx*x+vy*y+vz*z
	if d1 <= 0 && d2 <= 0 {
		return a, [3]float64{1, 0, 0}
	}
	// vertex b, edge ab
	x, y, z = p[0]-b[0], p[1]-b[1], p[2]-b[2]
	d3, d4 := ux*x+uy*y+uz*z, vx*x+vy*y+vz*z
	if d3 >= 0 && d4 <= d3 {
		return b, [3]float64{0, 1, 0}
	}
	vc := d1*d4 - d3*d2
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		t := d1 / (d1 - d3)
		return Vec{a[0] + t*ux, a[1] + t*uy, a[2] + t*uz}, [3]float64{1 - t, t, 0}
	}
	// vertex c, edges ac and bc
	x, y, z = p[0]-c[0], p[1]-c[1], p[2]-c[2]
	d5, d6 := ux*x+uy*y+uz*z, vx*x+vy*y+vz*z
	if d6 >= 0 && d5 <= d6 {
		return c, [3]float64{0, 0, 1}
	}
	vb := d5*d2 - d1*d6
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		t := d2 / (d2 - d6)
		return Vec{a[0] + t*vx, a[1] + t*vy, a[2] + t*vz}, [3]float64{1 - t, 0, t}
	}
	va := d3*d6 - d5*d4
	if va <= 0 && d4 >= d3 && d5 >= d6 {
		t := (d4 - d3) / ((d4 - d3) + (d5 - d6))
		return b.AddScaled(t, c.Sub(b)), [3]float64{0, 1 - t, t}
	}
	// face
	den := 1 / (va + vb + vc)
	w0, w1, w2 := va*den, vb*den, vc*den
	return Vec{a[0] + w1*ux + w2*vx, a[1] + w1*uy + w2*vy, a[2] + w1*uz + w2*vz}, [3]float64{w0, w1, w2}
}

// isSlender reports whether the triangle of the edges u = ab and v = ac is slender.
func isSlender(ux, uy, uz, vx, vy, vz float64, b, c *Vec) bool {
	nx, ny, nz := uy*vz-uz*vy, uz*vx-ux*vz, ux*vy-uy*vx
	n2, ab2, ac2 := nx*nx+ny*ny+nz*nz, ux*ux+uy*uy+uz*uz, vx*vx+vy*vy+vz*vz
	// bc is at most as long as ab and ac together, so that its square is at most twice their sum
	if l2 := 2 * (ab2 + ac2); n2 > 1.1*slender*slender*l2*l2 {
		return false
	}
	l2 := max(ab2, ac2, b.Sub(*c).Norm2())
	return n2 <= slender*slender*l2*l2
}

// closestOnEdges is ClosestOnTriangle for a triangle of no area.
func closestOnEdges(p, a, b, c Vec) (Vec, [3]float64) {
	q, t := ClosestOnSegment(p, a, b)
	w, best := [3]float64{1 - t, t, 0}, p.Sub(q).Norm2()
	if r, t := ClosestOnSegment(p, b, c); p.Sub(r).Norm2() < best {
		q, w, best = r, [3]float64{0, 1 - t, t}, p.Sub(r).Norm2()
	}
	if r, t := ClosestOnSegment(p, c, a); p.Sub(r).Norm2() < best {
		q, w = r, [3]float64{t, 0, 1 - t}
	}
	return q, w
}

// Barycentric returns the weights of p's projection onto the plane of abc: w[0]a +
// w[1]b + w[2]c, summing to 1, negative outside. For a triangle of zero area all
// weights are 1/3.
func Barycentric(p, a, b, c Vec) [3]float64 {
	n := TriangleNormal(a, b, c)
	n2 := n.Norm2()
	if n2 == 0 {
		return [3]float64{1. / 3, 1. / 3, 1. / 3}
	}
	v := TriangleNormal(p, c, a).Dot(n) / n2
	w := TriangleNormal(p, a, b).Dot(n) / n2
	return [3]float64{1 - v - w, v, w}
}

// Combine returns w[0]a + w[1]b + w[2]c.
func Combine(w [3]float64, a, b, c Vec) Vec {
	return a.Scale(w[0]).AddScaled(w[1], b).AddScaled(w[2], c)
}
