package scene

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// loadText loads a scene from text.
func loadText(t *testing.T, text string) (*Scene, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Load(path, nil)
}

func TestVisualShapesWeighOnlyWhereABodyHasNothingElse(t *testing.T) {
	const head = "time: {step: 0.01, duration: 1}\nmaterials: {default: {density: 1000}}\nbodies:\n  a: {shapes: ["
	const visual = "{box: {size: [1, 1, 1]}, visual_only: true}"
	for _, c := range []struct {
		shapes string
		mass   float64
	}{
		{"{box: {size: [0.1, 0.1, 0.1]}}, " + visual, 1},
		{visual, 1000},
	} {
		sc, err := loadText(t, head+c.shapes+"]}\n")
		if err != nil {
			t.Fatal(err)
		}
		if m := sc.Model.Rigid.Link(0).Mass; math.Abs(m-c.mass) > 1e-9*c.mass {
			t.Errorf("%s weighs %g kg, want %g", c.shapes, m, c.mass)
		}
	}
}

func TestLinearBodiesMustStartUnrotated(t *testing.T) {
	const text = `
time: {step: 0.01, duration: 1}
materials: {soft: {law: LAW}}
meshes: {bar: {box: {size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}}}
deformables: {bar: {mesh: bar, material: soft, pose: {rpy_deg: [0, 0, 45]}}}
`
	if _, err := loadText(t, strings.Replace(text, "LAW", "linear", 1)); err == nil || !strings.Contains(err.Error(), "treats rotation as strain") {
		t.Errorf("got %v", err)
	}
	if _, err := loadText(t, strings.Replace(text, "LAW", "corotational", 1)); err != nil {
		t.Error(err)
	}
}

func TestNamesOfColumnsFitATable(t *testing.T) {
	_, err := loadText(t, "time: {step: 0.01, duration: 1}\nbodies: {a: {mass: 1, shapes: [{sphere: {radius: 0.1}}]}}\nsignals: {\"a,b\": {body: a, position: z}}\n")
	if err == nil || !strings.Contains(err.Error(), "cannot be the name of a column") {
		t.Errorf("got %v", err)
	}
}
