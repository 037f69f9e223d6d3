package check_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"
)

// onCube is a heavy cube on a light one of the same size, the light one on the ground, under
// SAP; each contact of four corners is that of a cube. Both contacts start deep (m).
func onCube(ratio, step, tau float64, solver string, deep float64) string {
	return fmt.Sprintf("time: {step: %g, duration: 3}\nsolver: {contact: %s}\n", step, solver) +
		"materials: {default: {stiffness: 1e12}}\npairs: [{materials: [default, default], relaxation_time: " + fmt.Sprint(tau) + "}]\nbodies:\n" +
		"  ground: {fixed: true, shapes: [{half_space: {}}]}\n" +
		"  light: {mass: 0.01, pose: {xyz: [0, 0, " + fmt.Sprint(0.05-deep) + "]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}\n" +
		"  heavy: {mass: " + fmt.Sprint(0.01*ratio) + ", pose: {xyz: [0, 0, " + fmt.Sprint(0.15-2*deep) + "]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}\n" +
		"signals:\n  sunk: {body: heavy, from: [light], nearest: gap, scale: -1}\n"
}

const limitsStiffness = "limits the stiffness"

// number returns the first number that a pattern finds in a text.
func number(t *testing.T, text, pattern string) float64 {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("%q has nothing like %q", text, pattern)
	}
	x, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Heavy bodies sink into light ones as deep as estimated, over mass ratios and steps, and no deeper
// than a hundredth of their extent once the remedy is taken.
func TestHeavyBodiesSinkIntoLightOnesAsEstimated(t *testing.T) {
	const size, rest = 0.1, 0.01
	for _, c := range []struct {
		ratio, step, tau, until float64 // the last in s: several oscillations, if it does not rest where it starts
	}{
		{100, 0.01, 0.02, 2}, {100, 0.01, 0.1, 3}, {100, 0.002, 0.1, 2}, {1e3, 0.005, 0.005, 1},
		{1e3, 0.002, 0.004, 1}, {1e4, 0.001, 0.001, 0.5}, {1e4, 0.0005, 0.01, 0.5}, {1e5, 0.0005, 0.0005, 0.3}, {1e6, 0.0001, 0.0002, 0.2},
	} {
		name := fmt.Sprintf("ratio %g, step %g s, τ %g s", c.ratio, c.step, c.tau)
		text := warned(t, onCube(c.ratio, c.step, c.tau, "sap", 0), limitsStiffness)
		told := 1e-3 * number(t, text, `about ([0-9.]+) mm into light`) // two digits
		want := 9.81 * (1 + c.ratio) * c.step * (c.step + c.tau) / (4 * math.Pi * math.Pi)
		got := simulate(t, load(t, onCube(c.ratio, c.step, c.tau, "sap", want)), c.until, "sunk")
		if math.Abs(got-want) > 1e-2*want || math.Abs(told-want) > 5e-2*want {
			t.Errorf("%s: sinks by %g m, estimated %g, by the formula %g", name, got, told, want)
		}
		// the remedy
		factor := number(t, text, `beta to ([0-9.e-]+) times`)
		mended := onCube(c.ratio, c.step, c.tau, fmt.Sprintf("sap, beta: %g", factor), factor*factor*want)
		if again := warned(t, mended, limitsStiffness); again != "" {
			t.Errorf("%s: warns as well with the remedy: %s", name, again)
		}
		if got := simulate(t, load(t, mended), c.until, "sunk"); !(got > 0) || got > rest*size {
			t.Errorf("%s: with the remedy it sinks by %g m, want %g at most", name, got, rest*size)
		}
	}
}

func TestBodiesThatContactLawsCarryTooSoftlyAreWarnedOf(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"ratio of a million", onCube(1e6, 0.01, 0.02, "sap", 0), "bodies.heavy and bodies.light: heavy (1e+04 kg) sinks through light under its own weight, where their material gives 196 nm: " +
			"the contact law limits the stiffness by the mass of the lighter body and the step; set solver.contact: lagged, which has no such limit, or lower solver.beta to 0.0035 times its value"},
		{"without gravity", noGravity + onCube(1e6, 0.01, 0.02, "sap", 0), ""},
		{"equal masses", onCube(1, 0.01, 0.02, "sap", 0), ""},
		{"small step", onCube(100, 0.001, 0.001, "sap", 0), ""},
		{"no limit", onCube(1e6, 0.01, 0.02, "sap, beta: 0", 0), ""},
		{"another law", onCube(1e6, 0.01, 0.02, "lagged", 0), ""},
	} {
		expectWarning(t, c.name, warned(t, c.text, limitsStiffness), c.want)
	}
}
