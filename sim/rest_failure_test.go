package sim

import (
	"errors"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// Searches that fail name the body and the place, and say what would help; the state is as before.
func TestSearchesForRestThatFailNameThePlace(t *testing.T) {
	for name, c := range map[string]struct {
		build func(w *scaffold)
		want  []string
	}{
		// a plate that is driven 4 mm into the ground through a pad
		"crushed": {func(w *scaffold) {
			w.Gravity = r3.Vec{}
			mat := w.material(1e6, 1, 0.3)
			w.ground(mat)
			w.soft("pad", r3.Vec{0.04, 0.04, 0.02}, [3]int{3, 3, 2}, 1e5, at(0, 0, 0.01), r3.Vec{}, mat)
			w.AddBody("plate", BodySpec{Mass: 1, Pose: at(0, 0, 0.0251), Shapes: []ShapeSpec{{Shape: w.box(0.1, 0.1, 0.01), Material: materialName(mat)}}})
			w.AddDrive("press", &BodyMotion{Body: "plate", Z: &motion.Piecewise{Times: []float64{0, 1}, Values: []float64{0, -0.024}}})
		}, []string{"pad", "vertex", "over more steps", "refine the mesh"}},
		"through": {func(w *scaffold) {
			w.Gravity = r3.Vec{}
			mat := w.material(1e6, 1, 0.3)
			w.geom(geometry.World, at(0, 0, -0.1), w.box(1, 1, 0.2), mat)
			w.AddBody("plate", BodySpec{Mass: 1, Pose: at(0, 0, 0.0051), Shapes: []ShapeSpec{{Shape: w.box(0.1, 0.1, 0.01), Material: materialName(mat)}}, Joint: &JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}}})
			w.AddLoad("push", &ForceSpec{Force: r3.Vec{0, 0, -1e5}, Body: "plate", Axes: "world"})
		}, []string{"plate", "world", "deep", "stiffer materials"}},
	} {
		w := newScaffold(t)
		c.build(w)
		s, x := w.build()
		before := x.Hash()
		err := s.Equilibrium(x, 1)
		if err == nil {
			t.Errorf("%s: rest after %d pseudo-steps", name, s.Report.PseudoSteps)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
		if x.Hash() != before {
			t.Errorf("%s: the state has changed", name)
		}
	}
}

// Messages of searches that no small scene makes fail name the vertex that moves most, or where the residual is
// largest.
func TestMessagesOfRestNameTheVertex(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e4, 1, 0.3)
	w.ground(mat)
	w.soft("pad", r3.Vec{0.04, 0.04, 0.02}, [3]int{3, 3, 2}, 1e5, at(0, 0, 0.0101), r3.Vec{}, mat)
	s, x := w.build()
	rest(t, s, x, 1)
	e := &s.rest
	check := func(err error, want ...string) {
		t.Helper()
		if !errors.Is(err, errNoRest) { // else shorter steps would not be tried
			t.Errorf("%v is of no kind that shorter steps may help", err)
		}
		for _, want := range want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	}
	e.held.hold(s, x)
	x.Q[3*7+1] += 1e-3
	e.held.moved = e.held.distance(x)
	check(s.contactsMove(x), "0.001 m", `deformable "pad" (vertex 7)`, "refine the mesh")
	clear(e.now.total)
	e.now.total[3*11+2], e.residual, e.scale = 5, 5, 10
	check(s.noShorterStep(ErrNotConverged), `5 N at deformable "pad" (vertex 11), near (`, "over more steps", ErrNotConverged.Error())
	check(s.noBalance(), "0.5 of the loads", `5 N at deformable "pad" (vertex 11), near (`, "over more steps")
}
