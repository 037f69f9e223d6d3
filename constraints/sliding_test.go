package constraints_test

import (
	"math"
	"testing"

	. "github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// The lag gives a sliding particle |γt| = μ n0, of μ γn, also across and along a friction direction.
func TestSlidingTellsWhatFrictionTheLagLacks(t *testing.T) {
	rubber := Pair{Stiffness: 1e5, Dissipation: 3, Friction: 0.5}
	wood := rubber
	wood.Sides = [2]Side{{Friction: 0.5, TransverseFriction: 0.5}, {Friction: 0.9, TransverseFriction: 0.2, FrictionDirection_B: r3.Vec{1, 2, 0}}}
	for _, pair := range []Pair{rubber, wood} {
		for _, gap := range []float64{-1e-3, 1e-4} { // within, and about to touch
			k := &particle{m: Lagged{}, pair: pair, q: r3.Vec{0, 0, gap}, v: r3.Vec{2, -1, -0.5}}
			k.step(t, 1e-3, r3.Vec{})
			n0, _ := LaggedImpulse(&k.p, k.h)
			got, gamma := SlidingFrictionOf(&k.p, k.h), k.p.Impulse(k.h)
			near := func(what string, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 1e-6*gamma[2] {
					t.Errorf("gap %g: %s %g N s, want %g", gap, what, got, want)
				}
			}
			ft := math.Hypot(gamma[0], gamma[1])
			if gamma[2] <= 0 || (n0 > 0) != (gap < 0) {
				t.Fatalf("gap %g: n0 %g, impulse %v", gap, n0, gamma)
			}
			near("given", got.Bound-got.Deficit, ft)
			if n0 > 0 {
				near("allowed", got.Bound, ft*gamma[2]/n0)
			}
			if UpdateNormalBound(&k.p, k.h); SlidingFrictionOf(&k.p, k.h).Deficit != 0 || got.Bound == 0 {
				t.Errorf("gap %g: %+v, after a sweep %+v", gap, got, SlidingFrictionOf(&k.p, k.h))
			}
		}
	}
}

func TestNothingLacksWhereNothingSlidesOrLags(t *testing.T) {
	pair := Pair{Stiffness: 1e5, Friction: 0.5, RelaxationTime: 1e-3}
	for _, c := range []struct {
		m ContactModel
		v r3.Vec
	}{
		{Lagged{}, r3.Vec{5e-5, 0, -0.1}}, // below the stiction tolerance
		{Lagged{}, r3.Vec{1, 0, 9}},       // parts
		{Similar{}, r3.Vec{1, 0, -0.1}},
		{SAP{}, r3.Vec{1, 0, -0.1}},
	} {
		k := &particle{m: c.m, pair: pair, q: r3.Vec{0, 0, 1e-6}, v: c.v}
		k.step(t, 1e-3, r3.Vec{})
		if got := SlidingFrictionOf(&k.p, k.h); got != (SlidingFriction{}) {
			t.Errorf("%T at %v: %+v", c.m, c.v, got)
		}
	}
}
