package examples_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Two gears cut from one plate, which touch at points: half a turn of the pinion of 20 teeth turns the wheel of 40 by a
// quarter, within the backlash. Their end faces are flush, or nearly so.
func TestGearsOfOnePlateKeepTheirRatio(t *testing.T) {
	const scene = `
time: {step: 1e-3, duration: 0.5}
gravity: [0, 0, 0]
materials: {steel: {friction: 0.1, density: 7850, dissipation: 10}}
meshes:
  a: {part: {spur: {module: 1e-3, teeth: 20, face_width: 5e-3, backlash: 5e-5, chord: 1e-5}}}
  b: {part: {spur: {module: 1e-3, teeth: 40, face_width: 5e-3, backlash: 5e-5, chord: 1e-5}}}
bodies:
  pinion: {shapes: [{mesh: {mesh: a}, material: steel}]}
  wheel:
    pose: {xyz: [0.03, 0, %g], rpy_deg: [0, 0, 4.5]}
    joint: {type: revolute, axis: [0, 0, 1]}
    shapes: [{mesh: {mesh: b}, material: steel}]
drives:
  motor: {body: pinion, axis: [0, 0, 1], angle: {times: [0, 0.5], values: [0, 3.14159265358979]}}
signals:
  turned: {joint: wheel, joint_state: position}
`
	for _, offset := range []float64{0, 1e-15, -1e-9, 1e-6, 1e-4} {
		file := filepath.Join(t.TempDir(), "gears.yaml")
		if err := os.WriteFile(file, fmt.Appendf(nil, scene, offset), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, h := range []string{"1e-3", "2e-4"} {
			if h == "2e-4" && offset != 0 {
				continue
			}
			r := begin(t, file, "time.step="+h)
			// the backlash at the pitch radius of 20 mm, and what rounds off flanks
			if got := r.run().last("turned"); math.Abs(got+math.Pi/2) > 5e-5/0.02+1e-3 {
				t.Errorf("offset %g, step %s: the wheel turned by %.5f rad, want %.5f", offset, h, got, -math.Pi/2)
			}
		}
	}
}
