package scene

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

// An arm that stands exactly straight, from a collection of scenes that went wrong, moves its tip inwards by 0.3 m
// along itself, at several speeds.
func TestStraightArmsMoveInwards(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile("testdata/straight_arm.urdf")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "arm2.urdf"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	scene := `
time: {step: 0.005, duration: 8}
robots: {r: {file: arm2.urdf, joints: {j1: 0, j2: 0}}}
drives:
  d: {robot: r, kp: 5000, kd: 200, inverse_dynamics: true, target: {link: l2, tool: {xyz: [0.4,0,0]}, follow: position, speed: 0.1, poses: [{pose: {xyz: [0.6, 0, 1.0]}}]}}
signals:
  x: {body: r.l2, position: x, point: [0.4,0,0]}
`
	path := filepath.Join(dir, "scene.yaml")
	if err := os.WriteFile(path, []byte(scene), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, speed := range []string{"0.1", "0.25"} {
		sc, err := Load(path, []string{"drives.d.target.speed=" + speed})
		if err != nil {
			t.Fatal(err)
		}
		s, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		x := sc.Model.Start.Clone()
		for range 1600 {
			if err := s.Step(x, 0.005); err != nil {
				t.Fatal(err)
			}
		}
		// law of cosines at 0.6 m
		if want := math.Acos((0.36 - 0.25 - 0.16) / (2 * 0.5 * 0.4)); math.Abs(math.Abs(x.Q[1])-want) > 1e-5 {
			t.Errorf("speed %s: the elbow ends at %g, want ±%g", speed, x.Q[1], want)
		}
	}
}
