package examples_test

import (
	"fmt"
	"math"
	"os"
	"testing"
)

// The finger in the testing machine has 40 states at rest on all elements, at points and with pressure fields; the
// reaction is the contact force to 1e-6, and the force of each state is that of a slow damped run, whose friction does
// not creep, to 0.5 %.
//
// Steps of the run divide faces into points as they are at the start of the step. Where the division of one state moves
// the bodies to another with another division, steps go to and fro between both, at a bar that stands as well, and the
// state at rest is in the middle (sim/rest_contacts.go). So the force of the run at a step k is the mean that an
// alternation does not change, nor a force that grows evenly,
//
//	(f_{k−1} + 2 f_k + f_{k+1}) / 4.
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
		for k := range 40 {
			if err := r.step.Equilibrium(r.x, h); err != nil {
				t.Errorf("%s, field %v, state %d: %v", c.elements, c.field, k+1, err)
				break
			}
			r.step.Place(r.x, h)
			r.read()
			force, held := r.last("force_N"), r.last("held_N")
			if off := math.Abs(force + held); off > 1e-6*math.Abs(force)+1e-12 {
				t.Errorf("%s, field %v, state %d: contact force %g N, reaction %g N", c.elements, c.field, k+1, force, held)
			}
		}
		const duration, steps = 4.0, 400 // of the travel, which continues for one step
		damped := begin(t, "instron/scene.yaml", append(set, "time.equilibrium=false", fmt.Sprint("time.step=", duration/steps),
			fmt.Sprint("drives.travel.y.times.1=", duration*(steps+1)/steps), fmt.Sprint("drives.travel.y.values.1=", 0.008*(steps+1)/steps), "solver.stiction_tolerance=1e-8", "solver.sliding_tolerance=1e-8")...)
		for range steps + 1 {
			damped.next()
		}
		run, worst := damped.history["force_N"], 0.0
		for k, force := range r.history["force_N"][1:] {
			n := (k + 1) * steps / 40
			want := (run[n-1] + 2*run[n] + run[n+1]) / 4
			worst = math.Max(worst, math.Abs(force/want-1))
			if !(math.Abs(force/want-1) < 0.005) {
				t.Errorf("%s, field %v, state %d: %g N, a damped run has %g N", c.elements, c.field, k+1, force, want)
			}
		}
		t.Logf("%s, field %v: %g N, curve within %.2g of a damped run", c.elements, c.field, r.last("force_N"), worst)
	}
}
