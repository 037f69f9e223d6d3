package scene

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/sim"
)

const body1kg = `<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>`

// lift is a slide of 1 kg along z with a motor by a gear of 4, a servo, and servos of speed. One of them acts
// at a time, which actuators names.
func lift(actuator string) string {
	return `<mujoco><compiler angle="radian"/><worldbody><body name="a"><joint name="z" type="slide"/>` + body1kg + `</body></worldbody><actuator>` + actuator +
		`</actuator><keyframe><key name="up" qpos="0.5" ctrl="0.25"/></keyframe></mujoco>`
}

// Controls come from the scene, else from the keyframe, else are 0, and stay in their range. At rest a servo
// carries the weight m g by its spring, z = u/gear − m g/(gear² kp); a motor lifts by (gear u − m g)/m; a servo
// of speed v, with gain kv, moves at v − m g/kv; an integrated one where its integral is, at −m g/kp.
func TestActuatorsOfRobotsFollowTheirControls(t *testing.T) {
	const g = 9.81
	dir := folder(t, map[string]string{
		"servo.xml": lift(`<position name="s" joint="z" kp="5000" kv="400" gear="2" ctrlrange="-1 1"/>`),
		"motor.xml": lift(`<motor name="s" joint="z" gear="4" ctrlrange="-10 10"/>`),
		"speed.xml": lift(`<velocity name="s" joint="z" kv="500"/>`),
		"int.xml":   lift(`<intvelocity name="s" joint="z" kp="20000" kv="800" actrange="-0.4 0.3"/>`),
	})
	scene := func(more string) *Scene {
		return mustLoad(t, dir, "time: {step: 0.005, duration: 2}\nrobots: {r: {file: "+more+"}}\nsignals: {z: {joint: r.z, joint_state: position}, v: {joint: r.z, joint_state: velocity}, f: {drive_effort: r.s}}\n")
	}
	for _, c := range []struct {
		more, signal string
		at, want     float64
	}{
		{"servo.xml", "z", 2, -g / 2e4},
		{"servo.xml, controls: {s: 0.3}", "z", 2, 0.15 - g/2e4},
		{"servo.xml, controls: {s: 7}", "z", 2, 0.5 - g/2e4},
		{"servo.xml, keyframe: up", "z", 2, 0.125 - g/2e4},
		{"servo.xml, keyframe: up, controls: {s: -0.3}", "z", 2, -0.15 - g/2e4},
		{"servo.xml, controls: {s: {times: [0, 1], values: [0, 0.2]}}", "z", 2, 0.1 - g/2e4},
		{"servo.xml, controls: {s: 0.3}", "f", 2, g / 2},
		{"motor.xml, controls: {s: 3}", "v", 1, 12 - g},
		{"motor.xml, controls: {s: 30}", "f", 1, 10},
		{"motor.xml", "v", 1, -g},
		{"motor.xml, actuators: false", "v", 1, -g},
		{"speed.xml, controls: {s: 0.2}", "v", 2, 0.2 - g/500},
		{"int.xml, controls: {s: {times: [0, 0.5], values: [0.4, -0.2], smooth: false}}", "z", 0.5, 0.05 - g/2e4},
		{"int.xml, controls: {s: 0.2}", "z", 2, 0.3 - g/2e4},
	} {
		more := c.more
		if strings.Contains(more, "actuators: false") { // the signal needs the drive
			sc := mustLoad(t, dir, "time: {step: 0.005, duration: 2}\nrobots: {r: {file: "+more+"}}\nsignals: {v: {joint: r.z, joint_state: velocity}}\n")
			near(t, more, simulate(t, sc, c.at)[c.signal], c.want, 1e-12)
			continue
		}
		tol := 1e-6 // what is left of the way to rest
		if c.signal == "f" {
			tol = 1e-4 // the tolerance of Newton's method, 1e-5 of forces
		}
		if strings.HasPrefix(more, "int.xml") && c.at < 1 {
			tol = 2e-2 // it lags by kv/kp of its speed
		}
		near(t, more, simulate(t, scene(more), c.at)[c.signal], c.want, tol)
	}
}

// A gripper of two hinges with springs, which a fixed tendon shares as in the Robotiq 2F-85: its servo
// stands at q = ½ kp u'/(½ kp + k), u' = 255 · 0.8/255, with both hinges coupled, whatever loads one of them.
func TestActuatorsPullAtFixedTendons(t *testing.T) {
	dir := folder(t, map[string]string{"g.xml": `<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>` +
		`<body name="a"><joint name="l" stiffness="20"/>` + body1kg + `</body><body name="b"><joint name="r" stiffness="20" frictionloss="0"/>` + body1kg + `</body></worldbody>` +
		`<tendon><fixed name="split"><joint joint="l" coef="0.5"/><joint joint="r" coef="0.5"/></fixed><fixed name="both"><joint joint="l" coef="1"/><joint joint="r" coef="-1"/></fixed></tendon>` +
		`<equality><tendon tendon1="both" polycoef="0"/></equality>` +
		`<actuator><general name="close" tendon="split" biastype="affine" ctrlrange="0 255" gainprm="0.31372549019607843" biasprm="0 -100 -30"/></actuator></mujoco>`})
	sc := mustLoad(t, dir, "time: {step: 0.01, duration: 9}\n"+noGravity+"robots: {g: {file: g.xml, controls: {close: 255}}}\n"+
		"signals: {l: {joint: g.l, joint_state: position}, r: {joint: g.r, joint_state: position}, f: {drive_effort: g.close}}\n"+
		"loads: {push: {body: g.a, moment: [0, 0, 4]}}\n")
	v := simulate(t, sc, 9)
	// both together: 100·(0.8 − q) of the tendon, ½ to each, less two springs, plus the load
	want := (100*0.8 + 4) / (100 + 2*20)
	near(t, "left", v["l"], want, 1e-4)
	near(t, "right", v["r"], want, 1e-4)
	near(t, "force", v["f"], 100*(0.8-want), 1e-2)
}

// A drive of the scene replaces the actuators of its joint, which a warning says, and faults of controls are
// reported with what is there.
func TestDrivesReplaceActuators(t *testing.T) {
	dir := folder(t, map[string]string{
		"servo.xml": lift(`<position name="s" joint="z" kp="5000" kv="400" ctrlrange="-1 1"/>`),
		"speed.xml": lift(`<intvelocity name="s" joint="z" kp="20000" kv="800" actrange="-0.4 0.3"/>`),
		"none.xml":  lift(""),
	})
	const drive = "drives: {d: {joint: r.z, kp: 1000, kd: 80, target: 0.1}}\n"
	text := func(robot string) string {
		return "time: {step: 0.005, duration: 2}\nrobots: {r: {file: " + robot + "}}\n"
	}
	sc := mustLoad(t, dir, text("servo.xml")+drive+"signals: {z: {joint: r.z, joint_state: position}}\n")
	near(t, "z", simulate(t, sc, 2)["z"], 0.1-9.81/1000, 1e-6)
	if !strings.Contains(strings.Join(sc.Warnings, "\n"), "robots.r: drives of the scene replace its actuators s") {
		t.Errorf("warnings %q", sc.Warnings)
	}
	// drives of whole robots, of all joints or of those that they name
	for _, joints := range []string{"", ", joints: [z]"} {
		sc := mustLoad(t, dir, text("servo.xml")+"drives: {d: {robot: r"+joints+", kp: 1000, kd: 80, gravity_compensation: true}}\nsignals: {z: {joint: r.z, joint_state: position}}\n")
		near(t, "z", simulate(t, sc, 0.2)["z"], 0, 1e-9)
		if !strings.Contains(strings.Join(sc.Warnings, "\n"), "replace its actuators s") {
			t.Errorf("warnings %q", sc.Warnings)
		}
	}
	if sc := mustLoad(t, dir, text("servo.xml, actuators: false")+drive); strings.Contains(strings.Join(sc.Warnings, "\n"), "replace") {
		t.Errorf("warnings %q", sc.Warnings)
	}
	sc = mustLoad(t, dir, text("servo.xml, controls: {s: {sine: {amplitude: 3, frequency: 1}}}"))
	if got := strings.Join(sc.Warnings, "\n"); !strings.Contains(got, "robots.r.controls.s: its control is 1.0") || !strings.Contains(got, "outside of its range -1 to 1: it is clamped") {
		t.Errorf("warnings %q", sc.Warnings)
	}
	for more, want := range map[string]string{
		text("servo.xml, controls: {t: 1}"):                                    `robots.r.controls: no actuator is called "t"`,
		text("none.xml, controls: {t: 1}"):                                     "none.xml has no actuators",
		text("servo.xml, actuators: false, controls: {s: 1}"):                  "actuators are disabled",
		text("servo.xml, controls: {s: 1}") + drive:                            "a drive of the scene moves a joint of this actuator",
		text("speed.xml, controls: {s: {sine: {amplitude: 3, frequency: 1}}}"): "the rate of this actuator is integrated",
		text("servo.xml, controls: {s: fast}"):                                 "a number or a motion",
	} {
		if _, err := load(t, dir, more); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", more, err, want)
		}
	}
}

// Servos keep what they carry at rest at any step and stiffness, and steps allocate nothing.
func TestStiffActuatorsAreStable(t *testing.T) {
	dir := folder(t, map[string]string{"servo.xml": lift(`<position name="s" joint="z" kp="1e9" kv="1e6"/>`)})
	sc := mustLoad(t, dir, "time: {step: 0.02, duration: 2}\nrobots: {r: {file: servo.xml, joints: {z: 0.1}}}\nsignals: {z: {joint: r.z, joint_state: position}}\n")
	near(t, "z", simulate(t, sc, 2)["z"], -9.81/1e9, 1e-9)
	st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x := sc.Model.Start.Clone()
	step := func() {
		if err := st.Step(x, 0.02); err != nil || math.IsNaN(x.Q[0]) {
			t.Fatal(err)
		}
	}
	step()
	if n := alloctest.PerRun(20, step); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}
