package geometry

// Where friction acts on a face. A face in contact presses at the corners of the manifold, so that it resists tilting as an evenly
// pressed one; friction at the corners would resist turning about the normal as a ring that is pressed at its rim, half
// as much again as a disc, twice as much as a rod. So friction has points of its own. With loads λ_i at the points x_i, their
// centre x̄ and the mean distance ρ of the points of the face from it,
//
//	y_i = x̄ + α (x_i − x̄),  α = ρ Σ λ_i / Σ λ_i |x_i − x̄|                 (1)
//
// is where the friction of x_i acts. Turning about x̄, it has the moment μ ρ Σ λ_i of an even pressure; when the face slides,
// friction still acts at x̄, the centre of pressure, as before. Loads follow from gaps, λ_i = w_i max(0, −φ_i), as under springs
// at rest: a corner or an edge that bears alone keeps its friction.
//
// With all points equally far from x̄ friction would change at one speed of sliding only, where one of them is the centre of
// rotation. Points are therefore moved in and out by turns, without moving their centre.
//
// The mean distance from c over a plane face is a sum over its boundary, with the signed angles that edges have about c. An edge at
// the distance h, from s_1 to s_2 along its line, adds
//
//	∫∫ r dA = [h (s r + h² asinh(s/h))/6] with r² = h² + s²                (2)

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

const (
	// mostFacePoints bounds the points of one face: corners of its hull and of a bulge.
	mostFacePoints = 2*mostCorners + 2
	// oneNormal is the least cosine between normals of points of one face.
	oneNormal = 1 - 1e-6
	// aheadShare is the share of a face's size by which points ahead of contact may differ to be one face.
	aheadShare = 1e-6
	// byTurns is how far points are moved in and out, over their distance from the centre.
	byTurns = 0.35
)

// facePoint is a contact point in the plane of its face, m, with its load and its number.
type facePoint struct {
	x, y, load float64
	i          int
}

// faceFriction finds the points at which friction acts on one face.
type faceFriction struct {
	n   int
	pts [mostFacePoints]facePoint
	// axes of the plane
	t1, t2 r3.Vec
	// centre of pressure
	x, y float64
}

// planeEdge is an edge of the boundary of a face, with the face on its left, m.
type planeEdge struct{ a, b r3.Vec }

// spread sets FrictionOffset_W of contacts of one normal. The face is that of the boundary, or without one the hull of the
// points that bear, whose mean distance is multiplied by round, for faces with round rims.
func (f *faceFriction) spread(cs []Contact, boundary []planeEdge, round float64) {
	if len(cs) < 2 || len(cs) > mostFacePoints || !f.load(cs) {
		return
	}
	sum, arm := 0.0, 0.0
	for _, p := range f.pts[:f.n] {
		sum, arm = sum+p.load, arm+p.load*math.Hypot(p.x, p.y)
	}
	if !(arm > 0) {
		return
	}
	alpha := min(1, round*f.meanDistance(boundary)*sum/arm)
	turns := 0.0
	if f.n%2 == 0 && f.n >= 4 {
		turns = byTurns * min(1, 3*(1-alpha))
	}
	// The centre of the points moved by turns.
	var cx, cy float64
	scale := func(k int) float64 { return alpha * (1 + turns*float64(2*(k%2)-1)) }
	for k, p := range f.pts[:f.n] {
		s := scale(k)
		cx, cy = cx+p.load*s*p.x/sum, cy+p.load*s*p.y/sum
	}
	for k, p := range f.pts[:f.n] {
		s := scale(k) - 1
		o := &cs[p.i].FrictionOffset_W
		o.SetScale(s*p.x-cx, &f.t1)
		o.IncScale(s*p.y-cy, &f.t2)
	}
}

// load sets the points that bear, about their centre and in the order of their angles, from the first one on. It returns false for less than two.
func (f *faceFriction) load(cs []Contact) bool {
	n := &cs[0].Normal_W
	f.t1, f.t2 = r3.Basis(*n)
	least, size := math.Inf(1), 0.0
	for i := range cs {
		least = min(least, cs[i].Phi)
		size = max(size, cs[i].Pos_W.Sub(cs[0].Pos_W).Norm())
	}
	// Ahead of contact those that touch first together.
	level := 0.0
	if least >= 0 {
		level = least + aheadShare*size
	}
	f.n = 0
	var sum, cx, cy float64
	for i := range cs {
		c := &cs[i]
		if c.Phi >= level {
			continue
		}
		w := c.Weight
		if w == 0 {
			w = 1
		}
		p := &f.pts[f.n]
		*p = facePoint{f.t1.DotOf(&c.Pos_W), f.t2.DotOf(&c.Pos_W), w * (level - c.Phi), i}
		sum, cx, cy = sum+p.load, cx+p.load*p.x, cy+p.load*p.y
		f.n++
	}
	if f.n < 2 {
		return false
	}
	f.x, f.y = cx/sum, cy/sum
	for k := range f.n {
		f.pts[k].x -= f.x
		f.pts[k].y -= f.y
	}
	f.sort()
	return true
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

// meanDistance returns ρ, m.
func (f *faceFriction) meanDistance(boundary []planeEdge) float64 {
	var area, moment, length float64
	if boundary != nil {
		for i := range boundary {
			e := &boundary[i]
			a, m := edgeMoment(f.t1.DotOf(&e.a)-f.x, f.t2.DotOf(&e.a)-f.y, f.t1.DotOf(&e.b)-f.x, f.t2.DotOf(&e.b)-f.y)
			area, moment = area+a, moment+m
		}
		return moment / area
	}
	for k := range f.n {
		p, q := &f.pts[k], &f.pts[next(k, f.n)]
		a, m := edgeMoment(p.x, p.y, q.x, q.y)
		area, moment = area+a, moment+m
		length = max(length, math.Hypot(p.x, p.y))
	}
	if area > thinFace*length*length {
		return moment / area
	}
	// An edge: ends a and b on either side of the centre give (a² + b²)/(2 (a + b)).
	far := 0
	for k := range f.n {
		if math.Hypot(f.pts[k].x, f.pts[k].y) == length {
			far = k
		}
	}
	a, b := length, 0.0
	for _, p := range f.pts[:f.n] {
		b = max(b, -(p.x*f.pts[far].x+p.y*f.pts[far].y)/length)
	}
	return (a*a + b*b) / (2 * (a + b))
}

// thinFace is the area over the squared length below which a face counts as an edge.
const thinFace = 1e-9

// edgeMoment returns the signed area of the triangle of an edge a b and the origin, m², and (2), m³.
func edgeMoment(ax, ay, bx, by float64) (area, moment float64) {
	ex, ey := bx-ax, by-ay
	l := math.Hypot(ex, ey)
	if l == 0 {
		return 0, 0
	}
	ex, ey = ex/l, ey/l
	h := ax*ey - ay*ex // positive where the origin is on the left
	s1, s2 := ax*ex+ay*ey, bx*ex+by*ey
	area = h * (s2 - s1) / 2
	g := func(s float64) float64 {
		r := math.Hypot(h, s)
		if h == 0 {
			return 0
		}
		return h * (s*r + h*h*math.Asinh(s/math.Abs(h))) / 6
	}
	return area, g(s2) - g(s1)
}

// spreadAll does so for the faces among contact points of two convex shapes: points of one normal are of one face.
func (f *faceFriction) spreadAll(cs []Contact, round float64) {
	for first := 0; first < len(cs); {
		last := first + 1
		for last < len(cs) && cs[last].Normal_W.DotOf(&cs[first].Normal_W) >= oneNormal {
			last++
		}
		f.spread(cs[first:last], nil, round)
		first = last
	}
}
