package render

import (
	"testing"

	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/record"
)

// An arrow shows the force on the body that forces move: a floor that is fixed has no arrow, whatever rests on it and
// in whichever order the contact names them; of a rigid and a deformable body that both move, the rigid one does.
func TestArrowsShowForcesOnWhatTheyMove(t *testing.T) {
	rec := &record.Recording{Static: record.Static{
		Bodies: []string{"floor", "part", "jaw"}, Kinematic: []int{0}, Deformables: make([]record.Deformable, 2), // floor, part, jaw, and bodies 3 and 4
	}}
	up := r3.Vec{0, 0, 1}
	for _, c := range []struct {
		a, b int
		onA  bool
	}{
		{-1, 1, false}, {1, -1, true}, {-1, 3, false}, {3, -1, true}, // on what touches the world
		{0, 3, false}, {3, 0, true}, {0, 1, false}, {1, 0, true}, // and a fixed floor
		{1, 3, true}, {3, 1, false}, // on the rigid one
		{1, 2, false}, {2, 1, false}, {3, 4, false}, {4, 3, false}, // on B
	} {
		if got := shownForce(rec, c.a, c.b, up) == up.Neg(); got != c.onA {
			t.Errorf("contact of %d and %d: shown on A %t, want %t", c.a, c.b, got, c.onA)
		}
	}
}
