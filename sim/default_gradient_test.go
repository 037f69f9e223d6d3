package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// A plate presses a block of rubber by d = 1 mm on the ground, without friction and with
// ν = 0: the block and both of its surfaces are springs in series,
//
//	F = A d/(H/E + 2/g),   g = 3 E/e,
//
// with e the mean edge of the surface. With a gradient of 1e8 Pa/m the block of 20 mm would give 29 % of E A d/H.
func TestPressedRubberResistsWithItsOwnStiffness(t *testing.T) {
	const E, size, d = 2.5e6, 0.02, 1e-3
	const cell = size / 4
	edge := cell * (2 + math.Sqrt2) / 3
	truth := E * size * size * d / size
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	mat := w.contactMaterial(constraints.DefaultContactMaterial())
	w.mat(mat).Friction, w.mat(mat).StaticFriction = 0, 0
	w.ground(mat)
	plate := w.body("plate", w.box(0.05, 0.05, 0.01), 1, at(0, 0, size+0.005), r3.Vec{}, r3.Vec{}, mat)
	w.AddDrive("press", &BodyMotion{Body: "plate", Z: &motion.Piecewise{Times: []float64{0, 0.2}, Values: []float64{0, -d}}})
	w.soft("block", r3.Vec{size, size, size}, [3]int{4, 4, 4}, E, at(0, 0, size/2), r3.Vec{}, mat, func(s *DeformableSpec) {
		s.Law, s.StiffnessDamping = must(fem.NewCorotational(E, 0)), 0.01
	})
	s, x := w.build()
	run(t, s, x, 0.01, 60)
	force := contactForce(s, x, plate)[2]
	want := E * size * size * d / (size + 2*edge/surfaceStiffness)
	near(t, "force", force, want, 0.01*want)
	if force < 0.8*truth {
		t.Errorf("the block gives %.3g N of %.3g", force, truth)
	}
}

// Soft bodies keep the default of the contact materials, and what a material states holds.
func TestSoftAndStatedSurfacesKeepTheirGradient(t *testing.T) {
	for _, c := range []struct{ young, stated, want float64 }{{1e4, 0, 1e8}, {1e7, 0, 3e7 / (0.05 * (2 + math.Sqrt2) / 3)}, {1e7, 2e6, 2e6}} {
		w := newScaffold(t)
		mat := w.contactMaterial(constraints.DefaultContactMaterial())
		w.mat(mat).PressureGradient = c.stated
		body := w.soft("cube", r3.Vec{0.1, 0.1, 0.1}, [3]int{2, 2, 2}, c.young, at(0, 0, 1), r3.Vec{}, mat)
		m := w.model()
		near(t, "pressure gradient", m.ContactMaterials.DeformableGradient(body, m.Geometry.Deformables[0].Material), c.want, 1e-9*c.want)
	}
}
