package check

// Static depth (penetration) of a weight W in the contact of a pair, and the contact stiffness
// at that depth.
//
// At a point the depth follows from the normal law: W = k δ for a linear one.
//
// By pressure of slope s (Pa/m), W is s times the volume that a plane at depth δ cuts
// off. Of a flat side of area S, of a ball and of a lying capsule with a straight part
// L, their curvature 1/R that of both together, for δ ≪ R,
//
//	W = s S δ                                                             (1)
//	W = s (π R δ² + 4/3 L √(2R) δ^{3/2})                                  (2)
//	k = dW/dδ = s (2π R δ + 2 L √(2R δ))                                  (3)

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
)

// weightlessDepth is the depth over the radius at which the stiffness of round bodies
// is reported where nothing presses them together.
const weightlessDepth = 0.01

// restAtPoint fills in how a pair rests on one point under a weight, N.
func (c *checker) restAtPoint(a *ContactEstimate, weight float64) {
	n, k := c.Model.Contact.Facts().Normal, a.Stiffness
	depth := n.StaticDepth(k, weight)
	a.Depth, a.power = max(0, depth), 1
	if weight == 0 {
		return
	}
	// the slope at that depth grows with a power of k, here from k to 2k
	_, slope := n.StaticForce(k, depth)
	a.Stiffness = slope
	if _, twice := n.StaticForce(2*k, n.StaticDepth(2*k, weight)); twice > slope {
		a.power = 1 / math.Log2(twice/slope)
	}
}

// restByPressure fills in how p rests on q under a weight, N, by a pressure of slope s.
func restByPressure(a *ContactEstimate, p, q *geometry.Geom, s, weight float64) {
	// Flat sides rest on their smallest one, the least stiff.
	radius, length := curvature(p, q)
	if math.IsInf(radius, 1) {
		d := p.Shape.Bounds().Size()
		least := min(d[0], d[1], d[2])
		a.Stiffness = s * least * (d[0] + d[1] + d[2] - least - max(d[0], d[1], d[2]))
		a.Depth = weight / a.Stiffness // (1)
		a.where, a.power = "over the smallest side", 1
		return
	}
	line := math.Sqrt(2*radius) * length
	// Bisect (2) below the depth of its first term alone.
	least, most := 0.0, math.Sqrt(weight/(s*math.Pi*radius))
	for range 100 {
		x := (least + most) / 2
		if s*(math.Pi*radius*x*x+4.0/3*line*x*math.Sqrt(x)) < weight { // (2)
			least = x
		} else {
			most = x
		}
	}
	a.Depth, a.where, a.power = most, "where it rests", 2
	// the slope there; weightless bodies have none at depth 0
	at := most
	if weight == 0 {
		at, a.where = weightlessDepth*radius, "pressed in by 1 % of its radius"
	}
	a.Stiffness = s * (2*math.Pi*radius*at + 2*line*math.Sqrt(at)) // (3)
}

// curvature returns the radius of curvature (m) of both shapes together where p rests
// on q, and the length (m) of a straight line along which they touch; +Inf and 0 of
// flat sides.
func curvature(p, q *geometry.Geom) (radius, length float64) {
	rp, lp := flattest(p.Shape)
	rq, lq := flattest(q.Shape)
	switch {
	case math.IsInf(rq, 1):
		return rp, lp
	case math.IsInf(rp, 1):
		return rq, lq
	}
	return 1 / (1/rp + 1/rq), 0
}

// flattest returns the radius of curvature (m) of a shape where that is largest, and
// the length (m) of its straight part there.
func flattest(s geometry.Shape) (radius, length float64) {
	switch s := s.(type) {
	case *geometry.Sphere:
		return s.Radius, 0
	case *geometry.Capsule:
		return s.Radius, 2 * s.HalfLength
	case *geometry.Ellipsoid:
		a, b, c := s.Semi[0], s.Semi[1], s.Semi[2]
		return max(a*b/c, b*c/a, c*a/b), 0
	}
	return math.Inf(1), 0
}
