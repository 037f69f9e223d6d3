package gradient_test

import (
	"math"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/fem"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/gradient"
	"github.com/curlfree/curlfree/meshes"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/sim"
	"github.com/curlfree/curlfree/timestep"
)

// sceneOf makes a model of random parts, by a seed, as a function of a number.
type sceneOf func(seed uint64, theta float64) (m *sim.Model, name string, signals int)

// underMidpoint are the same scenes under the midpoint rule.
func underMidpoint(build sceneOf) sceneOf {
	return func(seed uint64, theta float64) (m *sim.Model, name string, signals int) {
		m, name, signals = build(seed, theta)
		m.Rule = timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}
		return m, name, signals
	}
}

// Of 1,000 random scenes under the midpoint rule 934 agree, 61 are refused, most of them for the lag of their friction,
// and of 5 differences say nothing.
func TestMidpointGradientsOfRandomScenes(t *testing.T) {
	compareScenes(t, underMidpoint(scene), slices.Collect(seq(40)), 1000)
}

// fallingBall is a ball and a soft block that fall on the floor, which they meet within the run, as a function of the
// speed of both.
func fallingBall(speed float64) *sim.Model {
	b := sim.NewBuilder()
	b.Contact, b.FrictionLag = constraints.Lagged{StictionTolerance: 1e-2}, sim.FrictionLagGeometry
	b.Rule = timestep.Rule{Midpoint: true, Damping: timestep.DefaultDamping}
	b.SpeculativeMargin = 5e-3
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness, soft.Dissipation = 1e5, 20
	soft.Friction, soft.StaticFriction = 0.05, 0.05 // slides on: a stop of friction has a derivative on one side alone
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	b.AddBody("ball", sim.BodySpec{Mass: 0.5, Pose: at(0, 0, 0.0531), Velocity: r3.Vec{0.3, 0.1, -speed}, AngularVelocity: r3.Vec{1, 2, 3}, Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}}}})
	mesh, err := meshes.BoxTets(r3.Vec{0.06, 0.06, 0.04}, [3]int{1, 1, 1})
	if err != nil {
		panic(err)
	}
	law, err := fem.NewCorotational(3e5, 0.3)
	if err != nil {
		panic(err)
	}
	b.AddDeformable("block", sim.DeformableSpec{Mesh: mesh, Law: law, Density: 900, Pose: r3.Pose{R: r3.RotExp(r3.Vec{0.2, 0.3, 0.1}), P: r3.Vec{0.3, 0, 0.0455}}, Velocity: r3.Vec{0.2, 0, -speed}, StiffnessDamping: 0.002})
	b.AddSignal("ball_v", &sim.VelocitySpec{Component: "z", Body: "ball"})
	b.AddSignal("ball_x", &sim.PositionSpec{Component: "x", Body: "ball"})
	b.AddSignal("block_L", &sim.MomentumSpec{Component: "z", Body: "block"})
	b.AddSignal("energy", &sim.EnergySpec{Kind: "kinetic"})
	m := b.MustBuild()
	// vertices of one velocity have no fastest one, which bounds the search of contacts
	for i := 6; i < len(m.Start.V); i += 3 {
		x := r3.Vec(m.Start.Q[i+1 : i+4])
		spin := r3.Vec{3, 1, 2}.Cross(x.Sub(r3.Vec{0.3, 0, 0.0455}))
		for k, u := range spin {
			m.Start.V[i+k] += u
		}
	}
	return m
}

// Gradients of a run with impacts of a rigid and of a soft body are those of differences of runs of two widths.
func TestMidpointGradientThroughImpacts(t *testing.T) {
	const speed, w = 0.8, 2e-5
	for i, signal := range fallingBall(speed).Signals {
		for _, mode := range []gradient.Mode{gradient.Adjoint, gradient.Tangents} {
			p := gradient.Problem{Model: fallingBall(speed), H: 2e-3, Steps: 12, Loss: last(i), Mode: mode,
				Parameters: []gradient.Parameter{{Name: "speed", Plus: fallingBall(speed + 1e-4), Minus: fallingBall(speed - 1e-4), Width: 1e-4}}}
			r, err := gradient.Compute(&p)
			if err != nil {
				t.Fatalf("%s: %v", signal.Name, err)
			}
			run := func(speed float64) float64 {
				cost, touches, err := gradient.Run(&p, fallingBall(speed))
				if err != nil {
					t.Fatal(err)
				}
				if n := len(touches[len(touches)-1]); n == 0 && len(touches[2]) == 0 {
					t.Fatal("nothing touches")
				}
				return cost
			}
			one, two := (run(speed+w)-run(speed-w))/(2*w), (run(speed+2*w)-run(speed-2*w))/(4*w)
			want := (4*one - two) / 3
			t.Logf("%s, mode %d: %.10g, by differences %.10g", signal.Name, mode, r.Gradient[0], want)
			if math.Abs(r.Gradient[0]-want) > 1e-6*math.Abs(want) {
				t.Errorf("%s, mode %d: %.10g, by differences %.10g", signal.Name, mode, r.Gradient[0], want)
			}
		}
	}
}
