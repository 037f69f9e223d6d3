package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// What is read belongs to the state asked for: poses without a call of Place, forces only where this stepper's step led
// to it.
func TestReadIsAtTheStateAskedFor(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 10, 0.5)
	w.ground(mat)
	body := w.body("ball", w.sphere(0.05), 0.5, at(0, 0, 0.5), r3.Vec{}, r3.Vec{}, mat)
	w.AddSignal("height", &PositionSpec{Component: "z", Body: "ball"})
	w.AddSignal("force", &ContactForceSpec{Component: "z", Body: "ball"})
	s, x := w.build()
	if v := s.Read(x, nil); v[0] != 0.5 || v[1] != 0 {
		t.Errorf("at the start: %v", v)
	}
	const h = 0.01
	for x.Time < 0.2 {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		z := x.Q[s.Model.Rigid.QStart(body)+6]
		if v := s.Read(x, nil); v[0] != z || v[1] != 0 {
			t.Fatalf("at t = %g s the ball is at %g m and has no contact, and %v was read", x.Time, z, v)
		}
	}
	for x.Time < 1 {
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
	}
	near(t, "force", s.Read(x, nil)[1], 0.5*grav, 1e-6)
	other, _ := start(t, s.Model, 1)
	if v := other.Read(x, nil); v[0] != x.Q[s.Model.Rigid.QStart(body)+6] || !math.IsNaN(v[1]) {
		t.Errorf("of a step that another stepper took %v was read", v)
	}
	y := x.Clone()
	y.V[s.Model.Rigid.VStart(body)] += 1
	if v := s.Read(y, nil); !math.IsNaN(v[1]) {
		t.Errorf("at a state that was changed the force is %g N", v[1])
	}
	if v := s.Read(x, nil); !(v[1] > 0) {
		t.Errorf("at the state after the step the force is %g N", v[1])
	}
}
