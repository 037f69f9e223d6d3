package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// A free arm whose tip a force of 4 kN pulls, with springs of its frame from none to stiff, turns by radians in a step
// of 20 ms. Its kinetic energy stays of the order of what the force can give: force times the way across the arm's
// reach.
func TestArmsThatTurnFarInAStepGainNoEnergy(t *testing.T) {
	seed, n := shots(t, 12)
	const force, reach = 4000, 0.9
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		b := NewBuilder()
		parent, from := "", at(0, 0, 1)
		for k, length := range []float64{0.5, 0.4} {
			name := fmt.Sprintf("r.l%d", k)
			b.AddBody(name, BodySpec{Mass: 2 - float64(k), Com_B: &r3.Vec{0.5 * length, 0, 0}, Inertia: &r3.Mat{0.001, 0, 0, 0, 0.05 - 0.03*float64(k), 0, 0, 0, 0.05 - 0.03*float64(k)},
				Joint: &JointSpec{Name: fmt.Sprintf("r.j%d", k), Parent: parent, Joint: rigid.Revolute{Axis: r3.Vec{0, -1, 0}},
					Frames: &JointFrames{X_PF: from, X_BM: r3.PoseIdentity()}, Q: []float64{3 * rng.NormFloat64()}}})
			parent, from = name, at(length, 0, 0)
		}
		tool := at(0.4, 0, 0)
		k := logUniform(rng, 300, 30000) * float64(min(rng.IntN(4), 1))
		if k > 0 {
			b.AddDrive("d", &RobotDrive{Robot: "r", Kd: kinds.Numbers{rng.Float64()}, GravityCompensation: true,
				Cartesian: &CartesianSpec{ToolFrame: ToolFrame{Link: "l1", Tool: &tool}, Stiffness: k, Damping: k * 1e-3 * rng.Float64()}})
		}
		a := 2 * math.Pi * rng.Float64()
		b.AddLoad("pull", &ForceSpec{Body: "r.l1", Axes: "world", Point: &r3.Vec{0.4, 0, 0}, Force: r3.Vec{force * math.Cos(a), 0, force * math.Sin(a)}})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		worst := 0.0
		for range 100 {
			if err := s.Step(x, 0.02); err != nil {
				t.Fatalf("shot %d: %v", i, err)
			}
			worst = max(worst, s.KineticEnergy(x))
		}
		// a spring gives back what the force stored in it
		if most := 1.5 * force * 2 * reach; worst > most {
			t.Errorf("shot %d, spring of %.3g N/m: %.4g J of kinetic energy, above %.4g J", i, k, worst, most)
		}
	}
}

// Where even the smallest parts of a step gain more than they can have, the run ends with the name of the arm.
func TestArmsThatTurnTooFarEndTheRunByName(t *testing.T) {
	b := planarArm(false)
	for _, name := range []string{"r.upper", "r.lower", "r.hand"} {
		b.bodyOf[name].spec.Joint.Limits = nil
	}
	b.AddLoad("pull", &ForceSpec{Body: "r.hand", Axes: "world", Point: &r3.Vec{0.4, 0, 0}, Force: r3.Vec{1e9, 0, 1e9}})
	m := b.MustBuild()
	s, x := start(t, m, 1)
	var err error
	for range 20 {
		if err = s.Step(x, 0.02); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "r.upper and the links on it turn too far in a step of 0.02 s") {
		t.Errorf("got %v", err)
	}
}
