package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// pile is a heap of five shapes that fall on each other between walls.
func pile(w *scaffold) {
	mat := w.material(1e6, 10, 0.5)
	w.ground(mat)
	for _, X := range []r3.Pose{at(0.25, 0, 0.5), at(-0.25, 0, 0.5)} {
		w.geom(geometry.World, X, w.box(0.1, 1, 1), mat)
	}
	for _, X := range []r3.Pose{at(0, 0.25, 0.5), at(0, -0.25, 0.5)} {
		w.geom(geometry.World, X, w.box(1, 0.1, 1), mat)
	}
	shapes := []geometry.Shape{
		must(geometry.NewSphere(0.04)), must(geometry.NewEllipsoid(r3.Vec{0.05, 0.03, 0.02})), must(geometry.NewBox(r3.Vec{0.1, 0.06, 0.04})),
		must(geometry.NewCylinder(0.03, 0.06)), must(geometry.NewCapsule(0.02, 0.08)),
	}
	for i := range 27 {
		k := float64(i)
		X := r3.Pose{R: r3.RotExp(r3.Vec{k, 1.3 * k, 1.7 * k}), P: r3.Vec{0.125 * float64(i%3-1), 0.125 * float64(i/3%3-1), 0.07 + 0.125*float64(i/9)}}
		w.body(w.name("body"), shapes[i%5], 0.3, X, r3.Vec{0, 20, 10}, r3.Vec{0, 0, -2}, mat)
	}
}

// Contacts that are found late in a step leave the bounds of the others as they were found: the
// problem with these contacts begins at the solution of the problem before.
func TestLateContactsKeepTheBoundsOfOthers(t *testing.T) {
	w := newScaffold(t)
	pile(w)
	s, x := w.build()
	const h = 4e-3
	updated := 0
	for range 60 {
		before := x.Clone()
		run(t, s, x, h, 1)
		// the solution of the step once more, without taking it
		s.Place(before, h)
		s.collide(h)
		s.freeMotion(before, h)
		s.iterateFrom(before, h, s.Problem.V0)
		clock := stopwatch{stages: &s.Report.Stages, start: time.Now()}
		whole, err := s.converge(before, h, newRows|newMatrix, &clock)
		if err != nil {
			t.Fatal(err)
		}
		if !whole || s.lag.updates == 0 {
			continue // a step that is divided has no solution of its own
		}
		// the same problem with a contact more, which is open
		s.keepBounds()
		late := s.contacts[0]
		late.Phi += 1
		late.Face = 0
		at := len(s.contacts) / 2
		for at > 0 && s.contacts[at].Elem == s.contacts[at-1].Elem { // points of a face follow each other
			at--
		}
		s.contacts = slices.Insert(s.contacts, at, late)
		if err := s.constrain(before, h); err != nil {
			t.Fatal(err)
		}
		stats, err := s.solver.Solve(&s.Problem, s.vNext)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Iterations > 1 {
			t.Errorf("step %d: %d Newton iterations from the solution of the problem before", x.Step, stats.Iterations)
		}
		updated++
	}
	if updated < 30 {
		t.Errorf("bounds changed in %d steps only", updated)
	}
}
