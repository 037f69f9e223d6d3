package scene

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// paired is the scene that builtByCalls makes from Go.
const paired = `
time: {step: 0.004, duration: 1}
gravity: [0, 0.5, -9]
solver: {contact: similar_regularized, sigma: 2e-3, tolerance: 1e-7}
materials:
  default: {stiffness: 2e5, dissipation: 30, friction: 0.4}
  rubber: {friction: {static: 0.9, dynamic: 0.7}, youngs_modulus: 3e5, poissons_ratio: 0.35, density: 900, stiffness_damping: 0.01}
pairs: [{materials: [default, rubber], friction: 0.6}]
meshes: {bar: {box: {size: [0.2, 0.05, 0.05], cells: [4, 1, 1]}}}
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}]}
  ball: {pose: {xyz: [0, 0, 0.049]}, velocity: [1, 0, 0], angular_velocity: [0, 3, 0], shapes: [{sphere: {radius: 0.05}, material: rubber}]}
  cart: {mass: 2, pose: {xyz: [0, 1, 0.5]}, joint: {type: prismatic, axis: [1, 0, 0], position: 0.1, lower: -0.2, upper: 0.3, damping: 3}, shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
  flag: {pose: {xyz: [0, 1, 0.8]}, joint: {type: revolute, parent: cart, axis: [0, 1, 0], stiffness: 0.2, velocity: 1}, shapes: [{capsule: {radius: 0.02, length: 0.1}, pose: {xyz: [0.05, 0, 0]}}]}
deformables:
  bar: {mesh: bar, material: rubber, pose: {xyz: [0, -1, 0.0249]}, attach: [{body: ground, where: {x_max: -0.1}}]}
constraints:
  rope: {distance: {a: ball, b: cart, length: 1.2, rope: true}}
  tug: {distance: {a: cart, b: bar, point_b: [0.1, 0.01, 0.025], stiffness: 30}}
  pin: {ball: {b: bar, point_b: [0.07, 0.02, 0.01]}}
drives:
  push: {joint: cart, kp: 500, kd: 20, target: {sine: {amplitude: 0.05, frequency: 3}}}
`

// builtByCalls makes the model of the scene above by calls of sim.Builder.
func builtByCalls(t *testing.T) *sim.Model {
	t.Helper()
	b := sim.NewBuilder()
	b.Gravity, b.TimeStep, b.RelTol = r3.Vec{0, 0.5, -9}, 0.004, 1e-7
	b.MaxIterations = 100
	b.Contact = constraints.Similar{StictionTolerance: constraints.DefaultStictionTolerance, SlidingTolerance: constraints.DefaultSlidingTolerance, Sigma: 2e-3, Normal: constraints.HuntCrossley{}, StaticFriction: true}

	usual := constraints.DefaultContactMaterial()
	usual.Stiffness, usual.Dissipation, usual.Friction, usual.StaticFriction = 2e5, 30, 0.4, 0.4
	rubber := usual
	rubber.Friction, rubber.StaticFriction = 0.7, 0.9
	b.AddMaterial("default", usual)
	b.AddMaterial("rubber", rubber)
	friction := 0.6
	b.OverridePair("default", "rubber", constraints.Override{Friction: &friction, StaticFriction: &friction})

	at := func(x, y, z float64) r3.Pose { return r3.Pose{R: r3.Identity(), P: r3.Vec{x, y, z}} }
	b.AddBody("ground", sim.BodySpec{Fixed: true, Shapes: []sim.ShapeSpec{{Shape: geometry.HalfSpace{}}}})
	b.AddBody("ball", sim.BodySpec{
		Pose: at(0, 0, 0.049), Velocity: r3.Vec{1, 0, 0}, AngularVelocity: r3.Vec{0, 3, 0},
		Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}, Material: "rubber", Density: 900}},
	})
	b.AddBody("cart", sim.BodySpec{
		Mass: 2, Pose: at(0, 1, 0.5), Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.1, 0.1, 0.1}}}},
		Joint: &sim.JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, Q: []float64{0.1}, Limits: &[2]float64{-0.2, 0.3}, Damping: 3},
	})
	b.AddBody("flag", sim.BodySpec{
		Pose: at(0, 1, 0.8), Shapes: []sim.ShapeSpec{{Spec: &geometry.CapsuleSpec{Radius: 0.02, Length: 0.1}, Pose: at(0.05, 0, 0)}},
		Joint: &sim.JointSpec{Parent: "cart", Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, V: []float64{1}, Stiffness: 0.2},
	})
	bar, err := meshes.BoxTets(r3.Vec{0.2, 0.05, 0.05}, [3]int{4, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	law, err := fem.NewCorotational(3e5, 0.35)
	if err != nil {
		t.Fatal(err)
	}
	left := r3.Box{Min: r3.Vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}, Max: r3.Vec{-0.1, math.Inf(1), math.Inf(1)}}
	b.AddDeformable("bar", sim.DeformableSpec{
		Mesh: bar, Law: law, Density: 900, StiffnessDamping: 0.01, Pose: at(0, -1, 0.0249), Material: "rubber",
		Attach: []sim.AttachSpec{{Body: "ground", Verts: sim.VertsWithin(bar, left)}},
	})
	length := 1.2
	rope := &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "ball", B: "cart"}, Length: &length, Rope: true}
	b.AddConstraint("rope", sim.ConstraintFunc(func(r *sim.Resolver) (constraints.Constraint, error) { return rope.Make(r) }))
	stiffness := 30.0
	b.AddConstraint("tug", &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "cart", B: "bar"}, PointB: r3.Vec{0.1, 0.01, 0.025}, Stiffness: &stiffness})
	b.AddConstraint("pin", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{B: "bar"}, PointB: r3.Vec{0.07, 0.02, 0.01}}})
	b.AddDrive("push", &sim.JointDrive{Joint: "cart", Kp: 500, Kd: 20, Target: &motion.Sine{Amplitude: 0.05, Frequency: 3}})
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A scene file and calls of sim.Builder make the same model: the states of 50 steps have
// the same bits.
func TestScenesAndCallsMakeTheSameModel(t *testing.T) {
	sc := mustLoad(t, t.TempDir(), paired)
	models := [2]*sim.Model{sc.Model, builtByCalls(t)}
	if models[0].Contact != models[1].Contact {
		t.Errorf("contact laws %+v and %+v", models[0].Contact, models[1].Contact)
	}
	var states [2]*sim.State
	for i, m := range models {
		st, err := sim.NewStepper(m, sim.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		states[i] = m.Start.Clone()
		for range 50 {
			if err := st.Step(states[i], 0.004); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, q := range states[0].Q {
		if p := states[1].Q[i]; math.Float64bits(q) != math.Float64bits(p) {
			t.Fatalf("q[%d] is %.17g from the file, %.17g from calls", i, q, p)
		}
	}
	for i, v := range states[0].V {
		if u := states[1].V[i]; math.Float64bits(v) != math.Float64bits(u) {
			t.Fatalf("v[%d] is %.17g from the file, %.17g from calls", i, v, u)
		}
	}
}
