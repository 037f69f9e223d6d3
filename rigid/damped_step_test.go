package rigid

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/timestep"
)

// Derivatives that are not known are refused, whoever asks for them.
func TestDerivativesOfTheMidpointRuleAreRefused(t *testing.T) {
	w := newDamped(floatingChain(t).m, 0.05)
	if w.TangentFault() != nil {
		t.Error("a step of Euler has derivatives")
	}
	w.free(t, 0.01)
	if w.TangentFault() == nil {
		t.Error("a step of the midpoint rule has none")
	}
	n := len(w.v)
	x := make([]float64, 2*n*n)
	for name, ask := range map[string]func(){
		"FreeMotionTangent": func() { w.FreeMotionTangent(0, r3.Vec{}, w.v, x, n, n) },
		"AddPairWrench":     func() { w.AddPairWrench(&PairWrench{B: 0, A: World}, w.v, x, n, n) },
		"AdvanceTangent":    func() { w.AdvanceTangent(0.01, w.q, w.v, x[:n], x[:n], x[:n]) },
		"AdvanceJacobian":   func() { w.AdvanceJacobian(0.01, w.q, w.v, x, n, true, x) },
		"AdvanceAdjoint":    func() { w.AdvanceAdjoint(0.01, w.q, w.v, x[:n], x[:n], x[:n]) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s writes derivatives", name)
				}
			}()
			ask()
		}()
	}
	w.Integrate(timestep.Euler(0.01))
	if w.TangentFault() != nil {
		t.Error("a step of Euler has no derivatives after one of the midpoint rule")
	}
}

// Rows that are taken before the free motion of a step, such as those of controllers, are those of the placed state.
func TestRowsBeforeFreeMotionAreThoseOfThePlacedState(t *testing.T) {
	r := newRand(8)
	start := tumbler(t, 3, false)
	w := newDamped(start.m, 0.05)
	copy(w.v, start.v)
	w.free(t, 0.01)
	rows := func(d *Data) (x [3]float64) {
		var p cliques.Problem
		p.Reset(0, 0.01)
		d.AddNodes([]int{0}, &p)
		p.AddConstraint(open{})
		at, axes, zero := r3.Vec{1, 2, 3}, r3.Identity(), r3.Vec{}
		d.PointRows(&p, 1, &at, &axes, &zero, 1)
		for i := range x {
			x[i] = p.Rate(i, w.v)
		}
		return x
	}
	for k := range w.v {
		w.v[k] = r.NormFloat64()
	}
	w.integrate(0.01)
	w.Place(w.t, 0.01, w.q, w.v)
	euler := start.m.NewData()
	euler.Place(0, 0.01, w.q, w.v)
	got, want := rows(w.Data), rows(euler)
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-14*(1+math.Abs(want[i])) {
			t.Errorf("row %d gives %g, want %g", i, got[i], want[i])
		}
	}
}
