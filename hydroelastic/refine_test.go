package hydroelastic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// Parts of random triangles, slivers among them, have sides of at most the hint, the normal of the
// whole and together its area and centroid. Their number is what bisectedParts estimates within a
// small factor, which bounds memory before they are made.
func TestRefinedTrianglesFillTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		// lengths of all proportions, in random directions and orders
		long, wide := math.Exp(6*rng.Float64()), math.Exp(6*rng.Float64()-5)
		corner := [3]r3.Vec{{}, {long, 0, 0}, {long * rng.Float64(), wide, 0}}
		if rng.IntN(2) == 0 {
			corner[2] = r3.Vec{long, wide, 0}
		}
		turn := r3.RotExp(r3.Vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()})
		var v [3]r3.Vec
		first, step := rng.IntN(3), 1+rng.IntN(2)
		for i := range v {
			v[i] = turn.MulVec(corner[(first+i*step)%3])
		}
		hint := long * math.Exp(-4*rng.Float64())
		whole := r3.TriangleNormal(v[0], v[1], v[2])
		n, area, first3 := 0, 0.0, r3.Vec{}
		refine(v[0], v[1], v[2], hint, func(a, b, c r3.Vec) {
			n++
			w := r3.TriangleNormal(a, b, c)
			if e := w.Sub(whole.Scale(w.Dot(whole) / whole.Norm2())).Norm(); w.Dot(whole) <= 0 || e > 1e-9*whole.Norm() {
				t.Fatalf("a part is turned over: %v of %v", w, whole)
			}
			if d := max(a.Sub(b).Norm(), b.Sub(c).Norm(), c.Sub(a).Norm()); d > hint*(1+1e-12) {
				t.Fatalf("side of %g, hint %g", d, hint)
			}
			area += w.Norm() / 2
			first3 = first3.Add(a.Add(b).Add(c).Scale(w.Norm() / 6))
		})
		want := v[0].Add(v[1]).Add(v[2]).Scale(1. / 3)
		if math.Abs(area-whole.Norm()/2) > 1e-9*whole.Norm() || first3.Scale(1/area).Sub(want).Norm() > 1e-9*long {
			t.Fatalf("area %g of %g, centroid %v of %v", area, whole.Norm()/2, first3.Scale(1/area), want)
		}
		if estimate := bisectedParts(v[0], v[1], v[2], hint); float64(n) > 4*estimate {
			t.Errorf("%d parts, estimated %.3g: sides %g and %g, hint %g", n, estimate, long, wide, hint)
		}
	}
}

// A rod of 48 sides 200 mm long and 1.3 mm wide: about two triangles for each 1.7 mm of each triangle of a side.
func TestRodsHaveFewTriangles(t *testing.T) {
	n := 0
	refine(r3.Vec{}, r3.Vec{0.2, 0, 0}, r3.Vec{0.2, 0.0013, 0}, 0.003, func(a, b, c r3.Vec) { n++ })
	if n < 200 || n > 240 {
		t.Errorf("%d triangles", n)
	}
}
