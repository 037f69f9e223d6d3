package constraints

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/convex"
)

var _, _ convex.PrimalDual = (*lagged)(nil), (*similar)(nil)

// Matrices of directions are symmetric, have no negative curvature for any dual within the unit
// circle, and are the Hessian where the dual is the direction of friction. Duals stay within the
// circle, and without a step become that direction.
func TestDirectionHessiansAreConvexAndEndAsHessians(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := &huntCrossley{}
		*n = huntCrossley{k: 1e4, fullStiffness: 1e4}
		base := friction{mu: 0.1 + r.Float64(), n0: r.Float64(), eps: math.Pow(10, -6*r.Float64())}
		if r.IntN(2) == 0 {
			base.aniso, base.M = true, tensor{0.5, 0.3 * r.Float64(), 0.4}
			base.mu = base.M.norm()
		}
		vc := []float64{r.NormFloat64(), r.NormFloat64(), -r.Float64()}
		if r.IntN(2) == 0 { // near sticking
			vc[0], vc[1] = base.eps*vc[0], base.eps*vc[1]
		}
		l, coupled, s := &lagged{normal: n, friction: base}, &lagged{normal: n, friction: base, coupled: true, offset: 0.1}, &similar{normal: n, friction: base}
		for _, law := range []interface {
			convex.PrimalDual
			Eval(vc, gamma, G []float64) float64
		}{l, coupled, s} {
			gamma, G, D := make([]float64, 3), make([]float64, 9), make([]float64, 9)
			law.Eval(vc, gamma, G)
			for range 4 {
				law.UpdateDual(vc, []float64{r.NormFloat64(), r.NormFloat64(), 0})
				copy(D, G)
				law.DirectionHessian(vc, gamma, D)
				scale := math.Abs(D[0]) + math.Abs(D[4])
				if D[1] != D[3] || D[0] < 0 || D[4] < 0 || D[0]*D[4]-D[1]*D[1] < -1e-12*scale*scale {
					t.Fatalf("%T: %v is not ⪰ 0", law, D)
				}
				for i := range 9 {
					if i%3 == 2 || i > 5 {
						if D[i] != G[i] {
							t.Fatalf("%T: the normal rows have changed", law)
						}
					}
				}
			}
			// without a step w becomes s in two updates at most
			for range 2 {
				law.UpdateDual(vc, make([]float64, 3))
			}
			copy(D, G)
			law.DirectionHessian(vc, gamma, D)
			for i, x := range D {
				if math.Abs(x-G[i]) > 1e-12*(math.Abs(G[0])+math.Abs(G[4])) {
					t.Fatalf("%T: %v at the direction of friction, the Hessian is %v", law, D, G)
				}
			}
		}
		for _, w := range []dual{l.dual, coupled.dual, s.dual} {
			if math.Hypot(w.x, w.y) > 1+1e-15 {
				t.Fatalf("dual %v", w)
			}
		}
	}
}
