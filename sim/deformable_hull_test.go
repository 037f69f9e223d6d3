package sim

import (
	"math"
	"testing"
	"time"

	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/cputime"
	"github.com/curlfree/curlfree/r3"
)

// domeOfFacets returns the hull of n points spread evenly over a ball of the given radius: 2 n − 4 triangles.
func domeOfFacets(n int, radius float64) *geometry.Convex {
	points := make([]r3.Vec, n)
	for i := range points {
		z := 1 - 2*(float64(i)+0.5)/float64(n)
		s, c := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		points[i] = r3.Vec{c, s, 0}.Scale(radius * math.Sqrt(1-z*z)).Add(r3.Vec{0, 0, radius * z})
	}
	return must(geometry.NewConvex(points))
}

// pressInto is a soft block on the ground into which a body of 1,006 facets sinks.
func pressInto(w *scaffold, shape func(*geometry.Convex) geometry.Shape) {
	mat := w.material(1e6, 10, 0.5)
	w.ground(mat)
	w.soft("block", r3.Vec{0.1, 0.1, 0.04}, [3]int{10, 10, 4}, 2e5, at(0, 0, 0.02), r3.Vec{}, mat, damped(0.01))
	w.body("dome", shape(domeOfFacets(505, 0.03)), 2, at(0.002, 0.001, 0.069), r3.Vec{}, r3.Vec{}, mat)
}

func asHull(c *geometry.Convex) geometry.Shape { return c }
func asMesh(c *geometry.Convex) geometry.Shape { return must(geometry.NewMesh(c.SurfaceMesh())) }

// A convex hull presses a deformable as the mesh of the same surface does: each step from the same state ends alike.
// Where a face is divided at a distance that both have to round-off, that decides, seldom, in how many pieces, whose
// areas differ by a per cent: such a step ends within a micrometre.
func TestHullsPressDeformablesAsMeshesDo(t *testing.T) {
	const h, steps, seldom = 2e-3, 60, 2
	var s [2]*Stepper
	var x [2]*State
	for i, shape := range []func(*geometry.Convex) geometry.Shape{asHull, asMesh} {
		w := newScaffold(t)
		pressInto(w, shape)
		s[i], x[i] = w.build()
	}
	divided := 0
	for k := range steps {
		x[1].copyFrom(x[0])
		for i := range s {
			run(t, s[i], x[i], h, 1)
		}
		worst := 0.0
		for i := range x[0].Q {
			worst = max(worst, math.Abs(x[0].Q[i]-x[1].Q[i]))
		}
		if worst > 1e-9 {
			divided++
		}
		if !(worst <= 1e-6) {
			t.Fatalf("step %d: hull and mesh end apart by %g m", k, worst)
		}
	}
	if divided > seldom {
		t.Errorf("hull and mesh end apart after %d of %d steps", divided, steps)
	}
}

// BenchmarkHullInDeformable compares a step of a hull with one of the mesh of the same surface, in turn so
// that both meet the same machine.
func BenchmarkHullInDeformable(b *testing.B) {
	const h = 2e-3
	shapes := []func(*geometry.Convex) geometry.Shape{asHull, asMesh}
	var s [2]*Stepper
	var x, from [2]*State
	for i, shape := range shapes {
		w := newScaffold(b)
		pressInto(w, shape)
		s[i], x[i] = w.build()
		run(b, s[i], x[i], h, 60)
		from[i] = x[i].Clone()
	}
	var spent [2]time.Duration // of the processor: other programs run beside this one
	steps := 0
	for b.Loop() {
		for i := range s {
			if steps%50 == 0 {
				x[i].copyFrom(from[i])
			}
			start := cputime.Used()
			if err := s[i].Step(x[i], h); err != nil {
				b.Fatal(err)
			}
			spent[i] += cputime.Used() - start
		}
		steps++
	}
	b.ReportMetric(1e3*spent[0].Seconds()/float64(steps), "ms/hull")
	b.ReportMetric(1e3*spent[1].Seconds()/float64(steps), "ms/mesh")
	b.ReportMetric(spent[0].Seconds()/spent[1].Seconds(), "ratio")
}
