package sim

import (
	"testing"

	"curlfree/constraints"
	"curlfree/hydroelastic"
	"curlfree/r3"
)

// BenchmarkSolveOfAPatch compares the solve of a ball that slides on one point with
// that of a cube on a thousand faces.
func BenchmarkSolveOfAPatch(b *testing.B) {
	for _, c := range []struct {
		name string
		hint float64
	}{{"point", 0}, {"faces", 0.0032}} {
		b.Run(c.name, func(b *testing.B) {
			w := newWorld(b)
			w.m.Contact = constraints.Lagged{}
			w.material(1e6, 10, 0.5)
			w.mats[0].Modulus = 1e6
			w.ground(0)
			if c.hint == 0 {
				w.body("ball", w.sphere(0.05), 1, at(0, 0, 0.05), r3.Vec{}, r3.Vec{3, 0, 0}, 0)
			} else {
				w.body("cube", w.box(0.1, 0.1, 0.1), 1, at(0, 0, 0.05), r3.Vec{}, r3.Vec{3, 0, 0}, 0)
				w.g.Geoms[0].Field = hydroelastic.NewRigidHalfSpace()
				w.g.Geoms[1].Field = must(hydroelastic.NewBox(r3.Vec{0.1, 0.1, 0.1}, hydroelastic.Options{Modulus: 1e6, Hint: c.hint, Margin: 1e-4}))
			}
			s, x := w.build()
			run(b, s, x, 1e-3, 20)
			from := x.Clone()
			solve, constrain, contacts, iterations, n := 0.0, 0.0, 0, 0, 0
			for b.Loop() {
				if n%50 == 0 {
					copy(x.Q, from.Q)
					copy(x.V, from.V)
				}
				if err := s.Step(x, 1e-3); err != nil {
					b.Fatal(err)
				}
				solve += s.Report.Stages[Solve]
				constrain += s.Report.Stages[Constrain]
				contacts += len(s.Report.Contacts())
				iterations += s.Report.Solver.Iterations
				n++
			}
			b.ReportMetric(1e6*solve/float64(n), "µs/solve")
			b.ReportMetric(1e6*constrain/float64(n), "µs/constrain")
			b.ReportMetric(float64(contacts)/float64(n), "contacts")
			b.ReportMetric(float64(iterations)/float64(n), "iterations")
		})
	}
}
