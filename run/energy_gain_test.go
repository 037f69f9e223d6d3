package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene"
	"github.com/curlfree/curlfree/sim"
)

func TestGainsSumUpAndAreRecalled(t *testing.T) {
	var g energyGains
	g.add(&sim.GainedEnergy{}, 1)
	if g.steps != 0 || g.summary(nil) != nil || g.warning(nil) != "" {
		t.Errorf("nothing gained: %+v", g)
	}
	g.add(&sim.GainedEnergy{Energy: 2, Body: 3, Other: -2}, 1)
	g.add(&sim.GainedEnergy{Energy: 5, Body: 4, Other: 7}, 2)
	g.add(&sim.GainedEnergy{Energy: 1, Body: 5, Other: -2}, 3)
	if g.total != 8 || g.steps != 3 || g.largest.Energy != 5 || g.largest.Body != 4 || g.time != 2 {
		t.Errorf("%+v", g)
	}
	if got := energyGainsOf(g.appendTo([]float64{7, 8})[2:]); got != g {
		t.Errorf("recalls %+v of %+v", got, g)
	}
}

// unseen is a law whose energy is not counted: what a strained body releases has no cause.
type unseen struct{ fem.Corotational }

func (unseen) Energy(F, R r3.Mat) float64 { return 0 }

// released is a free block of few tetrahedra, which no vector kernel takes.
const released = `
time: {step: 2e-3, duration: 0.04}
gravity: [0, 0, 0]
materials: {rubber: {youngs_modulus: 1e5, poissons_ratio: 0.4, density: 100}}
meshes: {block: {box: {size: [1, 1, 1], cells: [1, 1, 1]}}}
deformables: {block: {mesh: block, elements: tet4, material: rubber}}
`

// loadReleased loads a scene of the block, which starts strained by 20 %.
func loadReleased(t *testing.T, text string) *scene.Scene {
	t.Helper()
	sc := load(t, text)
	spec := sc.Model.Deformables[0].Spec()
	spec.Law = unseen{spec.Law.(fem.Corotational)}
	body, err := fem.NewModel(spec)
	if err != nil {
		t.Fatal(err)
	}
	sc.Model.Deformables[0] = body
	for i := range sc.Model.Start.Q {
		sc.Model.Start.Q[i] *= 1.2
	}
	return sc
}

// The last step has no next one that would find its gain.
func TestRunsWarnOfEnergyGainedByTheLastStep(t *testing.T) {
	one := mustRun(t, loadReleased(t, strings.Replace(released, "duration: 0.04", "duration: 2e-3", 1)), Options{Dir: t.TempDir()})
	two := mustRun(t, loadReleased(t, strings.Replace(released, "duration: 0.04", "duration: 4e-3", 1)), Options{Dir: t.TempDir()})
	if one.LargestGain == nil || one.LargestGain.Time != 2e-3 || one.EnergyGained <= 0 {
		t.Fatalf("a run of one step: %g J, %+v", one.EnergyGained, one.LargestGain)
	}
	// the second step finds the same gain, and its own is found after it
	if two.EnergyGained < one.EnergyGained || two.LargestGain.Steps != 2 {
		t.Errorf("two steps: %g J in %d, one %g J", two.EnergyGained, two.LargestGain.Steps, one.EnergyGained)
	}
}

// A run says what gained energy, in run.json and in a warning, also when it was resumed.
func TestRunsWarnOfEnergyGained(t *testing.T) {
	sc, dir := loadReleased(t, released), t.TempDir()
	want := mustRun(t, sc, Options{Dir: t.TempDir()})
	gain := want.LargestGain
	if gain == nil || gain.By != "block" || !(want.EnergyGained >= gain.Energy && gain.Energy > 0) || gain.Steps < 1 || gain.Time <= 0 {
		t.Fatalf("%g J, most %+v", want.EnergyGained, gain)
	}
	if !slices.ContainsFunc(want.Warnings, func(w string) bool {
		return strings.Contains(w, "beyond the work done on them") && strings.Contains(w, "block") && strings.Contains(w, "apart")
	}) {
		t.Errorf("warnings %q", want.Warnings)
	}
	interrupt(t, sc, Options{Dir: dir}, 15)
	got := mustRun(t, sc, Options{Dir: dir, Resume: true})
	if got.EnergyGained != want.EnergyGained || *got.LargestGain != *gain || got.StateHash != want.StateHash {
		t.Errorf("resumed %g %+v, want %g %+v", got.EnergyGained, got.LargestGain, want.EnergyGained, gain)
	}
	if s := mustRun(t, load(t, sliding), Options{Dir: t.TempDir()}); s.EnergyGained != 0 || s.LargestGain != nil {
		t.Errorf("a block that slides: %g J", s.EnergyGained)
	}
}
