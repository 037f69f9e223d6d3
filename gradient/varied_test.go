package gradient_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// variedScene makes a model of two bodies on a floor, with random ones of what scene has not: other normal laws and
// shapes, directions of friction and floors that run, joints with limits, springs, friction, servos and couplers, ball,
// distance and weld constraints, bodies with a prescribed motion, and deformables of all elements with a pressure on
// them.
func variedScene(seed uint64, theta float64) (m *sim.Model, name string, signals int) {
	r := rand.New(rand.NewPCG(seed, 2))
	b := sim.NewBuilder()
	soft := constraints.DefaultContactMaterial()
	normal := []constraints.NormalModel{nil, constraints.Hertz{}, constraints.IPC{Gap: 2e-3, Stiffness: 1e3}, constraints.LogBarrier{Gap: 2e-3, Stiffness: 1e3}}[r.IntN(4)]
	if r.IntN(2) == 0 {
		b.Contact, b.FrictionLag = constraints.Lagged{StictionTolerance: 1e-2, Normal: normal}, sim.FrictionLagGeometry
	} else {
		b.Contact = constraints.Similar{StictionTolerance: 1e-2, Normal: normal}
	}
	mu, mass, stiffness, speed, pressure := 0.2+0.5*r.Float64(), 0.5+r.Float64(), 50*r.Float64(), 0.3*r.Float64(), 200+1e3*r.Float64()
	names := []string{"friction", "mass", "stiffness", "speed", "pressure"}
	deformable := r.IntN(3) == 0
	k := r.IntN(4)
	if deformable && k == 2 {
		k = 4
	}
	*[]*float64{&mu, &mass, &stiffness, &speed, &pressure}[k] *= 1 + theta
	soft.Stiffness, soft.Dissipation, soft.Friction, soft.StaticFriction = 1e4, 5*r.Float64(), mu, mu
	b.AddMaterial("default", soft)
	floor := soft
	directed := !deformable && r.IntN(3) == 0
	if directed {
		floor.FrictionDirection_B, floor.TransverseFriction = r3.Vec{1, 0.3, 0}, 0.5*mu
	}
	if r.IntN(3) == 0 {
		floor.SurfaceVelocity_B = r3.Vec{0.1, 0.05, 0}
	}
	b.AddMaterial("floor", floor)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}, Material: "floor"})
	lift := 0.0
	if deformable {
		lift = softBlock(b, r, pressure, speed)
	}
	for i, body := range []string{"lower", "upper"} {
		spec := sim.BodySpec{Mass: mass, Pose: at(0.01*r.Float64(), 0.02*r.Float64(), lift+0.0495+0.0993*float64(i)), Shapes: []sim.ShapeSpec{variedShape(r)}}
		spec.Pose.R = r3.RotExp(r3.Vec{0.02 * r.NormFloat64(), 0.02 * r.NormFloat64(), r.NormFloat64()})
		spec.Velocity, spec.AngularVelocity = r3.Vec{speed, 0.2 * r.NormFloat64(), -0.1}, r3.Vec{r.NormFloat64(), r.NormFloat64(), 1}
		b.AddBody(body, spec)
	}
	signals = addMechanism(b, r, mass, stiffness, speed)
	b.AddSignal("x", &sim.PositionSpec{Component: "x", Body: "lower"})
	b.AddSignal("v", &sim.VelocitySpec{Component: "y", Body: "upper"})
	b.AddSignal("energy", &sim.EnergySpec{Kind: "kinetic"})
	return b.MustBuild(), names[k], signals + 3
}

// variedShape returns a random shape of a height of 0.1 m or so.
func variedShape(r *rand.Rand) sim.ShapeSpec {
	switch r.IntN(6) {
	case 0:
		return sim.ShapeSpec{Spec: &geometry.CylinderSpec{Radius: 0.04, Length: 0.1}}
	case 1:
		return sim.ShapeSpec{Spec: &geometry.EllipsoidSpec{Semi: r3.Vec{0.06, 0.04, 0.05}}}
	case 2:
		// a hull of random points
		var points []r3.Vec
		for range 12 {
			p := r3.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			points = append(points, p.Unit().Scale(0.05))
		}
		hull, err := geometry.NewConvex(points)
		if err != nil {
			panic(err)
		}
		return sim.ShapeSpec{Shape: hull}
	case 3:
		return sim.ShapeSpec{Spec: &geometry.BoxSpec{Size: r3.Vec{0.1, 0.08, 0.1}}}
	case 4:
		return sim.ShapeSpec{Spec: &geometry.CapsuleSpec{Radius: 0.03, Length: 0.04}}
	default:
		return sim.ShapeSpec{Spec: &geometry.SphereSpec{Radius: 0.05}}
	}
}

// softBlock adds a block of random elements that slides on the floor, and returns its height, m.
func softBlock(b *sim.Builder, r *rand.Rand, pressure, speed float64) float64 {
	mesh, err := meshes.BoxTets(r3.Vec{0.12, 0.1, 0.06}, [3]int{2, 2, 1})
	if err != nil {
		panic(err)
	}
	law, err := fem.NewCorotational(2e5, 0.3)
	if err != nil {
		panic(err)
	}
	elements := []fem.Elements{"", fem.Hex12}[r.IntN(2)]
	b.SpeculativeMargin = 5e-3
	b.AddDeformable("block", sim.DeformableSpec{Mesh: mesh, Law: law, Elements: elements, Density: 800, Pose: at(0, 0, 0.0298), Velocity: r3.Vec{speed, 0.05, 0}, StiffnessDamping: 0.005, SelfContact: r.IntN(8) == 0})
	if r.IntN(2) == 0 {
		b.AddLoad("pressure", &sim.PressureSpec{Pressure: motion.Constant(pressure), Body: "block"})
	}
	return 0.0596
}

// addMechanism adds a cart with a pole beside the bodies, what drives and holds it, and constraints of the bodies. It
// returns the number of signals that it adds.
func addMechanism(b *sim.Builder, r *rand.Rand, mass, stiffness, speed float64) (signals int) {
	inertia := r3.Diag(r3.Vec{2e-3, 2e-3, 1e-3})
	tip, length := r3.Vec{0, 0, 0.05}, 0.15
	switch r.IntN(5) {
	case 0:
		b.AddConstraint("ball", &constraints.BallSpec{TwoPoints: constraints.TwoPoints{TwoBodies: constraints.TwoBodies{A: "lower", B: "upper"}, PointB: r3.Vec{0, 0, -0.05}}})
	case 1:
		rod := &constraints.DistanceSpec{TwoBodies: constraints.TwoBodies{A: "lower", B: "upper"}, PointA: tip, PointB: tip, Rope: r.IntN(2) == 0}
		if k := 10 + stiffness; r.IntN(2) == 0 {
			rod.Stiffness, rod.Length, rod.Damping = &k, &length, 1
		}
		b.AddConstraint("rod", rod)
	case 2:
		b.AddConstraint("weld", &constraints.WeldSpec{TwoBodies: constraints.TwoBodies{A: "lower", B: "upper"}})
	}
	if r.IntN(3) == 0 {
		// a plate that sinks onto the bodies
		down := rigid.Prescribed{Translation: [3]motion.Motion{nil, nil, &motion.Piecewise{Times: []float64{0, 1}, Values: []float64{0, -0.1}}}}
		b.AddBody("plate", sim.BodySpec{Mass: 1, Inertia: &inertia, Pose: at(0, 0, 0.3), Joint: &sim.JointSpec{Joint: down}, Shapes: []sim.ShapeSpec{{Spec: &geometry.BoxSpec{Size: r3.Vec{0.3, 0.3, 0.02}}}}})
	}
	if r.IntN(2) == 0 {
		return 0
	}
	// the stop is reached within the run or nearly
	stop := 1 + 0.015*r.Float64()
	b.AddBody("cart", sim.BodySpec{Mass: mass, Inertia: &inertia, Pose: at(1, 0, 0.5), Joint: &sim.JointSpec{Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, Damping: 0.2, Stiffness: stiffness,
		Friction: 0.2 * float64(r.IntN(2)), Limits: &[2]float64{-1, stop - 1}, V: []float64{0.3 + speed}}})
	b.AddBody("pole", sim.BodySpec{Mass: 0.2, Inertia: &inertia, Pose: at(1.2, 0, 0.5), Joint: &sim.JointSpec{Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}}, Parent: "cart", Point: r3.Vec{-0.2, 0, 0}, V: []float64{1}}})
	switch r.IntN(4) {
	case 0:
		b.AddDrive("servo", &sim.JointDrive{Joint: "cart", Kp: 50 + stiffness, Kd: 2, Effort: motion.Constant(2 + 3*r.Float64())})
	case 1:
		b.AddDrive("arm", &sim.RobotDrive{Joints: []string{"cart", "pole"}, GravityCompensation: true, InverseDynamics: r.IntN(2) == 0})
	case 2:
		b.AddConstraint("gears", &constraints.CouplerSpec{A: "cart", B: "pole", Ratio: 0.1})
	}
	b.AddSignal("cart", &sim.JointStateSpec{State: "velocity", Joint: "cart"})
	return 1
}

// Gradients of scenes with all kinds of parts agree with differences of whole runs, or there is a refusal: 22 agree, 8
// are refused, for kinks of contact and limits, or as their ends follow the tolerance of the solver, and of 6
// differences say nothing.
func TestGradientsOfVariedScenesAgreeWithDifferencesOrAreRefused(t *testing.T) {
	if agree := compareScenes(t, variedScene, slices.Collect(seq(36)), 600); agree < 20 {
		t.Errorf("%d scenes have a gradient, 22 had", agree)
	}
}

// In this scene a face of a deformable jumps at a displaced pose of differences of its steps, and of the run at 1e-6.
// Runs with other widths do not meet the jump, nor does the gradient.
func TestAJumpAtADisplacedPoseIsNoPartOfAGradient(t *testing.T) {
	const seed = 177
	m, name, signals := variedScene(seed, 0)
	plus, _, _ := variedScene(seed, 1e-6)
	minus, _, _ := variedScene(seed, -1e-6)
	p := gradient.Problem{Model: m, H: 2e-3, Steps: 12, Loss: last(seed % signals), Parameters: []gradient.Parameter{{Name: name, Plus: plus, Minus: minus, Width: 1e-6}}}
	r, err := gradient.Compute(&p)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []float64{1e-5, 1e-7} {
		var cost [2]float64
		for k, sign := range [2]float64{1, -1} {
			moved, _, _ := variedScene(seed, sign*w)
			if cost[k], _, err = gradient.Run(&p, moved); err != nil {
				t.Fatal(err)
			}
		}
		if d := (cost[0] - cost[1]) / (2 * w); math.Abs(r.Gradient[0]-d) > 1e-4*math.Abs(d) {
			t.Errorf("by %s %.8g, by differences over %g %.8g", name, r.Gradient[0], w, d)
		}
	}
}
