package scene

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a scene says of the accuracy of steps is checked, and its defaults are the period of frames and the midpoint
// rule.
func TestAccuracyOfSteps(t *testing.T) {
	const text = `
time: {TIME}
materials: {rubber: {youngs_modulus: 1e5, density: 1000LAW}}
bodies: {ball: {mass: 1, shapes: [{sphere: {radius: 0.05}}]}}
deformables: {bar: {mesh: bar, material: rubber, pose: {xyz: [0, 0.3, 0.05]}}}
meshes: {bar: {box: {size: [0.2, 0.05, 0.05], cells: [4, 1, 1]}}}
OUTPUT
`
	for _, c := range []struct {
		time, law, output string
		step              float64
		midpoint          bool
		fault             string
	}{
		{time: "accuracy: 1e-3, duration: 1", step: 0.01, midpoint: true},
		{time: "accuracy: 1e-3, duration: 1, rule: euler", step: 0.01},
		{time: "accuracy: 1e-3, duration: 1", law: ", constitutive_law: neo_hookean", step: 0.01},
		{time: "accuracy: 1e-3, duration: 1", output: "output: {rate: 250}", step: 0.004, midpoint: true},
		{time: "accuracy: 1e-3, duration: 1", output: "output: {rate: 40}", step: 0.025 / 3, midpoint: true},
		{time: "accuracy: 1e-3, duration: 1, max_step: 0.02", step: 0.02, midpoint: true},
		{time: "accuracy: 1e-3, duration: 0.001", step: 0.001, midpoint: true},
		{time: "step: 0.01, duration: 1", step: 0.01},
		{time: "accuracy: 2, duration: 1", fault: "from 1e-09 to 0.1"},
		{time: "accuracy: 1e-3, step: 0.01, duration: 1", fault: "leave step out"},
		{time: "accuracy: 1e-3, max_step: -1, duration: 1", fault: "must be positive"},
		{time: "accuracy: 1e-3, min_step: 0.1, duration: 1", fault: "longer than time.max_step"},
		{time: "max_step: 0.1, step: 0.01, duration: 1", fault: "time.step is given"},
		{time: "accuracy: 1e-3, equilibrium: true", fault: "states at rest"},
		{time: "accuracy: 1e-3, max_step: 3, duration: 1", fault: "shorter than one time.max_step"},
		{time: "duration: 1", step: 0.01, midpoint: true},
		{time: "max_step: 0.005, duration: 1", step: 0.005, midpoint: true},
		{time: "step: -1, duration: 1", fault: "left out for steps that control their error"},
	} {
		path := filepath.Join(t.TempDir(), "scene.yaml")
		content := strings.NewReplacer("TIME", c.time, "LAW", c.law, "OUTPUT", c.output).Replace(text)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		sc, err := Load(path, nil)
		switch {
		case c.fault != "":
			if err == nil || !strings.Contains(err.Error(), c.fault) || strings.Count(err.Error(), "\n") > 0 {
				t.Errorf("%s: %v", c.time, err)
			}
		case err != nil:
			t.Errorf("%s: %v", c.time, err)
		case sc.Model.Rule.Midpoint != c.midpoint || sc.File.Time.Step-c.step > 1e-12 || c.step-sc.File.Time.Step > 1e-12:
			t.Errorf("%s: step %g, midpoint %v", c.time, sc.File.Time.Step, sc.Model.Rule.Midpoint)
		}
	}
}
