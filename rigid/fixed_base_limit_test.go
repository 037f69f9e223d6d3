package rigid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A tree on a base that is welded to the world, some links away, moves as one on the world itself: the energy that
// limits its motion is that of where it is. It was taken at the origin, so that the weight of a hanging hand kept it
// from falling.
func TestTreesOnFixedBasesAreLimitedAsThoseOnTheWorld(t *testing.T) {
	const h = 0.01
	n, seed := family(t, 200, 5000)
	limited := 0
	for i := range n {
		s := seed + uint64(i)
		r := rand.New(rand.NewPCG(s, 11))
		vec := func(size float64) r3.Vec {
			return r3.Vec{size * r.NormFloat64(), size * r.NormFloat64(), size * r.NormFloat64()}
		}
		weight, turn := vec(math.Exp(3*r.NormFloat64())), 0.3*r.Float64()
		on := func(bases ...r3.Pose) *world {
			r := rand.New(rand.NewPCG(s, 6))
			chain := randomLinks(r, Ball{})
			X, links := r3.PoseIdentity(), []LinkSpec(nil)
			for k, pose := range bases {
				b := brick("base", k-1, Weld{}, 1, r3.Vec{0.1, 0.1, 0.1}, r3.Vec{}, r3.Vec{})
				b.X_PF = pose
				links, X = append(links, b), X.Mul(pose)
			}
			for k := range chain {
				chain[k].Parent += len(bases)
			}
			chain[0].X_PF = X.Inv().Mul(chain[0].X_PF)
			w := spinning(t, r, h, turn, append(links, chain...)...)
			w.gravity = weight
			return w
		}
		pose := func() r3.Pose { return r3.Pose{R: r3.RotExp(vec(1)), P: vec(1)} }
		free, based := on(), on(pose(), pose())
		for k := range 20 {
			free.hop(h)
			based.hop(h)
			if free.EnergyLimited() {
				limited++
			}
			if a, b := largest(free.v...), largestDifference(free.v, based.v); !(b <= 1e-6*a) {
				t.Fatalf("chain %d step %d: on a base velocities differ by %g of %g, limited %v and %v", s, k, b, a, free.EnergyLimited(), based.EnergyLimited())
			}
			copy(based.q, free.q) // chains are chaotic
			copy(based.v, free.v)
			based.least, based.recent = slices.Clone(free.least), slices.Clone(free.recent)
		}
	}
	if limited < n/20 {
		t.Errorf("the motion of %d of %d steps was limited: too few", limited, 20*n)
	}
	t.Logf("%d of %d steps limited", limited, 20*n)
}
