package gears

import (
	"math"
	"testing"
)

func TestLawsAreConvexAndTheirEnergiesAgree(t *testing.T) {
	p, err := NewPair(Default(2e-3, 20), Default(2e-3, 40), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range Compliances() {
		c, err := p.Compliance(kind)
		if err != nil {
			t.Fatal(err)
		}
		l := c.At(p.ToothA.RBase*math.Tan(p.ToothA.Alpha), p.ToothB.RBase*math.Tan(p.ToothB.Alpha))
		last, lastK := 0.0, 0.0
		for d := 1e-12; d < 1e-3; d *= 1.07 {
			w, k := l.Load(d)
			if back := l.Approach(w); math.Abs(back/d-1) > 1e-9 && d < 2e-4 {
				t.Errorf("%s: approach %g m gives %g N/m, which gives %g m", kind, d, w, back)
			}
			if w < last || k < lastK*(1-1e-12) {
				t.Errorf("%s: load %g N/m and stiffness %g at %g m fall", kind, w, k, d)
			}
			e := 1e-5 * d
			up, _ := l.Load(d + e)
			down, _ := l.Load(d - e)
			if diff := (up - down) / (2 * e); math.Abs(diff/k-1) > 1e-4 {
				t.Errorf("%s: stiffness %g at %g m, differences %g", kind, k, d, diff)
			}
			if d > 1e-9 && d < 2e-4 {
				if diff := (l.Energy(d+e) - l.Energy(d-e)) / (2 * e); math.Abs(diff/w-1) > 1e-4 {
					t.Errorf("%s: load %g at %g m, derivative of energy %g", kind, w, d, diff)
				}
			}
			last, lastK = w, k
		}
	}
	if _, err := p.Compliance("soft"); err == nil {
		t.Error("an unknown compliance is taken")
	}
}
