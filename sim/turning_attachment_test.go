package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// A bar of rubber on the rim of a wheel that turns at 20 rad/s is stressed by its centrifugal
// force alone, whatever the step. Truth is the same run at steps of 0.25 ms. With vertices that
// follow tangents the stress would be 4 to 70 times as large, for θ²/2 of a step is a strain.
func TestBarOnATurningWheelHasNoStressOfTheStep(t *testing.T) {
	long(t)
	for _, e := range []fem.Elements{fem.Tet4, fem.Hex12} {
		truth := stressOfTurningBar(t, 0.25e-3, e)
		for _, h := range []float64{5e-3, 0.01} {
			near(t, "stress", stressOfTurningBar(t, h, e), truth, 0.01*truth)
		}
		// at 0.4 rad a step a bar that bends as freely as one of hexahedra is taken implicitly since the start, whose
		// velocities are those of tangents: the centripetal force of a step's end then bends it
		within := map[fem.Elements]float64{fem.Tet4: 1.02, fem.Hex12: 3}[e]
		if got := stressOfTurningBar(t, 0.02, e); !(got < within*truth && got > 0.98*truth) {
			t.Errorf("%v: stress of %g Pa at steps of 20 ms, want %g", e, got, truth)
		}
	}
}

// stressOfTurningBar returns the largest von Mises stress after 1 s, Pa.
func stressOfTurningBar(t *testing.T, h float64, elements fem.Elements) float64 {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	wheel := w.link(rigid.LinkSpec{
		Name: "wheel", Parent: rigid.World, Joint: rigid.Revolute{Axis: r3.Vec{0, 0, 1}}, Mass: 5,
		Inertia_B: r3.Diag(r3.Vec{0.1, 0.1, 0.1}),
	})
	w.setV(wheel, 20)
	mesh := must(meshes.BoxTets(r3.Vec{0.06, 0.02, 0.02}, [3]int{6, 2, 2}))
	w.AddDeformable("bar", DeformableSpec{
		Mesh: mesh, Law: must(fem.NewCorotational(1e6, 0.3)), Elements: elements, Pose: at(0.06, 0, 0),
		AngularVelocity: r3.Vec{0, 0, 20}, Velocity: r3.Vec{0, 1.2, 0}, StiffnessDamping: 5e-3,
		Attach: []AttachSpec{{Body: "wheel", Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.0299, 1, 1}})}},
	})
	s, x := w.build()
	run(t, s, x, h, int(math.Round(1/h)))
	worst := 0.0
	for _, v := range s.VonMises(0) {
		worst = max(worst, v)
	}
	t.Logf("%v, %g ms: %.5g Pa, %.6g rad/s, off by %.3g m", elements, 1e3*h, worst, x.V[0], s.Model.Constraints[0].(*constraints.Fixed).Violation(s.kin).Distance)
	return worst
}
