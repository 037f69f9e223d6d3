package convex_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
)

// randomImpact returns a heap of five bodies that hit each other and the ground: stiffness
// 1e5 to 1e10 N/m, 1 to 1000 m/s, friction 0.1 to 2.1, steps of 0.1 to 10 ms.
func randomImpact(r *rand.Rand) *heap {
	k, speed := math.Pow(10, 5+5*r.Float64()), math.Pow(10, 3*r.Float64())
	q := randomHeap(r, k, 0.1+2*r.Float64(), speed)
	q.h = math.Pow(10, -4+2*r.Float64())
	return q
}

// No impact is left unconverged, by any law. With CURLFREE_LONG=1: 1000 of them for each
// law, by a new seed.
func TestNoImpactIsLeftUnconverged(t *testing.T) {
	number, seed := 40, uint64(1)
	if os.Getenv("CURLFREE_LONG") != "" {
		number, seed = 1000, rand.Uint64()
	}
	t.Logf("seed %d", seed)
	for _, x := range models {
		r, n := rand.New(rand.NewPCG(99, seed)), new(count)
		s := solver(x.m)
		for i := range number {
			var p cliques.Problem
			q := randomImpact(r)
			q.build(&p, x.m)
			st, err := s.Solve(&p, slices.Clone(p.V0))
			checkLaws(t, &p)
			n.add(t, &st, err)
			if err != nil {
				t.Errorf("%s, impact %d: k = %g N/m, friction %g, h = %g s", x.name, i, q.pair.Stiffness, q.pair.Friction, q.h)
			}
		}
		n.log(t, "%s", x.name)
	}
}

// Impacts that stages of continuation did not finish in three times MaxIter, or after which
// the last stage did not converge: they take ten times MaxIter, or stages closer together.
func TestHardImpactsConverge(t *testing.T) {
	// numbers of the impact among those of a seed
	for _, c := range []struct {
		seed uint64
		hard []int
		make func(r *rand.Rand) *heap
	}{
		{5, []int{228}, randomImpact},
		{0, []int{545, 561}, func(r *rand.Rand) *heap {
			k, speed := math.Pow(10, 8.5+1.5*r.Float64()), math.Pow(10, 0.5+2.5*r.Float64())
			return randomHeap(r, k, 1, speed)
		}},
	} {
		r := rand.New(rand.NewPCG(99, c.seed))
		if c.seed == 0 {
			r = rand.New(rand.NewPCG(4242, 1))
		}
		n := new(count)
		for i := range slices.Max(c.hard) + 1 {
			q := c.make(r)
			if !slices.Contains(c.hard, i) {
				continue
			}
			var p cliques.Problem
			m := constraints.Similar{}
			q.build(&p, m)
			st, err := solver(m).Solve(&p, slices.Clone(p.V0))
			checkLaws(t, &p)
			n.add(t, &st, err)
		}
		n.log(t, "seed %d", c.seed)
	}
}
