package sim

import (
	"testing"

	"github.com/curlfree/curlfree/constraints"
)

// The number of Newton iterations of a heap does not grow as friction becomes sharper between
// stick and slip. With the Hessian of friction alone it was 2.5 times as many at
// 1e-7 m/s as at 1e-3 m/s.
func TestNewtonIterationsDoNotGrowWithTheSharpnessOfFriction(t *testing.T) {
	mean := func(law string, tolerance float64) float64 {
		w := newScaffold(t)
		w.Contact = contactModel(law, constraints.DefaultNormalModel, tolerance)
		if law == "lagged" {
			w.FrictionLag = FrictionLagGeometry
		}
		pile(w)
		s, x := w.build()
		defer s.Close()
		iterations, solves := 0, 0
		for range 60 {
			run(t, s, x, 4e-3, 1)
			iterations, solves = iterations+s.Report.Solver.Iterations, solves+s.Report.Solves
		}
		return float64(iterations) / float64(solves)
	}
	for _, law := range []string{"lagged", "similar"} {
		blunt, sharp := mean(law, 1e-3), mean(law, 1e-7)
		t.Logf("%s: %.1f iterations a solve at 1e-3 m/s, %.1f at 1e-7 m/s", law, blunt, sharp)
		if sharp > 1.7*blunt {
			t.Errorf("%s: %.1f iterations a solve at 1e-7 m/s, %.1f at 1e-3 m/s", law, sharp, blunt)
		}
	}
}
