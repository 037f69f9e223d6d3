package sim

import (
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// A weld whose frames are left out holds both bodies as they are at the start: the zero value of a pose has no
// rotation, with which the weld would fix none.
func TestWeldsWithoutFramesFixRotations(t *testing.T) {
	for _, frame := range []*r3.Pose{nil, {}} {
		b := NewBuilder()
		b.Gravity = r3.Vec{}
		inertia := r3.Diag(r3.Vec{1e-3, 2e-3, 3e-3})
		b.AddBody("a", BodySpec{Mass: 1, Inertia: &inertia, AngularVelocity: r3.Vec{1, 2, 3}})
		b.AddBody("b", BodySpec{Mass: 2, Inertia: &inertia})
		b.AddConstraint("weld", &constraints.WeldSpec{TwoBodies: constraints.TwoBodies{A: "a", B: "b"}, PoseA: frame})
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		s, x := start(t, m, 1)
		run(t, s, x, 5e-3, 100)
		s.Place(x, 5e-3)
		if d := s.kin.Pose(0).R.Sub(s.kin.Pose(1).R).Norm2(); d > 1e-10 {
			t.Errorf("frame %v: the bodies turn against each other, ‖R_A − R_B‖² = %g", frame, d)
		}
	}
	// made by hand
	w := constraints.Weld{A: geometry.World, B: 0}
	if w.Check() == nil {
		t.Error("a weld without frames passes its check")
	}
}
