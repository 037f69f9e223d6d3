package profiles

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/meshes/internal/exact"
)

// Points on a line y = x with neighbours an ulp off: float64 determinants get
// these signs wrong.
func TestOrientIsExactNearALine(t *testing.T) {
	a, b := vec2{12, 12}, vec2{24, 24}
	wrong := 0
	for i := range 32 {
		for j := range 32 {
			p := vec2{0.5 + float64(i)*0x1p-53, 0.5 + float64(j)*0x1p-53}
			want := j - i // above the line is left of it
			got := exact.Orient(a, b, p)
			if want > 0 != (got > 0) || want < 0 != (got < 0) {
				t.Fatalf("orient at (%d, %d) = %g", i, j, got)
			}
			naive := (a[0]-p[0])*(b[1]-p[1]) - (a[1]-p[1])*(b[0]-p[0])
			if (naive > 0) != (want > 0) || (naive < 0) != (want < 0) {
				wrong++
			}
		}
	}
	if wrong == 0 {
		t.Error("the plain determinant was never wrong: the test shows nothing")
	}
}

// incircle against the determinant in 600-bit arithmetic, on nearly cocircular
// points.
func TestIncircleIsExactNearACircle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var p [4]vec2
		for i := range p {
			s, c := math.Sincos(math.Pi/2*float64(i) + 0.3)
			p[i] = vec2{1 + c + float64(r.IntN(3)-1)*0x1p-52, 1 + s + float64(r.IntN(3)-1)*0x1p-52}
		}
		x := func(i, k int) *big.Float {
			d := new(big.Float).SetPrec(600).SetFloat64(p[i][k])
			return d.Sub(d, new(big.Float).SetPrec(600).SetFloat64(p[3][k]))
		}
		mul := func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(600).Mul(a, b) }
		sum := new(big.Float).SetPrec(600)
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			lift := new(big.Float).SetPrec(600).Add(mul(x(i, 0), x(i, 0)), mul(x(i, 1), x(i, 1)))
			minor := new(big.Float).SetPrec(600).Sub(mul(x(j, 0), x(k, 1)), mul(x(k, 0), x(j, 1)))
			sum.Add(sum, mul(lift, minor))
		}
		got := exact.InCircle(p[0], p[1], p[2], p[3])
		if sum.Sign() > 0 != (got > 0) || sum.Sign() < 0 != (got < 0) {
			t.Fatalf("%v: %g, exact %v", p, got, sum)
		}
	}
}

// Star-shaped polygons with random radii, and a grid of square holes, where many
// points lie on common circles and lines.
func TestTriangulationOfRandomAndDegenerateProfiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var all []Profile
	for n := 3; n < 60; n += 4 {
		var p Profile
		for i := range n {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			a := 0.2 + r.Float64()
			p.Outer = append(p.Outer, vec2{a * c, a * s})
		}
		all = append(all, p)
	}
	grid := Profile{Outer: [][2]float64{{0, 0}, {9, 0}, {9, 9}, {0, 9}}}
	for i := range 4 {
		for j := range 4 {
			x, y := float64(2*i+1), float64(2*j+1)
			grid.Holes = append(grid.Holes, [][2]float64{{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}})
		}
	}
	all = append(all, grid)
	for i, p := range all {
		lo, hi := p.bounds()
		for _, size := range []float64{0, 0.2 * dist2(lo, hi), 0.03 * dist2(lo, hi)} {
			m, err := p.triangulate(size)
			if err != nil {
				t.Fatalf("profile %d, size %g: %v", i, size, err)
			}
			if a := m.area(); math.Abs(a-p.Area()) > 1e-9*a {
				t.Errorf("profile %d, size %g: area %g, want %g", i, size, a, p.Area())
			}
			for _, v := range m.tris {
				if exact.Orient(m.pts[v[0]], m.pts[v[1]], m.pts[v[2]]) <= 0 {
					t.Fatalf("profile %d, size %g: triangle %v is flat or turned", i, size, v)
				}
			}
		}
	}
}

// Without constraints in the way, no point lies inside the circle of a triangle.
func TestTriangulationIsDelaunay(t *testing.T) {
	p := Profile{Outer: [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}}
	m, err := p.triangulate(0.1)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range m.tris {
		for i, q := range m.pts {
			if exact.InCircle(m.pts[v[0]], m.pts[v[1]], m.pts[v[2]], q) > 0 {
				t.Fatalf("point %d lies in the circle of %v", i, v)
			}
		}
	}
}
