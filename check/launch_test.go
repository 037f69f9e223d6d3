package check_test

import (
	"fmt"
	"math"
	"testing"
)

// inRange is a box of 1 g, 10 mm long, at a gap (m) over the ground under a contact law.
func inRange(law, step string, gap float64) string {
	return "time: {step: " + step + ", duration: 1}\nsolver: {contact: lagged, normal_law: " + law + "}\n" +
		"materials: {default: {stiffness: 1e5}}\nbodies:\n" +
		"  ground: {fixed: true, shapes: [{half_space: {}}]}\n" +
		"  box: {mass: 1e-3, pose: {xyz: [0, 0, " + fmt.Sprint(0.005+gap) + "]}, shapes: [{box: {size: [0.01, 0.01, 0.01]}}]}\n" +
		"signals:\n  rise: {body: box, velocity: z}\n  gap: {body: box, from: [ground], nearest: gap}\n"
}

const throws = "throws them apart"

// Boxes leave the range at the speed that is estimated, for both barriers, steps that resolve the way
// out and steps that do not; at a gap that carries their weight they stay and nothing is said.
func TestBarriersThrowBoxesAtTheEstimatedSpeed(t *testing.T) {
	for _, c := range []struct {
		law, step  string
		gap, reach float64 // m, at the start and of the law
	}{
		{"ipc, barrier_range: 1e-3", "1e-4", 0, 1e-3}, {"ipc, barrier_range: 1e-3", "1e-3", 1e-4, 1e-3}, {"ipc, barrier_range: 1e-4", "1e-5", 1e-6, 1e-4},
		{"log_barrier, barrier_range: 1e-3", "1e-4", 1e-5, 1e-3}, {"log_barrier, barrier_range: 1e-4", "1e-3", 0, 1e-4},
	} {
		name := fmt.Sprintf("%s, step %s s, gap %g m", c.law, c.step, c.gap)
		text := inRange(c.law, c.step, c.gap)
		told := number(t, warned(t, text, throws), `at about ([0-9.e-]+) m/s`) // two digits
		sc := load(t, text)
		until := sc.File.Time.Step
		for simulate(t, sc, until, "gap") < c.reach && until < 100*sc.File.Time.Step {
			until += sc.File.Time.Step
		}
		if v := simulate(t, sc, until, "rise"); math.Abs(v-told) > 0.05*told {
			t.Errorf("%s: leaves at %g m/s, estimated %g", name, v, told)
		}
	}
	// its weight, 0.01 N on four corners, is carried at this gap
	rest := simulate(t, load(t, inRange("ipc, barrier_range: 1e-3", "1e-3", 9e-4)), 1, "gap")
	if rest <= 0 || rest >= 1e-3 {
		t.Fatalf("rests at %g m", rest)
	}
	for name, text := range map[string]string{
		"at rest":         inRange("ipc, barrier_range: 1e-3", "1e-3", rest),
		"out of range":    inRange("ipc, barrier_range: 1e-3", "1e-3", 2e-3),
		"acts on overlap": inRange("hunt_crossley", "1e-3", 0),
	} {
		if got := warned(t, text, throws); got != "" {
			t.Errorf("%s: %s", name, got)
		}
	}
}
