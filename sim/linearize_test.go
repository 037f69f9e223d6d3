package sim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// at returns a pose without rotation.
func at(x, y, z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{x, y, z}} }

// armAndBall is a driven arm of two links whose tip presses on a ball that slides on the floor; the
// link between has a ball joint's passenger.
func armAndBall(b *sim.Builder) {
	inertia := r3.Diag(r3.Vec{2e-3, 2e-3, 1e-3})
	// depths of some 0.1 mm, so that differences of whole steps see no curvature
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness = 2e4
	b.AddMaterial("default", soft)
	axis := rigid.Revolute{Axis: r3.Vec{0, 1, 0}}
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("upper", sim.BodySpec{Mass: 1, Inertia: &inertia, Pose: at(0, 0, 0.35),
		Joint: &sim.JointSpec{Joint: axis, Point: r3.Vec{0, 0, 0.15}, V: []float64{-0.4}}})
	b.AddBody("passenger", sim.BodySpec{Mass: 0.2, Inertia: &inertia, Pose: at(0, 0.2, 0.35),
		Joint: &sim.JointSpec{Joint: rigid.Ball{}, Parent: "upper", Point: r3.Vec{0, -0.1, 0}, Damping: 0.01, V: []float64{1, 2, -1}}})
	b.AddBody("lower", sim.BodySpec{Mass: 0.5, Inertia: &inertia, Pose: at(0, 0, 0.15),
		Joint:  &sim.JointSpec{Joint: axis, Parent: "upper", Point: r3.Vec{0, 0, 0.1}, V: []float64{-0.3}},
		Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.03}, Pose: at(0, 0, -0.1)}}})
	b.AddBody("ball", sim.BodySpec{Mass: 0.2, Pose: at(0.0799, 0.003, 0.0499), Velocity: r3.Vec{0.1, 0.2, 0}, AngularVelocity: r3.Vec{2, 1, 3},
		Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
	b.AddDrive("shoulder", &sim.JointDrive{Joint: "upper", Kp: 20, Kd: 0.5})
	b.AddDrive("elbow", &sim.JointDrive{Joint: "lower"})
}

// softCube is a cube that turns slightly and slides on the floor.
func softCube(b *sim.Builder) {
	mesh, _ := meshes.BoxTets(r3.Vec{0.1, 0.1, 0.1}, [3]int{1, 2, 1})
	law, _ := fem.NewCorotational(1e5, 0.4)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddDeformable("cube", sim.DeformableSpec{Mesh: mesh, Elements: fem.Tet4, Law: law, Pose: at(0, 0, 0.0499), Velocity: r3.Vec{0.3, 0.1, -0.02}, StiffnessDamping: 0.005})
}

// heldStrip is a soft strip that a turning link holds at one end.
func heldStrip(b *sim.Builder) {
	mesh, _ := meshes.BoxTets(r3.Vec{0.2, 0.03, 0.03}, [3]int{3, 1, 1})
	law, _ := fem.NewCorotational(1e6, 0.4)
	inertia := r3.Diag(r3.Vec{2e-3, 2e-3, 1e-3})
	b.AddBody("link", sim.BodySpec{Mass: 1, Inertia: &inertia, Joint: &sim.JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, V: []float64{4}}})
	var held []int32
	for i, x := range mesh.Verts {
		if x[0] < -0.099 {
			held = append(held, int32(i))
		}
	}
	b.AddDeformable("strip", sim.DeformableSpec{Mesh: mesh, Elements: fem.Tet4, Law: law, Pose: at(0.15, 0, 0), StiffnessDamping: 0.002, Attach: []sim.AttachSpec{{Body: "link", Verts: held}}})
}

// fieldBall is a ball with a pressure field that rolls on the floor.
func fieldBall(b *sim.Builder) {
	soft := constraints.DefaultContactMaterial()
	soft.HydroelasticModulus = 1e6
	b.AddMaterial("soft", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("ball", sim.BodySpec{Mass: 0.3, Pose: at(0, 0, 0.049), Velocity: r3.Vec{0.2, 0, 0}, Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}, Material: "soft"}}})
}

// differentiable returns a stepper of a model whose steps have derivatives, and are solved to
// round-off.
func differentiable(t testing.TB, threads int, build func(*sim.Builder)) *sim.Stepper {
	t.Helper()
	b := sim.NewBuilder()
	b.Contact, b.FrictionLag, b.RelTol = constraints.Lagged{StictionTolerance: 1e-2}, sim.FrictionLagGeometry, 1e-13
	build(b)
	s, err := sim.NewStepper(b.MustBuild(), sim.Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func random(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

func inner(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// wholeSteps returns the central difference of whole steps along dx and du.
func wholeSteps(t *testing.T, s *sim.Stepper, x *sim.State, u, dx, du []float64, h, eps float64) []float64 {
	t.Helper()
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
		ends[k] = y
	}
	s.SetInputs(u)
	d := make([]float64, len(dx))
	s.Model.StateDifference(ends[1], ends[0], d)
	for i := range d {
		d[i] /= 2 * eps
	}
	return d
}

// Along a run, derivatives in random directions are those of differences of whole steps, and the
// adjoint gives the same numbers.
func TestDerivativesAgreeWithDifferencesOfWholeSteps(t *testing.T) {
	sim.OnOneGoroutine(t)
	for _, c := range []struct {
		name   string
		build  func(*sim.Builder)
		inputs []string
		tol    float64
		kinks  int
		// digits of the adjoint, of loops those that their stiffness leaves; steps that may be refused
		adjoint float64
		refused int
	}{
		{"arm and ball", armAndBall, []string{"elbow", "shoulder"}, 3e-5, 0, 1e-12, 2},
		{"soft cube", softCube, nil, 1e-4, 0, 1e-12, 2},
		{"held strip", heldStrip, nil, 1e-6, 0, 1e-11, 2}, // of hexahedra, whose condition is worse than that of linear tetrahedra
		{"pressure field", fieldBall, nil, 1e-4, 3, 1e-12, 2},
		{"gimbaled camera", gimbaledCamera, []string{"tilt"}, 3e-5, 0, 1e-11, 2},
		{"tethered kite", tetheredKite, []string{"servo"}, 2e-5, 0, 1e-9, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			const h = 0.002
			s := differentiable(t, 1, c.build)
			if err := s.UseInputs(c.inputs...); err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(3, 17))
			x, u := s.Model.Start.Clone(), []float64{-0.4, 1}[:len(c.inputs)]
			n := 2 * len(x.V)
			fx, fu, d := make([]float64, n*n), make([]float64, n*len(u)), make([]float64, n)
			refused, kinks := 0, 0
			for range 20 {
				s.SetInputs(u)
				dx, du := random(r, n), random(r, len(u))
				want := wholeSteps(t, s, x, u, dx, du, h, 1e-7)
				l, err := s.Linearize(x, h)
				if errors.Is(err, sim.ErrNotDifferentiable) {
					refused++
				} else if err != nil {
					t.Fatal(err)
				} else {
					if err := l.Jacobian(fx, fu); err != nil {
						t.Fatal(err)
					}
					off, size := 0.0, 0.0
					for i := range n {
						d[i] = inner(fx[i*n:(i+1)*n], dx) + inner(fu[i*len(u):(i+1)*len(u)], du)
						off, size = math.Max(off, math.Abs(d[i]-want[i])), math.Max(size, math.Abs(want[i]))
					}
					if off > c.tol*size { // a face or a contact appears within the widths
						kinks++
						t.Logf("t = %g s: off by %.1e of %.1e", x.Time, off, size)
					}
					lambda := random(r, n)
					forward, bar := inner(lambda, d), make([]float64, len(u))
					if err := l.Adjoint(lambda, bar); err != nil {
						t.Fatal(err)
					}
					if adjoint := inner(lambda, dx) + inner(bar, du); math.Abs(forward-adjoint) > c.adjoint*math.Sqrt(inner(d, d)*float64(n)) {
						t.Errorf("t = %g s: %.15g forward, %.15g by the adjoint", x.Time, forward, adjoint)
					}
					tangent := make([]float64, n)
					if err := l.Tangent(dx, du, tangent); err != nil {
						t.Fatal(err)
					}
					for i := range d {
						if math.Abs(tangent[i]-d[i]) > 1e-5*size {
							kinks++
							t.Logf("t = %g s: tangent %d is %g, by the Jacobian %g", x.Time, i, tangent[i], d[i])
							break
						}
					}
				}
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
			}
			if refused > c.refused || kinks > c.kinks {
				t.Errorf("of 20 steps %d refused, %d times off", refused, kinks)
			}
		})
	}
}

// The end state of a Linearization is that of a step.
func TestLinearizationEndsWhereTheStepEnds(t *testing.T) {
	s := differentiable(t, 1, armAndBall)
	x := s.Model.Start.Clone()
	l, err := s.Linearize(x, 0.002)
	if err != nil {
		t.Fatal(err)
	}
	var end sim.State
	l.End(&end)
	if err := s.Step(x, 0.002); err != nil {
		t.Fatal(err)
	}
	for i := range x.V {
		if math.Abs(x.V[i]-end.V[i]) > 1e-10 {
			t.Errorf("velocity %d is %g, of the step %g", i, end.V[i], x.V[i])
		}
	}
}

func TestJacobiansHaveTheSameBitsForAnyNumberOfThreadsAndAllocateNothing(t *testing.T) {
	var first []float64
	for _, threads := range []int{1, 3} {
		s := differentiable(t, threads, softCube)
		x := s.Model.Start.Clone()
		n := 2 * len(x.V)
		for range 3 { // the impact
			if err := s.Step(x, 0.002); err != nil {
				t.Fatal(err)
			}
		}
		fx := make([]float64, n*n)
		run := func() {
			l, err := s.Linearize(x, 0.002)
			if err == nil {
				err = l.Jacobian(fx, nil)
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
			first = slices.Clone(fx)
		} else if !slices.Equal(fx, first) {
			t.Error("another Jacobian with 3 threads")
		}
	}
}

func TestModelsWithoutDerivativesAreRefusedByName(t *testing.T) {
	for want, build := range map[string]func(*sim.Builder){
		"friction_lag": func(b *sim.Builder) { b.FrictionLag = sim.FrictionLagPrevious },
		"cube": func(b *sim.Builder) {
			mesh, _ := meshes.BoxTets(r3.Vec{0.1, 0.1, 0.1}, [3]int{1, 1, 1})
			law, _ := fem.NewNeoHookean(1e5, 0.4)
			b.AddDeformable("cube", sim.DeformableSpec{Mesh: mesh, Law: law})
		},
	} {
		s := differentiable(t, 1, func(b *sim.Builder) { armAndBall(b); build(b) })
		_, err := s.Linearize(s.Model.Start.Clone(), 0.002)
		if !errors.Is(err, sim.ErrNotDifferentiable) || !strings.Contains(err.Error(), want) {
			t.Errorf("error %q: want one that names %s", err, want)
		}
	}
}

func TestInputsReplaceTheFeedForwardOfDrives(t *testing.T) {
	s := differentiable(t, 1, armAndBall)
	for _, name := range []string{"nothing", "upper"} {
		if err := s.UseInputs(name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("input %q: error %v", name, err)
		}
	}
	// a step with an input is the step of a model with that feed forward
	if err := s.UseInputs("elbow"); err != nil {
		t.Fatal(err)
	}
	s.SetInputs([]float64{0.7})
	other := differentiable(t, 1, func(b *sim.Builder) {
		armAndBall(b)
		b.AddDrive("same", &sim.JointDrive{Joint: "lower", FeedForward: motion.Constant(0.7)})
	})
	x, y := s.Model.Start.Clone(), other.Model.Start.Clone()
	for range 5 {
		if err := errors.Join(s.Step(x, 0.002), other.Step(y, 0.002)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range x.V {
		if math.Abs(x.V[i]-y.V[i]) > 1e-12 {
			t.Errorf("velocity %d is %g with the input, %g with the feed forward", i, x.V[i], y.V[i])
		}
	}
}
