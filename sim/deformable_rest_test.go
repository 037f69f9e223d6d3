package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
)

// A neo-Hookean bar whose top constraints keep twisted by 180° rests where its energy is
// least, for any step. Truth is the rest of the same bar with vertices that never move, which
// no constraint touches: its free motion is iterated to the minimum.
func TestNeoHookeanRestsAtTheSamePlaceForAnyStep(t *testing.T) {
	long(t)
	for _, elements := range elementsOf {
		cells := [3]int{2, 2, 6}
		if elements == fem.Tet10 {
			cells = [3]int{1, 1, 3} // as many nodes
		}
		mesh := meshOf(must(meshes.BoxTets(r3.Vec{0.03, 0.03, 0.09}, cells)), elements)
		truth, stress := restTwisted(t, mesh, elements, 0.01, false)
		for _, h := range []float64{0.04, 0.005} {
			energy, most := restTwisted(t, mesh, elements, h, true)
			t.Logf("%s, step %g s: energy %.6g, truth %.6g J, stress %.6g, truth %.6g Pa", elements, h, energy, truth, most, stress)
			near(t, "elastic energy", energy, truth, 2e-4*truth)
			near(t, "stress", most, stress, 2e-3*stress)
		}
	}
}

// restTwisted returns the elastic energy (J) and the largest stress (Pa) of the bar at rest, whose
// top is kept by constraints, or never moves.
func restTwisted(t *testing.T, mesh *meshes.Tet, elements fem.Elements, h float64, held bool) (energy, stress float64) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	var bottom, top []int32
	for i, p := range mesh.Verts {
		switch {
		case p[2] < -0.0449:
			bottom = append(bottom, int32(i))
		case p[2] > 0.0449:
			top = append(top, int32(i))
		}
	}
	never := append([]int32(nil), bottom...)
	if !held {
		never = append(never, top...)
	}
	turned := func(p r3.Vec) r3.Vec {
		return r3.RotExp(r3.Vec{0, 0, math.Pi * (p[2] + 0.045) / 0.09}).MulVec(p)
	}
	body := w.mesh("bar", mesh, 1e6, r3.PoseIdentity(), nil, w.material(1e5, 10, 0), false, fixed(never...), damped(0.01), func(s *DeformableSpec) {
		s.Law, s.Elements = must(fem.NewNeoHookean(1e6, 0.4)), elements
	})
	if held {
		var at []r3.Vec
		for _, v := range top {
			at = append(at, turned(mesh.Verts[v]))
		}
		w.constrain(must(constraints.NewFixed(body, top, at, geometry.World, r3.PoseIdentity())))
	}
	w.finished = append(w.finished, func(m *Model) {
		for i, p := range mesh.Verts {
			p = turned(p)
			copy(m.Start.Q[3*i:], p[:])
		}
	})
	s, x := w.build()
	run(t, s, x, h, int(2/h))
	s.Place(x, h)
	return s.elasticEnergy(), s.deformables[0].MaxVonMises()
}

// A sheet whose elements are five hundred times as wide as thick has no energy at rest, also
// where round-off of its positions strains it: each step is solved once. Its energy was
// round-off of μ V, below zero, so that no solve was ever near enough.
func TestThinSheetsRestInOneSolve(t *testing.T) {
	for _, X := range []r3.Pose{r3.PoseIdentity(), {R: r3.RotExp(r3.Vec{0.3, 1, -0.5}), P: r3.Vec{3, 0, 1}}} {
		for _, thickness := range []float64{3e-3, 1e-3, 3e-4} {
			for _, E := range []float64{1e6, 1e8, 1e9, 1e11} {
				for _, elements := range elementsOf {
					restsInOneSolve(t, X, thickness, must(fem.NewCorotational(E, 0.3)), elements)
				}
				restsInOneSolve(t, X, thickness, must(fem.NewNeoHookean(E, 0.3)), fem.Tet4)
			}
		}
	}
}

// restsInOneSolve checks it for a sheet of a thickness (m).
func restsInOneSolve(t *testing.T, X r3.Pose, thickness float64, law fem.ConstitutiveLaw, elements fem.Elements) {
	w := newScaffold(t)
	w.Gravity = r3.Vec{}
	w.soft("sheet", r3.Vec{0.6, 0.6, thickness}, [3]int{4, 4, 1}, 1, X, r3.Vec{}, w.material(1e6, 1, 0), fixed(0, 1, 2), func(s *DeformableSpec) {
		s.Mesh, s.Law, s.Elements = meshOf(s.Mesh, elements), law, elements
	})
	s, x := w.build()
	for range 3 {
		if err := s.Step(x, 1e-3); err != nil {
			t.Fatal(err)
		}
		if n, parts := s.Report.Solves, s.Report.Parts; n != 1 || parts != 0 {
			t.Errorf("%g mm, %v, %v, at %v: %d solves in %d parts", 1e3*thickness, law, elements, X.P, n, parts)
		}
	}
}
