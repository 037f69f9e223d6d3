package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// threeFingers is a hand of three fingers around a palm that hangs on a forearm, each of two links; the second joint of
// the last finger follows the first.
func threeFingers() string {
	var b strings.Builder
	link := func(name string, mass float64, size, at r3.Vec) {
		fmt.Fprintf(&b, `<link name=%q><inertial><origin xyz="%g %g %g"/><mass value="%g"/><inertia ixx="2e-5" iyy="2e-5" izz="2e-5" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="%g %g %g"/><geometry><box size="%g %g %g"/></geometry></collision></link>
`, name, at[0], at[1], at[2], mass, at[0], at[1], at[2], size[0], size[1], size[2])
	}
	b.WriteString("<robot name=\"three fingers\">\n<link name=\"forearm\"/>\n")
	link("palm", 0.5, r3.Vec{0.1, 0.1, 0.03}, r3.Vec{})
	b.WriteString(`<joint name="wrist" type="fixed"><parent link="forearm"/><child link="palm"/><origin xyz="0.2 0.1 0.7" rpy="0.3 0.4 0.5"/></joint>` + "\n")
	for i := range 3 {
		n := fmt.Sprint(i + 1)
		link("proximal"+n, 0.06, r3.Vec{0.012, 0.018, 0.07}, r3.Vec{0, 0, 0.035})
		link("distal"+n, 0.04, r3.Vec{0.012, 0.018, 0.06}, r3.Vec{0, 0, 0.03})
		turn := []float64{0, 2.0944, -2.0944}[i]
		R := r3.RotRPY(0, 0, turn)
		at := R.MulVec(r3.Vec{0.05, 0, 0.015})
		mimic := ""
		if i == 2 {
			mimic = `<mimic joint="base3" multiplier="0.7" offset="0.1"/>`
		}
		fmt.Fprintf(&b, `<joint name="base%s" type="revolute"><parent link="palm"/><child link="proximal%s"/><origin xyz="%g %g %g" rpy="0 0 %g"/><axis xyz="0 -1 0"/><limit lower="-0.5" upper="1.5" effort="3" velocity="5"/></joint>
<joint name="tip%s" type="revolute"><parent link="proximal%s"/><child link="distal%s"/><origin xyz="0 0 0.07"/><axis xyz="0 -1 0"/><limit lower="-0.5" upper="1.5" effort="2" velocity="5"/>%s</joint>
`, n, n, at[0], at[1], at[2], turn, n, n, n, mimic)
	}
	b.WriteString("</robot>\n")
	return b.String()
}

// three is the hand of threeFingers.
var three = hand{
	name: "three fingers", file: "three.urdf", diameter: 0.06,
	fingers: []finger{chain(0.9, "base1", "tip1"), chain(0.9, "base2", "tip2"), chain(0.9, "base3")},
}

// closeThree closes it and returns what came of it.
func closeThree(t *testing.T, h hand, do task) (*result, error) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, h.file)
	if err := os.WriteFile(file, []byte(threeFingers()), 0o666); err != nil {
		t.Fatal(err)
	}
	s, g, err := choose(&h, do, file, dir)
	if err != nil {
		return nil, err
	}
	return s.simulate(t.Context(), g, file, dir)
}

// Three fingers that press with 15 N in all hold a sphere of 0.1 kg in any direction of gravity, at steps of 2 and 10
// ms. They are nearly straight there, so that only their joints' controllers across do not carry it: it moves by
// micrometres. One of 5 kg, whose weight of 49 N is more than their friction of 0.8 · 15 N, falls.
func TestAHandHoldsASphereThatItsFrictionCarries(t *testing.T) {
	for _, step := range []float64{0.002, 0.01} {
		do := usual
		do.step = step
		r, err := closeThree(t, three, do)
		if err != nil {
			t.Fatal(err)
		}
		if !r.holds() || r.fingers != 3 || r.joints != 6 || r.mimics != 1 || r.moved > 2e-5 || !(r.force > 13 && r.force < 16) {
			t.Errorf("step of %g s: %+v", step, r)
		}
		t.Logf("step of %g s: moved by %g m, %g m/s, %g N", step, r.moved, r.speed, r.force)
	}
	heavy := usual
	heavy.mass = 5
	if r, err := closeThree(t, three, heavy); err != nil || r.holds() || r.moved < 0.05 {
		t.Errorf("5 kg: %+v, %v", r, err)
	}
}

// What cannot be gripped, and wrong names, are errors, and a row of the table that says so.
func TestHandsThatCannotHoldSaySo(t *testing.T) {
	one := three
	one.fingers = three.fingers[:1]
	wrong := three
	wrong.fingers = []finger{chain(0.9, "base1", "tip9")}
	follower := three
	follower.fingers = []finger{chain(0.9, "base3", "tip3")}
	for want, h := range map[string]hand{"no place": one, `no joint "tip9"`: wrong, `"tip3" follows`: follower} {
		if _, err := closeThree(t, h, usual); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	var b strings.Builder
	if failed, err := table(t.Context(), io.Writer(&b), []hand{three}, usual, t.TempDir(), t.TempDir()); err != nil || failed != 1 || !strings.Contains(b.String(), "| no: ") {
		t.Errorf("without a file: %d fail, %v\n%s", failed, err, &b)
	}
}
