package sim

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// handBall puts a ball of 30 mm on the tip of the planar arm, and a wall of a stiffness at x.
func handBall(b *Builder, wall, stiffness float64) {
	stiff := constraints.DefaultContactMaterial()
	stiff.Stiffness, stiff.Dissipation, stiff.Friction, stiff.StaticFriction = stiffness, 1, 0, 0
	b.AddMaterial("stiff", stiff)
	b.bodyOf["r.hand"].spec.Shapes = []ShapeSpec{{Shape: must(geometry.NewSphere(0.03)), Material: "stiff", Pose: at(0.4, 0, 0)}}
	b.AddBody("wall", BodySpec{Fixed: true, Pose: r3.Pose{R: r3.RotRPY(0, -math.Pi/2, 0), P: r3.Vec{wall, 0, 0}}, Shapes: []ShapeSpec{{Shape: geometry.HalfSpace{}, Material: "stiff"}}})
}

// tip returns the tip of the planar arm at joint positions, by trigonometry.
func tip(q []float64) (x, z, angle float64) {
	z = 1
	for i := range 3 {
		angle += q[i]
		x, z = x+0.4*math.Cos(angle), z-0.4*math.Sin(angle)
	}
	return x, z, angle
}

// A frame of 5 kN/m that presses against a wall of 10 MN/m at 10 ms comes to rest, with the force of
// its spring and nothing else: stiffness times the way that the wall cuts off.
func TestStiffFramesRestAtStiffWalls(t *testing.T) {
	for _, h := range []float64{1e-3, 1e-2} {
		for _, stiffness := range []float64{1e5, 1e7} {
			b := planarArm(false)
			x0, _, _ := tip([]float64{-0.8, 1.2, 0.3})
			handBall(b, x0+0.03+0.01, stiffness) // 10 mm before the ball
			frame := at(0.4, 0, 0)
			b.AddDrive("d", &RobotDrive{Robot: "r", GravityCompensation: true, Kd: kinds.Numbers{1}, Effort: kinds.Numbers{math.Inf(1)},
				Cartesian: &CartesianSpec{ToolFrame: ToolFrame{Link: "hand", Tool: &frame}, Stiffness: 5000, Damping: 200, RotationalStiffness: 200, RotationalDamping: 10},
				Target: &PoseWaypoints{ToolFrame: ToolFrame{Link: "hand", Tool: &frame}, FollowSpec: FollowSpec{Follow: "position"}, Timing: "minimum_jerk", Speed: 0.1, Acceleration: 1,
					Poses: []PoseWaypoint{{Pose: at(x0+0.03, 0, 0.6)}}}})
			m, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			s, x := start(t, m, 1)
			fastest := 0.0
			for x.Time < 8 {
				run(t, s, x, h, 1)
				if x.Time > 7 {
					for _, v := range x.V[:3] {
						fastest = max(fastest, math.Abs(v))
					}
				}
			}
			if fastest > 1e-6 {
				t.Errorf("h %g s, wall %g N/m: joints still move with %g rad/s", h, stiffness, fastest)
			}
			// the force of the wall is that of the spring
			px, _, _ := tip(x.Q)
			var want [3]float64
			robotsOf(m)[0].trajectory.At(x.Time, want[:], make([]float64, 3), make([]float64, 3))
			dx, _, _ := tip(want[:])
			force := 0.0
			for _, c := range s.Report.Contacts() {
				force += c.Force_W[0]
			}
			near(t, "force of the wall", math.Abs(force), 5000*(dx-px), 0.02*5000*(dx-px))
			if dx-px < 0.015 {
				t.Errorf("the wall cuts off %g m of the way, want about 0.02", dx-px)
			}
		}
	}
}

// A force at the frame moves it by force over stiffness, whatever the posture of the arm. The force
// is the weight of a load that the controller does not have.
func TestFramesYieldByTheirStiffness(t *testing.T) {
	b := planarArm(true)
	frame := at(0.4, 0, 0)
	b.AddDrive("d", &RobotDrive{Robot: "r", GravityCompensation: true, Kd: kinds.Numbers{2}, Cartesian: &CartesianSpec{
		ToolFrame: ToolFrame{Link: "hand", Tool: &frame}, Stiffness: 2000, Damping: 300, RotationalStiffness: 50, RotationalDamping: 5}})
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 2e-3, 5000)
	x0, z0, a0 := tip(m.Start.Q)
	x1, z1, a1 := tip(x.Q)
	near(t, "sinks", z0-z1, 0.5*9.81/2000, 2e-6)
	near(t, "aside", x1-x0, 0, 2e-6)
	near(t, "turns", a1-a0, 0, 5e-6)
}

// Gains of accelerations decouple the joints: from rest, away from the target by e, the first step
// gives each joint the velocity h k e/(1 + h (h k + d)) of a mass point, whatever the arm.
func TestInertialGainsDecoupleJoints(t *testing.T) {
	const h, k, d = 1e-3, 400, 40
	b := planarArm(false)
	for _, name := range []string{"r.upper", "r.lower", "r.hand"} {
		b.bodyOf[name].spec.Joint.Damping = 0
	}
	b.Gravity = r3.Vec{}
	b.AddDrive("d", &RobotDrive{Robot: "r", Gains: "acceleration", Kp: kinds.Numbers{k}, Kd: kinds.Numbers{d}, Effort: kinds.Numbers{math.Inf(1)}})
	m := b.MustBuild()
	s, x := start(t, m, 1)
	e := []float64{0.02, -0.03, 0.05}
	for i := range e {
		x.Q[i] -= e[i]
	}
	run(t, s, x, h, 1)
	for i := range e {
		near(t, "velocity", x.V[i], h*k*e[i]/(1+h*(h*k+d)), 1e-9)
	}
}

// Efforts of coupled controllers keep their bounds, also where they want much more.
func TestCoupledRobotsKeepTheirEffortLimits(t *testing.T) {
	for _, gains := range []string{"effort", "acceleration"} {
		b := planarArm(false)
		frame := at(0.4, 0, 0)
		drive := &RobotDrive{Robot: "r", GravityCompensation: true, Gains: gains, Kp: kinds.Numbers{300}, Kd: kinds.Numbers{30}, Effort: kinds.Numbers{50, 30, 10},
			Target:   &JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0.4, 0.2, -0.3}}}, Timing: "minimum_jerk"},
			Velocity: kinds.Numbers{40}}
		if gains == "effort" {
			drive.Cartesian = &CartesianSpec{ToolFrame: ToolFrame{Link: "hand", Tool: &frame}, Stiffness: 50000, Damping: 2000}
		}
		b.AddDrive("d", drive)
		m := b.MustBuild()
		s, x := start(t, m, 1)
		reached := 0.0
		for range 3000 {
			run(t, s, x, 1e-3, 1)
			for i, joint := range []string{"shoulder", "elbow", "wrist"} {
				u := math.Abs(Effort{m.Names.Drives["d."+joint]}.Value(s, x)) / []float64{50, 30, 10}[i]
				if reached = max(reached, u); u > 1+1e-9 {
					t.Fatalf("%s, %s: %g times its limit", gains, joint, u)
				}
			}
		}
		if reached < 0.999 {
			t.Errorf("%s: efforts came to %g of their limits only", gains, reached)
		}
		for i, want := range []float64{0.4, 0.2, -0.3} {
			near(t, gains+": joint at the end", x.Q[i], want, 2e-3)
		}
	}
}

func TestFaultyCoupledDrives(t *testing.T) {
	for _, c := range []struct {
		d    RobotDrive
		want string
	}{
		{RobotDrive{Robot: "r", Gains: "acceleration", Kp: kinds.Numbers{1, 2, 3}}, "gains: acceleration wants one kp and one kd for all joints"},
		{RobotDrive{Robot: "r", Cartesian: &CartesianSpec{ToolFrame: ToolFrame{Link: "palm"}}}, `cartesian: link: unknown body "r.palm"`},
		{RobotDrive{Robot: "r", Cartesian: &CartesianSpec{ToolFrame: ToolFrame{Link: "hand"}, Damping: -1}}, "cartesian: damping is -1"},
	} {
		b := planarArm(false)
		b.AddDrive("d", &c.d)
		if _, err := b.Build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q in it", err, c.want)
		}
	}
}
