package sim

import (
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// At points the thinner body counts, between fields those that give way, and on a deformable
// the rigid body.
func TestOverlapsAreComparedWithTheThicknessOfWhatYields(t *testing.T) {
	for _, c := range []struct {
		modulus [2]float64 // of ball and plate, Pa
		want    float64
	}{
		{[2]float64{0, 0}, 1e-3 / 5e-3}, {[2]float64{1e7, 0}, 1e-3 / 4e-2}, {[2]float64{0, 1e7}, 1e-3 / 5e-3}, {[2]float64{1e7, 1e7}, 1e-3 / 4.5e-2},
	} {
		w := newScaffold(t)
		w.material(1e3, 10, 0)
		w.material(1e3, 10, 0)
		w.mat(0).HydroelasticModulus, w.mat(1).HydroelasticModulus = c.modulus[0], c.modulus[1]
		w.geom(geometry.World, at(0, 0, -0.0025), w.box(0.2, 0.2, 0.005), 1)
		ball := w.body("ball", w.sphere(0.02), 1, at(0.03, 0.02, 0.019), r3.Vec{}, r3.Vec{}, 0)
		w.spec(ball).Shapes[0].ResolutionHint = 0.002
		s, x := w.build()
		run(t, s, x, 1e-4, 1)
		p := s.Report.RelativePenetration
		// fields are cut by facets of 2 mm
		near(t, "ratio", p.Ratio, c.want, 0.15*c.want)
		if p.Bodies != [2]int{geometry.World, ball} {
			t.Errorf("between bodies %v", p.Bodies)
		}
		near(t, "depth", p.Depth, 1e-3, 1.5e-4)
	}
	w := newScaffold(t)
	w.contactMaterial(constraints.DefaultContactMaterial())
	w.geom(geometry.World, at(0, 0, -0.01), w.box(1, 1, 0.02), 0)
	w.soft("soft", r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, 1e5, at(0, 0, 0.05-1e-3), r3.Vec{}, 0)
	s, x := w.build()
	run(t, s, x, 1e-4, 1)
	near(t, "ratio on a deformable", s.Report.RelativePenetration.Ratio, 1e-3/0.02, 1e-6)
}
