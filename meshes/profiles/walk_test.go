package profiles

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The walk to the triangle that contains a point and the search of all triangles find
// triangles that both contain it.
func TestTheWalkAndTheSearchFindTriangleOfAPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 7))
	d := newDelaunay(vec2{0, 0}, vec2{1, 1})
	for range 200 {
		d.insert(vec2{rng.Float64(), rng.Float64()})
	}
	for range 2000 {
		p := vec2{rng.Float64(), rng.Float64()}
		walked, _, _ := d.locate(p)
		for _, tri := range []int32{walked, d.search(p)} {
			v := d.tri[tri]
			// Barycentric coordinates by areas.
			a, b, c := d.pts[v[0]], d.pts[v[1]], d.pts[v[2]]
			least := math.Min(area2(a, b, p), math.Min(area2(b, c, p), area2(c, a, p)))
			if least < -1e-12 {
				t.Fatalf("the triangle %v does not contain %v: its least area coordinate is %g", v, p, least)
			}
		}
	}
}

// area2 returns twice the signed area of a triangle.
func area2(a, b, c vec2) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}
