package optimize

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lift is a cart on a vertical rail, which drives of any kind pull.
const lift = `
title: lift
time: {step: 0.05, duration: 1}
`

// liftBody is the cart in a scene of its own.
const liftBody = `
bodies:
  cart: {mass: 2, joint: {type: prismatic, axis: [0, 0, 1]}}
`

// Efforts of the same task are those of the same cart whatever drives it, less what the drive does of its own, and in
// the unit of its input.
func TestDrivesOfAllKindsAreOptimized(t *testing.T) {
	const task = `
scene: cart.yaml
drives: [DRIVE]
effort: 1e-6
start: hold
loss:
  place: {joints: [JOINT], target: [0.3], at_end: 1, rate_at_end: 0.1}
decrease: 1e-12
`
	// the actuator gives 5 N for a unit of its control
	const robot = `<mujoco><compiler autolimits="true"/><worldbody><body name="cart"><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>
<joint name="slide" type="slide" axis="0 0 1"/></body></worldbody><actuator><general name="pull" joint="slide" gainprm="5"/></actuator></mujoco>`
	const robots = "robots: {r: {file: cart.xml}}\n"
	var want []float64
	for _, c := range []struct {
		name, scene, drive, joint string
		gain, own                 float64 // N for a unit of the input, N that the drive adds
	}{
		{"joint", liftBody + "drives: {pull: {joint: cart}}\n", "pull", "cart", 1, 0},
		{"motor", liftBody + "drives: {pull: {motor: cart, stall_effort: 1e6, no_load_speed: 1e6}}\n", "pull", "cart", 1, 0},
		{"robot", robots + "drives: {arm: {robot: r, gravity_compensation: false}}\n", "arm.slide", "r.slide", 1, 0},
		{"robot that carries its weight", robots + "drives: {arm: {robot: r, gravity_compensation: true}}\n", "arm.slide", "r.slide", 1, 2 * 9.81},
		{"actuator", robots, "r.pull", "r.slide", 5, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := write(t, strings.NewReplacer("DRIVE", c.drive, "JOINT", c.joint).Replace(task))
			for name, s := range map[string]string{"cart.yaml": lift + c.scene, "cart.xml": robot} {
				if err := os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte(s), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			task, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			y, err := newSystem(task.Scene.Model, task.h, task.File.Drives)
			if err != nil {
				t.Fatal(err)
			}
			hold, err := y.hold()
			if err != nil || math.Abs(hold[0]*c.gain+c.own-2*9.81) > 1e-9 {
				t.Fatalf("the cart is kept by %v, error %v", hold, err)
			}
			s, err := task.Solve(1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				for _, u := range s.U {
					want = append(want, u[0])
				}
			}
			// squares of inputs are weighted, so that those of other gains differ by as much as they cost
			for k, u := range s.U {
				if f := u[0]*c.gain + c.own; math.Abs(f-want[k]) > 1e-3*math.Abs(want[k]) {
					t.Errorf("effort %d is %.9g N, want %.9g", k, f, want[k])
				}
			}
		})
	}
}
