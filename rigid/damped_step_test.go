package rigid

import (
	"testing"

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
