package mjcf

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// solid is a geom of a random body: its text, and whether a point of the body, in the axes
// of the geom, is inside.
type solid struct {
	text   string
	X      r3.Pose
	inside func(p r3.Vec) bool
	half   r3.Vec // of the box around it, in its axes
	rho    float64
}

// randomSolid is a geom of each type in turn, turned about two axes and moved.
func randomSolid(rng *rand.Rand, kind int) solid {
	a, b, c := 0.1+rng.Float64()/5, 0.1+rng.Float64()/5, 0.1+rng.Float64()/5
	s := solid{rho: 100 + 900*rng.Float64()}
	switch kind {
	case 0:
		s.text, s.half = fmt.Sprintf(`type="box" size="%.17g %.17g %.17g"`, a, b, c), r3.Vec{a, b, c}
		s.inside = func(r3.Vec) bool { return true }
	case 1:
		s.text, s.half = fmt.Sprintf(`type="sphere" size="%.17g"`, a), r3.Vec{a, a, a}
		s.inside = func(p r3.Vec) bool { return p.Norm() < a }
	case 2:
		s.text, s.half = fmt.Sprintf(`type="cylinder" size="%.17g %.17g"`, a, b), r3.Vec{a, a, b}
		s.inside = func(p r3.Vec) bool { return math.Hypot(p[0], p[1]) < a }
	case 3:
		s.text, s.half = fmt.Sprintf(`type="capsule" size="%.17g %.17g"`, a, b), r3.Vec{a, a, a + b}
		s.inside = func(p r3.Vec) bool { return p.Sub(r3.Vec{0, 0, min(max(p[2], -b), b)}).Norm() < a }
	default:
		s.text, s.half = fmt.Sprintf(`type="ellipsoid" size="%.17g %.17g %.17g"`, a, b, c), r3.Vec{a, b, c}
		s.inside = func(p r3.Vec) bool { return r3.Vec{p[0] / a, p[1] / b, p[2] / c}.Norm() < 1 }
	}
	u, v := rng.Float64()*3, rng.Float64()*3
	s.X = r3.Pose{R: about(0, u).Mul(about(2, v)), P: r3.Vec{rng.Float64(), rng.Float64(), rng.Float64()}}
	s.text = fmt.Sprintf(`<geom %s density="%.17g" pos="%.17g %.17g %.17g" euler="%.17g 0 %.17g"/>`, s.text, s.rho, s.X.P[0], s.X.P[1], s.X.P[2], u, v)
	return s
}

// Mass, centre and inertia of random bodies of up to four geoms against sums over
// points that fill the box around each geom evenly, all of the same mass: m = Σ m_i,
// m c = Σ m_i p_i, I = Σ m_i (|d_i|² 1 − d_i d_iᵀ), d_i = p_i − c. The points are a sequence of
// low discrepancy, multiples of powers of the root g of g⁴ = g + 1 modulo 1; a grid would
// count circles along its own axes badly. With 400,000 points the sums err by less than 1e-3.
func TestInertiaOfRandomGeomsIsThatOfTheirPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	const n, g = 400000, 1.2207440846057595
	for trial := range 6 {
		var text strings.Builder
		var mass float64
		var first r3.Vec  // Σ m p
		var second r3.Mat // Σ m p pᵀ
		for k := range 1 + rng.IntN(4) {
			s := randomSolid(rng, (trial+k)%5)
			text.WriteString(s.text)
			cell := s.rho * 8 * s.half[0] * s.half[1] * s.half[2] / n
			for i := range n {
				p, step := r3.Vec{}, 1.0
				for axis := range p {
					step /= g
					_, u := math.Modf(0.5 + float64(i)*step)
					p[axis] = s.half[axis] * (2*u - 1)
				}
				if !s.inside(p) {
					continue
				}
				p = s.X.Point(p)
				mass, first = mass+cell, first.Add(p.Scale(cell))
				for a := range 3 {
					for b := range 3 {
						second[3*a+b] += cell * p[a] * p[b]
					}
				}
			}
		}
		com := first.Scale(1 / mass)
		trace := second[0] + second[4] + second[8] - mass*com.Norm2()
		var want r3.Mat
		for a := range 3 {
			for b := range 3 {
				want[3*a+b] = -(second[3*a+b] - mass*com[a]*com[b])
			}
			want[4*a] += trace
		}
		in := one(t, `<compiler angle="radian"/>`+world("<body>"+text.String()+"</body>")).Links[0].Inertial
		d := in.Inertia.Sub(want)
		if math.Abs(in.Mass/mass-1) > 1e-3 || in.Com.Sub(com).Norm() > 1e-3 || math.Sqrt(d.Norm2()/want.Norm2()) > 1e-3 {
			t.Errorf("%s\ngives %+v\nwant %g kg at %v, %v", text.String(), in, mass, com, want)
		}
	}
}
