package sim

import (
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// A disc of 4 mm that starts 5 mm below the ground is an error that names it; at 3 mm it is
// pushed out.
func TestBodiesDeeperThanTheyAreThickAreErrors(t *testing.T) {
	for _, depth := range []float64{0.005, 0.003} {
		w := newScaffold(t)
		mat := w.material(1e5, 10, 0.5)
		w.geom(geometry.World, r3.PoseIdentity(), w.box(2, 2, 2), mat)
		w.body("disc", must(geometry.NewCylinder(0.03, 0.004)), 0.1, at(0, 0, 1.002-depth), r3.Vec{}, r3.Vec{}, mat)
		s, x := w.build()
		err := s.Step(x, 1e-3)
		if depth > 0.004 != (err != nil) {
			t.Fatalf("%g mm deep: error %v", 1e3*depth, err)
		}
		if err != nil && (!strings.Contains(err.Error(), "disc is 5 mm deep in world, more than its thickness of 4 mm") || x.Step != 0) {
			t.Errorf("after %d steps: %v", x.Step, err)
		}
	}
}
