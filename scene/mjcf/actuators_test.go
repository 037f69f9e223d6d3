package mjcf

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/scene/robot"
)

// Forces of actuators of all forms at random states, and the efforts of the joints, are those of MuJoCo
// 3.12.0; bench/peers/actuators.mjs wrote its numbers.
func TestActuatorsPullAsInMuJoCo(t *testing.T) {
	text, err := os.ReadFile("testdata/actuators.xml")
	if err != nil {
		t.Fatal(err)
	}
	m, warnings, err := Parse(strings.NewReader(string(text)), "actuators.xml", nil)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	var states []struct{ Q, V, Ctrl, Act, Force, Effort []float64 }
	truth, err := os.ReadFile("testdata/actuators.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(truth, &states); err != nil {
		t.Fatal(err)
	}
	if len(m.Actuators) != 17 || len(states) == 0 {
		t.Fatalf("%d actuators, %d states", len(m.Actuators), len(states))
	}
	for _, s := range states {
		effort, act := make([]float64, 3), s.Act
		for i := range m.Actuators {
			a := &m.Actuators[i]
			u := a.ControlRange.Clamp(s.Ctrl[i])
			if a.Integrates {
				u, act = act[0], act[1:]
			}
			l, rate := a.At(s.Q), a.At(s.V)
			f := (a.Gain[0]+a.Gain[1]*l+a.Gain[2]*rate)*u + a.Bias[0] + a.Bias[1]*l + a.Bias[2]*rate
			f = a.Force.Clamp(f)
			if math.Abs(f-s.Force[i]) > 1e-12*(1+math.Abs(f)) {
				t.Errorf("%s: force %.15g, of MuJoCo %.15g", a.Name, f, s.Force[i])
			}
			for k, joint := range a.Joints {
				effort[joint] += a.Coefficients[k] * f
			}
		}
		for i, x := range effort {
			if math.Abs(x-s.Effort[i]) > 1e-11*(1+math.Abs(x)) {
				t.Errorf("joint %d: effort %.15g, of MuJoCo %.15g", i, x, s.Effort[i])
			}
		}
	}
}

// A keyframe gives controls in the order of the file, and activations to those that have one.
func TestKeyframesGiveControls(t *testing.T) {
	text, err := os.ReadFile("testdata/actuators.xml")
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := Parse(strings.NewReader(string(text)), "actuators.xml", nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Start(&m.Keyframes[0])
	for i := range m.Actuators {
		a, want := &m.Actuators[i], float64(i+1)/10
		act := map[string]float64{"intvelocity": 0.3, "integrator": -0.2}[a.Name]
		if math.Abs(a.Control-want) > 1e-15 || a.Activation != act {
			t.Errorf("%s: control %g, activation %g, want %g and %g", a.Name, a.Control, a.Activation, want, act)
		}
	}
	// actuators that are not simulated have numbers, too
	m, _ = model(t, world(`<body name="a">`+heavy+`<joint name="j"/><site name="s"/></body>`)+
		`<actuator><motor site="s"/><muscle joint="j"/><motor name="m" joint="j"/></actuator><keyframe><key ctrl="1 2 3"/></keyframe>`)
	if m.Start(&m.Keyframes[0]); len(m.Actuators) != 1 || m.Actuators[0].Control != 3 {
		t.Errorf("%+v", m.Actuators)
	}
}

// Of actuators that are not simulated the kind, the cause and the first line are listed.
func TestActuatorsThatAreNotSimulatedAreListed(t *testing.T) {
	m, warnings := model(t, world(`<body name="a">`+heavy+`<joint name="j"/><body name="b">`+heavy+`<joint name="ball" type="ball"/></body></body>`)+`
<actuator><muscle joint="j"/>
<general joint="j" dyntype="muscle"/><general joint="j" gaintype="user"/>
<motor joint="ball"/>
<motor joint="j" gear="0"/><adhesion body="a"/>
<position joint="j" timeconst="0.1"/></actuator>`)
	expect(t, warnings, []string{
		"2: ignored: <mujoco/actuator/muscle> of a kind that is not simulated",
		"3: ignored: <mujoco/actuator/general> whose dyntype is not simulated",
		"3: ignored: <mujoco/actuator/general> whose gaintype is not simulated",
		"4: ignored: <mujoco/actuator/motor> of a joint with several degrees of freedom",
		"5: ignored: <mujoco/actuator/motor> that pulls at nothing",
		"5: ignored: <mujoco/actuator/adhesion> that pulls at no joint and no fixed tendon",
		`6: actuator "j_position": its control acts at once, without the filter of timeconst or dyntype`,
	})
	if len(m.Actuators) != 1 {
		t.Errorf("%+v", m.Actuators)
	}
}

// Fixed tendons and joints are coupled where they are in the file, with a₀ between them; a range of a
// tendon is a limit, its spring an actuator without a control.
func TestFixedTendonsCoupleJoints(t *testing.T) {
	m, warnings := model(t, `<compiler angle="radian"/>`+world(`<body name="a">`+heavy+`<joint name="i" ref="1" springref="0.5"/><body name="b">`+heavy+`<joint name="j" ref="2"/><body name="c">`+heavy+`<joint name="k" type="slide" ref="0.5"/></body></body></body>`)+
		`<default><tendon damping="3"/></default>
<tendon><fixed name="s" range="-1 2"><joint joint="i" coef="2"/><joint joint="j" coef="-1"/></fixed><fixed name="t" stiffness="4"><joint joint="k" coef="3"/><joint joint="i" coef="1"/></fixed><fixed name="u" damping="0"><joint joint="j" coef="5"/></fixed></tendon>
<equality><tendon name="e" tendon1="s" tendon2="t" polycoef="0.25 2"/><tendon tendon1="u" polycoef="1"/><joint joint1="i" joint2="j"/><joint joint1="i" joint2="k" polycoef="0 2"/></equality>`)
	expect(t, warnings, nil)
	want := []robot.Coupling{
		{Name: "s", JointSum: robot.JointSum{Joints: []int{0, 1}, Coefficients: []float64{2, -1}}, Lower: -1, Upper: 2},
		// (2 i − j) − 2 (3 k + i), at 1, 2 and 0.5: −5, plus 0.25
		{Name: "e", JointSum: robot.JointSum{Joints: []int{1, 2}, Coefficients: []float64{-1, -6}}, Lower: -4.75, Upper: -4.75},
		{Name: "j_equality", JointSum: robot.JointSum{Joints: []int{1}, Coefficients: []float64{5}}, Lower: 11, Upper: 11},
		// i − 2 k at 1 and 0.5
		{Name: "i_equality", JointSum: robot.JointSum{Joints: []int{0, 2}, Coefficients: []float64{1, -2}}, Lower: 0, Upper: 0},
	}
	if len(m.Couplings) != len(want) {
		t.Fatalf("%+v", m.Couplings)
	}
	for i, w := range want {
		g := m.Couplings[i]
		if g.Name != w.Name || g.Lower != w.Lower || g.Upper != w.Upper || len(g.Joints) != len(w.Joints) {
			t.Errorf("%+v, want %+v", g, w)
			continue
		}
		for k := range w.Joints {
			if g.Joints[k] != w.Joints[k] || g.Coefficients[k] != w.Coefficients[k] {
				t.Errorf("%+v, want %+v", g, w)
			}
		}
	}
	// the spring of t is slack at 3·0 + 1·0.5, as those of its joints
	for i, bias := range [][3]float64{{0, 0, -3}, {2, -4, -3}} {
		if a := m.Actuators[i]; a.Bias != bias || a.Gain != [3]float64{} {
			t.Errorf("actuator %+v, want the bias %v", a, bias)
		}
	}
	if len(m.Actuators) != 2 || m.Joints[0].Mimic == nil {
		t.Errorf("%+v", m.Actuators)
	}
	refused(t, []fault{
		{"tendon of nobody", twoJoints + "<tendon>\n<fixed name='t'><joint joint='k' coef='1'/></fixed></tendon>", 5, `there is no such joint`},
		{"two tendons", twoJoints + "<tendon>\n<fixed name='t'/><fixed name='t'/></tendon>", 5, `a second tendon is called "t"`},
		{"negative", twoJoints + "<tendon>\n<fixed name='t' damping='-1'><joint joint='i' coef='1'/></fixed></tendon>", 5, `must not be negative`},
	})
}
