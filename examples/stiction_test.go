package examples_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rigidGrip is a cube between two fingers that push with 10 N each. A force carries the cube while they close on
// it, and leaves it to friction between 0.2 and 0.8 s.
const rigidGrip = `
time: {step: 0.01, duration: 7}
pairs: [{materials: [pad, part], stiffness: 1e6, dissipation: 20, relaxation_time: 1e-3, friction: 0.5}]
materials:
  part: {}
  pad: {}
bodies:
  part: {mass: MASS, shapes: [{box: {size: [0.04, 0.04, 0.04]}, material: part}]}
  left: {mass: 0.2, pose: {xyz: [-0.026, 0, 0]}, joint: {type: prismatic, parent: world, axis: [1, 0, 0]}, shapes: [{box: {size: [0.012, 0.03, 0.03]}, material: pad}]}
  right: {mass: 0.2, pose: {xyz: [0.026, 0, 0]}, joint: {type: prismatic, parent: world, axis: [-1, 0, 0]}, shapes: [{box: {size: [0.012, 0.03, 0.03]}, material: pad}]}
drives:
  left: {joint: left, feed_forward: 10, kd: 100}
  right: {joint: right, feed_forward: 10, kd: 100}
loads:
  carry: {force: [0, 0, WEIGHT], body: part, factor: {times: [0.2, 0.8], values: [1, 0]}}
signals:
  way: {body: part, position: z, since: SINCE}
`

// softGrip has fingertips of rubber in place of the pads.
const softGrip = `
time: {step: 0.01, duration: 7}
materials:
  part: {friction: 0.5}
  rubber: {youngs_modulus: 1e6, poissons_ratio: 0.4, density: 1100, pressure_gradient: 1e9, friction: 0.5, stiffness_damping: 0.01}
meshes:
  tip: {box: {size: [0.012, 0.02, 0.02], cells: [2, 3, 3]}}
bodies:
  part: {mass: MASS, shapes: [{box: {size: [0.04, 0.04, 0.04]}, material: part}]}
  left: {mass: 0.2, pose: {xyz: [-0.032, 0, 0]}, joint: {type: prismatic, parent: world, axis: [1, 0, 0]}}
  right: {mass: 0.2, pose: {xyz: [0.032, 0, 0]}, joint: {type: prismatic, parent: world, axis: [-1, 0, 0]}}
deformables:
  left_tip: {mesh: tip, material: rubber, elements: hex12, frame: left, pose: {xyz: [0.0059, 0, 0]}, attach: [{body: left, where: {x_max: -0.0059}}]}
  right_tip: {mesh: tip, material: rubber, elements: hex12, frame: right, pose: {xyz: [-0.0059, 0, 0]}, attach: [{body: right, where: {x_min: 0.0059}}]}
drives:
  left: {joint: left, feed_forward: 10, kd: 100}
  right: {joint: right, feed_forward: 10, kd: 100}
loads:
  carry: {force: [0, 0, WEIGHT], body: part, factor: {times: [0.2, 0.8], values: [1, 0]}}
signals:
  way: {body: part, position: z, since: SINCE}
`

// slope is a box on a plane that is tilted by atan 0.4.
const slope = `
time: {step: 0.01, duration: 7}
gravity: [3.643440, 0, -9.108601]
materials:
  ground: {}
  box: {}
pairs: [{materials: [ground, box], stiffness: 1e6, dissipation: 50, relaxation_time: 1e-3, friction: FRICTION}]
bodies:
  ground: {fixed: true, shapes: [{half_space: {size: 1}, material: ground}]}
  box: {mass: 1, pose: {xyz: [0, 0, 0.02999772285]}, shapes: [{box: {size: [0.1, 0.1, 0.06]}, material: box}]}
signals:
  way: {body: box, position: x, since: SINCE}
`

// sticking is the friction that there is over that which is needed.
const sticking = 1.01

// Friction of 1.01 times what a body needs keeps it at rest: in five seconds it creeps by less than 0.05 mm, in steps
// of any length. The regularization of some laws by the mobility of contacts (σ) makes a creep of its own, and is 1e-5
// here, with which steps of sap may take more than the default of 100 iterations.
func TestBodiesStickAtLittleMoreThanCriticalFriction(t *testing.T) {
	const from = 2.0 // s; before, the grip settles
	mass := 2 * 0.5 * 10 / (9.81 * sticking)
	scenes := map[string]string{
		"cube": fill(rigidGrip, "MASS", mass, "WEIGHT", 9.81*mass, "SINCE", from),
		"soft": fill(softGrip, "MASS", mass, "WEIGHT", 9.81*mass, "SINCE", from),
		"box":  fill(slope, "FRICTION", 0.4*sticking, "SINCE", from),
	}
	for name, text := range scenes {
		for _, law := range laws {
			for _, h := range []float64{1e-3, 2e-3, 5e-3, 1e-2} {
				if name == "soft" && h < 5e-3 {
					continue // for time
				}
				t.Run(fmt.Sprintf("%s/%s/%g", name, law, h), func(t *testing.T) {
					t.Parallel()
					file := filepath.Join(t.TempDir(), "scene.yaml")
					if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
					set := append(lawSettings(law), fmt.Sprint("time.step=", h))
					if law == "sap" || law == "lagged_regularized" {
						set = append(set, "solver.sigma=1e-5", "solver.max_iterations=300")
					}
					r := begin(t, file, set...).run()
					below(t, "creep (m)", math.Abs(r.last("way")), 5e-5)
				})
			}
		}
	}
}

// fill replaces words of a text by numbers.
func fill(text string, words ...any) string {
	var pairs []string
	for _, w := range words {
		pairs = append(pairs, fmt.Sprint(w))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
