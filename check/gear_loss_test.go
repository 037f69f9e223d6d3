package check_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/check"
	"github.com/curlfree/curlfree/sim"
)

const losesPower = "of the power in"

// gearRow is a row of equal gears without friction: the first turns evenly after a start of
// 0.1 s, the last has a brake. A tooth passes in a number of steps.
func gearRow(gears int, steps float64, modulus string) string {
	const teeth, turns = 20, 2.0 // a second
	var b strings.Builder
	fmt.Fprintf(&b, "time: {step: %g, duration: 0.3}\ngravity: [0, 0, 0]\nsolver: {hydroelastic_margin: 1e-5}\n", 1/(teeth*turns*steps))
	fmt.Fprintf(&b, "materials: {default: {dissipation: 10, friction: 0, density: 7850%s}, rigid: {dissipation: 10, friction: 0, density: 7850}}\n", modulus)
	b.WriteString("meshes: {gear: {part: {spur: {module: 1e-3, teeth: 20, face_width: 5e-3, backlash: 2e-5, chord: 1e-5, layers: 2, across: 2, bore: 4e-3}}}}\nbodies:\n")
	for i := range gears {
		material := [2]string{"rigid", "default"}[i%2]
		joint := ", joint: {type: revolute, axis: [0, 0, 1]}"
		if i == 0 {
			joint = ""
		}
		fmt.Fprintf(&b, "  g%d: {pose: {xyz: [%g, 0, 0], rpy_deg: [0, 0, %d]}, shapes: [{mesh: {mesh: gear}, material: %s}]%s}\n", i, 0.02*float64(i), i%2*9, material, joint)
	}
	last, sign := gears-1, float64(gears%2*-2+1) // against the rotation of the last gear
	fmt.Fprintf(&b, "drives:\n  motor: {body: g0, axis: [0, 0, 1], angle: {times: [0, 0.05, 0.1, 0.3], values: [0, 0.157, 0.628, 3.1413], smooth: false}}\n"+
		"  brake: {joint: g%d, kp: 0, kd: 0, feed_forward: {times: [0, 0.02], values: [0, %g]}}\n"+
		"signals:\n  in: {body: g0, contact_moment: z}\n  out: {body: g%d, contact_moment: z}\n", last, 0.05*sign, last)
	return b.String()
}

// lossOf returns the share of the torque that a row of equal gears loses over the last four teeth.
func lossOf(t *testing.T, text string, steps int) float64 {
	t.Helper()
	sc := load(t, text)
	st, err := sim.NewStepper(sc.Model, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, memory, h := sc.Model.Start.Clone(), sc.Signals.NewMemory(), sc.File.Time.Step
	var sum [2]float64
	var v []float64
	n := int(sc.File.Time.Duration/h + 0.5)
	for k := range n {
		if err := st.Step(x, h); err != nil {
			t.Fatal(err)
		}
		st.Place(x, h)
		if v = sc.Signals.Evaluate(st, x, memory, v[:0]); k >= n-4*steps {
			sum[0], sum[1] = sum[0]+v[0], sum[1]+v[1]
		}
	}
	loss := 1 - sum[1]/sum[0]
	if sum[0]*sum[1] < 0 { // the last gear turns the other way
		loss = 1 + sum[1]/sum[0]
	}
	return loss
}

// Rows of gears lose about what is estimated, and 0.2 % a mesh by dissipation. With the remedy nothing is reported.
func TestRowsOfGearsLoseTheEstimatedPower(t *testing.T) {
	const fields = ", hydroelastic_modulus: 1e9"
	for _, c := range []struct {
		name, modulus string
		gears, steps  int
	}{{"points", "", 2, 40}, {"fields", fields, 4, 10}} {
		text := gearRow(c.gears, float64(c.steps), c.modulus)
		told := number(t, warned(t, text, losesPower), `loses about ([0-9.]+) %`) / 100
		if got := lossOf(t, text, c.steps); !(got > 0.6*told && got < 1.5*told+0.002*float64(c.gears)) {
			t.Errorf("%s: loses %.2g %%, estimated %.2g %%", c.name, 100*got, 100*told)
		} else {
			t.Logf("%s: loses %.2g %%, estimated %.2g %%", c.name, 100*got, 100*told)
		}
		step := number(t, warned(t, text, losesPower), `time.step: ([0-9.e-]+) it`)
		mended := strings.Replace(text, text[:strings.Index(text, ", duration")], fmt.Sprintf("time: {step: %g", step), 1)
		expectWarning(t, c.name+" with the remedy", warned(t, mended, losesPower), "")
	}
}

func TestGearsThatLosePowerAreWarnedOf(t *testing.T) {
	const fields = ", hydroelastic_modulus: 1e9"
	ten := gearRow(10, 15, fields)
	for _, c := range []struct{ name, text, want string }{
		{"ten gears", ten, "bodies.g0 and bodies.g9: a tooth passes in 15 steps, so that time discretization loses about 3.6 % of the power in the 9 meshes between them; with time.step: 0.0012 it loses less than 2 %"},
		{"two gears", gearRow(2, 15, fields), ""},
		{"few steps a tooth", gearRow(2, 5, fields), "in 5 steps, so that time discretization loses about 3.6 % of the power in the mesh between them"},
		{"points", gearRow(2, 50, ""), "loses about 4.6 % of the power"},
		{"many steps a tooth", gearRow(2, 200, ""), ""},
		{"driven in the middle", strings.NewReplacer("body: g0, axis", "body: g5, axis", "[0.1, 0, 0], rpy_deg: [0, 0, 9], ", "").Replace(strings.Replace(strings.Replace(ten,
			"g0: {", "g0: {joint: {type: revolute, axis: [0, 0, 1]}, ", 1), "g5: {pose: {xyz: [0.1, 0, 0], rpy_deg: [0, 0, 9]}, shapes: [{mesh: {mesh: gear}, material: default}], joint: {type: revolute, axis: [0, 0, 1]}}",
			"g5: {pose: {xyz: [0.1, 0, 0], rpy_deg: [0, 0, 9]}, shapes: [{mesh: {mesh: gear}, material: default}]}", 1)), "bodies.g5 and bodies.g0: a tooth passes in 15 steps, so that time discretization loses about 2 % of the power in the 5 meshes"},
		{"at rest", strings.Replace(ten, "values: [0, 0.157, 0.628, 3.1413]", "values: [0, 0, 0, 0]", 1), ""},
	} {
		expectWarning(t, c.name, warned(t, c.text, losesPower), c.want)
	}
}

// The manual of scenes and the reference of parts give the rule for the step that check warns by, in the same words.
func TestTheStepOfTeethIsOneRule(t *testing.T) {
	rule := fmt.Sprintf("Time step: a tooth should pass in at least %d steps, and the meshes of a train should lose less than %g %% of their power to the step: "+
		"each loses about %g/n² with pressure fields, %g/n² + %g/n with contact points, at n steps a tooth. `curlfree check` warns",
		check.LeastToothSteps, 100*check.MostGearLoss, check.FieldLoss, float64(check.PointLoss), check.PointLinearLoss)
	for _, file := range []string{"../docs/scene.md", "../docs/reference.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Join(strings.Fields(string(text)), " ")
		if n := strings.Count(words, rule); n == 0 || n != strings.Count(words, "steps a tooth. `curlfree check`") {
			t.Errorf("%s has the rule %d times: %s", file, n, rule)
		}
		if strings.Contains(words, "move a tooth by") || strings.Contains(words, "move teeth by") {
			t.Errorf("%s has another rule for the step of teeth", file)
		}
	}
}
