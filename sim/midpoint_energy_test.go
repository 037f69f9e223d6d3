package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Energy closes with what steps report of their dissipation: of bodies that nothing else takes energy from, E and the
// sums of both are constant: of linear bodies to round-off, of a body on a ball to what its compliance takes, of trees
// of joints to the error of the rule, and of corotated bodies to that of steps of one pass.
func TestMidpointStepsReportWhatTheyDissipate(t *testing.T) {
	bar := func(law fem.ConstitutiveLaw) func(*scaffold) {
		return func(w *scaffold) {
			mesh := must(meshes.BoxTets(r3.Vec{0.1, 0.04, 0.02}, [3]int{4, 2, 2}))
			w.soft("bar", r3.Vec{0.1, 0.04, 0.02}, [3]int{4, 2, 2}, 1e5, r3.PoseIdentity(), r3.Vec{}, w.material(1e5, 10, 0.5), damped(1e-3),
				fixed(VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.0499, 1, 1}})...),
				func(s *DeformableSpec) { s.Law, s.Elements = law, fem.Tet4 })
		}
	}
	chain := func(w *scaffold) {
		for k := range 2 {
			w.link(rigid.LinkSpec{Name: "link", Parent: k - 1, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, X_PF: at(0.1*float64(k), 0, 0),
				Mass: 0.2, Com_B: r3.Vec{0.05, 0, 0}, Inertia_B: r3.Diag(r3.Vec{1e-5, 1e-3, 1e-3}), Damping: 2e-3, Stiffness: 0.3 * float64(k)})
		}
	}
	bob := func(w *scaffold) {
		w.Gravity = r3.Vec{0, 0, -9.81}
		i := w.link(rigid.LinkSpec{Name: "bob", Parent: rigid.World, Joint: rigid.Floating{}, Mass: 1, Com_B: r3.Vec{0.1, 0, -0.2}, Inertia_B: r3.Diag(r3.Vec{5e-3, 4e-3, 6e-3})})
		w.constrain(&constraints.Ball{A: constraints.Anchor{Body: geometry.World}, B: constraints.Anchor{Body: i}})
	}
	for _, c := range []struct {
		name       string
		build      func(*scaffold)
		h          float64
		off, least float64 // of the energy that is exchanged; dissipation at least
	}{
		{"linear bar", bar(must(fem.NewLinear(1e5, 0.3))), 5e-3, 1e-8, 0.1},
		{"corotated bar", bar(must(fem.NewCorotational(1e5, 0.3))), 5e-3, 5e-2, 0.1},
		{"body on a ball", bob, 1e-2, 1e-4, 1e-6},
		{"chain with springs and dampers", chain, 5e-3, 1e-2, 0.1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newScaffold(t)
			w.Rule, w.RelTol = midpointRule, 1e-12
			c.build(w)
			s, x := w.build()
			s.Place(x, c.h)
			first, most, sum, worst, lost := energy(s, x), 0.0, 0.0, 0.0, 0.0
			for range 200 {
				run(t, s, x, c.h, 1)
				sum += s.Report.NumericalDissipation + s.Report.ViscousDissipation
				s.Place(x, c.h)
				e := energy(s, x)
				most, worst, lost = max(most, Energy{Kinetic}.Value(s, x)), max(worst, math.Abs(e+sum-first)), first-e
			}
			t.Logf("%.3g of %.3g J lost, of which %.3g are not reported", lost, most, worst)
			if worst > c.off*most || sum < c.least*most {
				t.Errorf("%.3g J of %.3g J are not in the reports, which have %.3g J", worst, most, sum)
			}
		})
	}
}
