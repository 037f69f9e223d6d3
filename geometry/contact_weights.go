package geometry

// Weights of the points of a contact manifold (contact patch of a pair of convex shapes).
// Each point has its weight times the stiffness of the materials, so that the stiffness
// of the contact does not depend on how many corners the intersection of two faces has:
//
//	Σ w_i = (1 + s_1)(1 + s_2),  s_j = min(1, l_j/(f·size))                (1)
//
// with l_j the lengths of the sides of the rectangle that has the area moments of the
// polygon: 4 on a face, 2 along an edge, 1 at a corner, as of a rectangle with a spring at
// each of its corners, a segment with two and a point. Below the share f of the size, l_j
// fades from one to the other.
//
// A polygon shares (1) out by Wachspress' coordinates of its centroid c: with the unit
// normals n_i of its edges and their distances h_i from c
//
//	w_i ∝ det(n_{i−1}, n_i)/(h_{i−1} h_i)                                  (2)
//
// They are equal for rectangles and regular polygons, have c as their mean, so that an even
// pressure has its moment, vanish at a corner that flattens, and those of two corners that
// merge add up to that of one: force and moment are continuous where the number of corners
// changes. (Wachspress 1975; Warren 1996.) In a polygon thinner than f·size they fade to
// halves at both ends of a segment.

import "math"

const (
	// thinShare is f of (1).
	thinShare = 0.02
	// endShare is the share of a thin polygon's length over which corners count as its end.
	endShare = 0.02
	// sameShare is the share of the size within which corners are one.
	sameShare = 1e-10
	// leastWeight is the weight below which a point is left out.
	leastWeight = 1e-9
)

// weigh sets the weights of the corners of the intersection of two faces; size is that of
// the smaller face, m.
func (f *clipPolygon) weigh(size float64) {
	f.dropRepeated(sameShare * size)
	p := f.p[:f.n]
	thin := thinShare * size
	switch len(p) {
	case 0:
	case 1:
		p[0].w = 1
	case 2:
		w := (1 + min(1, math.Hypot(p[1].q[0]-p[0].q[0], p[1].q[1]-p[0].q[1])/thin)) / 2
		p[0].w, p[1].w = w, w
	default:
		c, m := f.moments()
		s1, s2 := m.sides()
		s1, s2 = min(1, s1/thin), min(1, s2/thin)
		f.wachspress(c)
		if s2 < 1 {
			f.blendEnds(m.axis(), s2)
		}
		total := (1 + s1) * (1 + s2)
		for i := range p {
			p[i].w *= total
		}
	}
}

// weighEdge sets the weights of both ends of an edge over a half-space by (1). One that is seen shorter than f·size
// stands steeply, so that its lower end is loaded: it keeps the weight of a corner, and the other end has what (1) adds
// to it. With halves, the stiffness would fall to half as soon as a standing capsule leans.
func (f *clipPolygon) weighEdge(size float64) {
	low, high := &f.p[0], &f.p[1]
	if high.phi() < low.phi() {
		low, high = high, low
	}
	low.w, high.w = 1, min(1, math.Hypot(high.q[0]-low.q[0], high.q[1]-low.q[1])/(thinShare*size))
	if high.w < leastWeight {
		f.p[0], f.n = *low, 1
	}
}

// dropRepeated drops corners within r of the next one.
func (f *clipPolygon) dropRepeated(r float64) {
	m := 0
	for i := range f.n {
		a, b := &f.p[i].q, &f.p[next(i, f.n)].q
		if x, y := b[0]-a[0], b[1]-a[1]; x*x+y*y > r*r {
			if m < i {
				f.p[m] = f.p[i]
			}
			m++
		}
	}
	// all in one place
	f.n = max(m, min(1, f.n))
}

// areaMoments are the mean squares of the coordinates of a polygon about its centroid, m².
type areaMoments struct{ xx, xy, yy float64 }

// moments returns the centroid of the polygon and its moments; of one without area those of
// its corners.
func (f *clipPolygon) moments() (c [2]float64, m areaMoments) {
	o := f.p[0].q
	var area, sx, sy, xx, xy, yy float64
	// triangles from the first corner
	for i := 1; i+1 < f.n; i++ {
		ax, ay := f.p[i].q[0]-o[0], f.p[i].q[1]-o[1]
		bx, by := f.p[i+1].q[0]-o[0], f.p[i+1].q[1]-o[1]
		a := (ax*by - ay*bx) / 2
		area, sx, sy = area+a, sx+a*(ax+bx)/3, sy+a*(ay+by)/3
		// ∫ x² over a triangle with a corner at 0 is A (a² + ab + b²)/6
		xx += a * (ax*ax + ax*bx + bx*bx) / 6
		yy += a * (ay*ay + ay*by + by*by) / 6
		xy += a * (2*ax*ay + ax*by + bx*ay + 2*bx*by) / 12
	}
	// polygons of either orientation: the quotients have no sign
	if area == 0 {
		return o, areaMoments{}
	}
	x, y := sx/area, sy/area
	return [2]float64{o[0] + x, o[1] + y}, areaMoments{xx/area - x*x, xy/area - x*y, yy/area - y*y}
}

// sides returns the sides of the rectangle with these moments, the longer first, m. The
// moment of a side l is l²/12.
func (m areaMoments) sides() (long, short float64) {
	half := (m.xx - m.yy) / 2
	mean, d := (m.xx+m.yy)/2, math.Sqrt(half*half+m.xy*m.xy)
	return math.Sqrt(12 * max(0, mean+d)), math.Sqrt(12 * max(0, mean-d))
}

// axis returns the direction of the longer side.
func (m areaMoments) axis() [2]float64 {
	sin, cos := math.Sincos(math.Atan2(2*m.xy, m.xx-m.yy) / 2)
	return [2]float64{cos, sin}
}

// wachspress sets the weights (2), of sum 1.
func (f *clipPolygon) wachspress(c [2]float64) {
	p := f.p[:f.n]
	n := len(p)
	sum := 0.0
	// the edge before corner i, and twice the area between it and c: by differences of
	// corners, which have their digits where an edge is short
	ex, ey := p[0].q[0]-p[n-1].q[0], p[0].q[1]-p[n-1].q[1]
	before := (p[n-1].q[0]-c[0])*ey - (p[n-1].q[1]-c[1])*ex
	for i := range p {
		q, d := &p[i].q, &p[next(i, n)].q
		fx, fy := d[0]-q[0], d[1]-q[1]
		after := (q[0]-c[0])*fy - (q[1]-c[1])*fx
		// twice the area of the three corners; all three have the sign of the orientation
		w := 0.0
		if product := before * after; product > 0 {
			w = math.Abs(ex*fy-ey*fx) / product
		}
		p[i].w = w
		sum += w
		ex, ey, before = fx, fy, after
	}
	if !(sum > 0) || math.IsInf(sum, 1) { // no area: all alike
		for i := range p {
			p[i].w = 1 / float64(len(p))
		}
		return
	}
	for i := range p {
		p[i].w /= sum
	}
}

// blendEnds mixes the weights, by the share s, with halves at both ends of the polygon along
// an axis.
func (f *clipPolygon) blendEnds(axis [2]float64, s float64) {
	p := f.p[:f.n]
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range p {
		x := axis[0]*p[i].q[0] + axis[1]*p[i].q[1]
		lo, hi = min(lo, x), max(hi, x)
	}
	end := endShare * (hi - lo)
	if !(end > 0) {
		return
	}
	// how much of an end each corner is
	share := func(x, at float64) float64 { return max(0, 1-math.Abs(x-at)/end) }
	var sumLo, sumHi float64
	for i := range p {
		x := axis[0]*p[i].q[0] + axis[1]*p[i].q[1]
		sumLo, sumHi = sumLo+share(x, lo), sumHi+share(x, hi)
	}
	for i := range p {
		x := axis[0]*p[i].q[0] + axis[1]*p[i].q[1]
		p[i].w = s*p[i].w + (1-s)*(share(x, lo)/sumLo+share(x, hi)/sumHi)/2
	}
}

// extraWeight is the weight of a point of gap phi that joins a polygon whose least gap is
// least: 1 where no corner overlaps, falling to 0 as the corners get as deep.
func extraWeight(phi, least float64) float64 {
	if phi >= 0 || least >= 0 {
		return 1
	}
	return max(0, 1-least/phi)
}
