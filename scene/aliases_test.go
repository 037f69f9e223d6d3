package scene

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// A scene with anchors and aliases is the scene with the values written out: of texts, numbers,
// lists, mappings, kinds, and of aliases within anchors.
func TestAliasesStandForTheirAnchors(t *testing.T) {
	const with = timeOf + `
materials: {soft: &m {friction: &mu 0.7, density: 800}, hard: *m, steel: {friction: *mu}}
bodies:
  a: &body {mass: 2, pose: &at {xyz: &p [1, 2, 3]}, shapes: &s [{sphere: {radius: 0.1}, material: &name soft}]}
  b: {mass: 1, pose: *at, shapes: *s, velocity: *p}
  c: *body
  d: {mass: 1, pose: {xyz: [0, 0, 9]}, joint: &j {type: revolute, axis: [0, 0, 1]}, shapes: [{sphere: {radius: 1}, material: *name}]}
  e: {mass: 1, joint: *j, pose: {xyz: [9, 0, 0]}, shapes: [{box: {size: [1, 1, 1]}}]}
`
	without := strings.NewReplacer("&m ", "", "&mu ", "", "*mu", "0.7", "*m", "{friction: 0.7, density: 800}", "&body ", "", "&at ", "", "&p ", "", "&s ", "", "&name ", "", "&j ", "",
		"*at", "{xyz: [1, 2, 3]}", "*s", "[{sphere: {radius: 0.1}, material: soft}]", "*p", "[1, 2, 3]", "*name", "soft", "*j", "{type: revolute, axis: [0, 0, 1]}",
		"*body", "{mass: 2, pose: {xyz: [1, 2, 3]}, shapes: [{sphere: {radius: 0.1}, material: soft}]}").Replace(with)
	if strings.ContainsAny(without, "&*") {
		t.Fatal(without)
	}
	a, b := mustLoad(t, t.TempDir(), with), mustLoad(t, t.TempDir(), without)
	if !reflect.DeepEqual(a.Model.Start, b.Model.Start) || len(a.Model.Geometry.Geoms) != 5 {
		t.Errorf("%+v\n%+v", a.Model.Start, b.Model.Start)
	}
	for i := range a.Model.Geometry.Geoms {
		p, q := &a.Model.Geometry.Geoms[i], &b.Model.Geometry.Geoms[i]
		if !reflect.DeepEqual(p.Shape, q.Shape) || p.X_BG != q.X_BG || p.Material != q.Material {
			t.Errorf("shape %d differs", i)
		}
	}
	for _, i := range []int{0, 1} {
		if m, n := a.Model.Rigid.Link(i), b.Model.Rigid.Link(i); m.Mass != n.Mass {
			t.Errorf("masses %g and %g", m.Mass, n.Mass)
		}
	}
}

// What an alias brings has its own fault with a place; aliases cannot refer to themselves or to what
// comes later, and ten of ten of … end at once with an error.
func TestAliasesHaveFaultsAndABudget(t *testing.T) {
	bomb := "title: x\n" + "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n"
	for i := range 30 {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	for _, c := range []struct{ text, want string }{
		{"time: {step: *h}\n", "f:1:14: *h: there is no anchor &h above it"},
		{"bodies: &b {a: *b}\n", "*b: there is no anchor &b above it"},
		{"bodies: {a: *late, b: &late {mass: 1}}\n", "*late: there is no anchor"},
		{"bodies: {a: &x {mas: 1}, b: *x}\n", "unknown key bodies.b.mas"},
		{bomb, "expand to more than 100000 values"},
	} {
		begin := time.Now()
		_, err := parse("f", []byte(c.text), &File{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: got %v, want %q", c.text, err, c.want)
		}
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("%.60s: takes %v", c.text, d)
		}
	}
}
