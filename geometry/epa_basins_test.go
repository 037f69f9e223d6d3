package geometry

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A cylinder deep in a box leaves it by two ways of nearly the same length: by its cap, and
// 6° from that, 13 µm longer. The shorter one counts.
func TestDepthIsTheLeastOfSeveralWaysOut(t *testing.T) {
	box := must(NewBox(r3.Vec{0.2, 0.12, 0.08}))
	for _, B := range []SupportMap{box, must(NewConvex(cornersOf(box)))} {
		k := cores{A: must(NewCylinder(0.05, 0.16)), B: B, X_AB: r3.Pose{
			R: r3.Mat{
				-0.6643096994914718, -0.32019737514697866, -0.6754008173747905,
				-0.7395743450160565, 0.4124642382369081, 0.5318863039877205,
				0.10827008522958209, 0.8528463478989824, -0.5108137581543266,
			},
			P: r3.Vec{0.023098029420461925, 0.03947393849223384, -0.11276723232215087},
		}}
		c, _ := k.closest(math.Inf(1))
		if cap := k.separation(r3.Vec{0, 0, -1}); c.s < cap-1e-15 {
			t.Errorf("%T: depth %.9g m along %v, %.9g m through the cap", B, -c.s, c.n, -cap)
		}
	}
}

// Curved shapes that overlap by a millimetre or less leave each other by the shortest way, as
// the expanding polytope finds it when it grows until it is exact.
func TestDepthsOfShallowOverlapsAreThoseOfAnExactPolytope(t *testing.T) {
	r := rand.New(rand.NewPCG(78, 1))
	for _, depth := range []float64{1e-5, 1e-4, 1e-3} {
		for range 6 {
			for _, c := range curvedPairs() {
				X := touching(r, c[0], c[1], depth)
				k := cores{A: c[0], B: c[1]}
				k.X_AB.SetInvMul(&X[0], &X[1])
				fast, _ := k.closest(math.Inf(1))
				if fast.s >= 0 {
					continue // a rounded shape overlaps by its radius
				}
				k.plain = true
				if exact, _ := k.closest(math.Inf(1)); exact.s > fast.s+1e-9 {
					t.Errorf("%T %T: depth %.9g m along %v, %.9g m along %v", c[0], c[1], -fast.s, fast.n, -exact.s, exact.n)
				}
			}
		}
	}
}
