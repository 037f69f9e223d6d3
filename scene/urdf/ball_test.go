package urdf

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// Drake's constraint keeps points of links together, or of a link and the world; what it lacks, and
// links that are not there, are faults.
func TestBallConstraintsOfDrake(t *testing.T) {
	const tag = "drake:ball_constraint"
	ball := func(a, b, p string) string {
		text := "<" + tag + ">"
		for which, name := range map[string]string{"A": a, "B": b} {
			if name != "" {
				text += "<" + tag + "_body_" + which + " name='" + name + "'/>"
			}
		}
		return text + p + "<" + tag + "_p_BQ value='4 5 6'/></" + tag + ">"
	}
	const p = "<" + tag + "_p_AP value='1 2 3'/>"
	parse := func(inside string) (*robot.Robot, error) {
		m, _, err := Parse(strings.NewReader("<robot name='m'>\n<link name='a'/><link name='b'/>\n<joint name='ab' type='continuous'><parent link='a'/><child link='b'/></joint>\n"+inside+"</robot>"), "m.urdf")
		return m, err
	}
	m, err := parse(ball("a", "b", p) + ball("world", "b", p))
	if err != nil || len(m.Loops) != 2 {
		t.Fatal(err, m)
	}
	for i, l := range m.Loops {
		if l.Weld || l.A != []int{0, -1}[i] || l.B != 1 || l.X_AP.P != (r3.Vec{1, 2, 3}) || l.X_BQ.P != (r3.Vec{4, 5, 6}) || l.Line != 4 {
			t.Errorf("%+v", l)
		}
	}
	for inside, want := range map[string]string{
		ball("a", "x", p): `names body "x": there is no such link`, ball("a", "b", ""): "has no <drake:ball_constraint_p_AP>",
		ball("", "b", p): "has no <drake:ball_constraint_body_A>", ball("b", "b", p): "twice",
	} {
		if _, err := parse(inside); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", inside, err, want)
		}
	}
}
