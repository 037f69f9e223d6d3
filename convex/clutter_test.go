package convex_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// Spheres dropped into a bin: four per layer, the walls 0.24 m apart.
const (
	ball = 0.05
	bin  = 0.12
)

func clutter(r *rand.Rand, n int, k float64) *heap {
	q := &heap{h: 5e-3, pair: constraints.Pair{Stiffness: k, Dissipation: 20, RelaxationTime: 1e-4, Friction: 0.5}}
	for i := range n {
		at := r3.Vec{0.06 * float64(2*(i&1)-1), 0.06 * float64(i&2-1), 0.06 + 0.12*float64(i/4)}
		for j := range at {
			at[j] += 0.005 * r.NormFloat64()
		}
		q.body(0.1+0.2*r.Float64(), ball, at, r3.Vec{}, r3.Vec{})
	}
	return q
}

// collide finds the contacts of spheres with each other and the bin, up to a
// millimetre ahead.
func (q *heap) collide() {
	const ahead = 1e-3
	q.contacts = q.contacts[:0]
	for b, x := range q.pos {
		for _, wall := range []struct {
			normal r3.Vec
			at     float64
		}{{r3.Vec{0, 0, 1}, 0}, {r3.Vec{1, 0, 0}, -bin}, {r3.Vec{-1, 0, 0}, -bin}, {r3.Vec{0, 1, 0}, -bin}, {r3.Vec{0, -1, 0}, -bin}} {
			if phi := x.Dot(wall.normal) - wall.at - ball; phi < ahead {
				q.touch(geometry.World, b, x.AddScaled(-ball, wall.normal), wall.normal, phi)
			}
		}
		for a := range b {
			d := x.Sub(q.pos[a])
			if phi := d.Norm() - 2*ball; phi < ahead {
				q.touch(a, b, q.pos[a].AddScaled(0.5, d), d.Unit(), phi)
			}
		}
	}
}

// advance moves the bodies to the velocities of a solve.
func (q *heap) advance(v []float64) {
	for i := range q.pos {
		copy(q.spin[i][:], v[6*i:])
		copy(q.vel[i][:], v[6*i+3:])
		q.pos[i] = q.pos[i].AddScaled(q.h, q.vel[i])
	}
}

// drop lets 24 spheres fall into the bin and come to rest, 150 steps of 5 ms.
func drop(t *testing.T, n *count, m constraints.ContactModel, k float64, seed uint64) {
	t.Helper()
	q := clutter(rand.New(rand.NewPCG(rngSeed, seed)), 24, k)
	s := solver(m)
	var p cliques.Problem
	for range 150 {
		q.collide()
		q.build(&p, m)
		v := slices.Clone(p.V0)
		st, err := s.Solve(&p, v)
		n.add(t, &st, err)
		q.advance(v)
	}
	deepest := 0.0
	for i := range q.contacts {
		deepest = max(deepest, -q.contacts[i].Phi)
	}
	if len(q.contacts) < 40 || deepest > 2e-3 {
		t.Errorf("%T, k = %g: rests on %d contacts, %g deep", m, k, len(q.contacts), deepest)
	}
}

// Mean iterations of a step of clutter with the default law are few, and hardly depend on
// stiffness: 6.0 and 7.4, where directions by the Hessian of friction took 12.9 and 12.6. Three
// falls each, because two falls of one heap differ as much.
func TestIterationsOfClutterDoNotDependOnStiffness(t *testing.T) {
	for _, x := range models {
		falls, limit, most := uint64(3), 1.3, 9.0
		if !constraints.IsLagged(x.m) { // that it converges
			falls, limit, most = 1, 3, 20
		}
		var mean [2]float64
		for i, k := range []float64{1e5, 1e7} {
			n := new(count)
			for seed := range falls {
				drop(t, n, x.m, k, 80+seed)
			}
			n.log(t, "%s, k = %.0e N/m", x.name, k)
			mean[i] = n.mean()
		}
		t.Logf("%s: %.2f times as many at 1e7 N/m as at 1e5 N/m", x.name, mean[1]/mean[0])
		if mean[1] > limit*mean[0] || max(mean[0], mean[1]) > most {
			t.Errorf("%s: %.1f iterations at 1e5 N/m, %.1f at 1e7 N/m", x.name, mean[0], mean[1])
		}
	}
}
