package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// feature is where a shape is touched: at a support point of any direction, within an edge or
// the round side, within a face.
type feature int

const (
	anywhere feature = iota
	onEdge
	onFace
)

// touchAt returns a random point of a feature and a normal of the surface there, in G.
func touchAt(r *rand.Rand, s SupportMap, f feature) (x, n r3.Vec) {
	within := func(h float64) float64 { return 0.9 * h * (2*r.Float64() - 1) }
	h := s.Bounds().Max
	y, z := math.Sincos(2 * math.Pi * r.Float64())
	switch s.(type) {
	case *Cylinder:
		switch f {
		case onEdge:
			return r3.Vec{h[0] * y, h[0] * z, within(h[2])}, r3.Vec{y, z, 0}
		case onFace:
			q := 0.9 * h[0] * r.Float64()
			return r3.Vec{q * y, q * z, h[2]}, r3.Vec{0, 0, 1}
		}
	case *Box:
		switch f {
		case onEdge:
			return r3.Vec{h[0], h[1], within(h[2])}, r3.Vec{math.Abs(y), math.Abs(z), 0}
		case onFace:
			return r3.Vec{within(h[0]), within(h[1]), h[2]}, r3.Vec{0, 0, 1}
		}
	}
	_, n = direction(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	return s.Support(n), n
}

// The closest points of curved shapes that are apart are known where the pose is made for
// them: with x_A and n on A, B is placed such that its point of normal −n is x_A + s n. As
// both shapes are convex, the planes across n at both points prove that s is the distance.
func TestClosestPointsOfCurvedPairsAreThoseOfTheirPose(t *testing.T) {
	r := newRand(t, 7)
	egg, flat := &Ellipsoid{r3.Vec{0.05, 0.03, 0.02}}, &Ellipsoid{r3.Vec{0.03, 0.025, 0.003}}
	rod, plate := must(NewCylinder(0.03, 0.06)), must(NewBox(r3.Vec{0.06, 0.05, 0.006}))
	type side struct {
		SupportMap
		at feature
	}
	for _, p := range [][2]side{
		{{egg, anywhere}, {egg, anywhere}}, {{egg, anywhere}, {flat, anywhere}}, {{flat, anywhere}, {flat, anywhere}},
		{{egg, anywhere}, {rod, anywhere}}, {{egg, anywhere}, {rod, onEdge}}, {{flat, anywhere}, {rod, onFace}},
		{{flat, anywhere}, {plate, anywhere}}, {{flat, anywhere}, {plate, onEdge}}, {{egg, anywhere}, {plate, onFace}},
		{{rod, anywhere}, {rod, anywhere}}, {{rod, anywhere}, {rod, onEdge}}, {{rod, anywhere}, {rod, onFace}},
		{{rod, anywhere}, {plate, anywhere}}, {{rod, anywhere}, {plate, onEdge}}, {{rod, anywhere}, {plate, onFace}},
	} {
		for _, gap := range []float64{1e-6, 1e-4, 1e-2} {
			for range 40 {
				A, B := p[0], p[1]
				x_A, n := touchAt(r, A.SupportMap, A.at)
				x_B, m := touchAt(r, B.SupportMap, B.at)
				// turns m to −n, and by any angle about it
				s, u := r3.Basis(n)
				v, w := r3.Basis(m)
				k := cores{A: A.SupportMap, B: B.SupportMap}
				k.X_AB.R = r3.RotExp(n.Scale(2 * math.Pi * r.Float64())).Mul(r3.Outer(s, v).Sub(r3.Outer(u, w)).Sub(r3.Outer(n, m)))
				k.X_AB.P = x_A.AddScaled(gap, n).Sub(k.X_AB.R.MulVec(x_B))
				c, ok := k.closest(1)
				if !ok || math.Abs(c.s-gap) > 1e-15 {
					t.Fatalf("%T %T: distance %.17g, want %g", p[0].SupportMap, p[1].SupportMap, c.s, gap)
				}
				if d := max(c.a.Sub(x_A).Norm(), c.b.Sub(k.X_AB.Point(x_B)).Norm()); d > 1e-12 {
					t.Errorf("%T %T, %g m apart: the points are off by %.2g m", p[0].SupportMap, p[1].SupportMap, gap, d)
				}
				// a corner over a rim determines the normal by nothing but the gap
				if d := c.n.Sub(n).Norm(); d > 1e-10+1e-12/gap {
					t.Errorf("%T %T, %g m apart: the normal is off by %.2g", p[0].SupportMap, p[1].SupportMap, gap, d)
				}
			}
		}
	}
}
