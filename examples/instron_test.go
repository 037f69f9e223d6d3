package examples_test

import (
	"math"
	"os"
	"testing"
)

// The finger in the testing machine has 40 states at rest on all elements, at points and with pressure fields; the reaction is the contact
// force, and the curve of hexahedra is that of a slow damped run.
func TestFingerInATestingMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const h = 0.025
	for _, c := range []struct {
		elements string
		field    bool
		long     bool
	}{{"hex12", false, false}, {"tet4", false, true}, {"tet10", false, true}, {"hex12", true, true}, {"tet4", true, true}, {"tet10", true, true}} {
		if c.long && os.Getenv("CURLFREE_LONG") == "" {
			continue
		}
		set := []string{"deformables.finger.elements=" + c.elements}
		if c.field {
			set = append(set, "materials.steel.hydroelastic_modulus=1e8")
		}
		r := begin(t, "instron/scene.yaml", set...)
		last := func(name string) float64 { h := r.history[name]; return h[len(h)-1] }
		for k := range 40 {
			if err := r.step.Equilibrium(r.x, h); err != nil {
				t.Errorf("%s, field %v, state %d: %v", c.elements, c.field, k+1, err)
				break
			}
			r.step.Place(r.x, h)
			r.read()
			force, held := last("force_N"), last("held_N")
			if off := math.Abs(force + held); off > 1e-6*math.Abs(force)+1e-12 {
				t.Errorf("%s, field %v, state %d: contact force %g N, reaction %g N", c.elements, c.field, k+1, force, held)
			}
		}
		t.Logf("%s, field %v: %g N", c.elements, c.field, last("force_N"))
	}
}
