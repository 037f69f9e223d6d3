package sim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// pressedBlock is a soft block on the floor on which a ball rolls.
func pressedBlock(elements fem.Elements) func(b *sim.Builder) {
	return func(b *sim.Builder) {
		law, _ := fem.NewCorotational(2e5, 0.45)
		mesh, err := meshes.BoxTets(r3.Vec{0.1, 0.1, 0.04}, [3]int{2, 2, 1})
		if err != nil {
			panic(err)
		}
		// contacts are not found again within a step
		b.SpeculativeMargin = 5e-3
		if elements == fem.Tet10 {
			mesh = mesh.Quadratic()
		}
		b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
		b.AddDeformable("block", sim.DeformableSpec{Mesh: mesh, Law: law, Elements: elements, Pose: at(0, 0, 0.0199), Velocity: r3.Vec{0.1, 0, 0}, StiffnessDamping: 0.005, MassDamping: 1})
		b.AddBody("ball", sim.BodySpec{Mass: 0.3, Pose: at(0.01, 0.005, 0.0695), Velocity: r3.Vec{0, 0.1, -0.1}, AngularVelocity: r3.Vec{1, 2, 0}, Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.03}}}})
	}
}

// heldFinger is a soft finger on a driven jaw that presses on a fixed ball.
func heldFinger(b *sim.Builder) {
	fingerOn(b, &sim.JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{0, -1, 0}}, V: []float64{0.05}})
}

// turningFinger is one on a jaw that turns: points of the jaw move on arcs, and its mobility depends on where the jaw
// is. The force of the ball is a signal.
func turningFinger(b *sim.Builder) {
	b.AddBody("base", sim.BodySpec{Mass: 0.4, Pose: at(-0.1, 0, 0), Joint: &sim.JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0.1, 0, -1}.Unit()}, V: []float64{0.5}}})
	fingerOn(b, &sim.JointSpec{Parent: "base", Joint: rigid.Revolute{Axis: r3.Vec{0, 0.2, -1}.Unit()}, Point: r3.Vec{-0.03, 0.01, 0}, V: []float64{0.3}})
	b.AddSignal("force", &sim.ContactForceSpec{Component: "y", Body: "finger"})
}

// fingerOn is a soft finger on a driven jaw with a joint that presses on a fixed ball.
func fingerOn(b *sim.Builder, joint *sim.JointSpec) {
	mesh, _ := meshes.BoxTets(r3.Vec{0.12, 0.03, 0.02}, [3]int{6, 2, 1})
	// without symmetry, lest two vertices be the fastest
	r := rand.New(rand.NewPCG(2, 9))
	for i, x := range mesh.Verts {
		if math.Abs(x[0]) < 0.059 {
			mesh.Verts[i] = x.Add(r3.Vec{1e-3 * r.NormFloat64(), 0, 1e-3 * r.NormFloat64()})
		}
	}
	law, _ := fem.NewCorotational(1e6, 0.4)
	var held []int32
	for i, x := range mesh.Verts {
		if x[0] < -0.059 {
			held = append(held, int32(i))
		}
	}
	b.Gravity = r3.Vec{}
	b.AddBody("jaw", sim.BodySpec{Mass: 0.2, Joint: joint})
	b.AddShape("world", sim.ShapeSpec{Spec: &geometry.SphereSpec{Radius: 0.02}, Pose: at(0.09, -0.03499, 0)})
	b.AddDeformable("finger", sim.DeformableSpec{Mesh: mesh, Law: law, Elements: fem.Hex12, Pose: at(0.06, 0, 0), Velocity: r3.Vec{0, -0.05, 0}, StiffnessDamping: 0.01, Attach: []sim.AttachSpec{{Body: "jaw", Verts: held}}})
	b.AddDrive("push", &sim.JointDrive{Joint: "jaw", Kp: 100, Kd: 5})
}

// The adjoint of a step with deformables, term by term, is that by columns of whole assemblies.
func TestAdjointByTermsIsThatByColumns(t *testing.T) {
	sim.OnOneGoroutine(t)
	for _, c := range []struct {
		name  string
		build func(*sim.Builder)
		steps int
		tol   float64
	}{
		{"soft cube", softCube, 6, 2e-8},
		{"held strip", heldStrip, 3, 2e-8},
		{"held finger", heldFinger, 8, 2e-8},
		{"turning finger", turningFinger, 8, 2e-8},
		{"hexahedra", pressedBlock(fem.Hex12), 4, 2e-8},
		{"ten-node tetrahedra", pressedBlock(fem.Tet10), 2, 2e-8},
	} {
		const h = 0.001
		s := differentiable(t, 1, c.build)
		x, r, compared := s.Model.Start.Clone(), rand.New(rand.NewPCG(3, 1)), 0
		n, bar := 2*len(x.V), make([]float64, len(s.Model.Signals))
		for i := range bar {
			bar[i] = 30
		}
		// at the start all vertices have one velocity, so that none is the fastest
		if err := s.Step(x, h); err != nil {
			t.Fatal(err)
		}
		for k := range c.steps {
			l, err := s.Linearize(x, h)
			if err == nil {
				compared++
				lambda := random(r, n)
				byTerms := slices.Clone(lambda)
				err = l.AdjointOfSignals(bar, byTerms, nil)
				if err == nil && !l.ByFaces() {
					t.Errorf("%s, step %d: contacts are not differentiated by hand", c.name, k)
				}
				if err == nil {
					l, err = s.Linearize(x, h)
				}
				if err == nil {
					l.UseColumns(true)
					err = l.AdjointOfSignals(bar, lambda, nil)
					l.UseColumns(false)
				}
				off, size := 0.0, 0.0
				for i := range lambda {
					off, size = math.Max(off, math.Abs(lambda[i]-byTerms[i])), math.Max(size, math.Abs(lambda[i]))
				}
				t.Logf("%s, step %d: off by %.1e of %.1e", c.name, k, off, size)
				if off > c.tol*size {
					t.Errorf("%s, step %d: off by %.1e of %.1e", c.name, k, off, size)
				}
			}
			if err != nil && !errors.Is(err, sim.ErrNotDifferentiable) {
				t.Fatal(err)
			}
			if err := s.Step(x, h); err != nil {
				t.Fatal(err)
			}
		}
		if compared < c.steps/2 {
			t.Errorf("%s: %d of %d steps have a derivative", c.name, compared, c.steps)
		}
	}
}

// Adjoints by terms, with the force of contact as a cost, have the same bits for any number of threads and allocate
// nothing.
func TestAdjointsByTermsHaveTheSameBitsForAnyNumberOfThreadsAndAllocateNothing(t *testing.T) {
	adjointHasTheSameBitsAndAllocatesNothing(t, func(b *sim.Builder) {
		pressedBlock(fem.Hex12)(b)
		b.AddSignal("force", &sim.ContactForceSpec{Component: "normal", Body: "ball"})
	})
	adjointHasTheSameBitsAndAllocatesNothing(t, turningFinger)
}

func adjointHasTheSameBitsAndAllocatesNothing(t *testing.T, build func(*sim.Builder)) {
	t.Helper()
	var first []float64
	for _, threads := range []int{1, 3} {
		s := differentiable(t, threads, build)
		x := s.Model.Start.Clone()
		for range 3 {
			if err := s.Step(x, 0.001); err != nil {
				t.Fatal(err)
			}
		}
		lambda, bar := make([]float64, 2*len(x.V)), []float64{2}
		run := func() {
			for i := range lambda {
				lambda[i] = math.Sin(float64(i))
			}
			l, err := s.Linearize(x, 0.001)
			if err == nil {
				err = l.AdjointOfSignals(bar, lambda, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		run()
		if first == nil {
			if k := alloctest.PerRun(2, run); k > 0 {
				t.Errorf("%g allocations", k)
			}
			first = slices.Clone(lambda)
		} else if !slices.Equal(lambda, first) {
			t.Error("another adjoint with 3 threads")
		}
	}
}

// Faces in the field of another deformable depend on vertices on which they do not act: such steps take columns, and
// agree with tangents.
func TestAdjointOfTwoDeformablesThatTouchIsTheTangent(t *testing.T) {
	sim.OnOneGoroutine(t)
	s := differentiable(t, 1, func(b *sim.Builder) {
		softCube(b)
		mesh, _ := meshes.BoxTets(r3.Vec{0.06, 0.06, 0.06}, [3]int{1, 1, 1})
		law, _ := fem.NewCorotational(1e5, 0.4)
		b.SpeculativeMargin = 5e-3
		b.AddDeformable("top", sim.DeformableSpec{Mesh: mesh, Law: law, Pose: r3.Pose{R: r3.RotExp(r3.Vec{0, 0, 0.4}), P: r3.Vec{0.01, 0.004, 0.1297}}, Velocity: r3.Vec{0.1, 0, -0.02}})
	})
	x, r := s.Model.Start.Clone(), rand.New(rand.NewPCG(3, 1))
	n, compared := 2*len(x.V), 0
	for range 4 {
		if err := s.Step(x, 0.001); err != nil {
			t.Fatal(err)
		}
		l, err := s.Linearize(x, 0.001)
		if errors.Is(err, sim.ErrNotDifferentiable) {
			continue
		}
		lambda, dx, tangent := random(r, n), random(r, n), make([]float64, n)
		for i := range n / 2 {
			dx[n/2+i] *= 1000 // as far in a step
		}
		if err == nil {
			err = l.Tangent(dx, nil, tangent)
		}
		forward, size := inner(lambda, tangent), 0.0
		for i := range tangent {
			size += math.Abs(lambda[i] * tangent[i])
		}
		if err == nil {
			err = l.Adjoint(lambda, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if back := inner(lambda, dx); math.Abs(back-forward) > 1e-6*size {
			t.Errorf("%.12g forward, %.12g by the adjoint", forward, back)
		}
	}
	if compared == 0 {
		t.Error("no step has a derivative")
	}
}
