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
	g.add(&sim.GainedEnergy{})
	if g.steps != 0 || g.summary(nil) != nil || g.warning(nil) != "" {
		t.Errorf("nothing gained: %+v", g)
	}
	g.start = sim.RelativePenetration{Ratio: 0.5, Depth: 0.02, Bodies: [2]int{1, 2}}
	g.add(&sim.GainedEnergy{Energy: 2, Share: 2, Body: 3, Other: -2, Time: 1})
	g.add(&sim.GainedEnergy{Energy: 6, Share: 5, Body: 4, Other: 7, Time: 2, Scale: 8})
	g.add(&sim.GainedEnergy{Energy: 1, Share: 1, Body: 5, Other: -2, Time: 3})
	if g.total != 9 || g.steps != 3 || g.largest.Share != 5 || g.largest.Body != 4 || g.largest.Time != 2 {
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
		return strings.Contains(w, "beyond the work done") && strings.Contains(w, "block") && strings.Contains(w, "use a shorter time.step")
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

// overlapping is a light body with an arm, 2 cm deep in the floor.
const overlapping = `
time: {step: 2e-4, duration: 0.01}
materials: {default: {stiffness: 1e4, dissipation: 0, friction: 0}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}]}
  base: {mass: 3e-6, inertia: {ixx: 2e-9, iyy: 2e-9, izz: 2e-9}, pose: {xyz: [0, 0, 0.03], rpy_deg: [20, 30, 10]}, shapes: [{box: {size: [0.1, 0.06, 0.08]}}]}
  tip: {mass: 1e-3, com: [0.05, 0, 0.02], inertia: {ixx: 1e-6, iyy: 1e-6, izz: 1e-6}, pose: {xyz: [0, 0, 0.1]}, joint: {type: revolute, axis: [0, 1, 1], parent: base}}
`

// Where bodies overlap at the start, gains are the release of what contact stores there: the run names the pair, the
// depth and that as the remedy, and not shorter steps.
func TestGainsOfOverlapAtTheStartAdviseToPartBodies(t *testing.T) {
	sc := load(t, overlapping)
	s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var g energyGains
	x := sc.Model.Start.Clone()
	for range 2 {
		if err := s.Step(x, sc.File.Time.Step); err != nil {
			t.Fatal(err)
		}
		g.addStart(&s.Report)
	}
	g.add(&sim.GainedEnergy{Energy: 2, Share: 2, Body: 1, Other: -2, Time: 2e-4, Scale: 4})
	w := g.warning(s)
	for _, part := range []string{"base: 2 J (it has 4 J", "t = 0.0002 s", "part world and base, which overlap by", "mm at the start"} {
		if !strings.Contains(strings.ReplaceAll(w, "ground", "world"), part) {
			t.Errorf("%q lacks %q", w, part)
		}
	}
	if strings.Contains(w, "shorter time.step") {
		t.Errorf("advice of %q", w)
	}
}
