package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/r3"
)

// An arm whose weight is carried stands without gains; under half of its weight a ball that is let go falls by g/2, and
// one without weight that is thrown moves straight on.
func TestCarriedWeightPullsNothing(t *testing.T) {
	b := planarArm(false)
	for i := range b.bodies {
		b.bodies[i].spec.WeightCompensation = 1
	}
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 1e-2, 100)
	for i := range x.Q {
		if d := math.Abs(x.Q[i] - m.Start.Q[i]); d > 1e-9 {
			t.Errorf("joint %d moved by %g", i, d)
		}
	}

	const h, n = 1e-3, 200
	for _, c := range []float64{0, 0.5, 1} {
		b := NewBuilder()
		b.AddBody("ball", BodySpec{Mass: 2, Inertia: &r3.Mat{0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01}, Com_B: &r3.Vec{}, Velocity: r3.Vec{1, 2, 3}, WeightCompensation: c})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, h, n)
		const T = n * h
		want := r3.Vec{1, 2, 3}.Scale(T).AddScaled((1-c)*0.5*T*(T+h), b.Gravity)
		if e := s.rigid.Data.Pose(0).P.Sub(want).Norm(); e > 1e-12 {
			t.Errorf("share %g: the ball is off by %g m", c, e)
		}
	}
}

// A drive carries what is left of the weight of its robot, and not more.
func TestDrivesCarryTheWeightThatIsLeft(t *testing.T) {
	for _, shares := range [][3]float64{{0.4, 0.4, 0.4}, {1, 0, 0.5}, {0, 1.2, -0.3}} {
		b := planarArm(false)
		for i := range b.bodies {
			b.bodies[i].spec.WeightCompensation = shares[i]
		}
		b.AddDrive("d", &RobotDrive{Robot: "r", GravityCompensation: true})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		run(t, s, x, 1e-2, 100)
		for i := range x.Q {
			if d := math.Abs(x.Q[i] - m.Start.Q[i]); d > 1e-7 {
				t.Errorf("shares %v: joint %d moved by %g", shares, i, d)
			}
		}
	}
}
