package scene

// How deep a weight W sinks in the contact of a pair, and how stiff that is there.
//
// At a point, W = k δ; by Hertz's law with k at the overlap δ_k, W = k δ √(δ/δ_k).
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

// pressedIn is how deep round bodies without weight count as pressed in, of their
// radius.
const pressedIn = 0.01

// restAtPoint fills in how a pair rests on one point under a weight, N.
func (b *builder) restAtPoint(a *ContactAdvice, weight float64) {
	k := a.Stiffness
	a.Sink, a.power = weight/k, 1
	if s := &b.f.Solver; s.NormalLaw == "hertz" && s.Contact != "sap" && weight > 0 {
		a.Sink = math.Pow(weight*math.Sqrt(s.HertzOverlap)/k, 2.0/3)
		a.Stiffness, a.power = 1.5*weight/a.Sink, 1.5
	}
}

// restByPressure fills in how p rests on q under a weight, N, by a pressure of slope s.
func restByPressure(a *ContactAdvice, p, q *geometry.Geom, s, weight float64) {
	radius, length := roundness(p, q)
	if math.IsInf(radius, 1) {
		d := p.Shape.Bounds().Size()
		least := min(d[0], d[1], d[2])
		a.Stiffness = s * least * (d[0] + d[1] + d[2] - least - max(d[0], d[1], d[2]))
		a.Sink = weight / a.Stiffness // (1)
		a.where, a.power = "over the smallest side", 1
		return
	}
	line := math.Sqrt(2*radius) * length
	// Either term of (2) alone sinks deeper than both do.
	least, most := 0.0, math.Sqrt(weight/(s*math.Pi*radius))
	for range 100 {
		x := (least + most) / 2
		if s*(math.Pi*radius*x*x+4.0/3*line*x*math.Sqrt(x)) < weight { // (2)
			least = x
		} else {
			most = x
		}
	}
	a.Sink, a.where, a.power = most, "where it rests", 2
	at := most
	if weight == 0 {
		at, a.where = pressedIn*radius, "pressed in by 1 % of its radius"
	}
	a.Stiffness = s * (2*math.Pi*radius*at + 2*line*math.Sqrt(at)) // (3)
}

// roundness returns the radius of curvature of both shapes together where p rests on
// q, and the length of a straight line along which they touch; +Inf and 0 of flat
// sides.
func roundness(p, q *geometry.Geom) (radius, length float64) {
	rp, lp := rounding(p.Shape)
	rq, lq := rounding(q.Shape)
	switch {
	case math.IsInf(rq, 1):
		return rp, lp
	case math.IsInf(rp, 1):
		return rq, lq
	}
	return 1 / (1/rp + 1/rq), 0
}

func rounding(s geometry.Shape) (radius, length float64) {
	switch s := s.(type) {
	case *geometry.Sphere:
		return s.Radius, 0
	case *geometry.Capsule:
		return s.Radius, 2 * s.HalfLength
	case *geometry.Ellipsoid: // on its flattest side
		a, b, c := s.Semi[0], s.Semi[1], s.Semi[2]
		return max(a*b/c, b*c/a, c*a/b), 0
	}
	return math.Inf(1), 0
}
