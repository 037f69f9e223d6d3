package sim

import (
	"math"
	"testing"

	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// A cart of 2 kg far from its target moves at the velocity limit of its drive, for steps long and short, and
// arrives as the drive without limit does. The limit is that of the drive, else that of the joint.
func TestDrivesKeepVelocityLimits(t *testing.T) {
	const limit = 0.4
	for _, c := range []struct {
		name         string
		joint, drive float64
		robot        bool
	}{{"of the drive", 0, limit, false}, {"of the drive, before the joint's", 2, limit, false}, {"of the joint", limit, 0, false}, {"of a robot's joint", limit, 0, true}} {
		for _, h := range []float64{0.001, 0.01, 0.05} {
			b := NewBuilder()
			b.Gravity = r3.Vec{}
			b.AddBody("r.cart", BodySpec{
				Mass: 2, Inertia: new(r3.Identity()),
				Joint: &JointSpec{Name: "r.slide", Joint: rigid.Prismatic{Axis: r3.Vec{1, 0, 0}}, Velocity: c.joint},
			})
			if c.robot {
				b.AddDrive("motor", &RobotDrive{Robot: "r", Kp: kinds.Numbers{2000}, Kd: kinds.Numbers{200}})
			} else {
				b.AddDrive("motor", &JointDrive{Joint: "r.slide", Kp: 2000, Kd: 200, VelocityLimit: c.drive})
			}
			m := b.MustBuild()
			m.Start.Q[0] = -0.4 // the target is 0: a command of 4 m/s without limit
			s := mustStepper(t, m)
			x := m.Start.Clone()
			most := 0.0
			for x.Time < 0.5-1e-9 {
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
				most = math.Max(most, x.V[0])
			}
			// from rest at the rate d/m = 100/s to v_lim; a step of h moves by its end velocity
			want := -0.4 + limit*(0.5-0.01)
			if most > limit*(1+1e-9) || most < limit*0.999 || math.Abs(x.Q[0]-want) > limit*h {
				t.Errorf("%s, h = %g: velocity %g at most, position %g after 0.5 s; want %g and %g", c.name, h, most, x.Q[0], limit, want)
			}
			for x.Time < 3 {
				if err := s.Step(x, h); err != nil {
					t.Fatal(err)
				}
			}
			if math.Abs(x.Q[0]) > 1e-6 {
				t.Errorf("%s, h = %g: ends at %g", c.name, h, x.Q[0])
			}
		}
	}
}

// A load τ beyond the feed forward changes the velocity at the limit by τ/kd: weight of 2 kg on 200 N s/m.
func TestLoadsShiftTheVelocityLimit(t *testing.T) {
	b := NewBuilder()
	b.AddBody("cart", BodySpec{
		Mass: 2, Inertia: new(r3.Identity()),
		Joint: &JointSpec{Name: "lift", Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}},
	})
	b.AddDrive("motor", &JointDrive{Joint: "lift", Kp: 2000, Kd: 200, VelocityLimit: 0.5, Target: motion.Constant(5)})
	x := stepTimes(t, b.MustBuild(), 100, 0.01)
	if want := 0.5 - 2*9.81/200; math.Abs(x.V[0]-want) > 1e-6 {
		t.Errorf("lifts at %g, want %g", x.V[0], want)
	}
}

// A limit bounds a velocity command, which takes a gain of velocity.
func TestVelocityLimitsTakeAVelocityGain(t *testing.T) {
	b := NewBuilder()
	b.AddBody("cart", BodySpec{
		Mass: 2, Inertia: new(r3.Identity()),
		Joint: &JointSpec{Name: "lift", Joint: rigid.Prismatic{Axis: r3.Vec{0, 0, 1}}},
	})
	b.AddDrive("motor", &JointDrive{Joint: "lift", Kp: 2000, VelocityLimit: 0.5})
	if _, err := b.Build(); err == nil || err.Error() != "drive \"motor\": velocity_limit takes a kd, the gain of the velocity that it bounds: give kd, or leave the limit out" {
		t.Error(err)
	}
}
