package sim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
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
	b.AddBody("jaw", sim.BodySpec{Mass: 0.2, Joint: &sim.JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{0, -1, 0}}, V: []float64{0.05}}})
	b.AddShape("world", sim.ShapeSpec{Spec: &geometry.SphereSpec{Radius: 0.02}, Pose: at(0.09, -0.03499, 0)})
	b.AddDeformable("finger", sim.DeformableSpec{Mesh: mesh, Law: law, Elements: fem.Hex12, Pose: at(0.06, 0, 0), Velocity: r3.Vec{0, -0.05, 0}, StiffnessDamping: 0.01, Attach: []sim.AttachSpec{{Body: "jaw", Verts: held}}})
	b.AddDrive("push", &sim.JointDrive{Joint: "jaw", Kp: 100, Kd: 5})
}

// The adjoint of a step with deformables, term by term, is that by columns of whole assemblies.
func TestAdjointByTermsIsThatByColumns(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(*sim.Builder)
		steps int
		tol   float64
	}{
		{"soft cube", softCube, 8, 1e-6},
		{"held strip", heldStrip, 4, 1e-6},
		{"held finger", heldFinger, 8, 1e-6},
		{"hexahedra", pressedBlock(fem.Hex12), 8, 1e-6},
		{"ten-node tetrahedra", pressedBlock(fem.Tet10), 8, 1e-6},
	} {
		const h = 0.001
		s := differentiable(t, 1, c.build)
		x, r, compared := s.Model.Start.Clone(), rand.New(rand.NewPCG(3, 1)), 0
		n := 2 * len(x.V)
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
				err = l.Adjoint(byTerms, nil)
				if err == nil {
					l, err = s.Linearize(x, h)
				}
				if err == nil {
					l.UseColumns(true)
					err = l.Adjoint(lambda, nil)
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
			if err != nil {
				t.Log(err)
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
