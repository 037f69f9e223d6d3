package gradient_test

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/convex"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// at returns a pose without rotation.
func at(x, y, z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{x, y, z}} }

// last is the loss of signal i after the last step.
func last(i int) gradient.Loss {
	return func(values, bar [][]float64) float64 {
		n := len(values) - 1
		bar[n][i] = 1
		return values[n][i]
	}
}

// slider is a block on rails along x and z that slides on a floor, at the depth at which the contact carries it.
func slider(mu float64) *sim.Model {
	const m, M, k, g = 1.5, 2.0, 1e4, 9.81 // the block, with the rail, kg; N/m; m/s²
	b := sim.NewBuilder()
	b.Contact, b.FrictionLag = constraints.Lagged{StictionTolerance: 1e-3}, sim.FrictionLagGeometry
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness, soft.Dissipation, soft.Friction, soft.StaticFriction = 2*k, 0, mu, mu // two in series
	b.AddMaterial("default", soft)
	inertia := r3.Diag(r3.Vec{1e-3, 1e-3, 1e-3})
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("rail", sim.BodySpec{Mass: M - m, Inertia: &inertia, Joint: &sim.JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, V: []float64{1}}})
	b.AddBody("block", sim.BodySpec{Mass: m, Inertia: &inertia, Pose: at(0, 0, 0.05-m*g/k), Joint: &sim.JointSpec{Parent: "rail", Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}},
		Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
	b.AddSignal("rate", &sim.JointStateSpec{State: "velocity", Joint: "rail"})
	b.AddSignal("normal", &sim.ContactForceSpec{Component: "z", Body: "block"})
	b.AddSignal("friction", &sim.ContactForceSpec{Component: "x", Body: "block"})
	return b.MustBuild()
}

// A step at the depth of rest has dv/dμ = −h m g (v/ρ)/(M + μ h m g v_s²/ρ³), ρ² = v² + v_s², and changes the friction
// force by −m g v/ρ − μ m g (v_s²/ρ³) dv/dμ.
func TestSpeedAndFrictionOfASliderByFrictionInClosedForm(t *testing.T) {
	const h, mu, m, M, g, vs = 0.01, 0.4, 1.5, 2.0, 9.81, 1e-3
	p := gradient.Problem{Model: slider(mu), H: h, Steps: 1, Parameters: []gradient.Parameter{{Name: "friction", Plus: slider(mu + 1e-5), Minus: slider(mu - 1e-5), Width: 1e-5}}}
	p.Loss = last(0)
	r, err := gradient.Compute(&p)
	if err != nil {
		t.Fatal(err)
	}
	v := r.Value
	rho := math.Hypot(v, vs)
	want := -h * m * g * (v / rho) / (M + mu*h*m*g*vs*vs/(rho*rho*rho))
	if math.Abs(r.Gradient[0]-want) > 1e-9 {
		t.Errorf("dv/dμ = %.12g m/s, want %.12g", r.Gradient[0], want)
	}
	for _, mode := range []gradient.Mode{gradient.Adjoint, gradient.Tangents} {
		p.Loss, p.Mode = last(2), mode
		r, err = gradient.Compute(&p)
		if err != nil {
			t.Fatal(err)
		}
		if f := -m*g*v/rho - mu*m*g*vs*vs/(rho*rho*rho)*want; math.Abs(r.Gradient[0]-f) > 1e-5 {
			t.Errorf("mode %d: df/dμ = %.10g N, want %.10g", mode, r.Gradient[0], f)
		}
	}
}

// scene makes a model of random shapes that fall on a floor and on each other, a function of a number θ by a choice
// of parameter, with smooth signals.
func scene(seed uint64, theta float64) (m *sim.Model, name string, signals int) {
	r := rand.New(rand.NewPCG(seed, 1))
	b := sim.NewBuilder()
	// every law, and every lag of friction
	b.Contact = []constraints.ContactModel{constraints.Lagged{StictionTolerance: 1e-2}, constraints.Similar{StictionTolerance: 1e-2}, constraints.SAP{}}[r.IntN(3)]
	if constraints.IsLagged(b.Contact) {
		b.FrictionLag = []sim.FrictionLag{sim.FrictionLagGeometry, sim.FrictionLagGeometry, sim.FrictionLagAuto, sim.FrictionLagPrevious, sim.FrictionLagSweep}[r.IntN(5)]
	}
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness, soft.Dissipation = 1e4, 10*r.Float64()
	mu, mass, speed, radius := 0.2+0.5*r.Float64(), 0.5+r.Float64(), 0.5*r.Float64(), 0.04+0.02*r.Float64()
	names := []string{"friction", "stiffness", "mass", "speed", "radius"}
	values := []*float64{&mu, &soft.Stiffness, &mass, &speed, &radius}
	k := r.IntN(len(names))
	*values[k] *= 1 + theta
	soft.Friction, soft.StaticFriction = mu, mu
	n, field := 1+r.IntN(3), r.IntN(4) == 0
	if field {
		n, soft.HydroelasticModulus = 1, 1e6 // one ball: fields are slow
	}
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	for i := range n {
		body := sim.BodySpec{Mass: mass, Pose: at(0.03*r.Float64(), 0.02*r.Float64(), 0.0495+(0.0995+1e-4*r.Float64())*float64(i)), Velocity: r3.Vec{speed, 0.3 * r.NormFloat64(), -0.1}, AngularVelocity: r3.Vec{r.NormFloat64(), r.NormFloat64(), 1}}
		switch kind := r.IntN(3); {
		case kind == 0 && !field:
			body.Shapes = []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{2 * radius, 0.08, 0.1}}}}
		case kind == 1 && !field:
			body.Shapes = []sim.ShapeSpec{{Spec: &geometry.CapsuleSpec{Radius: radius, Length: 0.05}}}
		default:
			body.Shapes = []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: radius}}}
		}
		b.AddBody(fmt.Sprint("body", i), body)
	}
	b.AddSignal("x", &sim.PositionSpec{Component: "x", Body: "body0"})
	b.AddSignal("v", &sim.VelocitySpec{Component: "y", Body: "body0"})
	b.AddSignal("normal", &sim.ContactForceSpec{Component: "normal", Body: "body0"})
	b.AddSignal("energy", &sim.EnergySpec{Kind: "kinetic"})
	return b.MustBuild(), names[k], 4
}

// seq counts from 0 to n − 1.
func seq(n uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// compareScenes compares gradients of scenes, made by build, with differences of whole runs. They agree, or there is a
// refusal, but for scenes of which differences say nothing: a third of them agree at least, and it returns how many do.
// With CURLFREE_LONG the seeds are the first long ones.
func compareScenes(t *testing.T, build func(seed uint64, theta float64) (m *sim.Model, name string, signals int), seeds []uint64, long uint64) (agree int) {
	t.Helper()
	const wide = 2e-6
	if os.Getenv("CURLFREE_LONG") != "" {
		seeds = slices.Collect(seq(long))
	}
	refused, unclear := 0, 0
	for _, seed := range seeds {
		m, name, signals := build(seed, 0)
		plus, _, _ := build(seed, 1e-6)
		minus, _, _ := build(seed, -1e-6)
		p := gradient.Problem{Model: m, H: 2e-3, Steps: 12, Loss: last(int(seed) % signals), Parameters: []gradient.Parameter{{Name: name, Plus: plus, Minus: minus, Width: 1e-6}}}
		r, err := gradient.Compute(&p)
		// some scenes are not solved as exactly as derivatives ask for, and say so
		if unsolved := new(convex.NotConvergedError); errors.Is(err, sim.ErrNotDifferentiable) || errors.As(err, &unsolved) {
			refused++
			if testing.Verbose() {
				t.Logf("seed %d: %v", seed, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		_, base, err := gradient.Run(&p, m)
		if err != nil {
			t.Fatal(err)
		}
		var d [2]float64
		kinks := 0
		for i, w := range [2]float64{wide, wide / 2} {
			var cost [2]float64
			for k, sign := range [2]float64{1, -1} {
				moved, _, _ := build(seed, sign*w)
				c, touches, err := gradient.Run(&p, moved)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				cost[k], kinks = c, kinks+len(gradient.Kinks(base, touches))
			}
			d[i] = (cost[0] - cost[1]) / (2 * w)
		}
		size := math.Abs(d[1]) + 1e-3*math.Abs(r.Value) + 1e-6
		if kinks > 0 || math.Abs(d[0]-d[1]) > 1e-3*size {
			unclear++
			continue
		}
		agree++
		if math.Abs(r.Gradient[0]-d[1]) > 2e-3*size {
			agree--
			t.Errorf("seed %d: by %s %.8g, by differences %.8g and %.8g", seed, name, r.Gradient[0], d[0], d[1])
		}
	}
	t.Logf("%d agree, %d refused, %d unclear", agree, refused, unclear)
	if agree < len(seeds)/3 {
		t.Errorf("%d of %d scenes were compared: too few", agree, len(seeds))
	}
	return agree
}

// Gradients of random scenes agree with differences of whole runs, or there is a refusal. Where contact changes within
// the differences, or differences of two widths disagree, the differences say nothing.
func TestGradientsOfRandomScenesAgreeWithDifferencesOrAreRefused(t *testing.T) {
	// the last six have bounds of friction that begin to act, a contact that begins to slide, and one of boxes that
	// gets other points, nearer than differences are wide: in 71374 in the step of the signal alone. In the last two
	// axes of contact are made from another coordinate axis there, in 80450 with a kink of the contact itself
	seeds := append(slices.Collect(seq(40)), 205, 829, 984, 71374, 80450, 80760)
	compareScenes(t, scene, seeds, 1000)
}

// The gradient of the state at the start, by the adjoint, is the product of the steps' Jacobians to rounding.
func TestAdjointOfARunIsTheProductOfItsJacobians(t *testing.T) {
	m, _, _ := scene(2, 0)
	p := gradient.Problem{Model: m, H: 2e-3, Steps: 12, Loss: last(0)}
	r, err := gradient.Compute(&p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sim.NewStepper(m, sim.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	// a random direction forward; the signal is the position x of the first body
	rng := rand.New(rand.NewPCG(1, 2))
	nx := 2 * len(m.Start.V)
	start, dx, fx := make([]float64, nx), make([]float64, nx), make([]float64, nx*nx)
	for i := range start {
		start[i] = rng.NormFloat64()
	}
	copy(dx, start)
	x, size := m.Start.Clone(), 0.0
	for range p.Steps {
		l, err := s.Linearize(x, p.H)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Jacobian(fx, nil); err != nil {
			t.Fatal(err)
		}
		next := make([]float64, nx)
		for i := range next {
			for k, d := range dx {
				next[i] += fx[i*nx+k] * d
			}
		}
		dx = next
		l.End(x)
	}
	adjoint := 0.0
	for i, d := range start {
		adjoint += r.Start[i] * d
		size += math.Abs(r.Start[i] * d)
	}
	// velocities 3 to 5 of a free body are those of its origin
	if math.Abs(adjoint-dx[3]) > 1e-8*size {
		t.Errorf("%.15g by the adjoint, %.15g forward", adjoint, dx[3])
	}
}

// A parameter that changes more than numbers is refused, and the message says what changes.
func TestParametersThatChangeTheTopologyAreNamed(t *testing.T) {
	soft := func(cells, bodies int) *sim.Model {
		b := sim.NewBuilder()
		mesh, _ := meshes.BoxTets(r3.Vec{0.1, 0.1, 0.1}, [3]int{cells, 1, 1})
		law, _ := fem.NewCorotational(1e5, 0.4)
		b.AddDeformable("cube", sim.DeformableSpec{Mesh: mesh, Law: law})
		for i := range bodies {
			b.AddBody(fmt.Sprint("ball", i), sim.BodySpec{Mass: 1, Pose: at(1, float64(i), 0), Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
		}
		b.AddSignal("energy", &sim.EnergySpec{Kind: "kinetic"})
		return b.MustBuild()
	}
	for want, other := range map[string]*sim.Model{"the mesh of cube changes": soft(3, 1), "the rigid bodies change": soft(2, 2)} {
		p := gradient.Problem{Model: soft(2, 1), H: 1e-3, Steps: 1, Loss: last(0), Parameters: []gradient.Parameter{{Name: "size", Plus: other, Minus: soft(2, 1), Width: 1e-6}}}
		if _, err := gradient.Compute(&p); !errors.Is(err, sim.ErrNotDifferentiable) || !strings.Contains(err.Error(), "size: "+want) {
			t.Errorf("%v, want a refusal: size: %s", err, want)
		}
	}
}
