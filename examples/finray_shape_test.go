package examples_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/curlfree/curlfree/optimize"
)

// ribsGrip returns the grip of a finger with these ribs at the end of the run, N.
func ribsGrip(t *testing.T, angle, rib float64) float64 {
	t.Helper()
	r := begin(t, "finray-shape/scene.yaml", fmt.Sprint("meshes.finger.part.finray.rib_angle=", angle), fmt.Sprint("meshes.finger.part.finray.rib=", rib)).run()
	grip := r.history["grip_N"]
	return grip[len(grip)-1]
}

// The ribs that the README names grip no less than the best of the sweep, and 6 % harder than those of the start.
func TestRibsThatWereFoundGripHardest(t *testing.T) {
	start, best, found := ribsGrip(t, 0.2, 1.8e-3), ribsGrip(t, -0.2, 1.2e-3), ribsGrip(t, -0.16683, 1.2e-3)
	t.Logf("start %.4f N, best of the sweep %.4f N, found %.4f N", start, best, found)
	if found < best || found < 1.06*start {
		t.Errorf("start %g N, best of the sweep %g N, found %g N", start, best, found)
	}
}

// The search takes at most 15 gradients to within 0.5 % of the best of 63 runs.
func TestSearchOfRibsIsAsGoodAsASweep(t *testing.T) {
	if os.Getenv("CURLFREE_LONG") == "" {
		t.Skip("takes 60 runs and 6 gradients: set CURLFREE_LONG=1")
	}
	task, err := optimize.Load("finray-shape/shape.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s, err := task.SolveParameters(1, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, best := ribsGrip(t, s.Values[0], s.Values[1]), 0.0
	for i := range 9 {
		for k := range 7 {
			best = max(best, ribsGrip(t, 0.1*float64(i-4), 1.2e-3+2e-4*float64(k)))
		}
	}
	t.Logf("%.4f N at %v after %d gradients, %d of them differences; best of the sweep %.4f N", found, s.Values, s.Gradients, s.Refused, best)
	if found < 0.995*best || s.Gradients > 15 || !s.Converged {
		t.Errorf("%g N after %d gradients, the best of the sweep is %g N; converged %v", found, s.Gradients, best, s.Converged)
	}
}
