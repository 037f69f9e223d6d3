package scene

import (
	"strings"
	"testing"
)

const loadedBar = `time: {step: 0.01, duration: 1}
meshes: {bar: {box: {size: [0.1, 0.02, 0.02], cells: [5, 1, 1]}}}
materials: {rubber: {youngs_modulus: 1e6, density: 1000, stiffness_damping: 0.02, mass_damping: 40}}
bodies: {ball: {mass: 2, shapes: [{sphere: {radius: 0.05}}], pose: {xyz: [1, 0, 0]}}}
deformables: {bar: {mesh: bar, material: rubber, elements: hex12, attach: [{body: world, where: {x_max: -0.049}}]}}
`

// A scene's loads act: a ball whose weight a force carries stays, and the reactions of a bar at
// rest are its weight and its loads.
func TestScenesHaveLoadsAndReactions(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), loadedBar+`loads:
  carry: {force: [0, 0, 19.62], body: ball}
  pull: {force: [0.5, 0, 0], body: bar, where: {x_min: 0.0499}, factor: {times: [0, 0.1], values: [0, 2]}}
  press: {traction: [0, 0, -100], body: bar, where: {z_min: 0.0099}}
signals:
  z: {position: z, body: ball}
  x_N: {reaction: x, body: bar}
  z_N: {reaction: z, body: bar, at: world}
  turn_Nm: {reaction_moment: y, body: bar, point: [-0.05, 0, 0]}
  tip: {center_of_mass: z, body: bar}
  angle: {rotation: y, body: bar}
`)
	got := simulate(t, sc, 8)
	weight := 1000 * 0.1 * 0.02 * 0.02 * 9.81
	near(t, "height of the ball", got["z"], 0, 1e-12)
	near(t, "reaction along x", got["x_N"], -1, 1e-9)
	near(t, "reaction along z", got["z_N"], weight+100*0.1*0.02, 1e-9)
	// weight and traction act half of the length away, and the pull at the end that sank
	near(t, "moment", got["turn_Nm"], -0.05*(weight+0.2), 0.1*0.05)
	if !(got["tip"] < -1e-4 && got["angle"] > 1e-3) {
		t.Errorf("the bar does not bend: %v", got)
	}
}

// Faults of loads stand at their line, with the path of the load.
func TestFaultyLoadsSayWhereWhatAndHow(t *testing.T) {
	for entry, want := range map[string]string{
		"{body: bar}":                                      "a load is required, one of body_force, force, moment, pressure, traction",
		"{force: [0, 0, 1], body: baar}":                   `unknown body "baar": did you mean "bar"?`,
		"{force: [0, 1], body: bar}":                       "loads.l.force",
		"{force: [0, 0, 1 kg], body: bar}":                 "loads.l.force",
		"{pressure: 1e3, body: bar, where: {x_min: 1}}":    "loads.l: where: no vertex lies in this region",
		"{pressure: 1e3, body: ball}":                      "ball is rigid: a pressure acts on deformables",
		"{pressure: 1e3, body: bar, region: {x_min: 1}}":   "unknown key loads.l.region",
		"{moment: [0, 0, 1], body: bar}":                   "bar is deformable: a rigid body is required here",
		"{moment: [0, 0, .nan], body: ball}":               "loads.l.moment",
		"{force: [0, 0, 1], moment: [0, 1, 0], body: bar}": "exclude each other",
	} {
		_, err := load(t, t.TempDir(), loadedBar+"loads:\n  l: "+entry+"\n")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "scene.yaml:7:") {
			t.Errorf("%s: got %v, want %s", entry, err, want)
		}
	}
}

// A spinning deformable keeps its angular velocity and momentum, which a rigid body of its shape
// would have.
func TestDeformablesStartWithAnAngularVelocity(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), noGravity+strings.Replace(loadedBar, "attach: [{body: world, where: {x_max: -0.049}}]", "pose: {xyz: [0, 0, 1], rpy_deg: [90, 0, 0]}, velocity: [1, 0, 0], angular_velocity: [0, 0, 2]", 1)+`signals:
  w: {angular_velocity: z, body: bar}
  L: {angular_momentum: z, body: bar}
  p: {momentum: x, body: bar}
  a: {rotation: x, body: bar}
  x: {center_of_mass: x, body: bar}
`)
	got := simulate(t, sc, 0)
	const mass = 1000 * 0.1 * 0.02 * 0.02
	near(t, "angular velocity", got["w"], 2, 1e-9)
	near(t, "angular momentum", got["L"], 2*mass*(0.1*0.1+0.02*0.02)/12, 1e-12)
	near(t, "momentum", got["p"], mass, 1e-12)
	near(t, "rotation", got["a"], 1.5707963267948966, 1e-9)
	near(t, "centre", got["x"], 0, 1e-12)
}
