package sim

import (
	"testing"
	"time"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
)

// slider is a body that slides on the ground.
type slider struct {
	*Stepper
	x, from    *State
	solve      float64
	iterations int
}

// sliders returns a ball that slides on one point and a cube that slides on a thousand
// faces, both settled.
func sliders(b *testing.B, h float64) (point, faces *slider) {
	slide := func(cube bool) *slider {
		w := newScaffold(b)
		w.Contact = constraints.Lagged{}
		w.material(1e6, 10, 0.5)
		w.ground(0)
		if cube {
			rubber := *w.mat(0)
			rubber.HydroelasticModulus = 1e6
			w.HydroelasticMargin = ptr(1e-4)
			w.contactMaterial(rubber)
			w.body("cube", w.box(0.1, 0.1, 0.1), 1, at(0, 0, 0.05), r3.Vec{}, r3.Vec{10, 0, 0}, 1)
			w.spec(0).Shapes[0].ResolutionHint = 0.0036
		} else {
			w.body("ball", w.sphere(0.05), 1, at(0, 0, 0.05), r3.Vec{}, r3.Vec{10, 0, 0}, 0)
		}
		s, x := w.build()
		run(b, s, x, h, 200)
		return &slider{Stepper: s, x: x, from: x.Clone()}
	}
	return slide(false), slide(true)
}

// BenchmarkSolveOfAContactSurface compares the solves of the two, in turn so that both meet
// the same machine. In steps the search for faces leaves the solver's code and data
// out of the caches; the ball's step follows such a search too. Again solves the last
// step's problems over and over, with all in the caches.
func BenchmarkSolveOfAContactSurface(b *testing.B) {
	const h = 1e-3
	report := func(b *testing.B, point, faces *slider, solves int) {
		per := 1e6 / float64(solves)
		b.ReportMetric(per*point.solve, "µs/point")
		b.ReportMetric(per*faces.solve, "µs/faces")
		b.ReportMetric(faces.solve/point.solve, "ratio")
		b.ReportMetric(float64(len(faces.Report.Contacts())), "faces")
		b.ReportMetric(float64(point.iterations)/float64(solves), "iterations/point")
		b.ReportMetric(float64(faces.iterations)/float64(solves), "iterations/faces")
	}
	b.Run("steps", func(b *testing.B) {
		point, faces := sliders(b, h)
		n := 0
		for b.Loop() {
			for _, s := range []*slider{point, faces} {
				if n%50 == 0 {
					copy(s.x.Q, s.from.Q)
					copy(s.x.V, s.from.V)
				}
				faces.Place(faces.x, h)
				faces.collide(h)
				if err := s.Step(s.x, h); err != nil {
					b.Fatal(err)
				}
				s.solve += s.Report.Stages[Solve]
				s.iterations += s.Report.Solver.Iterations
			}
			n++
		}
		report(b, point, faces, n)
	})
	b.Run("again", func(b *testing.B) {
		point, faces := sliders(b, h)
		const times = 100
		n := 0
		for b.Loop() {
			for _, s := range []*slider{point, faces} {
				start := time.Now()
				for range times {
					s.vNext = append(s.vNext[:0], s.Problem.V0...)
					stats, err := s.solver.Solve(&s.Problem, s.vNext)
					if err != nil {
						b.Fatal(err)
					}
					s.iterations += stats.Iterations
				}
				s.solve += time.Since(start).Seconds()
			}
			n += times
		}
		report(b, point, faces, n)
	})
}
