package sim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// slidingStack is a stack of boxes of which the lowest is pushed, with bounds of friction that follow the solution.
func slidingStack(b *sim.Builder) {
	b.FrictionLag = sim.FrictionLagAuto
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness, soft.Dissipation = 1e4, 2
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	for i, name := range []string{"low", "middle", "high"} {
		X := at(0.003*float64(i), 0.002*float64(i), 0.0298+0.0597*float64(i))
		X.R = r3.RotExp(r3.Vec{0, 0, 0.1 * float64(i)})
		b.AddBody(name, sim.BodySpec{Mass: 0.5, Pose: X, Velocity: r3.Vec{0.4 - 0.2*float64(i), 0.1, -0.05}, AngularVelocity: r3.Vec{0.2, 0.1, 2},
			Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.1, 0.08, 0.06}}}}})
	}
}

// sweptStack is slidingStack with bounds of all points that follow the solution.
func sweptStack(b *sim.Builder) {
	slidingStack(b)
	b.FrictionLag = sim.FrictionLagSweep
}

// spunBlock is a soft block that turns far in a step, and strikes the floor.
func spunBlock(b *sim.Builder) {
	mesh, _ := meshes.BoxTets(r3.Vec{0.1, 0.06, 0.06}, [3]int{2, 1, 1})
	law, _ := fem.NewCorotational(2e5, 0.4)
	b.SpeculativeMargin = 5e-3
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	X := at(0, 0, 0.045)
	X.R = r3.RotExp(r3.Vec{0.1, 0.3, 0})
	b.AddDeformable("block", sim.DeformableSpec{Mesh: mesh, Elements: fem.Tet4, Law: law, Pose: X, Velocity: r3.Vec{0.5, 0.1, -2}, AngularVelocity: r3.Vec{0, 40, 5}, StiffnessDamping: 0.002})
}

// pressedPad is a soft pad that a cylinder presses and rolls over.
func pressedPad(b *sim.Builder) {
	mesh, _ := meshes.BoxTets(r3.Vec{0.12, 0.06, 0.04}, [3]int{3, 1, 1})
	law, _ := fem.NewCorotational(1e5, 0.4)
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness, soft.Dissipation = 3e4, 1
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddDeformable("pad", sim.DeformableSpec{Mesh: mesh, Elements: fem.Tet4, Law: law, Pose: at(0, 0, 0.0199), StiffnessDamping: 0.002})
	X := at(0.01, 0, 0.0695)
	X.R = r3.RotExp(r3.Vec{math.Pi / 2, 0, 0})
	b.AddBody("roller", sim.BodySpec{Mass: 1, Pose: X, Velocity: r3.Vec{0.5, 0, -1.5}, AngularVelocity: r3.Vec{0, 10, 0}, Shapes: []sim.ShapeSpec{{Spec: &geometry.CylinderSpec{Radius: 0.03, Length: 0.1}}}})
}

// spunPair is two bars on a ball that turn and strike the floor.
func spunPair(b *sim.Builder) {
	b.FrictionLag = sim.FrictionLagAuto
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness, soft.Dissipation = 1e4, 2
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	for i, name := range []string{"one", "other"} {
		X := at(0.14*float64(i), 0, 0.025)
		X.R = r3.RotExp(r3.Vec{0, math.Pi / 2, 0})
		b.AddBody(name, sim.BodySpec{Mass: 0.3, Pose: X, Velocity: r3.Vec{0.2, 0.3, -3 - 2*float64(i)}, AngularVelocity: r3.Vec{1, 35, 3}, Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.04, 0.04, 0.12}}}}})
	}
	b.AddConstraint("ball", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: "one", B: "other"}, PointA: &r3.Vec{0, 0, 0.07}, PointB: r3.Vec{0, 0, -0.07}}})
}

// spunBars are bars that turn by a quarter of a radian in a step beside the floor and each other.
func spunBars(b *sim.Builder) {
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness, soft.Dissipation = 1e4, 2
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	for i, name := range []string{"one", "other"} {
		X := at(0.03*float64(i), 0, 0.045+0.08*float64(i))
		X.R = r3.RotExp(r3.Vec{0, 0.6 + 0.3*float64(i), 0})
		b.AddBody(name, sim.BodySpec{Mass: 0.3, Pose: X, Velocity: r3.Vec{0.2, 0.3, -1}, AngularVelocity: r3.Vec{1, 70 - 20*float64(i), 3}, Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.12, 0.03, 0.04}}}}})
	}
}

// fieldPad is a ball with a pressure field that a thrust sends into the floor.
func fieldPad(b *sim.Builder) {
	soft := constraints.DefaultContactMaterial()
	soft.HydroelasticModulus = 1e5
	b.AddMaterial("soft", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	inertia := r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3})
	b.AddBody("ball", sim.BodySpec{Mass: 0.3, Inertia: &inertia, Pose: at(0, 0, 0.0502), Joint: &sim.JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}}, Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}, Material: "soft"}}})
	b.AddDrive("thrust", &sim.JointDrive{Joint: "ball"})
}

// tumbler is a thin plate that turns by a radian in a step, which is divided.
func tumbler(b *sim.Builder) {
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness = 1e4
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	inertia := r3.Diag(r3.Vec{2e-3, 2e-3, 1e-3})
	b.AddBody("cart", sim.BodySpec{Mass: 1, Inertia: &inertia, Pose: at(1, 0, 0.5), Joint: &sim.JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, V: []float64{0.3}}})
	b.AddBody("pole", sim.BodySpec{Mass: 0.5, Inertia: &inertia, Pose: at(1.2, 0, 0.5), Joint: &sim.JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, Parent: "cart", Point: r3.Vec{-0.2, 0, 0}, V: []float64{60}}})
	b.AddDrive("push", &sim.JointDrive{Joint: "cart"})
}

// extrapolated returns the derivative of whole steps along dx and du, by central differences of two widths; false where
// steps of other rounds or parts than those of the step itself were taken.
func extrapolated(t *testing.T, s *sim.Stepper, x *sim.State, u, dx, du []float64, h, eps float64) (d []float64, same bool) {
	t.Helper()
	y := x.Clone()
	y.EnergyReference = nil
	if err := s.Step(y, h); err != nil {
		t.Fatal(err)
	}
	solves, parts, contacts := s.Report.Solves, s.Report.Parts, s.Report.NumContacts
	var by [2][]float64
	for i, eps := range [2]float64{eps, eps / 2} {
		var ends [2]*sim.State
		for k, w := range [2]float64{eps, -eps} {
			y, v := x.Clone(), slices.Clone(u)
			y.EnergyReference = nil
			s.Model.MoveState(y, w, dx)
			for i := range v {
				v[i] += w * du[i]
			}
			s.SetInputs(v)
			if err := s.Step(y, h); err != nil {
				t.Fatal(err)
			}
			if s.Report.Solves != solves || s.Report.Parts != parts || s.Report.NumContacts != contacts {
				s.SetInputs(u)
				return nil, false
			}
			ends[k] = y
		}
		by[i] = make([]float64, len(dx))
		s.Model.StateDifference(ends[1], ends[0], by[i])
		for k := range by[i] {
			by[i][k] /= 2 * eps
		}
	}
	s.SetInputs(u)
	for k := range by[1] {
		by[1][k] += (by[1][k] - by[0][k]) / 3
	}
	return by[1], true
}

// Steps that were solved again, for any of the terms, or divided have the derivatives of whole steps, and the adjoint
// gives the same numbers.
func TestDerivativesOfRepeatedStepsAgreeWithDifferencesOfWholeSteps(t *testing.T) {
	sim.OnOneGoroutine(t)
	for _, c := range []struct {
		name   string
		build  func(*sim.Builder)
		inputs []string
		h      float64
		steps  int
		terms  []string // for which steps are solved again, or "parts"
		least  int      // steps that are compared at least
	}{
		{"sliding stack", slidingStack, nil, 0.004, 30, []string{"friction"}, 3},
		{"swept stack", sweptStack, nil, 0.004, 10, []string{"friction"}, 3},
		{"spun block", spunBlock, nil, 0.004, 20, []string{"deformables", "faces", "parts"}, 2},
		{"pressed pad", pressedPad, nil, 0.004, 14, []string{"deformables", "coverage", "faces"}, 3},
		{"spun pair", spunPair, nil, 0.004, 5, []string{"loops", "friction"}, 3},
		{"spun bars", spunBars, nil, 0.004, 20, []string{"gaps"}, 1},
		{"field pad", fieldPad, []string{"thrust"}, 0.004, 10, []string{"coverage"}, 1},
		{"tumbler", tumbler, []string{"push"}, 0.01, 10, []string{"parts"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := differentiable(t, 1, c.build)
			if err := s.UseInputs(c.inputs...); err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(5, 19))
			x, u := s.Model.Start.Clone(), []float64{-200}[:len(c.inputs)]
			n := 2 * len(x.V)
			fx, fu, d := make([]float64, n*n), make([]float64, n*len(u)), make([]float64, n)
			compared := map[string]int{}
			for range c.steps {
				s.SetInputs(u)
				dx, du := random(r, n), random(r, len(u))
				want, same := extrapolated(t, s, x, u, dx, du, c.h, 2e-8)
				x.EnergyReference = nil
				l, err := s.Linearize(x, c.h)
				if errors.Is(err, sim.ErrNotDifferentiable) {
					t.Logf("t = %g s: %v", x.Time, err)
				} else if err != nil {
					t.Fatal(err)
				} else if again := l.Repeated(); !same || len(again) == 0 {
					t.Logf("t = %g s: %v same %v", x.Time, again, same)
				} else {
					err := l.Jacobian(fx, fu)
					if errors.Is(err, sim.ErrNotDifferentiable) {
						t.Logf("t = %g s: %v: %v", x.Time, again, err)
						goto step
					}
					if err != nil {
						t.Fatal(err)
					}
					off, size := 0.0, 0.0
					for i := range n {
						d[i] = inner(fx[i*n:(i+1)*n], dx) + inner(fu[i*len(u):(i+1)*len(u)], du)
						off, size = math.Max(off, math.Abs(d[i]-want[i])), math.Max(size, math.Abs(want[i]))
					}
					t.Logf("t = %g s: %v: off by %.1e of %.1e", x.Time, again, off, size)
					lambda := random(r, n)
					forward, bar := inner(lambda, d), make([]float64, len(u))
					if err := l.Adjoint(lambda, bar); err != nil {
						t.Fatal(err)
					}
					if adjoint := inner(lambda, dx) + inner(bar, du); math.Abs(forward-adjoint) > 1e-10*math.Sqrt(inner(d, d)*float64(n)) {
						t.Errorf("t = %g s: %.15g forward, %.15g by the adjoint", x.Time, forward, adjoint)
					}
					tangent := make([]float64, n)
					if err := l.Tangent(dx, du, tangent); err != nil {
						t.Fatal(err)
					}
					apart := 0.0
					for i := range d {
						apart = max(apart, math.Abs(tangent[i]-d[i]))
					}
					t.Logf("   tangent %.1e", apart/size)
					if off > 1e-6*size {
						t.Errorf("t = %g s: %v: off by %.1e of %.1e", x.Time, again, off, size)
					} else {
						for _, name := range again {
							compared[name]++
						}
					}
				}
			step:
				if err := s.Step(x, c.h); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range c.terms {
				if compared[name] < c.least {
					t.Errorf("%d steps compared that were repeated for %s, want %d: %v", compared[name], name, c.least, compared)
				}
			}
		})
	}
}
