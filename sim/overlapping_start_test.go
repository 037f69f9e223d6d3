package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
)

// A soft block that begins deep in a heavy body, with contact too soft to drive it out within a step, takes the solves
// that its contacts take: vertices that begin deeper than those which are stopped may stay where they are. Nothing is
// driven out faster than contact does it.
func TestBlocksThatBeginInsideBodiesTakeFewSolves(t *testing.T) {
	const steps, meanSolves, mostSolves = 10, 25, 300 // a step: some are divided into dozens of parts of some solves each
	seed, n := shots(t, 24)
	sum := 0
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		w := newScaffold(t)
		w.Contact = []constraints.ContactModel{constraints.Lagged{}, constraints.Similar{}, constraints.SAP{Beta: 1}}[i%3]
		mat := w.material(logUniform(rng, 1e3, 1e6), 10, rng.Float64())
		w.mat(mat).RelaxationTime = 0.05 * rng.Float64()
		if i%2 == 1 {
			w.mat(mat).HydroelasticModulus = logUniform(rng, 1e5, 1e8)
		}
		shape := []geometry.Shape{w.box(0.2, 0.2, 0.08), w.sphere(0.05)}[rng.IntN(2)]
		turned := r3.RotRPY(rng.Float64(), rng.Float64(), rng.Float64())
		w.body("body", shape, 20, r3.Pose{R: turned}, r3.Vec{}, r3.Vec{}, mat)
		const size = 0.06
		inside := 0.04 + size*(0.1+0.3*rng.Float64())
		w.soft("block", r3.Vec{size, size, size}, [3]int{3, 3, 3}, logUniform(rng, 1e4, 1e7),
			r3.Pose{R: r3.RotRPY(rng.Float64(), 0, rng.Float64()), P: turned.MulVec(r3.Vec{0, 0, inside})}, r3.Vec{}, mat)
		s, x := w.build()
		h := logUniform(rng, 1e-4, 1e-2)
		solves := 0
		for range steps {
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
			solves += s.Report.Solves
			if d := s.Report.Defects[pathsTerm]; d.Left > 0 {
				t.Errorf("%d: a vertex is left %g m deep", i, d.Value)
			}
		}
		if sum += solves; solves > mostSolves*steps {
			t.Errorf("%d: %d solves in %d steps of %g s", i, solves, steps, h)
		}
	}
	if sum > meanSolves*steps*n {
		t.Errorf("%d solves in %d steps of %d shots", sum, steps, n)
	}
	t.Logf("%.1f solves a step", float64(sum)/float64(steps*n))
}

// A soft block that begins 0.3 of a plate's thickness deep in it, where contact is far too soft for its weight, stays
// there: vertices that are deep go no deeper from step to step. One that begins on the plate is stopped within a
// quarter of the thickness.
func TestWeightDoesNotPressBlocksThroughPlates(t *testing.T) {
	const thick, h, steps = 0.008, 5e-3, 300
	for _, law := range []constraints.ContactModel{constraints.Lagged{}, constraints.SAP{Beta: 1}} {
		for _, begin := range []float64{0, 0.3} {
			w := newScaffold(t)
			w.Contact = law
			mat := w.material(1e3, 1, 0.3)
			w.mat(mat).PressureGradient = 1e3 // Pa/m: it would carry the weight decimetres deep
			w.geom(geometry.World, r3.PoseIdentity(), w.box(0.2, 0.2, thick), mat)
			w.soft("block", r3.Vec{0.06, 0.06, 0.03}, [3]int{4, 4, 2}, 1e5, at(0, 0, (0.5-begin)*thick+0.015), r3.Vec{}, mat, heavy)
			s, x := w.build()
			deepest := 0.0
			for range steps {
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
				for _, p := range s.Geometry.X_W[0] {
					deepest = max(deepest, 0.5-p[2]/thick)
				}
			}
			if most := max(0.25, begin) + 0.01; !(deepest > 0.1 && deepest <= most) {
				t.Errorf("%T: a block that begins %g deep is %g deep, in thicknesses of the plate, want at most %g", law, begin, deepest, most)
			}
		}
	}
}

// A soft block at rest in contact so soft that it is 0.35 of a plate's thickness deep stays at rest in time, whatever
// the step. Contacts of its vertices began as deep as these were and threw them out, with a speed that did not fall
// with the step.
func TestStatesAtRestWithDeepVerticesStayAtRest(t *testing.T) {
	const thick, density, height = 0.008, 1000, 0.03
	for _, law := range []constraints.ContactModel{constraints.Lagged{}, constraints.SAP{Beta: 1}} {
		for _, h := range []float64{1e-2, 1e-3, 1e-4} {
			w := newScaffold(t)
			w.Contact = law
			mat := w.material(1e3, 1, 0.3)
			// two surfaces in series
			w.mat(mat).PressureGradient = 2 * density * grav * height / (0.35 * thick)
			w.geom(geometry.World, r3.PoseIdentity(), w.box(0.2, 0.2, thick), mat)
			w.soft("block", r3.Vec{0.06, 0.06, height}, [3]int{4, 4, 2}, 1e5, at(0, 0, 0.5*thick+height/2-0.3*thick), r3.Vec{}, mat, func(d *DeformableSpec) { d.Density = density })
			s, x := w.build()
			if err := s.Equilibrium(x, 1); err != nil {
				t.Fatal(err)
			}
			if p := s.Report.RelativePenetration; !(p.Ratio > 0.3) {
				t.Fatalf("%T: the block rests %g of the thickness deep", law, p.Ratio)
			}
			start := x.Clone()
			run(t, s, x, h, 20)
			if off := largestDifference(x.Q, start.Q); !(off <= 1e-3*thick) {
				t.Errorf("%T, h %g: 20 steps from rest move by %.3g m", law, h, off)
			}
		}
	}
}

// A kinematic bar presses a soft block where its vertices are fixed: no contact can push these out of the bar, and none
// is as if it could. Areas of contacts grew without bound, to forces of 10⁶⁰ N.
func TestFixedVerticesInKinematicBodiesHaveFiniteForces(t *testing.T) {
	w := newScaffold(t)
	mat := w.material(1e5, 1, 0.3)
	var held []int32
	w.soft("block", r3.Vec{0.06, 0.06, 0.03}, [3]int{4, 4, 2}, 1e5, r3.PoseIdentity(), r3.Vec{}, mat, func(d *DeformableSpec) {
		for i, v := range d.Mesh.Verts {
			if v[2] < -0.0149 {
				held = append(held, int32(i))
			}
		}
		d.Attach = []AttachSpec{{Verts: held}}
	})
	w.AddBody("bar", BodySpec{Mass: 1, Pose: at(0, 0, -0.0205), Shapes: []ShapeSpec{{Shape: w.box(0.2, 0.2, 0.01), Material: materialName(mat)}}})
	w.AddDrive("press", &BodyMotion{Body: "bar", Z: &motion.Piecewise{Times: []float64{0, 0.1}, Values: []float64{0, 0.004}}})
	s, x := w.build()
	pressed := 0.0
	for i := range 20 {
		if err := s.Step(x, 5e-3); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		if n := len(s.contacts); n > 1000 {
			t.Errorf("step %d has %d contacts", i, n)
		}
		for _, c := range s.Report.Contacts() {
			if pressed = max(pressed, c.Normal); !(c.Normal < 1e3) {
				t.Fatalf("step %d: a force of %.3g N", i, c.Normal)
			}
		}
	}
	if pressed < 1 {
		t.Errorf("the bar presses with %g N", pressed)
	}
}
