package sim

import (
	"testing"
	"time"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Who watches a search is called for every pseudo-step and Newton iteration in turn, with the residual of the report at
// its end, and of time left only where the residual falls steadily. It changes no bit.
func TestSearchesForRestAreWatched(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e6, 1, 0.3)
	mesh := must(meshes.BoxTets(r3.Vec{0.08, 0.04, 0.04}, [3]int{6, 3, 3}))
	w.AddDeformable("pad", DeformableSpec{
		Mesh: mesh, Law: must(fem.NewCorotational(1e6, 0.3)), Material: materialName(mat),
		Attach: []AttachSpec{{Verts: VertsWithin(mesh, r3.Box{Min: r3.Vec{-1, -1, -1}, Max: r3.Vec{1, 1, -0.0199}})}},
	})
	w.AddBody("weight", BodySpec{Mass: 2, Com_B: &r3.Vec{}, Pose: at(0, 0, 0.0405), Shapes: []ShapeSpec{{Shape: w.sphere(0.02), Material: materialName(mat)}}, Joint: &JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}}})
	w.AddLoad("across", &ForceSpec{Force: r3.Vec{0.1, 0, 0}, Body: "pad", Axes: "world", Factor: motion.Constant(1)})
	s, x := w.build()
	other, y := start(t, s.Model, 1)
	rest(t, other, y, 1)

	var seen []RestProgress
	s.WatchRest(func(p RestProgress) { seen = append(seen, p) })
	rest(t, s, x, 1)
	if x.Hash() != y.Hash() {
		t.Error("the state is another one where the search is watched")
	}
	before, between := RestProgress{}, 0
	for _, p := range seen {
		if p.PseudoSteps < before.PseudoSteps || p.PseudoSteps > before.PseudoSteps+1 || p.Iterations < before.Iterations || p.Goal != restTol {
			t.Fatalf("%+v after %+v", p, before)
		}
		if p.PseudoSteps == before.PseudoSteps {
			between++
		}
		if p.Left > 0 && p.PseudoSteps <= steadyFalls {
			t.Errorf("%v left after %d pseudo-steps", p.Left, p.PseudoSteps)
		}
		if p.Left > time.Minute {
			t.Errorf("%v left", p.Left)
		}
		before = p
	}
	if before.PseudoSteps != s.Report.PseudoSteps || before.Iterations != s.Report.Solver.Iterations || before.Residual != s.Report.RestResidual {
		t.Errorf("the last is %+v, of a search of %d pseudo-steps, %d iterations and residual %g", before, s.Report.PseudoSteps, s.Report.Solver.Iterations, s.Report.RestResidual)
	}
	if between < 2 {
		t.Errorf("%d Newton iterations were reported", between)
	}

	// steps in time are no search
	told := len(seen)
	for range 3 {
		if err := s.Step(x, 0.1); err != nil {
			t.Fatal(err)
		}
	}
	if s.Report.Solver.Iterations == 0 || len(seen) > told {
		t.Errorf("%d iterations of steps in time were reported as those of a search", len(seen)-told)
	}
}
