package constraints_test

import (
	"math"
	"testing"

	. "github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// The lag gives a sliding particle |γt| = μ n0 |s̃|, where Coulomb's law gives μ γn |s̃|, also
// across and along a friction direction.
func TestLagErrorIsWhatFrictionLacks(t *testing.T) {
	rubber := Pair{Stiffness: 1e5, Dissipation: 3, Friction: 0.5}
	wood := rubber
	wood.Sides = [2]Side{{Friction: 0.5, TransverseFriction: 0.5}, {Friction: 0.9, TransverseFriction: 0.2, FrictionDirection_B: r3.Vec{1, 2, 0}}}
	for _, pair := range []Pair{rubber, wood} {
		for _, gap := range []float64{-1e-3, 1e-4} { // within, and about to touch
			k := &particle{m: Lagged{}, pair: pair, q: r3.Vec{0, 0, gap}, v: r3.Vec{2, -1, -0.5}}
			k.step(t, 1e-3, r3.Vec{})
			n0, _ := LaggedImpulse(&k.p, k.h)
			got, gamma := LagErrorOf(&k.p, k.h), k.p.Impulse(k.h)
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
			near("given", got.Allowed-got.Lacking+got.Excess, ft)
			if n0 > 0 {
				near("allowed", got.Allowed, ft*gamma[2]/n0)
			}
			// a bound that is the impulse is right
			UpdateNormalBound(&k.p, k.h)
			if after := LagErrorOf(&k.p, k.h); after.Lacking != 0 || after.Excess != 0 || after.Allowed != got.Allowed {
				t.Errorf("gap %g: %+v, after an update %+v", gap, got, after)
			}
		}
	}
}

// A contact below the stiction tolerance ε lacks in proportion to its slip: |s̃| = v/√(v²+ε²).
func TestSticksLackInProportionToTheirSlip(t *testing.T) {
	pair := Pair{Stiffness: 1e5, Friction: 0.5, RelaxationTime: 1e-3}
	k := &particle{m: Lagged{StictionTolerance: 1e-4}, pair: pair, q: r3.Vec{0, 0, 1e-6}, v: r3.Vec{5e-5, 0, -0.1}}
	k.step(t, 1e-3, r3.Vec{}) // an impact: no friction
	got := LagErrorOf(&k.p, k.h)
	if want := got.Allowed * 0.5 / math.Hypot(0.5, 1); math.Abs(got.Lacking-want) > 1e-6*want || want == 0 || got.Excess != 0 {
		t.Errorf("%+v, want %g lacking", got, want)
	}
}

func TestNothingLacksWhereNothingTouchesOrLags(t *testing.T) {
	pair := Pair{Stiffness: 1e5, Friction: 0.5, RelaxationTime: 1e-3}
	for _, c := range []struct {
		m ContactModel
		v r3.Vec
	}{
		{Lagged{}, r3.Vec{1, 0, 9}}, // separates
		{Similar{}, r3.Vec{1, 0, -0.1}},
		{SAP{}, r3.Vec{1, 0, -0.1}},
	} {
		k := &particle{m: c.m, pair: pair, q: r3.Vec{0, 0, 1e-6}, v: c.v}
		k.step(t, 1e-3, r3.Vec{})
		if got := LagErrorOf(&k.p, k.h); got != (LagError{}) {
			t.Errorf("%T at %v: %+v", c.m, c.v, got)
		}
	}
}

// Bounds that follow n0 ← update of γn(n0) find the fixed points of impulses that fall with
// their bound, steeply or not, and of those that grow with it.
func TestUpdatesOfBoundsFindFixedPoints(t *testing.T) {
	for _, slope := range []float64{-6, -2, -0.9, -0.3, 0, 0.5, 0.8} {
		k := &particle{m: Lagged{}, pair: Pair{Stiffness: 1e5, Friction: 0.5}, q: r3.Vec{0, 0, 1e-6}, v: r3.Vec{1, 0, -0.1}}
		k.step(t, 1e-3, r3.Vec{})
		fixed := k.p.Impulse(k.h)[2] // γn of the particle at the bound that is right
		vc := k.p.Velocity(k.h)
		x := vc[2]
		updates := 0
		for ; updates < 20; updates++ {
			n0, _ := LaggedImpulse(&k.p, k.h)
			if math.Abs(n0-fixed) < 0.01*fixed {
				break
			}
			// the solve would answer γn = fixed + slope (n0 − fixed): the speed with that impulse
			want := math.Max(0, fixed+slope*(n0-fixed))
			vc[2] = speedOf(k, want)
			UpdateNormalBound(&k.p, k.h)
		}
		vc[2] = x
		if updates > 15 {
			t.Errorf("slope %g: no fixed point after %d updates", slope, updates)
		}
	}
}

// speedOf returns the normal speed at which the law of a particle's contact has an impulse.
func speedOf(k *particle, impulse float64) float64 {
	lo, hi := -100.0, 100.0
	law := k.p.Constraints[k.h].Law
	var gamma [3]float64
	var G [9]float64
	for range 200 {
		mid := (lo + hi) / 2
		if law.Eval([]float64{1, 0, mid}, gamma[:], G[:]); gamma[2] > impulse {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
