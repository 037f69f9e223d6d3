package scene

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/sim"
)

// begun returns a scene, a stepper and its state at the start.
func begun(t *testing.T, text string) (*Scene, *sim.Stepper, *sim.State) {
	t.Helper()
	sc := mustLoad(t, t.TempDir(), text)
	st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(st.Close)
	return sc, st, sc.Model.Start.Clone()
}

// sensed runs a scene for some steps and returns its signals at the end by name.
func sensed(t *testing.T, text string, h float64, steps int) map[string]float64 {
	t.Helper()
	sc, st, x := begun(t, text)
	for range steps {
		if err := st.Step(x, h); err != nil {
			t.Fatal(err)
		}
	}
	values := map[string]float64{}
	for i, v := range st.Read(x, nil) {
		values[sc.Model.Signals[i].Name] = v
	}
	return values
}

// rules are both rules of integration and control of errors, as keys of time.
var rules = []string{"step: 0.01", "step: 0.01, rule: midpoint", "accuracy: 1e-3, max_step: 0.01"}

// A body at rest measures 1 g upward, also where it is turned, one in free fall nothing.
func TestAccelerometersFeelWeight(t *testing.T) {
	for _, rule := range rules {
		v := sensed(t, "time: {"+rule+`, duration: 1}
bodies:
  ground: {fixed: true, shapes: [{half_space: {size: 1}}]}
  box: {pose: {xyz: [0, 0, 0.05]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], mass: 1}
  side: {pose: {xyz: [1, 0, 0.05], rpy_deg: [90, 0, 0]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], mass: 1}
  ball: {pose: {xyz: [2, 0, 9]}, shapes: [{sphere: {radius: 0.1}}], mass: 1}
signals:
  box: {body: box, accelerometer: z, point: [0.02, 0, 0.01]}
  side: {body: side, accelerometer: y}
  fall: {body: ball, accelerometer: norm, point: [0.1, 0, 0]}
`, 0.01, 30)
		near(t, rule+": rest", v["box"], 9.81, 1e-3)
		near(t, rule+": turned", v["side"], 9.81, 1e-3)
		near(t, rule+": free fall", v["fall"], 0, 1e-9)
	}
}

// On a body that spins with ω a point at r measures ω² r sin(½ωh)/(½ωh) toward the axis and nothing across; the mean
// over a step is the same however many steps it takes.
func TestAccelerometersOnASpinningBody(t *testing.T) {
	w, r, h := 10.0, 0.1, 0.01
	for _, rule := range rules {
		v := sensed(t, "time: {"+rule+`, duration: 1}
gravity: [0, 0, 0]
bodies:
  ball: {shapes: [{sphere: {radius: 0.2}}], mass: 1, angular_velocity: [0, 0, 10]}
signals:
  x: {body: ball, accelerometer: x, point: [0.1, 0, 0]}
  y: {body: ball, accelerometer: y, point: [0.1, 0, 0]}
  gyro: {body: ball, gyro: z}
`, h, 7)
		near(t, rule+": toward the axis", v["x"], -w*w*r*math.Sin(w*h/2)/(w*h/2), 1e-9)
		near(t, rule+": across", v["y"], 0, 1e-9)
		near(t, rule+": gyro", v["gyro"], w, 1e-10)
	}
}

// scaleOf is a plate on a post whose joint weighs what is on it.
const scaleOf = `
bodies:
  post: {pose: {xyz: [0, 0, 0.5]}, shapes: [{box: {size: [0.3, 0.3, 0.02]}}], mass: 2, joint: {%s}}
  free: {pose: {xyz: [9, 9, 9]}, shapes: [{sphere: {radius: 0.1}}]}
`

// The joint of a plate transmits the weight of what the plate has, rests on it, hangs on it by constraints, is attached
// to it and is jointed to it, and its moment.
func TestJointWrenchIsTheWeightBeyondIt(t *testing.T) {
	g := 9.81
	for _, c := range []struct {
		name, more string
		mass, at   float64 // beyond the joint, and x of its centre of mass
	}{
		{"alone", "", 2, 0},
		{"load", "  ball: {pose: {xyz: [0.1, 0, 0.56]}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], mass: 3}\n", 5, 0.06},
		{"jointed", "  arm: {pose: {xyz: [0.1, 0, 0.6]}, shapes: [{box: {size: [0.02, 0.02, 0.02]}}], mass: 0.5, joint: {parent: post, type: weld}}\n", 2.5, 0.02},
		{"hanging", "  bob: {pose: {xyz: [0.1, 0, 0.3]}, shapes: [{sphere: {radius: 0.02}}], mass: 1}\n" +
			"constraints: {rope: {ball: {a: post, b: bob, point_b: [0, 0, 0.1]}}}\n", 3, 0.1 / 3},
		{"attached", "meshes: {bar: {box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}}}\nmaterials: {foam: {density: 1000, youngs_modulus: 1e7, stiffness_damping: 1e-3}}\n" +
			"deformables: {bar: {mesh: bar, material: foam, pose: {xyz: [0.1, 0, 0.56]}, attach: [{body: post, where: {z_max: -0.049}}]}}\n", 3, 0.1 / 3},
	} {
		for _, joint := range []string{"type: weld", "type: prismatic, axis: [0, 0, 1]"} {
			for _, rule := range rules {
				drive := ""
				if joint != "type: weld" {
					drive = "drives: {lift: {joint: post, kp: 1e5, kd: 3e3}}\n"
				}
				v := sensed(t, "time: {"+rule+", duration: 1}\n"+fmt.Sprintf(scaleOf, joint)+c.more+drive+`
signals:
  f: {body: post, joint_wrench: force_z}
  x: {body: post, joint_wrench: force_x}
  m: {body: post, joint_wrench: moment_y}
`, 0.01, 100)
				what := c.name + ", " + joint + ", " + rule
				near(t, what+": force", v["f"], c.mass*g, 2e-3*c.mass*g)
				near(t, what+": across", v["x"], 0, 2e-3*c.mass*g)
				near(t, what+": moment", v["m"], -c.mass*g*c.at, 4e-3*c.mass*g*0.1)
			}
		}
	}
}

// Along its axis a joint transmits the effort of its drive, also while it moves, and to a body that turns about it the
// centripetal force m ω² r.
func TestJointWrenchOfMovingJoints(t *testing.T) {
	for _, rule := range rules {
		v := sensed(t, "time: {"+rule+", duration: 1}\n"+noGravity+"bodies:\n"+slider+`
  arm: {pose: {xyz: [3, 0, 0]}, mass: 1.5, com: [0.2, 0, 0], inertia: {ixx: 1e-3, iyy: 1e-3, izz: 1e-3}, joint: {type: revolute, axis: [0, 0, 1], velocity: 2}}
drives: {a: {joint: slider, feed_forward: 3}}
signals:
  effort: {drive_effort: a}
  force: {body: slider, joint_wrench: force_x}
  pull: {body: arm, joint_wrench: force_x}
  torque: {body: arm, joint_wrench: moment_z}
`, 0.01, 20)
		near(t, rule+": force along the axis", v["force"], v["effort"], 1e-9)
		near(t, rule+": effort", v["effort"], 3, 1e-9)
		near(t, rule+": centripetal force", v["pull"], -1.5*4*0.2, 1e-4)
		near(t, rule+": torque", v["torque"], 0, 1e-9)
	}
}
