package sdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/scene/robot"
)

// A second joint to a link closes a loop: a hinge by two points on its axis, a fixed joint by its
// frames, a ball by a point. A joint that slides, and one between links that are fixed to each
// other, are left out. Each is reported at its line.
func TestSecondJointsToALinkCloseLoops(t *testing.T) {
	at := func(x, y float64) r3.Vec { return r3.Vec{x, y, 0} }
	for _, c := range []struct {
		kind, axis, said string
		weld             bool
		a, b             []r3.Vec // points on the base and on link b
	}{
		// J is 0.5 m right of b, at (2.5, 1) of the base: √7.25 from it
		{"revolute", "<axis><xyz>0 0 2</xyz><limit><lower>-1</lower><upper>1</upper></limit><dynamics><damping>1</damping></dynamics></axis>",
			"closes a loop, since link \"b\" is the child of \"ab\" already: a constraint replaces it without its limits, damping", false,
			[]r3.Vec{at(2.5, 1), {2.5, 1, 2.692582403567252}}, []r3.Vec{at(0.5, 0), {0.5, 0, 2.692582403567252}}},
		{"fixed", "", "a constraint replaces it", true, []r3.Vec{at(2.5, 1)}, []r3.Vec{at(0.5, 0)}},
		{"ball", "", "a constraint replaces it", false, []r3.Vec{at(2.5, 1)}, []r3.Vec{at(0.5, 0)}},
		{"prismatic", "<axis><xyz>0 0 1</xyz></axis>", `joint "cb" is left out: link "b" is the child of "ab" already`, false, nil, nil},
	} {
		text := "<sdf version='1.9'><model name='m'>\n" + link("base", "") + link("a", "<pose>0 1 0 0 0 0</pose>") + link("b", "<pose>2 1 0 0 0 0</pose>") +
			turns("oa", "base", "a", about) + turns("ab", "a", "b", about) +
			"<joint name='cb' type='" + c.kind + "'><pose>0.5 0 0 0 0 0</pose><parent>base</parent><child>b</child>" + c.axis + "</joint></model></sdf>"
		m, warnings, err := alone(strings.NewReader(text), "m.sdf")
		if err != nil {
			t.Fatal(err)
		}
		if len(warnings) != 1 || warnings[0].Line != 7 || !strings.Contains(warnings[0].Text, c.said) || warnings[0].Repaired != (c.kind == "prismatic") {
			t.Errorf("%s: %+v", c.kind, warnings)
		}
		if len(m.Joints) != 2 || len(m.Loops) != len(c.a) {
			t.Fatalf("%s: %d joints, loops %+v", c.kind, len(m.Joints), m.Loops)
		}
		for i, l := range m.Loops {
			if l.Weld != c.weld || l.A != 0 || l.B != 2 || l.X_AP.P.Sub(c.a[i]).Norm() > 1e-15 || l.X_BQ.P.Sub(c.b[i]).Norm() > 1e-15 {
				t.Errorf("%s: %+v", c.kind, l)
			}
		}
		// links that a joint connects do not touch, in a tree or not
		if excluded := fmt.Sprint(m.ExcludedPairs); len(m.Loops) > 0 && excluded != "[[0 2]]" {
			t.Errorf("%s: excluded pairs %s", c.kind, excluded)
		}
	}
}

func TestLoopsOfFixedLinksAreLeftOut(t *testing.T) {
	fixed := func(name, parent, child string) string {
		return "<joint name='" + name + "' type='fixed'><parent>" + parent + "</parent><child>" + child + "</child></joint>\n"
	}
	text := "<sdf version='1.9'><model name='m'>\n" + twoLinks + link("c", "") + fixed("ab", "a", "b") + fixed("ac", "a", "c") + fixed("bc", "b", "c") + "</model></sdf>"
	m, warnings, err := alone(strings.NewReader(text), "m.sdf")
	if err != nil || len(m.Loops) != 0 || len(warnings) != 1 || !strings.Contains(warnings[0].Text, "do not move against each other") {
		t.Errorf("%v, %+v, %v", err, warnings, m)
	}
}

// A joint that closes a loop is none of the tree's; links without a joint keep their place nevertheless.
func TestFreeLinksBesideLoopsKeepTheirPlace(t *testing.T) {
	m := mended(t, link("a", "<pose>1 0 0 0 0 0</pose>")+link("b", "")+turns("ab", "a", "b", about)+
		"<joint name='wb' type='ball'><parent>world</parent><child>b</child></joint>", 2, `"world" is the base, "a" moves freely`)
	if j := joint(t, m, "a_free"); j.X_PF.P != (r3.Vec{6, 0, 0}) || len(m.Loops) != 1 {
		t.Errorf("%+v, loops %+v", j, m.Loops)
	}
}

// Drake's constraint keeps points of links together, or of a link and the world.
func TestBallConstraintsOfDrake(t *testing.T) {
	ball := func(a, b, p string) string {
		return "<drake:ball_constraint><drake:ball_constraint_body_A>" + a + "</drake:ball_constraint_body_A><drake:ball_constraint_body_B>" + b + "</drake:ball_constraint_body_B>" +
			p + "<drake:ball_constraint_p_BQ>4 5 6</drake:ball_constraint_p_BQ></drake:ball_constraint>"
	}
	const p = "<drake:ball_constraint_p_AP>1 2 3</drake:ball_constraint_p_AP>"
	parse := func(inside string) (*robot.Robot, error) {
		m, _, err := alone(strings.NewReader("<sdf version='1.9'><model name='m'>\n"+twoLinks+turns("ab", "a", "b", about)+inside+"</model></sdf>"), "m.sdf")
		return m, err
	}
	m, err := parse(ball("a", "b", p) + ball("world", "b", p))
	if err != nil || len(m.Loops) != 2 {
		t.Fatal(err, m)
	}
	for i, l := range m.Loops {
		if l.Weld || l.A != []int{0, -1}[i] || l.B != 1 || l.X_AP.P != (r3.Vec{1, 2, 3}) || l.X_BQ.P != (r3.Vec{4, 5, 6}) || l.Line != 5 {
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
