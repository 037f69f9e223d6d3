package scene

import (
	"strings"
	"testing"
)

// Paths of overrides through every kind of value, with the fault that each wrong step has.
func TestPathsOfOverridesAreFollowedOrExplained(t *testing.T) {
	text := timeOf + `
materials: {rubber: {friction: 0.5}}
bodies:
  b: {shapes: [{sphere: {radius: 0.1}}, {box: {size: [1, 2, 3]}}], joint: {type: revolute, axis: [0, 0, 1]}}
drives: {d: {joint: b, kp: 1, target: 0.5}}
signals: {s: {body: b, position: z}}
`
	for _, c := range []struct {
		set, want string // want: a part of the fault; empty: none
	}{
		{"bodies.b.shapes.0.sphere.radius=0.2", ""},
		{"bodies.b.shapes.1.box.size.2=4", ""},
		{"bodies.b.shapes.1.box.size=[1, 1, 1]", ""},
		{"bodies.b.joint.type=prismatic", ""},
		{"bodies.b.joint.lower=-.inf", ""},
		{"materials.default.friction.static=0.7", ""},
		{"drives.d.target.sine.amplitude=2", ""},
		{"render.cut.point.0=1", ""},
		{"solver.stiction_tolerance=1e-3", ""},
		{"title=a = b", ""},
		{"time", "PATH=VALUE is required"},
		{"=1", "unknown path"},
		{"time.step=", `"" is not a value`},
		{"time.step={", "is not a value"},
		{"time.step.x=1", "time.step is a single value: nothing stands below it"},
		{"bodies.c.mass=1", `bodies has no "c": did you mean "b"?`},
		{"bodies.b.shapes.2.color=x", `bodies.b.shapes has 2 items, counted from 0: "2" is not one of their numbers`},
		{"bodies.b.shapes.-1.color=x", `"-1" is not one of their numbers`},
		{"bodies.b.shapes.first.color=x", `"first" is not one of their numbers`},
		{"bodies.b.shapes.0.box.size=[1, 1, 1]", "bodies.b.shapes.0 is of kind sphere, which excludes box: set bodies.b.shapes.0={box: …} to change its kind"},
		{"bodies.b.shapes.0.sphere.raduis=1", `unknown path bodies.b.shapes.0.sphere.raduis: did you mean "radius"?`},
		{"bodies.b.joint.type.x=1", "bodies.b.joint.type is a single value"},
		{"bodies.b.joint.type=hinge", `unknown joint "hinge"`},
		{"bodies.b.shapes.0=null", "cannot be left out this way: take it out of the file"},
		{"bodies.b=null", "cannot be left out this way"},
		{"solver.contact=laged", `unknown contact law "laged": did you mean "lagged"?`},
		{"solver.threads=1.5", "1.5 is not a whole number"},
		{"solver.friction_lag=last", `is "last"`},
		{"drives.d.target.tims=1", `unknown path drives.d.target.tims: did you mean "times"?`},
		{"drives.d.target=sinne", `a number or a motion with its parameters is expected, not "sinne": did you mean "sine"?`},
		{"gravity=[0, 0]", "gravity: 3 numbers are required"},
	} {
		f, err := decode(text)
		if err != nil {
			t.Fatal(err)
		}
		err = f.Override(c.set)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.set, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "--set "+c.set+": ")):
			t.Errorf("%s: got %v\nwant %q in it", c.set, err, c.want)
		}
	}
}
