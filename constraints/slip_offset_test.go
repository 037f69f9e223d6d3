package constraints_test

import (
	"math"
	"testing"

	. "github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// A particle strikes a plane at an angle. Lagged friction does not have the impulse of the
// impact: with an open gap there is none. With slip offsets friction is μ γn after one solve,
// whatever the offset; where the offset is the solved slip, the impulse is that of Coulomb's law,
// m |vn|, and the particle slides on at v_t − μ |vn|. A contact never gives energy.
func TestSlipOffsetsReachCoulombsLawInAnImpact(t *testing.T) {
	const h, mu, vt, vn = 1e-3, 0.4, 2.0, -1.0
	for _, gap := range []float64{0, 2e-4} {
		k := &particle{m: Lagged{}, pair: Pair{Stiffness: 1e10, Friction: mu}, q: r3.Vec{0, 0, gap}, v: r3.Vec{vt, 0, vn}}
		k.begin(h, r3.Vec{})
		k.solve(t)
		solves := 0
		for ; solves == 0 || SlipOffsetOff(&k.p, k.h); solves++ {
			if solves == 5 {
				t.Fatalf("gap %g: not converged", gap)
			}
			if !UpdateSlipOffset(&k.p, k.h) {
				t.Fatal("a contact point has no slip offset")
			}
			k.solve(t)
			g := k.p.Impulse(k.h)
			if got := math.Hypot(g[0], g[1]); math.Abs(got-mu*g[2]) > 1e-6*g[2] {
				t.Errorf("gap %g: friction %g N s after %d solves, want %g", gap, got, solves, mu*g[2])
			}
			if e := LagErrorOf(&k.p, k.h); e.Lacking != 0 || e.Excess != 0 || math.Abs(e.Allowed-mu*g[2]) > 1e-12 {
				t.Errorf("gap %g: %+v, want %g allowed and no error", gap, e, mu*g[2])
			}
			vc := k.p.Velocity(k.h)
			if work := g[0]*vc[0] + g[1]*vc[1] + g[2]*vc[2]; work > 0 {
				t.Errorf("gap %g: the contact gives %g J", gap, work)
			}
		}
		// the gap closes within the step: that share of the approach stays
		stopped := -vn - gap/h
		want := r3.Vec{vt - mu*stopped, 0, -gap / h}
		if off := k.v.Sub(want).Norm(); off > 0.05*(vt-mu*stopped)*(1+mu)+1e-4 {
			t.Errorf("gap %g: %v m/s after the impact, want %v", gap, k.v, want)
		}
	}
}

// The offset of a contact that slid keeps it open once it sticks, although its gap closes: the contact says so,
// until its offset is updated.
func TestSlipOffsetsOfContactsThatStopHideOverlap(t *testing.T) {
	const h, mu, gap = 1e-3, 0.4, 5e-4
	k := &particle{m: Lagged{}, pair: Pair{Stiffness: 1e10, Friction: mu}, q: r3.Vec{0, 0, gap}, v: r3.Vec{2, 0, -1}}
	k.begin(h, r3.Vec{})
	k.solve(t)
	UpdateSlipOffset(&k.p, k.h)
	vc := k.p.Velocity(k.h)
	for _, c := range []struct {
		vt, vn float64
		hides  bool
	}{
		{2, -0.9, false},  // slides on: the offset is right
		{0, -0.9, true},   // 0.4 mm deep, kept open by the offset
		{0, -0.4, false},  // open by 0.1 mm
		{0, -2.0, false},  // deeper than the offset: it is loaded
		{0.1, -0.6, true}, // slides slowly
	} {
		vc[0], vc[1], vc[2] = c.vt, 0, c.vn
		if got := SlipOffsetHides(&k.p, k.h); got != c.hides {
			t.Errorf("sliding by %g and closing by %g m/s: hides %v, want %v", c.vt, c.vn, got, c.hides)
		}
		if z, want := ActingVelocity(&k.p, k.h), c.vn+mu*(2-c.vt); math.Abs(z-want) > 1e-3 {
			t.Errorf("acts at %g m/s, want %g", z, want)
		}
	}
	vc[0], vc[1], vc[2] = 0, 0, -0.9
	if UpdateSlipOffset(&k.p, k.h); SlipOffsetHides(&k.p, k.h) {
		t.Error("hides overlap after an update")
	}
}

func TestLawsWithoutLagTakeNoSlipOffsets(t *testing.T) {
	k := &particle{m: Similar{}, pair: Pair{Stiffness: 1e6, Friction: 0.5}, v: r3.Vec{1, 0, -1}}
	k.begin(1e-3, r3.Vec{})
	if UpdateSlipOffset(&k.p, k.h) || SlipOffsetOff(&k.p, k.h) {
		t.Error("similar takes a slip offset")
	}
}
