package check_test

import (
	"fmt"
	"math"
	"testing"
)

// onBelt is a box at a gap (m) over a belt that runs at a speed (m/s); it can only rise and fall.
func onBelt(speed, step, solver string, gap float64) string {
	return "time: {step: " + step + ", duration: 3}\nsolver: {contact: " + solver + "}\n" +
		"materials: {default: {stiffness: 1e6, relaxation_time: 0.01, friction: 0.5}, belt: {surface_velocity: [" + speed + ", 0, 0]}}\nbodies:\n" +
		"  ground: {fixed: true, shapes: [{half_space: {}, material: belt}]}\n" +
		"  box: {mass: 1e-3, pose: {xyz: [0, 0, " + fmt.Sprint(0.025+gap) + "]}, joint: {type: prismatic, axis: [0, 0, 1]}, shapes: [{box: {size: [0.05, 0.05, 0.05]}}]}\n" +
		"signals:\n  rise: {body: box, from: [ground], nearest: gap}\n"
}

const liftsBodies = "contact lifts"

// Boxes that start as high over a belt as estimated stay there, under laws that lift and steps (from
// the belt itself they would hop); the remedies bring
// them below a hundredth of their extent.
func TestBeltsLiftBoxesAsEstimated(t *testing.T) {
	const size = 0.05
	for _, c := range []struct{ law, step, speed string }{
		{"similar", "0.01", "1"}, {"similar", "0.002", "3"}, {"sap", "0.01", "1"}, {"sap", "0.002", "3"},
		{"sap, damping_from_touch: false", "0.01", "1"}, {"sap, damping_from_touch: false", "0.002", "0.3"},
	} {
		name := fmt.Sprintf("%s, step %s s, %s m/s", c.law, c.step, c.speed)
		text := warned(t, onBelt(c.speed, c.step, c.law, 0), liftsBodies)
		told := 1e-3 * number(t, text, `box by up to ([0-9.]+) mm`) // two digits
		got := simulate(t, load(t, onBelt(c.speed, c.step, c.law, told)), 3, "rise")
		if math.Abs(got-told) > 0.05*told {
			t.Errorf("%s: glides at %g m, estimated %g", name, got, told)
		}
		if got := simulate(t, load(t, onBelt(c.speed, c.step, "lagged", 0)), 3, "rise"); got > 1e-9 {
			t.Errorf("%s: lagged friction lifts by %g m", name, got)
		}
		if c.law != "similar" && c.law != "sap" { // its relaxation time counts, too
			continue
		}
		step := fmt.Sprint(0.99 * number(t, text, `time.step below ([0-9.e-]+) s`))
		if again := warned(t, onBelt(c.speed, step, c.law, 0), liftsBodies); again != "" {
			t.Errorf("%s: warns as well with the remedy: %s", name, again)
		}
		if got := simulate(t, load(t, onBelt(c.speed, step, c.law, 0.01*size)), 1, "rise"); got > 0.01*size {
			t.Errorf("%s: with the remedy it glides at %g m", name, got)
		}
	}
}

func TestBodiesThatContactLawsLiftAreWarnedOf(t *testing.T) {
	const similar = "time: {step: 0.01, duration: 1}\nsolver: {contact: similar}\nmaterials: {default: {friction: 0.5}}\n"
	const ground, box = "bodies:\n  ground: {fixed: true, shapes: [{half_space: {}}]}\n", "shapes: [{box: {size: [0.1, 0.1, 0.1]}}]"
	for _, c := range []struct{ name, text, want string }{
		{"belt", onBelt("1", "0.01", "similar", 0), "bodies.box and bodies.ground: where they slide on each other, at up to 1 m/s with a friction of 0.5, contact lifts box by up to 5 mm, 10 % of its least extent; " +
			"set solver.contact: lagged, which lifts nothing, or a time.step below 0.001 s"},
		{"damping ahead of touch", onBelt("1", "0.01", "sap, damping_from_touch: false", 0), "or lower the step and the relaxation_time, whose sum is 0.03 s, below 0.001 s"},
		{"lagged friction", onBelt("1", "0.01", "lagged", 0), ""},
		{"slow belt", onBelt("0.05", "0.01", "similar", 0), ""},
		{"thrown", similar + ground + "  b: {pose: {xyz: [0, 0, 0.05]}, velocity: [3, 0, 0], " + box + "}\n", "at up to 3 m/s with a friction of 0.5, contact lifts b by up to 15 mm"},
		{"at rest", similar + ground + "  b: {pose: {xyz: [0, 0, 0.05]}, " + box + "}\n", ""},
		{"two thrown alike", similar + "bodies:\n  a: {velocity: [3, 0, 0], " + box + "}\n  b: {pose: {xyz: [0, 0, 0.1]}, velocity: [3, 0, 0], " + box + "}\n", ""},
		{"prescribed", similar + "bodies:\n  a: {" + box + "}\n  b: {pose: {xyz: [0, 0, 0.1]}, " + box + "}\ndrives:\n  d: {body: a, x: {sine: {amplitude: 0.1, frequency: 2}}}\n",
			"at up to 1.25 m/s"},
		{"turntable", similar + "bodies:\n  a: {joint: {type: revolute, axis: [0, 0, 1]}, shapes: [{cylinder: {radius: 1, length: 0.1}}]}\n  b: {pose: {xyz: [0.5, 0, 0.1]}, " + box + "}\n" +
			"drives:\n  d: {joint: a, kd: 10, velocity: 4}\n", "at up to 2 m/s"},
	} {
		expectWarning(t, c.name, warned(t, c.text, liftsBodies), c.want)
	}
}
