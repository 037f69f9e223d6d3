package geometry

// polygon is a convex polygon on a triangle, in barycentric weights, with the linearly
// interpolated distance at its vertices. Each cut adds one vertex to those of the
// triangle: two cuts along creases, two at levels.
//
// Lengths and areas are relative to the triangle: with the weights w of three vertices,
// the area is a determinant,
//
//	area(a, b, c) = (b₁ − a₁)(c₂ − a₂) − (c₁ − a₁)(b₂ − a₂)               (1)
//
// and centroids and means are sums over a fan of triangles about vertex 0.
type polygon struct {
	n int
	v [7]polygonVertex
}

// polygonVertex is a vertex of a polygon: barycentric weights and the distance, m.
type polygonVertex struct {
	w   [3]float64
	phi float64
}

// below reports whether all distances are at most level.
func (p *polygon) below(level float64) bool {
	for i := range p.n {
		if p.v[i].phi > level {
			return false
		}
	}
	return true
}

// above reports whether all distances are at least level.
func (p *polygon) above(level float64) bool {
	for i := range p.n {
		if p.v[i].phi < level {
			return false
		}
	}
	return true
}

// keep returns the part where side·φ ≤ side·level.
func (p *polygon) keep(level, side float64) (q polygon) {
	for i := range p.n {
		// Side by side, so that corners stay in order.
		a, b := &p.v[i], &p.v[(i+1)%p.n]
		q.cross(a, b, side*(a.phi-level), side*(b.phi-level), level)
	}
	return q
}

// keepWhere returns the part where a linear function, given by its values at the corners
// of the triangle, is not positive; distances are left out.
func (p *polygon) keepWhere(f [3]float64) (q polygon) {
	// The function at a vertex.
	value := func(v *polygonVertex) float64 { return f[0]*v.w[0] + f[1]*v.w[1] + f[2]*v.w[2] }
	for i := range p.n {
		a, b := &p.v[i], &p.v[(i+1)%p.n]
		q.cross(a, b, value(a), value(b), 0)
	}
	return q
}

// cross adds the part of the side from a to b on which a linear function with the values
// da and db at its ends is not positive; phi is the distance where it is 0.
func (p *polygon) cross(a, b *polygonVertex, da, db, phi float64) {
	if da <= 0 {
		p.push(*a)
	}
	if da < 0 && db > 0 || da > 0 && db < 0 {
		// The zero between the ends, by linear interpolation.
		t, c := da/(da-db), polygonVertex{phi: phi}
		for k := range c.w {
			c.w[k] = a.w[k] + t*(b.w[k]-a.w[k])
		}
		p.push(c)
	}
}

// push adds a vertex, unless there is no room.
func (p *polygon) push(v polygonVertex) {
	if p.n < len(p.v) {
		p.v[p.n] = v
		p.n++
	}
}

// fan returns the area of vertices 0, i, i+1 as a fraction of the triangle, times the
// orientation.
func (p *polygon) fan(i int) float64 {
	// (1)
	a, b, c := &p.v[0].w, &p.v[i].w, &p.v[i+1].w
	return (b[1]-a[1])*(c[2]-a[2]) - (c[1]-a[1])*(b[2]-a[2])
}

// area returns the area as a fraction of the triangle.
func (p *polygon) area() float64 {
	s := 0.0
	for i := 1; i+1 < p.n; i++ {
		s += p.fan(i)
	}
	return max(s, -s)
}

// centroid returns the barycentric weights of the centroid; the area must not be 0.
func (p *polygon) centroid() (w [3]float64) {
	for i := 1; i+1 < p.n; i++ {
		// Weights of each triangle of the fan: its area times three times its centroid.
		s := p.fan(i)
		for k := range w {
			w[k] += s * (p.v[0].w[k] + p.v[i].w[k] + p.v[i+1].w[k])
		}
	}
	s := 1 / (w[0] + w[1] + w[2])
	return [3]float64{w[0] * s, w[1] * s, w[2] * s}
}

// mean returns the mean of the linear distance over the area, m; the area must not be 0.
func (p *polygon) mean() float64 {
	sum, area := 0.0, 0.0
	for i := 1; i+1 < p.n; i++ {
		s := p.fan(i)
		area += s
		sum += s * (p.v[0].phi + p.v[i].phi + p.v[i+1].phi) / 3
	}
	return sum / area
}
