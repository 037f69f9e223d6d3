package sim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// boxesInAHeap are a turning box that slides on the floor, and a capsule that rolls on it.
func boxesInAHeap(b *sim.Builder) {
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness = 2e4
	soft.StaticFriction = soft.Friction * 1.3
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("box", sim.BodySpec{Mass: 1, Pose: at(0, 0, 0.0499), Velocity: r3.Vec{0.3, 0.1, 0}, AngularVelocity: r3.Vec{0, 0, 2},
		Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.2, 0.3, 0.1}}}}})
	b.AddBody("roll", sim.BodySpec{Mass: 0.3, Pose: r3.Pose{R: r3.RotExp(r3.Vec{1.5708, 0, 0.3}), P: r3.Vec{0.01, 0.02, 0.1198}}, AngularVelocity: r3.Vec{1, 3, 0},
		Shapes: []sim.ShapeSpec{{Spec: &geometry.CapsuleSpec{Radius: 0.02, Length: 0.1}}}})
}

// sprungCart is a cart with limits, friction, a servo and a pendulum.
func sprungCart(b *sim.Builder) {
	inertia := r3.Diag(r3.Vec{2e-3, 2e-3, 1e-3})
	b.AddBody("cart", sim.BodySpec{Mass: 1, Inertia: &inertia,
		Joint: &sim.JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, Damping: 0.2, Stiffness: 30, Friction: 0.1, Limits: &[2]float64{-1, 0.04}, V: []float64{0.4}}})
	b.AddBody("pole", sim.BodySpec{Mass: 0.2, Inertia: &inertia, Pose: at(0.2, 0, 0),
		Joint: &sim.JointSpec{Joint: rigid.Universal{Axes: [2]r3.Vec{{0, 1, 0}, {1, 0, 0}}}, Parent: "cart", Point: r3.Vec{-0.2, 0, 0}, V: []float64{1, 0.5}}})
	b.AddBody("kite", sim.BodySpec{Mass: 0.1, Inertia: &inertia, Pose: at(0.3, 0.4, 0), Velocity: r3.Vec{0, 0.1, 0}, AngularVelocity: r3.Vec{0.3, 0.1, 0.2}})
	b.AddDrive("servo", &sim.JointDrive{Joint: "cart", Kp: 50, Kd: 2})
	b.AddLoad("wind", &sim.ForceSpec{Body: "pole", Force: r3.Vec{0.3, 0.2, 0.1}, Point: &r3.Vec{0, 0.1, 0.05}, Axes: "body"})
}

// gimbaledCamera is a damped gimbal with a driven arm and a ball joint beyond it, which presses on the floor.
func gimbaledCamera(b *sim.Builder) {
	inertia := r3.Diag(r3.Vec{2e-3, 3e-3, 1e-3})
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness = 2e4
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("mount", sim.BodySpec{Mass: 1, Inertia: &inertia, Pose: at(0, 0, 0.35),
		Joint: &sim.JointSpec{Joint: rigid.Universal{Axes: [2]r3.Vec{{0, 1, 0}, {1, 0, 0}}}, Point: r3.Vec{0, 0, 0.1}, V: []float64{-0.4, 0.3}}})
	b.AddBody("camera", sim.BodySpec{Mass: 0.5, Inertia: &inertia, Pose: at(0, 0, 0.15),
		Joint:  &sim.JointSpec{Joint: rigid.Gimbal{Axes: [3]r3.Vec{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}}, Parent: "mount", Point: r3.Vec{0.01, 0, 0.1}, Damping: 1e-3, Q: []float64{0.4, -0.1, 0.2}, V: []float64{6, -3, 4}},
		Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.03}, Pose: at(0, 0, -0.119)}}})
	b.AddBody("geared", sim.BodySpec{Mass: 0.2, Inertia: &inertia, Pose: at(0, 0.2, 0.35),
		Joint: &sim.JointSpec{Joint: rigid.Gimbal{}, Parent: "mount", Point: r3.Vec{0, -0.1, 0}, RotorInertia: 1e-3, V: []float64{1, 2, -1}}})
	b.AddBody("arm", sim.BodySpec{Mass: 0.2, Inertia: &inertia, Pose: at(0.1, 0, 0.15),
		Joint: &sim.JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, Parent: "camera", Point: r3.Vec{-0.1, 0, 0}}})
	b.AddDrive("tilt", &sim.JointDrive{Joint: "arm", Kp: 5, Kd: 0.1})
}

// tetheredKite is a sprungCart whose kite hangs on springs and a ball, which follow arcs.
func tetheredKite(b *sim.Builder) {
	sprungCart(b)
	length, stiffness := 0.3, 80.0
	b.AddConstraint("spring", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "kite", B: "pole"}, PointA: r3.Vec{0, -0.05, 0}, Length: &length, Stiffness: &stiffness, Damping: 1})
	b.AddConstraint("tether", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{B: "kite"}, Length: &length, Stiffness: &stiffness})
	inertia := r3.Diag(r3.Vec{2e-3, 2e-3, 1e-3})
	b.AddBody("tail", sim.BodySpec{Mass: 0.1, Inertia: &inertia, Pose: at(0.3, 0.6, 0), Velocity: r3.Vec{0.01, 0.09, 0}, AngularVelocity: r3.Vec{0.1, 0.03, 0.1}})
	b.AddConstraint("knot", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: "kite", B: "tail"}, PointB: r3.Vec{0, -0.1, 0}}})
}

// Derivatives from parts of the step are those of whole assemblies.
func TestDerivativesOfPartsAreThoseOfWholeAssemblies(t *testing.T) {
	for _, c := range []struct {
		name   string
		build  func(*sim.Builder)
		inputs []string
		tol    float64
	}{
		{"arm and ball", armAndBall, []string{"elbow", "shoulder"}, 1e-7},
		{"sprung cart", sprungCart, []string{"servo"}, 1e-7},
		{"boxes in a heap", boxesInAHeap, nil, 1e-7},
		{"gimbaled camera", gimbaledCamera, []string{"tilt"}, 1e-7},
	} {
		s := differentiable(t, 1, c.build)
		if err := s.UseInputs(c.inputs...); err != nil {
			t.Fatal(err)
		}
		x := s.Model.Start.Clone()
		nx, nu := 2*len(x.V), len(c.inputs)
		for step := range 12 {
			l, err := s.Linearize(x, 0.004)
			if err != nil {
				t.Fatalf("%s: step %d: %v", c.name, step, err)
			}
			var fx, fu [2][]float64
			for k := range fx {
				fx[k], fu[k] = make([]float64, nx*nx), make([]float64, nx*nu)
				l.WholeAssemblies(k == 1)
				if err := l.Jacobian(fx[k], fu[k]); err != nil {
					t.Fatal(err)
				}
				if l.IsLocal() != (k == 0) {
					t.Fatalf("%s: step %d: derivatives of parts: %v", c.name, step, l.IsLocal())
				}
			}
			l.WholeAssemblies(false)
			if e := offBy(fx[0], fx[1]); !(e < c.tol) {
				t.Errorf("%s: step %d: by the state off by %.1e", c.name, step, e)
			}
			if e := offBy(fu[0], fu[1]); nu > 0 && !(e < c.tol) {
				t.Errorf("%s: step %d: by the inputs off by %.1e", c.name, step, e)
			}
			l.End(x)
		}
	}
}

// offBy returns the largest difference of two matrices over the largest entry.
func offBy(a, b []float64) float64 {
	d, size := 0.0, 0.0
	for i := range a {
		d, size = math.Max(d, math.Abs(a[i]-b[i])), math.Max(size, math.Abs(b[i]))
	}
	return d / size
}

// What places the stepper elsewhere in the meantime, as signals do, does not change derivatives, and after the first
// one nothing is allocated.
func TestDerivativesOfPartsStandAlone(t *testing.T) {
	s := differentiable(t, 1, armAndBall)
	if err := s.UseInputs("elbow", "shoulder"); err != nil {
		t.Fatal(err)
	}
	x := s.Model.Start.Clone()
	nx := 2 * len(x.V)
	fx, fu, again := make([]float64, nx*nx), make([]float64, nx*2), make([]float64, nx*nx)
	end := x.Clone()
	jacobian := func(fx []float64, elsewhere bool) {
		l, err := s.Linearize(x, 0.004)
		if err != nil {
			t.Fatal(err)
		}
		if elsewhere {
			l.End(end)
			s.ContactsAt(end, 0.004)
		}
		if err := l.Jacobian(fx, fu); err != nil {
			t.Fatal(err)
		}
		if !l.IsLocal() {
			t.Fatal("derivatives are not those of parts")
		}
	}
	jacobian(fx, false)
	jacobian(again, true)
	if !slices.Equal(fx, again) {
		t.Errorf("another place changes the derivatives by %.1e", offBy(again, fx))
	}
	// the race detector allocates itself; it runs in short mode
	if testing.Short() {
		return
	}
	if allocs := alloctest.PerRun(5, func() { jacobian(fx, false) }); allocs > 0 {
		t.Errorf("%g allocations", allocs)
	}
}
