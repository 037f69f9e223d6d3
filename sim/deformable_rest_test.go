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

// A neo-Hookean bar whose top constraints hold twisted by 180° rests where its energy is
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
// top is held by constraints, or never moves.
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
