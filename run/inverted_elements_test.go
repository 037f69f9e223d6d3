package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

// A sheet that a heavy ball stretches to several times its length, under a law for small strains.
const stretched = `
time: {step: 0.002, duration: 0.028}
gravity: [0, 0, 0]
materials: {rubber: {youngs_modulus: 1e5, density: 1000, poissons_ratio: 0.45, pressure_gradient: 1e9}}
meshes: {sheet: {box: {size: [0.2, 0.2, 0.002], cells: [4, 4, 1]}}}
deformables: {sheet: {mesh: sheet, material: rubber, attach: [{body: world, where: {x_max: -0.099}}, {body: world, where: {x_min: 0.099}}]}}
bodies: {ball: {mass: 2, pose: {xyz: [0, 0, 0.035]}, velocity: [0, 0, -10], shapes: [{sphere: {radius: 0.03}, material: rubber}]}}
`

// Runs warn of elements that are inside out.
func TestRunsWarnOfInvertedElements(t *testing.T) {
	s := mustRun(t, load(t, stretched), Options{Dir: t.TempDir()})
	all := strings.Join(s.Warnings, "\n")
	if !strings.Contains(all, "turned inside out") || !strings.Contains(all, "of sheet, whose mesh has") {
		t.Errorf("warnings: %q", all)
	}
	s = mustRun(t, load(t, strings.ReplaceAll(stretched, "mass: 2", "mass: 0.001")), Options{Dir: t.TempDir()})
	if all := strings.Join(s.Warnings, "\n"); strings.Contains(all, "inside out") {
		t.Errorf("warnings: %q", all)
	}
}

func TestInvertedElementsAreKeptInCheckpoints(t *testing.T) {
	e := invertedElements{3, 0.2, 5, 1}
	if m := e.appendTo([]float64{7}); invertedElementsOf(m[1:]) != e || len(m) != 1+invertedElementsNumbers || !slices.Equal(m, []float64{7, 3, 0.2, 5, 1}) {
		t.Errorf("%v", m)
	}
	if (&invertedElements{}).warning((*sim.Stepper)(nil)) != "" {
		t.Error("a warning without such elements")
	}
}
