package scene

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Numbers are read by the paths of overrides, in SI units; what is none is named.
func TestNumbersOfAFileByTheirPaths(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scene.yaml")
	text := "title: t\ntime: {step: 0.002, duration: 1}\nmaterials:\n  default: {friction: 0.3}\n  ice: {friction: {static: 0.2, dynamic: 0.1}}\n" +
		"meshes:\n  finger: {part: {finray: {rib_angle: 0.2}}}\nbodies:\n  ball: {mass: 2, pose: {xyz: [1, 2, 3]}, shapes: [{sphere: {radius: 0.1}}]}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sc, err := Load(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]float64{
		"time.step": 0.002, "materials.default.friction": 0.3, "materials.ice.friction.static": 0.2, "meshes.finger.part.finray.rib_angle": 0.2,
		"bodies.ball.mass": 2, "bodies.ball.pose.xyz.1": 2, "bodies.ball.shapes.0.sphere.radius": 0.1,
	} {
		if x, err := sc.File.Number(at); err != nil || x != want {
			t.Errorf("%s is %g, %v, want %g", at, x, err, want)
		}
	}
	for at, want := range map[string]string{
		"materials.ice.friction": "two coefficients", "meshes.finger.part.finray.rib": "has no value in the file", "materials.default.density": "has no value in the file",
		"title": "is not a number", "bodies.bull.mass": "did you mean", "solver.contact": "name of a kind", "meshes.finger.part.finray": "is not a number",
	} {
		if _, err := sc.File.Number(at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", at, err, want)
		}
	}
}
