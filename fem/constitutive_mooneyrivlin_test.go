package fem

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// A bar of nearly incompressible rubber that is pulled or pressed to the stretch s, with free sides, has the nominal
// stress of the textbook (Rivlin 1948),
//
//	P = 2 (C₁₀ + C₀₁/s) (s − 1/s²),   E = 6 (C₁₀ + C₀₁).
func TestMooneyRivlinBarFollowsRivlinsFormula(t *testing.T) {
	const E, nu = 1e6, 0.49999
	for _, share := range []float64{0, 0.2, 0.7} {
		law, err := NewMooneyRivlin(E, nu, share)
		if err != nil {
			t.Fatal(err)
		}
		c10, c01 := (1-share)*E/6, share*E/6
		for _, s := range []float64{0.2, 0.5, 0.9, 1.1, 2, 3} {
			got, _ := uniaxial(law, s)
			want := 2 * (c10 + c01/s) * (s - 1/(s*s))
			if math.Abs(got-want) > 1e-3*math.Abs(want) {
				t.Errorf("share %g, stretch %g: stress %g Pa, want %g", share, s, got, want)
			}
		}
	}
}

// uniaxial returns the nominal stress of a bar at a stretch, and the stretch of its free sides:
// where their stress is zero, which a bisection finds.
func uniaxial(law ConstitutiveLaw, stretch float64) (stress, side float64) {
	lo, hi := 0.1, 10.0
	at := func(side float64) r3.Mat { return law.Stress(r3.Diag(r3.Vec{side, side, stretch}), r3.Identity()) }
	for range 200 {
		if side = 0.5 * (lo + hi); at(side)[0] > 0 {
			hi = side
		} else {
			lo = side
		}
	}
	return at(side)[8], side
}

// Without a share of I₂ the law is the neo-Hookean one.
func TestMooneyRivlinWithoutC01IsNeoHookean(t *testing.T) {
	a, err1 := NewMooneyRivlin(2e5, 0.4, 0)
	b, err2 := NewNeoHookean(2e5, 0.4)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	F := r3.Mat{1.2, 0.3, -0.1, 0.2, 0.7, 0.4, -0.3, 0.1, -0.4}
	if e, want := a.Energy(F, F), b.Energy(F, F); math.Abs(e-want) > 1e-13*want {
		t.Errorf("energy %g, want %g", e, want)
	}
	if d := a.Stress(F, F).Sub(b.Stress(F, F)); d.Norm2() > 1e-20*b.Stress(F, F).Norm2() {
		t.Errorf("stress differs by %v Pa", d)
	}
	if _, err := NewMooneyRivlin(2e5, 0.4, 1.5); err == nil {
		t.Error("a share of 1.5 is no error")
	}
}
