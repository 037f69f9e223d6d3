package sim

import (
	"fmt"
	"math"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// A cantilever that its tip load bends far rests where the damped run comes to rest, for all laws and
// elements.
func TestEquilibriumIsWhereTheDampedRunEnds(t *testing.T) {
	for i, c := range []struct {
		law      fem.ConstitutiveLaw
		elements fem.Elements
		load     r3.Vec
		h        float64 // of the damped run; long steps under strong tension do not come to rest
	}{
		{must(fem.NewCorotational(1e6, 0.3)), fem.Tet4, r3.Vec{0, 0, -2}, 0.02},
		{must(fem.NewCorotational(1e6, 0.3)), fem.Hex12, r3.Vec{0, 0, -1}, 0.02},
		{must(fem.NewCorotational(1e6, 0.3)), fem.Hex12, r3.Vec{20, 0, -1}, 2e-3},
		{must(fem.NewCorotational(1e6, 0.3)), fem.Tet4, r3.Vec{40, 0, -1}, 2e-3},
		{must(fem.NewLinear(1e6, 0.3)), fem.Tet4, r3.Vec{0, 0, -1}, 0.02},
		{must(fem.NewNeoHookean(1e6, 0.3)), fem.Tet4, r3.Vec{0, 0, -2}, 0.02},
	} {
		mesh := must(meshes.BoxTets(r3.Vec{0.2, 0.02, 0.02}, [3]int{10, 1, 1}))
		w := newScaffold(t)
		w.AddDeformable("bar", DeformableSpec{
			Mesh: mesh, Law: c.law, Elements: c.elements, StiffnessDamping: 0.02, MassDamping: 20,
			Attach: []AttachSpec{{Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{-0.1, 1, 1}})}},
		})
		w.AddLoad("tip", &ForceSpec{Force: c.load, Body: "bar", Axes: "world", Where: Region{XMin: ptr(0.1)}})
		s, x := w.build()
		err := s.Equilibrium(x, 1)
		t.Log(i, s.Report.PseudoSteps, s.Report.RestResidual, s.Report.Passes, err)
		if err != nil {
			t.Error(err)
			continue
		}
		far := x.Q[len(x.Q)-1] - s.Model.Start.Q[len(x.Q)-1]
		other, y := start(t, s.Model, 1)
		run(t, other, y, c.h, 1500)
		worst := 0.0
		for k := range x.Q {
			worst = max(worst, math.Abs(x.Q[k]-y.Q[k]))
		}
		t.Log(fmt.Sprintf("sank %g, apart %g", far, worst))
		if !(worst < 1e-9*0.2) {
			t.Errorf("%d: apart by %g m", i, worst)
		}
	}
}
