package geometry

// The intersection of two faces as seen along their normal: a convex polygon of the plane
// whose corners carry the heights of both faces.

import "math"

// clipVertex is a corner of the intersection: its place in the plane and the heights of
// both faces along n, m.
type clipVertex struct {
	q      [2]float64
	hA, hB float64
	w      float64 // weight, see contact_weights.go
}

// phi returns the gap at the corner, m.
func (m *clipVertex) phi() float64 { return m.hB - m.hA }

// clipPolygon is a convex polygon of the plane, counter-clockwise, or a segment, in two
// buffers for the corners of both faces.
type clipPolygon struct {
	n      int
	p, old []clipVertex
}

// set makes the polygon one with the given corners.
func (f *clipPolygon) set(q [][2]float64) {
	f.n = len(q)
	for i, x := range q {
		f.p[i].q = x
	}
}

// clip cuts the polygon by the edges of a convex polygon that turns counter-clockwise for
// turn = 1, clockwise for −1 (Sutherland and Hodgman 1974).
func (f *clipPolygon) clip(poly [][2]float64, turn float64) {
	// One half-plane per edge.
	for i := range poly {
		a, b := &poly[i], &poly[next(i, len(poly))]
		ex, ey := turn*(b[0]-a[0]), turn*(b[1]-a[1])
		// Positive on the inner side of the edge, m².
		inside := func(q *[2]float64) float64 { return ex*(q[1]-a[1]) - ey*(q[0]-a[0]) }
		// The buffers change roles: old is read, p is written.
		f.p, f.old = f.old, f.p
		old := f.old[:f.n]
		f.n = 0
		last := len(old)
		if last == 2 {
			// A segment has one edge, not two.
			last = 1
		}
		sq := inside(&old[0].q)
		for j := range last {
			p, q := &old[j].q, &old[next(j, len(old))].q
			// Heights of both ends; that of the first is known from the side before.
			sp := sq
			sq = inside(q)
			// Inner corners stay, and crossings of the edge are added.
			if sp >= 0 {
				f.push(p[0], p[1])
			}
			if (sp < 0) != (sq < 0) && sp != 0 && sq != 0 {
				// The crossing, by linear interpolation.
				t := sp / (sp - sq)
				f.push(p[0]+t*(q[0]-p[0]), p[1]+t*(q[1]-p[1]))
			}
			// The far end of a segment.
			if len(old) == 2 && sq >= 0 {
				f.push(q[0], q[1])
			}
		}
		if f.n < 2 {
			// A corner or nothing: neither is an intersection.
			f.n = 0
			return
		}
	}
}

// next returns the corner after i of n.
func next(i, n int) int {
	if i++; i == n {
		return 0
	}
	return i
}

// push adds a corner, unless the buffer is full.
func (f *clipPolygon) push(x, y float64) {
	if f.n < len(f.p) {
		q := &f.p[f.n].q
		q[0], q[1] = x, y
		f.n++
	}
}

// sharedSegment sets the polygon to the ends of the segment along which two nearly
// parallel edges overlap, midway between the two.
func (f *clipPolygon) sharedSegment(qA, qB [][2]float64) {
	dA := [2]float64{qA[1][0] - qA[0][0], qA[1][1] - qA[0][1]}
	dB := [2]float64{qB[1][0] - qB[0][0], qB[1][1] - qB[0][1]}
	// Edges that cross share no segment.
	la, lb := math.Hypot(dA[0], dA[1]), math.Hypot(dB[0], dB[1])
	if math.Abs(dA[0]*dB[1]-dA[1]*dB[0]) > parallelTol*la*lb {
		return
	}
	// The mean direction of the two.
	s := sign(dA[0]*dB[0]+dA[1]*dB[1]) * la / lb
	ux, uy := (dA[0]+s*dB[0])/2, (dA[1]+s*dB[1])/2
	l := math.Hypot(ux, uy)
	ux, uy = ux/l, uy/l
	// Coordinates along it, and the overlap of the two intervals.
	along := func(q [2]float64) float64 { return ux*(q[0]-qA[0][0]) + uy*(q[1]-qA[0][1]) }
	// Both intervals in coordinates along the mean direction.
	a0, a1, b0, b1 := along(qA[0]), along(qA[1]), along(qB[0]), along(qB[1])
	t0, t1 := max(min(a0, a1), min(b0, b1)), min(max(a0, a1), max(b0, b1))
	if t1 < t0 {
		return
	}
	// Each end lies midway between the two edges.
	for _, t := range [2]float64{t0, t1} {
		// Midway between the two lines.
		x := (t-a0)/(a1-a0)*dA[0] + qA[0][0] + (t-b0)/(b1-b0)*dB[0] + qB[0][0]
		y := (t-a0)/(a1-a0)*dA[1] + qA[0][1] + (t-b0)/(b1-b0)*dB[1] + qB[0][1]
		f.push(x/2, y/2)
	}
}

// dropNear drops the corners within r of q and returns their weight.
func (f *clipPolygon) dropNear(q [2]float64, r float64) (weight float64) {
	// Keep the rest in order.
	m := 0
	for _, p := range f.p[:f.n] {
		if math.Hypot(p.q[0]-q[0], p.q[1]-q[1]) > r {
			f.p[m] = p
			m++
		} else {
			weight += p.w
		}
	}
	f.n = m
	return weight
}

// area returns the area of the polygon, m².
func (f *clipPolygon) area() (sum float64) {
	for i := 1; i+1 < f.n; i++ {
		o, a, b := &f.p[0].q, &f.p[i].q, &f.p[i+1].q
		sum += ((a[0]-o[0])*(b[1]-o[1]) - (a[1]-o[1])*(b[0]-o[0])) / 2
	}
	return math.Abs(sum)
}

// reduceRound reduces the polygon to maxCorners. It returns how much larger the mean distance from the centre was
// before: as the square root of the areas.
func (f *clipPolygon) reduceRound(tol, slack float64) (round float64) {
	n := f.n
	before := 0.0
	if n > maxCorners {
		before = f.area()
	}
	f.reduce(maxCorners, tol, slack)
	if after := f.area(); before > 0 && after > 0 {
		return math.Sqrt(before / after)
	}
	return 1
}

// reduce drops the corner that sticks out least until at most room are left and none
// sticks out less than tol, unless it is deeper than its neighbours by more than slack.
// When corners are dropped to make room the deepest one stays.
func (f *clipPolygon) reduce(room int, tol, slack float64) {
	for f.n > 1 {
		full := f.n > room
		// Find the corner that sticks out least over the chord of its neighbours.
		drop, least := -1, math.Inf(1)
		deep := f.deepest()
		for i := range f.n {
			a, p, b := &f.p[f.n-1], &f.p[i], &f.p[next(i, f.n)]
			if i > 0 {
				a = &f.p[i-1]
			}
			// The deepest corner carries the load.
			if full && i == deep {
				continue
			}
			// A deep corner is no irregularity of an edge.
			if !full && p.phi() < min(a.phi(), b.phi())-slack {
				continue
			}
			if h := distanceToChord(&a.q, &p.q, &b.q); h < least {
				drop, least = i, h
			}
		}
		// Nothing may be dropped, or all that is left sticks out.
		if drop < 0 || !full && least >= tol {
			return
		}
		f.share(drop)
		copy(f.p[drop:], f.p[drop+1:f.n])
		f.n--
	}
}

// share gives the weight of a corner to its neighbours, by the lever rule.
func (f *clipPolygon) share(i int) {
	a, p, b := &f.p[f.n-1], &f.p[i], &f.p[next(i, f.n)]
	if i > 0 {
		a = &f.p[i-1]
	}
	t := chordParameter(&a.q, &p.q, &b.q)
	a.w += (1 - t) * p.w
	b.w += t * p.w
}

// deepest returns the corner of least gap.
func (f *clipPolygon) deepest() int {
	best := 0
	for i := 1; i < f.n; i++ {
		if f.p[i].phi() < f.p[best].phi() {
			best = i
		}
	}
	return best
}

// chordParameter returns where the nearest point of the chord a b to p lies, 0 at a and 1 at
// b.
func chordParameter(a, p, b *[2]float64) float64 {
	cx, cy := b[0]-a[0], b[1]-a[1]
	l2 := cx*cx + cy*cy
	if l2 == 0 {
		return 0
	}
	return min(max(((p[0]-a[0])*cx+(p[1]-a[1])*cy)/l2, 0), 1)
}

// distanceToChord returns the distance of p from the chord a b, m.
func distanceToChord(a, p, b *[2]float64) float64 {
	// The nearest point of the chord, also where p lies beyond its ends.
	t := chordParameter(a, p, b)
	px, py := p[0]-a[0]-t*(b[0]-a[0]), p[1]-a[1]-t*(b[1]-a[1])
	return math.Sqrt(px*px + py*py)
}
