package gradient_test

import (
	"errors"
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// softBlocks makes a model of blocks that slide on a floor, one on the other, of a density.
func softBlocks(t *testing.T, n int, density float64) *sim.Model {
	t.Helper()
	b := sim.NewBuilder()
	b.Contact, b.FrictionLag, b.SpeculativeMargin = constraints.Lagged{StictionTolerance: 1e-2}, sim.FrictionLagGeometry, 5e-3
	law, err := fem.NewCorotational(1e5, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	for i, name := range []string{"lower", "upper"}[:n] {
		mesh, err := meshes.BoxTets(r3.Vec{0.1 - 0.04*float64(i), 0.08, 0.06}, [3]int{2, 1, 1})
		if err != nil {
			t.Fatal(err)
		}
		b.AddDeformable(name, sim.DeformableSpec{Mesh: mesh, Law: law, Density: density, Pose: at(0.003*float64(i), 0, 0.0299+0.0599*float64(i)), Velocity: r3.Vec{0.1, 0.02, 0}, StiffnessDamping: 0.005})
	}
	b.AddSignal("x", &sim.PositionSpec{Component: "x", Body: "lower", Point: &r3.Vec{0.05, 0.04, 0.03}})
	return b.MustBuild()
}

// By itself a gradient takes the adjoint of a deformable that touches rigid bodies, though there is one parameter only,
// and tangents where two deformables touch, whose adjoint takes a column for each coordinate. Both are the gradient.
func TestGradientsTakeTheCheaperWay(t *testing.T) {
	for n, adjoint := range map[int]bool{1: true, 2: false} {
		const density, width = 1000, 1e-2
		p := gradient.Problem{Model: softBlocks(t, n, density), H: 1e-3, Steps: 4, Loss: last(0), Parameters: []gradient.Parameter{
			{Name: "density", Plus: softBlocks(t, n, density+width), Minus: softBlocks(t, n, density-width), Width: width},
		}}
		var by [3]*gradient.Result
		for mode := range by {
			var err error
			p.Mode = gradient.Mode(mode)
			if by[mode], err = gradient.Compute(&p); err != nil {
				t.Fatal(err)
			}
		}
		if took := by[gradient.Automatic].Start != nil; took != adjoint {
			t.Errorf("%d blocks: by the adjoint %t, want %t", n, took, adjoint)
		}
		want := by[gradient.Tangents].Gradient[0]
		for mode, r := range by {
			if d := r.Gradient[0]; want == 0 || math.Abs(d-want) > 1e-5*math.Abs(want) {
				t.Errorf("%d blocks, mode %d: %.9g, want %.9g", n, mode, d, want)
			}
		}
	}
}

// Adjoints and tangents agree where steps were solved again for friction, for signals of states and of steps.
func TestModesAgreeWhereStepsWereSolvedAgain(t *testing.T) {
	compared := 0
	for seed := range uint64(46) {
		m, name, signals := scene(seed, 0)
		if lag := m.FrictionLag; !constraints.IsLagged(m.Contact) || lag != sim.FrictionLagAuto && lag != sim.FrictionLagSweep {
			continue
		}
		plus, _, _ := scene(seed, 1e-6)
		minus, _, _ := scene(seed, -1e-6)
		for i := range signals {
			p := gradient.Problem{Model: m, H: 2e-3, Steps: 12, Loss: last(i), Parameters: []gradient.Parameter{{Name: name, Plus: plus, Minus: minus, Width: 1e-6}}}
			var by [2]float64
			refused := false
			for k, mode := range []gradient.Mode{gradient.Adjoint, gradient.Tangents} {
				p.Mode = mode
				r, err := gradient.Compute(&p)
				if errors.Is(err, sim.ErrNotDifferentiable) {
					refused = true
					break
				}
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				by[k] = r.Gradient[0]
			}
			if refused {
				continue
			}
			compared++
			if math.Abs(by[0]-by[1]) > 1e-5*(math.Abs(by[0])+1e-3) {
				t.Errorf("seed %d, signal %d by %s: %.10g by the adjoint, %.10g by tangents", seed, i, name, by[0], by[1])
			}
		}
	}
	if compared < 10 {
		t.Errorf("%d gradients compared", compared)
	}
}

// The friction of a slider that sinks follows bounds of the solution, which change with its depth and its mass: forces
// of a step that was solved again depend on the solutions before the last.
func TestForcesFollowTheSolutionsOfTheirStep(t *testing.T) {
	build := func(depth, mass float64, lag sim.FrictionLag) *sim.Model {
		b := sim.NewBuilder()
		b.Contact, b.FrictionLag = constraints.Lagged{StictionTolerance: 1e-3}, lag
		soft := constraints.DefaultContactMaterial()
		soft.Stiffness, soft.Dissipation, soft.Friction, soft.StaticFriction = 2e4, 2, 0.4, 0.4
		b.AddMaterial("default", soft)
		inertia := r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3})
		b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
		b.AddBody("rail", sim.BodySpec{Mass: 0.5, Inertia: &inertia, Joint: &sim.JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, V: []float64{1}}})
		b.AddBody("block", sim.BodySpec{Mass: mass, Inertia: &inertia, Pose: at(0, 0, 0.05-depth), Joint: &sim.JointSpec{Parent: "rail", Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}, V: []float64{-0.1}},
			Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
		b.AddSignal("friction", &sim.ContactForceSpec{Component: "x", Body: "block"})
		return b.MustBuild()
	}
	for _, lag := range []sim.FrictionLag{sim.FrictionLagAuto, sim.FrictionLagSweep} {
		m := func(depth, mass float64) *sim.Model { return build(2e-4+depth, 1.5+mass, lag) }
		p := gradient.Problem{Model: m(0, 0), H: 5e-3, Steps: 1, Loss: last(0), Parameters: []gradient.Parameter{
			{Name: "depth", Plus: m(1e-7, 0), Minus: m(-1e-7, 0), Width: 1e-7}, {Name: "mass", Plus: m(0, 1e-5), Minus: m(0, -1e-5), Width: 1e-5}}}
		for _, mode := range []gradient.Mode{gradient.Adjoint, gradient.Tangents} {
			p.Mode = mode
			r, err := gradient.Compute(&p)
			if err != nil {
				t.Fatal(err)
			}
			for i, q := range p.Parameters {
				plus, _, err := gradient.Run(&p, q.Plus)
				if err != nil {
					t.Fatal(err)
				}
				minus, _, err := gradient.Run(&p, q.Minus)
				if err != nil {
					t.Fatal(err)
				}
				if d := (plus - minus) / (2 * q.Width); math.Abs(r.Gradient[i]-d) > 1e-6*math.Abs(d) {
					t.Errorf("%v, mode %d: by %s %.10g, by differences %.10g", lag, mode, q.Name, r.Gradient[i], d)
				}
			}
		}
	}
}
