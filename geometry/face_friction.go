package geometry

// Torsional friction: how far the friction of a face acts from the centre of its pressure. A face in contact presses at
// the corners of the manifold, so that it resists tilting as an evenly pressed one; friction at the corners would
// resist turning about the normal as a ring that is pressed at its rim, half as much again as a disc, twice as much as
// a rod. So friction has points of its own: with the centre of pressure x̄ of the points x_i
// (constraints/face_friction.go) it acts at
//
//	y_i = x̄ + s_i (x_i − x̄),  s_i = α (1 + e τ_i)                          (1)
//
// With the weights w_i, their centre c and the mean distance ρ of the points of the face from it, the torsional
// friction is that of an even pressure, μ ρ N, where
//
//	α = ρ Σ w_i / Σ w_i |x_i − c|                                           (2)
//
// Force and moment at all ratios of sliding and turning are the limit surface of a face. With all y_i equally far from
// x̄, friction would change at one speed of sliding only, where one of them is the centre of rotation: the limit
// surface of a face is rounder. Where loads are even, e = 1, points are therefore moved in and out by turns, τ_i.
//
// The mean distance from c over a plane face is a sum over its boundary, with the signed angles that edges have about
// c. An edge at the distance h, from s_1 to s_2 along its line, adds
//
//	∫∫ r dA = [h (s r + h² asinh(s/h))/6] with r² = h² + s²                (3)

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const (
	// mostFacePoints bounds the points of one face: corners of its hull and of a bulge.
	mostFacePoints = 2*mostCorners + 2
	// oneNormal is the least cosine between normals of points of one face.
	oneNormal = 1 - 1e-6
	// byTurns is how far points are moved in and out, over their distance from the centre.
	byTurns = 0.35
	// thinFace is the area over the squared length below which points lie on a line.
	thinFace = 1e-9
)

// facePoint is a contact point in the plane of its face, about the centre and at the distance r from it, m, with its
// weight and its number.
type facePoint struct {
	x, y, r, w float64
	i          int
}

// faceFriction finds (2).
type faceFriction struct {
	n   int
	pts [mostFacePoints]facePoint
	// axes of the plane, and the centre in them, m
	t1, t2 r3.Vec
	x, y   float64
}

// planeEdge is an edge of the boundary of a face, with the face on its left, m.
type planeEdge struct{ a, b r3.Vec }

// spread marks contacts of one normal as the face of the given number, with their shares of (1). The face is that of
// the boundary, or without one the hull of the points, whose mean distance is multiplied by round, for faces with round
// rims.
func (f *faceFriction) spread(cs []Contact, number int32, boundary []planeEdge, round float64) {
	if len(cs) < 3 || len(cs) > mostFacePoints {
		return
	}
	f.place(cs)
	sum, arm := 0.0, 0.0
	for k := range f.n {
		p := &f.pts[k]
		sum, arm = sum+p.w, arm+p.w*p.r
	}
	distance, isFace := f.meanDistance(boundary)
	if !isFace {
		return
	}
	alpha := min(1, round*distance*sum/arm)
	turns := 0.0
	if f.n >= 4 {
		turns = byTurns * min(1, 3*(1-alpha))
	}
	for k, p := range f.pts[:f.n] {
		c := &cs[p.i]
		c.Face, c.FrictionShare = number, alpha
		if k < f.n&^1 { // in pairs
			c.FrictionTurn = turns * float64(2*(k%2)-1)
		}
	}
}

// place sets the points about their centre and in the order of their angles, from the first one on.
func (f *faceFriction) place(cs []Contact) {
	f.t1, f.t2 = r3.Basis(cs[0].Normal_W)
	f.n = len(cs)
	var sum, cx, cy float64
	for i := range cs {
		c := &cs[i]
		w := c.Weight
		if w == 0 {
			w = 1
		}
		p := facePoint{x: f.t1.DotOf(&c.Pos_W), y: f.t2.DotOf(&c.Pos_W), w: w, i: i}
		f.pts[i] = p
		sum, cx, cy = sum+w, cx+w*p.x, cy+w*p.y
	}
	f.x, f.y = cx/sum, cy/sum
	for k := range f.n {
		p := &f.pts[k]
		p.x, p.y = p.x-f.x, p.y-f.y
		p.r = math.Sqrt(p.x*p.x + p.y*p.y)
	}
	if !f.turnsOnce() {
		f.sort()
	}
}

// turnsOnce reports whether the points are known to be in the order of their angles, in either sense: up to four turns
// of less than half a circle each make one circle.
func (f *faceFriction) turnsOnce() bool {
	if f.n > 4 {
		return false
	}
	left, right := true, true
	for k := range f.n {
		p, q := &f.pts[k], &f.pts[next(k, f.n)]
		c := p.x*q.y - p.y*q.x
		left, right = left && c > 0, right && c < 0
	}
	return left || right
}

// sort puts the points in the order of their angles about the centre, counted from the first one.
func (f *faceFriction) sort() {
	first := f.pts[0]
	// 0 to 4, growing with the angle
	angle := func(p *facePoint) float64 {
		x, y := first.x*p.x+first.y*p.y, first.x*p.y-first.y*p.x
		if d := math.Abs(x) + math.Abs(y); d > 0 {
			if x /= d; y < 0 {
				return 3 + x
			}
			return 1 - x
		}
		return 0
	}
	for i := 2; i < f.n; i++ {
		p := f.pts[i]
		at := angle(&p)
		j := i
		for ; j > 1 && angle(&f.pts[j-1]) > at; j-- {
			f.pts[j] = f.pts[j-1]
		}
		f.pts[j] = p
	}
}

// meanDistance returns ρ (m), false where the points lie on a line: a body that rolls on it turns about two axes at
// once, which shifts loads from end to end between the gaps of one step and the next, and friction that follows these
// loads has it turn faster and faster. So lines keep their friction at the ends.
func (f *faceFriction) meanDistance(boundary []planeEdge) (rho float64, isFace bool) {
	var area, moment, length float64
	if boundary != nil {
		for i := range boundary {
			e := &boundary[i]
			p := facePoint{x: f.t1.DotOf(&e.a) - f.x, y: f.t2.DotOf(&e.a) - f.y}
			q := facePoint{x: f.t1.DotOf(&e.b) - f.x, y: f.t2.DotOf(&e.b) - f.y}
			p.r, q.r = math.Sqrt(p.x*p.x+p.y*p.y), math.Sqrt(q.x*q.x+q.y*q.y)
			a, m := edgeMoment(&p, &q)
			area, moment = area+a, moment+m
		}
		return moment / area, true
	}
	for k := range f.n {
		p, q := &f.pts[k], &f.pts[next(k, f.n)]
		a, m := edgeMoment(p, q)
		area, moment = area+a, moment+m
		length = max(length, p.r)
	}
	if math.Abs(area) > thinFace*length*length { // either sense
		return moment / area, true
	}
	return 0, false
}

// edgeMoment returns the signed area of the triangle of an edge a b and the centre, m², and (3), m³.
func edgeMoment(a, b *facePoint) (area, moment float64) {
	ex, ey := b.x-a.x, b.y-a.y
	l2 := ex*ex + ey*ey
	if l2 == 0 {
		return 0, 0
	}
	area = (a.x*b.y - a.y*b.x) / 2
	l := math.Sqrt(l2)
	h, s1, s2 := 2*area/l, (a.x*ex+a.y*ey)/l, (b.x*ex+b.y*ey)/l
	moment = h * (s2*b.r - s1*a.r) / 6
	// asinh(s/h) = log((s + r)/h); where s < 0 its negative, by s + r = h²/(r − s)
	if h2 := h * h; h2 > tinyHeight*l2 {
		ratio := 0.0
		switch {
		case s2 < 0:
			ratio = (a.r - s1) / (b.r - s2)
		case s1 < 0:
			ratio = (s2 + b.r) * (a.r - s1) / h2
		default:
			ratio = (s2 + b.r) / (s1 + a.r)
		}
		moment += h * h2 * math.Log(ratio) / 6
	}
	return area, moment
}

// tinyHeight is the square of the height over the length of an edge below which the logarithm of (3) adds nothing.
const tinyHeight = 1e-20

// spreadAll does so for the faces among contact points of two convex shapes: points of one normal are of one face.
func (f *faceFriction) spreadAll(cs []Contact, round float64) {
	number := int32(0)
	for first := 0; first < len(cs); {
		last := first + 1
		for last < len(cs) && cs[last].Normal_W.DotOf(&cs[first].Normal_W) >= oneNormal {
			last++
		}
		number++
		f.spread(cs[first:last], number, nil, round)
		first = last
	}
}
