package gradient_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
	"github.com/curlfree/curlfree/sim"
)

// gimbalScene makes a chain of one to three gimbals, balls, universal joints and screws, the first of them a gimbal, on
// a fixed or free base, some of them near gimbal lock, damped or with rotors, whose tip may touch the floor: a function
// of θ by a choice of parameter.
func gimbalScene(seed uint64, theta float64) (m *sim.Model, name string, signals int) {
	r := rand.New(rand.NewPCG(seed, 39))
	b := sim.NewBuilder()
	b.Contact, b.FrictionLag, b.RelTol = constraints.Lagged{StictionTolerance: 1e-2}, sim.FrictionLagGeometry, 1e-12
	soft := constraints.DefaultContactMaterial()
	soft.Stiffness = 1e4
	b.AddMaterial("default", soft)
	b.AddShape("world", sim.ShapeSpec{Shape: geometry.HalfSpace{}})
	mass, damping, speed, angle := 0.5+r.Float64(), 1e-3*r.Float64(), 10*r.Float64(), 0.5*r.NormFloat64()
	names := []string{"mass", "damping", "speed", "angle"}
	k := r.IntN(len(names))
	*[]*float64{&mass, &damping, &speed, &angle}[k] += theta
	inertia := r3.Diag(r3.Vec{2e-3, 3e-3, 1.5e-3})
	n := 1 + r.IntN(3)
	parent := ""
	if r.IntN(2) == 0 {
		parent = "base"
		b.AddBody(parent, sim.BodySpec{Mass: 1, Inertia: &inertia, Pose: at(0, 0, 0.1+0.2*float64(n)), AngularVelocity: r3.Vec{1, 2, 3}})
	}
	for i := range n {
		j := &sim.JointSpec{Joint: rigid.Gimbal{}, Parent: parent, Point: r3.Vec{0, 0, 0.1}, Damping: damping}
		near := [3]float64{0, 0, math.Pi/2 - 0.03*r.Float64()}[r.IntN(3)]
		switch kind := r.IntN(4); {
		case i == 0 || kind == 0:
			j.Q, j.V = []float64{angle, near, r.NormFloat64()}, []float64{0.3 * speed, speed, r.NormFloat64()}
			if r.IntN(4) == 0 {
				j.RotorInertia = 1e-3
			}
		case kind == 1:
			j.Joint, j.V = rigid.Ball{}, []float64{1, speed, -1}
		case kind == 2:
			j.Joint, j.V = rigid.Universal{Axes: [2]r3.Vec{{1, 0, 0}, {0, 1, 0}}}, []float64{1, speed}
		default:
			j.Joint, j.V = rigid.Screw{Axis: r3.Vec{1, 0, 0}, Pitch: 0.1}, []float64{speed}
		}
		parent = fmt.Sprint("link", i)
		b.AddBody(parent, sim.BodySpec{Mass: mass, Inertia: &inertia, Pose: at(0, 0, 0.2*float64(n-i)-0.05), Joint: j,
			Shapes: []sim.ShapeSpec{{Spec: &geometry.SphereSpec{Radius: 0.05}, Pose: at(0, 0, -0.1)}}})
	}
	b.AddSignal("x", &sim.PositionSpec{Component: "x", Body: parent, Point: &r3.Vec{0.1, 0, 0}})
	b.AddSignal("w", &sim.AngularVelocitySpec{Component: "y", Body: parent})
	b.AddSignal("energy", &sim.EnergySpec{Kind: "kinetic"})
	return b.MustBuild(), names[k], 3
}

// Gradients of chains with gimbals agree with differences of whole runs, also near gimbal lock.
func TestGradientsOfGimbalsAgreeWithDifferences(t *testing.T) {
	compareScenes(t, gimbalScene, slices.Collect(seq(40)), 1000)
}
