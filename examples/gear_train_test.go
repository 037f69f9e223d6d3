package examples_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gearTrain is a scene of equal spur gears in a row, each meshing with the next: the first is
// turned at an even speed after a start of 0.15 s, a brake loads the last. There is no
// friction. A step turns the gears by 1/steps of a tooth.
func gearTrain(gears, steps int) string {
	const teeth, turnsPerSecond, load = 20, 2, 0.05
	h := 1.0 / (teeth * turnsPerSecond * float64(steps))
	var b strings.Builder
	fmt.Fprintf(&b, `
time: {step: %g, duration: 0.4}
gravity: [0, 0, 0]
solver: {hydroelastic_margin: 2e-5}
materials:
  default: {dissipation: 10, friction: 0, density: 7850}
  compliant: {hydroelastic_modulus: 1e9}
meshes:
  gear: {part: {spur: {module: 1e-3, teeth: %d, face_width: 5e-3, backlash: 2e-5, chord: 1e-5, layers: 2, across: 2, bore: 4e-3}}}
bodies:
`, h, teeth)
	for i := range gears {
		fmt.Fprintf(&b, "  gear%d:\n    pose: {xyz: [%g, 0, 0], rpy_deg: [0, 0, %d]}\n", i, float64(i)*teeth*1e-3, i%2*180/teeth)
		material := "default"
		if i%2 == 1 {
			material = "compliant"
		}
		fmt.Fprintf(&b, "    shapes: [{mesh: {mesh: gear}, material: %s}]\n", material)
		if i > 0 {
			b.WriteString("    joint: {type: revolute, axis: [0, 0, 1]}\n")
		}
	}
	sign := float64(gears%2*-2 + 1) // against the last gear's rotation
	fmt.Fprintf(&b, `
drives:
  motor: {body: gear0, axis: [0, 0, 1], angle: {times: [0, 0.05, 0.1, 0.15, 0.4], values: [0, 0.1, 0.4, 0.9, 4.041592653589793], smooth: false}}
  brake: {joint: gear%d, kp: 0, kd: 0, feed_forward: {times: [0, 0.02], values: [0, %g]}}
signals:
  in: {body: gear0, contact_moment: z}
  out: {body: gear%d, contact_moment: z}
`, gears-1, sign*load, gears-1)
	return b.String()
}

// Equal gears without friction transmit their torque: over whole teeth, what the motor gives
// is what the brake takes. Contact with the normals of the start of a step lost 3.4 % a mesh at 1/25
// of a tooth a step, 26 % in a train of ten.
func TestGearTrainTransmitsItsTorque(t *testing.T) {
	const gears, steps, teeth = 4, 25, 6
	file := filepath.Join(t.TempDir(), "scene.yaml")
	if err := os.WriteFile(file, []byte(gearTrain(gears, steps)), 0o644); err != nil {
		t.Fatal(err)
	}
	r := begin(t, file).run()
	whole := func(signal string) float64 {
		v := r.history[signal]
		return meanOf(v[len(v)-steps*teeth:])
	}
	in, out := whole("in"), whole("out")
	near(t, "torque of the brake", out, -0.05, 5e-6)
	loss := 1 - out/in
	t.Logf("%d meshes lose %.2f %%", gears-1, 100*loss)
	if !(loss >= 0 && loss < 0.004*(gears-1)) {
		t.Errorf("%d meshes lose %.2f %% of the torque, want less than 0.4 %% each, and no gain", gears-1, 100*loss)
	}
}
