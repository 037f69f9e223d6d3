package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
)

// curvedPairs are pairs of convex shapes of which one has a curved core.
func curvedPairs() [][2]SupportMap {
	egg, flat := &Ellipsoid{r3.Vec{0.05, 0.03, 0.02}}, &Ellipsoid{r3.Vec{0.02, 0.016, 0.002}}
	rod, box := must(NewCylinder(0.03, 0.06)), must(NewBox(r3.Vec{0.05, 0.06, 0.04}))
	pill, slab := must(NewCapsule(0.02, 0.05)), must(NewBox(r3.Vec{1, 1, 0.05}))
	return [][2]SupportMap{
		{egg, egg}, {egg, flat}, {flat, flat}, {egg, rod}, {egg, box}, {flat, box}, {egg, slab}, {flat, slab},
		{egg, pill}, {rod, rod}, {rod, box}, {rod, pill}, {rod, slab},
	}
}

// The normal of shapes that touch, or are a few millimetres apart, separates them better than
// all directions around it: a random search, ever closer, finds none that is better by more
// than round-off.
func TestNormalsOfCurvedPairsSeparateBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range curvedPairs() {
		for i := range 40 {
			depth := 0.0005 * r.Float64()
			if i >= 20 {
				depth *= -10
			}
			X := touching(r, c[0], c[1], depth)
			k := cores{A: c[0], B: c[1]}
			k.X_AB.SetInvMul(&X[0], &X[1])
			got, _ := k.closest(10)
			best, n := got.s, got.n
			for step := 0.05; step > 1e-10; step *= 0.7 {
				for range 20 {
					_, m := direction(n.AddScaled(step, r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}))
					if s := k.separation(m); s > best {
						best, n = s, m
					}
				}
			}
			if best > got.s+1e-15 {
				t.Errorf("%T %T: %v separates by %.17g, %v by %.3g more", c[0], c[1], got.n, got.s, n, best-got.s)
			}
			// both points are on the surfaces, opposite each other
			w := k.support(got.n)
			if d := math.Abs(got.n.Dot(w.a.Sub(got.a))); d > 1e-12 {
				t.Errorf("%T %T: the point of A is %.3g m off its surface", c[0], c[1], d)
			}
			if d := got.b.Sub(got.a).Sub(got.n.Scale(got.s)).Norm(); d > 1e-15 {
				t.Errorf("%T %T: the points are %.3g m off the normal", c[0], c[1], d)
			}
		}
	}
}

// counted counts the support points that a search asks for.
type counted struct {
	curved
	calls *int
}

func (c counted) Support(n r3.Vec) r3.Vec { *c.calls++; return c.curved.Support(n) }

// Newton's method ends the search of pairs that nearly touch as it does that of pairs that
// overlap: it takes tens of support points, where a search to round-off takes hundreds.
func TestNearlyTouchingCurvedPairsAreCheap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	egg, rod := &Ellipsoid{r3.Vec{0.05, 0.03, 0.02}}, must(NewCylinder(0.03, 0.06))
	for _, c := range [][2]curved{{egg, egg}, {egg, rod}, {rod, rod}} {
		for _, gap := range []float64{1e-5, 1e-4, 1e-3, 1e-2} {
			calls := 0
			for range 20 {
				X := touching(r, c[0], c[1], -gap)
				k := cores{A: counted{c[0], &calls}, B: c[1]}
				k.X_AB.SetInvMul(&X[0], &X[1])
				if got, ok := k.closest(1); !ok || math.Abs(got.s-gap) > 1e-8 {
					t.Errorf("%T %T: gap %g, want %g", c[0], c[1], got.s, gap)
				}
			}
			if calls > 20*100 {
				t.Errorf("%T %T at %g m: %d support points a pair", c[0], c[1], gap, calls/20)
			}
		}
	}
}

// Support points move with the direction as their derivatives say.
func TestDerivativesOfSupportPointsMatchDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range []curved{&Ellipsoid{r3.Vec{0.05, 0.03, 0.02}}, must(NewCylinder(0.03, 0.06))} {
		for range 100 {
			_, n := direction(r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
			x, H := s.supportPart(n, s.Support(n))
			if x.Sub(s.Support(n)).Norm() > 1e-15 {
				t.Fatalf("%T: the support point along %v is %v, not %v", s, n, s.Support(n), x)
			}
			if H.MulVec(n).Norm() > 1e-14 {
				t.Errorf("%T: H n = %v", s, H.MulVec(n))
			}
			for range 3 {
				const e = 1e-5
				d := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
				d = d.AddScaled(-d.Dot(n), n)
				_, plus := direction(n.AddScaled(e, d))
				_, minus := direction(n.AddScaled(-e, d))
				a, _ := s.supportPart(plus, x)
				b, _ := s.supportPart(minus, x)
				// third derivatives grow towards the axis of a cylinder
				if diff := a.Sub(b).Scale(1 / (2 * e)).Sub(H.MulVec(d)); diff.Norm() > 1e-5 {
					t.Errorf("%T along %v: derivative along %v is off by %v", s, n, d, diff)
				}
			}
		}
	}
}

// Distances and depths of curved pairs take no memory, also where no smooth normal is found and
// the polytope grows until it is exact.
func TestDepthsOfCurvedPairsAllocateNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(79, 1))
	for _, c := range curvedPairs() {
		var all []cores
		for range 150 {
			X := touching(r, c[0], c[1], 0.02*r.Float64())
			k := cores{A: c[0], B: c[1]}
			k.X_AB.SetInvMul(&X[0], &X[1])
			all = append(all, k)
		}
		n := alloctest.PerRun(1, func() {
			for i := range all {
				all[i].closest(math.Inf(1))
			}
		})
		if n != 0 {
			t.Errorf("%T %T: %v allocations", c[0], c[1], n)
		}
	}
}
