package mjcf

import (
	"math"
	"strings"
	"testing"
)

// Stiffness and damping that MuJoCo 3.12.0 makes of time constants and damping ratios.
func TestSpringsByTimeConstantAreThoseOfMuJoCo(t *testing.T) {
	m, warnings := model(t, world(`<body><joint name="a" axis="1 0 0" springdamper="0.1 0.5" armature=".2" stiffness="3" damping="4"/><geom type="box" size=".1 .2 .3"/>`+
		`<body pos="0 0 1"><joint name="b" type="slide" springdamper="0.2 1"/><joint name="c" type="hinge" stiffness="2" springdamper="0 0"/><geom size=".2"/>`+
		`<body pos="0 1 0"><joint name="d" type="ball" springdamper="0.2 1"/><geom type="box" size=".1 .2 .3"/></body></body></body>`))
	for i, want := range [][2]float64{{41624.05118070544, 2081.2025590352723}, {1602.4710368233084, 640.9884147293235}, {2, 0}} {
		if j := &m.Joints[i]; math.Abs(j.Stiffness-want[0]) > 1e-12*want[0] || math.Abs(j.Damping-want[1]) > 1e-12*want[1] {
			t.Errorf("joint %s: %.16g and %.16g, want %v", j.Name, j.Stiffness, j.Damping, want)
		}
	}
	free, _ := model(t, world(`<body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".1 0 0"/><body pos="0 0 .5" euler="20 0 30"><joint name="b" type="hinge" axis="1 1 0" springdamper="0.2 1" armature="3"/>`+
		`<geom type="capsule" size=".1 .2" pos="0 .2 0"/><body pos="0 .3 0"><joint type="ball"/><geom type="box" size=".1 .2 .3"/><body pos="0 0 .4"><joint name="d" type="slide" axis="0 1 1" springdamper=".3 .7"/><geom size=".1"/></body></body></body></body>`))
	for i, want := range map[int][2]float64{0: {97.64921131245418, 39.059684524981684}, 2: {80.38017135325273, 23.631770377856306}} {
		if j := &free.Joints[i]; math.Abs(j.Stiffness-want[0]) > 1e-12*want[0] || math.Abs(j.Damping-want[1]) > 1e-12*want[1] {
			t.Errorf("joint %s of a free body: %.16g and %.16g, want %v", j.Name, j.Stiffness, j.Damping, want)
		}
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0].Text, "its springdamper is ignored") {
		t.Errorf("%+v", warnings)
	}
	for _, bad := range []string{"0.2 0", "-1 1", "0 1", "1"} {
		if _, _, err := Parse(strings.NewReader("<mujoco>"+world(`<body><joint springdamper="`+bad+`"/>`+heavy+`</body>`)+"</mujoco>"), "m.xml", nil); err == nil || !strings.Contains(err.Error(), "springdamper") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
