package sim

import (
	"math"
	"strings"
	"testing"

	"github.com/curlfree/curlfree/internal/alloctest"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// planarArm is a robot "r" of three links of 0.4 m along x that turn about y, under gravity, with
// 0.5 kg in its hand where loaded.
func planarArm(loaded bool) *Builder {
	b := NewBuilder()
	b.RelTol = 1e-11
	parent := ""
	for i, name := range []string{"upper", "lower", "hand"} {
		spec := BodySpec{
			Mass: 2, Com_B: &r3.Vec{0.2, 0, 0.01}, Inertia: &r3.Mat{2e-3, 0, 0, 0, 0.03, 0, 0, 0, 0.03},
			Joint: &JointSpec{
				Name: "r." + []string{"shoulder", "elbow", "wrist"}[i], Parent: parent, Joint: rigid.Revolute{Axis: r3.Vec{0, 1, 0}},
				Frames: &JointFrames{X_PF: at(0.4, 0, 0), X_BM: r3.PoseIdentity()}, Limits: &[2]float64{-2, 2},
				Q: []float64{[]float64{-0.8, 1.2, 0.3}[i]}, Velocity: 2, Effort: 100, Damping: 0.3, RotorInertia: 0.1,
			},
		}
		if i == 0 {
			spec.Joint.Frames.X_PF = at(0, 0, 1)
		}
		parent = "r." + name
		b.AddBody(parent, spec)
	}
	if loaded {
		b.AddBody("load", BodySpec{Mass: 0.5, Com_B: &r3.Vec{}, Inertia: &r3.Mat{1e-5, 0, 0, 0, 1e-5, 0, 0, 0, 1e-5},
			Joint: &JointSpec{Parent: "r.hand", Joint: rigid.Weld{}, Frames: &JointFrames{X_PF: at(0.4, 0, 0), X_BM: r3.PoseIdentity()}}})
	}
	return b
}

// An arm that carries its own weight stays where it is without gains, however long the steps are; what it carries
// pulls it down unless it is a given payload.
func TestRobotsCarryTheirWeight(t *testing.T) {
	payload := &PayloadSpec{Link: "hand", Mass: 0.5, Com: r3.Vec{0.4, 0, 0}}
	for _, c := range []struct {
		loaded  bool
		payload *PayloadSpec
		stays   bool
	}{{false, nil, true}, {true, nil, false}, {true, payload, true}} {
		b := planarArm(c.loaded)
		b.AddDrive("d", &RobotDrive{Robot: "r", GravityCompensation: true, Payload: c.payload})
		m := b.MustBuild()
		for _, h := range []float64{2e-2, 2e-3} {
			s, x := start(t, m, 1)
			run(t, s, x, h, int(1/h))
			moved := 0.0
			for i := range x.Q {
				moved = max(moved, math.Abs(x.Q[i]-m.Start.Q[i]))
			}
			if c.stays && moved > 1e-9 || !c.stays && moved < 1e-3 {
				t.Errorf("loaded %v, payload known %v, h %g: joints moved by %g rad", c.loaded, c.payload != nil, h, moved)
			}
		}
	}
}

// A load that the controller does not have deflects each joint by its torque over the gain.
func TestRobotsYieldToLoadsByTheirGains(t *testing.T) {
	b := planarArm(true)
	gains := kinds.Numbers{4000, 2000, 1000}
	b.AddDrive("d", &RobotDrive{Robot: "r", Kp: gains, Kd: kinds.Numbers{200, 100, 50}, GravityCompensation: true})
	m := b.MustBuild()
	s, x := start(t, m, 1)
	const h = 2e-3
	run(t, s, x, h, 2500)
	s.Place(x, h)
	tip := s.kin.Pose(m.Body("load")).P
	for i, joint := range []string{"r.upper", "r.lower", "r.hand"} {
		// the moment of the weight about y: (r × F)_y = z·F_x − x·F_z = x m g
		torque := (tip[0] - s.kin.Pose(m.Body(joint)).P[0]) * 0.5 * 9.81
		near(t, joint+": deflection", x.Q[i]-m.Start.Q[i], torque/gains[i], 1e-6)
		near(t, joint+": effort beside the weight", Effort{m.Names.Drives["d."+[]string{"shoulder", "elbow", "wrist"}[i]]}.Value(s, x)+torque, weightEffort(x, i), 50*h*h)
	}
}

// weightEffort returns the effort that carries the weight of the links from link i on.
func weightEffort(x *State, i int) float64 {
	// positions of joints and centres of mass in the plane
	angle, at, p := 0.0, [2]float64{}, [3][2]float64{}
	var com [3][2]float64
	for k := range 3 {
		p[k] = at
		angle += x.Q[k]
		s, c := math.Sincos(angle)
		com[k] = [2]float64{at[0] + 0.2*c + 0.01*s, at[1] - 0.2*s + 0.01*c}
		at = [2]float64{at[0] + 0.4*c, at[1] - 0.4*s}
	}
	sum := 0.0
	for k := i; k < 3; k++ {
		sum -= (com[k][0] - p[i][0]) * 2 * 9.81
	}
	return sum
}

// Inverse dynamics alone, without gains, moves the joints as planned: errors are those of the
// step, of first order.
func TestInverseDynamicsMovesJointsAsPlanned(t *testing.T) {
	worst := map[float64]float64{}
	for _, h := range []float64{1e-3, 5e-4} {
		b := planarArm(true)
		b.AddDrive("d", &RobotDrive{
			Robot: "r", InverseDynamics: true, Payload: &PayloadSpec{Link: "hand", Mass: 0.5, Com: r3.Vec{0.4, 0, 0}},
			Target:   &JointSines{Amplitude: kinds.Numbers{0.3, -0.4, 0.5}, Frequency: 1, Ramp: 0.5},
			Velocity: kinds.Numbers{10},
		})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		var q, v, a [3]float64
		for range int(math.Round(0.7 / h)) {
			run(t, s, x, h, 1)
			robotsOf(m)[0].trajectory.At(x.Time, q[:], v[:], a[:])
			for i := range q {
				worst[h] = max(worst[h], math.Abs(x.Q[i]-q[i]))
			}
		}
	}
	if ratio := worst[1e-3] / worst[5e-4]; worst[1e-3] > 0.02 || ratio < 1.7 || ratio > 2.3 {
		t.Errorf("errors %v rad: want first order", worst)
	}
}

// Stiff gains at long steps neither ring nor blow up: each joint comes to its target from afar.
func TestStiffRobotsAreStableAtLongSteps(t *testing.T) {
	for _, h := range []float64{1e-3, 1e-2, 5e-2} {
		for _, kp := range []float64{1e3, 1e6, 1e9} {
			b := planarArm(false)
			b.AddDrive("d", &RobotDrive{Robot: "r", Kp: kinds.Numbers{kp}, Kd: kinds.Numbers{kp / 10}, Effort: kinds.Numbers{math.Inf(1)}, GravityCompensation: true,
				Target: &JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0, 0.5, -0.3}}}, Timing: "trapezoidal"}, Acceleration: kinds.Numbers{10}})
			m := b.MustBuild()
			s, x := start(t, m, 1)
			run(t, s, x, h, int(4/h))
			for i, want := range []float64{0, 0.5, -0.3} {
				near(t, "joint", x.Q[i], want, 1e-3)
				near(t, "velocity", x.V[i], 0, 1e-3)
			}
		}
	}
}

// Efforts stay within the bounds of the file, or of the drive.
func TestRobotsKeepTheirEffortLimits(t *testing.T) {
	for _, effort := range []kinds.Numbers{nil, {70, 60, 50}} {
		b := planarArm(false)
		b.AddDrive("d", &RobotDrive{Robot: "r", Kp: kinds.Numbers{1e5}, Kd: kinds.Numbers{100}, Effort: effort, GravityCompensation: true,
			Target: &JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0.5, 0.5, -0.3}}}, Timing: "minimum_jerk"}, Velocity: kinds.Numbers{50}})
		m := b.MustBuild()
		s, x := start(t, m, 1)
		reached := 0.0
		for range 400 {
			run(t, s, x, 1e-3, 1)
			for i, joint := range []string{"shoulder", "elbow", "wrist"} {
				most := 100.0
				if effort != nil {
					most = effort[i]
				}
				u := math.Abs(Effort{m.Names.Drives["d."+joint]}.Value(s, x)) / most
				if reached = max(reached, u); u > 1+1e-9 {
					t.Fatalf("%s: %g times its limit", joint, u)
				}
			}
		}
		if reached < 0.999 {
			t.Errorf("efforts came to %g of their limits: none is tested", reached)
		}
	}
}

// The hand passes its poses in time: its place follows from the joint angles by trigonometry.
func TestFramesPassTheirPoses(t *testing.T) {
	b := planarArm(false)
	tool := at(0.4, 0, 0)
	second := 2.5
	b.AddDrive("d", &RobotDrive{Robot: "r", Kp: kinds.Numbers{5000}, Kd: kinds.Numbers{200}, InverseDynamics: true, Target: &PoseWaypoints{
		ToolFrame: ToolFrame{Link: "hand", Tool: &tool}, FollowSpec: FollowSpec{Follow: "position"}, Timing: "minimum_jerk",
		Poses: []PoseWaypoint{{Pose: at(0.8, 0, 0.9), Pause: 0.2}, {Pose: at(0.9, 0, 1.2), Duration: &second, Pause: 0.2}},
	}})
	m := b.MustBuild()
	s, x := start(t, m, 1)
	var q, v, a [3]float64
	var passed [2]float64
	for step := range 4000 {
		run(t, s, x, 2e-3, 1)
		robotsOf(m)[0].trajectory.At(x.Time, q[:], v[:], a[:])
		px, pz, angle := 0.0, 1.0, 0.0
		for i := range 3 {
			angle += x.Q[i]
			px, pz = px+0.4*math.Cos(angle), pz-0.4*math.Sin(angle)
		}
		for k, want := range [][2]float64{{0.8, 0.9}, {0.9, 1.2}} {
			if passed[k] == 0 && math.Hypot(px-want[0], pz-want[1]) < 2e-4 {
				passed[k] = float64(step+1) * 2e-3
			}
		}
	}
	if passed[0] == 0 || math.Abs(passed[1]-passed[0]-0.2-2.5) > 0.3 {
		t.Errorf("poses are passed at %g s: both wanted, 2.7 s apart", passed)
	}
}

// Tables are met at their times: positions exactly, and between them the cubic of their neighbours, which
// reproduces a parabola.
func TestTablesArePassed(t *testing.T) {
	times := []float64{0, 0.1, 0.35, 0.4, 1, 1.2}
	parabola := func(t float64) float64 { return -0.8 + 0.2*t - 0.3*t*t }
	table := &Table{Path: "j.csv", Columns: []string{"wrist", "time_s", "shoulder", "elbow"}}
	for _, at := range times {
		table.Rows = append(table.Rows, []float64{0.3, at, parabola(at), 1.2 - at})
	}
	b := planarArm(false)
	b.AddDrive("d", &RobotDrive{Robot: "r", Target: &JointTable{tableOf: tableOf{table}}})
	m := b.MustBuild()
	var q, v, a [3]float64
	for _, at := range times {
		robotsOf(m)[0].trajectory.At(at, q[:], v[:], a[:])
		near(t, "shoulder", q[0], parabola(at), 1e-15)
	}
	for _, at := range []float64{0.15, 0.37, 0.7} {
		robotsOf(m)[0].trajectory.At(at, q[:], v[:], a[:])
		near(t, "shoulder between", q[0], parabola(at), 1e-12)
		near(t, "its velocity", v[0], 0.2-0.6*at, 1e-12)
		near(t, "its acceleration", a[0], -0.6, 1e-11)
		near(t, "elbow", q[1], 1.2-at, 1e-12)
	}
}

// A commanded velocity moves the tool by its integral.
func TestTwistsMoveTheTool(t *testing.T) {
	table := &Table{Path: "t.csv", Columns: []string{"time_s", "vx", "vy", "vz", "wx", "wy", "wz"}, Rows: [][]float64{
		{0, 0, 0, 0, 0, 0, 0}, {0.5, -0.2, 0, 0.1, 0, 0, 0}, {1, -0.2, 0, 0.1, 0, 0, 0}, {1.5, 0, 0, 0, 0, 0, 0},
	}}
	b := planarArm(false)
	b.AddDrive("d", &RobotDrive{Robot: "r", Kp: kinds.Numbers{1e4}, Kd: kinds.Numbers{500}, InverseDynamics: true, Target: &TwistTable{
		ToolFrame: ToolFrame{Link: "hand"}, tableOf: tableOf{table},
	}})
	m := b.MustBuild()
	s, x := start(t, m, 1)
	s.Place(x, 1e-3)
	from := s.kin.Pose(m.Body("r.hand"))
	run(t, s, x, 2e-3, 1000)
	s.Place(x, 1e-3)
	to := s.kin.Pose(m.Body("r.hand"))
	nearVec(t, "way", to.P.Sub(from.P), r3.Vec{-0.2, 0, 0.1}, 1e-4)
	nearVec(t, "turn", to.R.Mul(from.R.T()).Quat().Log(), r3.Vec{}, 1e-4)
}

// A tool that is commanded into a wall stays a margin before it.
func TestTwistsKeepAwayFromBodies(t *testing.T) {
	table := &Table{Path: "t.csv", Columns: []string{"time_s", "vx", "vy", "vz", "wx", "wy", "wz"}, Rows: [][]float64{{0, 0.1, 0, 0, 0, 0, 0}, {2, 0.1, 0, 0, 0, 0, 0}}}
	x0, _, _ := tip([]float64{-0.8, 1.2, 0.3})
	frame := at(0.4, 0, 0)
	for _, avoid := range [][]string{nil, {"wall"}} {
		b := planarArm(false)
		handBall(b, x0+0.03+0.06, 1e5)
		b.AddDrive("d", &RobotDrive{Robot: "r", Target: &TwistTable{
			ToolFrame: ToolFrame{Link: "hand", Tool: &frame}, FollowSpec: FollowSpec{Follow: "position", Avoid: avoid, Margin: 0.02}, tableOf: tableOf{table},
		}})
		m := b.MustBuild()
		var q, v, a [3]float64
		nearest := 1.0
		for k := range 250 {
			robotsOf(m)[0].trajectory.At(0.01*float64(k), q[:], v[:], a[:])
			x, _, _ := tip(q[:])
			nearest = min(nearest, x0+0.06-x)
		}
		switch {
		case avoid == nil && nearest > -0.1:
			t.Errorf("the tool stops %g m before the wall: it should pass", nearest)
		case avoid != nil && math.Abs(nearest-0.02) > 1e-6:
			t.Errorf("the ball comes to %g m from the wall, its margin is 0.02 m", nearest)
		}
	}
	b := planarArm(false)
	b.AddDrive("d", &RobotDrive{Robot: "r", Target: &TwistTable{ToolFrame: ToolFrame{Link: "hand"}, FollowSpec: FollowSpec{Avoid: []string{"wal"}}, tableOf: tableOf{table}}})
	if _, err := b.Build(); err == nil || !strings.Contains(err.Error(), `avoid: unknown body "wal"`) {
		t.Errorf("error %v", err)
	}
}

// Steps of driven robots allocate nothing, and have the same bits for any number of threads and
// after a restore.
func TestDrivenRobotsAreRepeatable(t *testing.T) {
	b := planarArm(true)
	b.AddDrive("d", &RobotDrive{Robot: "r", Kp: kinds.Numbers{500}, Kd: kinds.Numbers{20}, InverseDynamics: true, Target: &JointSines{Amplitude: kinds.Numbers{0.2}, Frequency: 2}, Velocity: kinds.Numbers{10}})
	m := b.MustBuild()
	s, x := start(t, m, 1)
	run(t, s, x, 2e-3, 50)
	half := *x.Clone()
	run(t, s, x, 2e-3, 50)
	s2, _ := start(t, m, 2)
	run(t, s2, &half, 2e-3, 50)
	if half.Hash() != x.Hash() {
		t.Error("the restored run on two threads has other bits")
	}
	if n := alloctest.PerRun(50, func() { run(t, s, x, 2e-3, 1) }); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// All samples of targets can be made for the sample's arm and cart.
func TestRegisteredRobotTargets(t *testing.T) {
	if err := kinds.Check(RobotTargets); err != nil {
		t.Error(err)
	}
	tables := map[string]*Table{
		"joint_table": {Columns: []string{"time_s", "arm", "cart"}, Rows: [][]float64{{0, 0, 0}, {1, 0.1, 0.1}}},
		"pose_table":  {Columns: []string{"time_s", "x", "y", "z"}, Rows: [][]float64{{0, -0.5, 0, 0}, {1, -0.45, 0, 0}}},
		"twist_table": {Columns: []string{"time_s", "vx", "vy", "vz", "wx", "wy", "wz"}, Rows: [][]float64{{0, 0.1, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0}}},
	}
	for _, k := range RobotTargets.Entries() {
		for i, target := range k.Samples() {
			if table, ok := target.(TableTarget); ok {
				table.SetTable(tables[k.Name])
			}
			if p, ok := target.(*PoseWaypoints); ok {
				p.Poses[0].Pose = at(-0.4, 0, 0) // where this cart goes
			}
			b := sample("rubber", "box", "arm", "cart")
			b.AddDrive("drive", &RobotDrive{Joints: []string{"arm", "cart"}, Kp: kinds.Numbers{10}, Kd: kinds.Numbers{1}, Target: target, Velocity: kinds.Numbers{1}, Acceleration: kinds.Numbers{5}})
			m, err := b.Build()
			if err != nil {
				t.Errorf("%s %d: %v", k.Name, i, err)
				continue
			}
			// velocities are rates of positions, accelerations of velocities
			tr := robotsOf(m)[0].trajectory
			for _, now := range []float64{0.013, 0.1234, 0.4321} {
				var q, v, a, q1, v1, q2, v2, d [2]float64
				tr.At(now, q[:], v[:], a[:])
				tr.At(now+1e-5, q1[:], v1[:], d[:])
				tr.At(now-1e-5, q2[:], v2[:], d[:])
				for j := range q {
					near(t, k.Name+": velocity", v[j], (q1[j]-q2[j])/2e-5, 1e-4)
					near(t, k.Name+": acceleration", a[j], (v1[j]-v2[j])/2e-5, 1e-3)
				}
			}
		}
	}
}

// What is wrong with a robot drive is said with the place and the cure.
func TestFaultyRobotDrives(t *testing.T) {
	twist := []string{"time_s", "vx", "vy", "vz", "wx", "wy", "wz"}
	far := at(3, 0, 1)
	for _, c := range []struct {
		d    RobotDrive
		want string
	}{
		{RobotDrive{Robot: "q"}, `no robot with joints is called "q": did you mean "r"?`},
		{RobotDrive{Robot: "r", Joints: []string{"sholder"}}, `unknown joint "r.sholder": did you mean "r.shoulder"?`},
		{RobotDrive{Robot: "r", Joints: []string{"elbow", "elbow"}}, "listed twice"},
		{RobotDrive{Robot: "r", Kp: kinds.Numbers{1, 2}}, "kp has 2 numbers: give one for all, or one for each of 3 (shoulder, elbow, wrist)"},
		{RobotDrive{Robot: "r", Kd: kinds.Numbers{-1}}, "kd of shoulder is -1"},
		{RobotDrive{Robot: "r", Payload: &PayloadSpec{Link: "hnd"}}, `unknown body "r.hnd": did you mean "r.hand"?`},
		{RobotDrive{Robot: "r", Target: &JointWaypoints{}}, "one at least"},
		{RobotDrive{Robot: "r", Target: &JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{1}}}}}, "waypoints[0]: 1 positions for the 3 joints of the drive"},
		{RobotDrive{Robot: "r", Target: &JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0, 2.5, 0}}}}}, "elbow: 2.5 is beyond its limits, -2 to 2"},
		{RobotDrive{Robot: "r", Target: &JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0, 0, 0}, Duration: new(0.1)}}}}, "elbow cannot reach the waypoint in 0.1 s"},
		{RobotDrive{Robot: "r", Target: &JointSines{Amplitude: kinds.Numbers{3}}}, "swings to"},
		{RobotDrive{Robot: "r", Target: &JointSines{Amplitude: kinds.Numbers{0.5}, Frequency: 0.1, Phase: math.Pi / 2, Ramp: 0.1}}, "ramp: at 0.01406 s shoulder moves at 2.191"},
		{RobotDrive{Joints: []string{"r.shoulder"}, Payload: &PayloadSpec{Link: "world", Mass: 1}}, "payload: link: world is the world"},
		{RobotDrive{Robot: "r", Target: &JointSines{Amplitude: kinds.Numbers{0.5}, Frequency: 0.7}}, "shoulder moves at up to 2.199, above its velocity limit 2"},
		{RobotDrive{Robot: "r", Target: &JointTable{tableOf: tableOf{&Table{Path: "j.csv", Columns: []string{"time_s", "shoulder", "elbow", "wrist"}, Rows: [][]float64{{0, 0, 0, 0}, {0.5, 0, 0.9, 0}}}}}}, "j.csv: at 0.125 s elbow moves at 2.025, above its velocity limit 2"},
		{RobotDrive{Robot: "r", Target: &PoseWaypoints{ToolFrame: ToolFrame{Link: "hand"}, FollowSpec: FollowSpec{Follow: "position"}, Poses: []PoseWaypoint{{Pose: far}}}}, "poses[0]: out of reach"},
		{RobotDrive{Robot: "r", Target: &PoseWaypoints{ToolFrame: ToolFrame{Link: "palm"}, Poses: []PoseWaypoint{{Pose: far}}}}, `unknown body "r.palm"`},
		{RobotDrive{Robot: "r", Target: &TwistTable{ToolFrame: ToolFrame{Link: "hand"}}}, "no table with rows"},
		{RobotDrive{Robot: "r", Target: &TwistTable{ToolFrame: ToolFrame{Link: "hand"}, tableOf: tableOf{&Table{Path: "t.csv", Columns: twist, Lines: []int{2, 5}, Rows: [][]float64{{1, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0}}}}}}, "t.csv:5: times must increase: 1 s follows 1 s"},
		{RobotDrive{Robot: "r", Target: &TwistTable{ToolFrame: ToolFrame{Link: "hand"}, tableOf: tableOf{&Table{Path: "t.csv", Columns: twist[1:], Rows: [][]float64{{0}}}}}}, "t.csv: there is no column time_s"},
		{RobotDrive{Robot: "r", Target: &TwistTable{ToolFrame: ToolFrame{Link: "hand"}, Gripper: []string{"wrist"}, tableOf: tableOf{&Table{Path: "t.csv", Columns: append(twist, "gripper"), Lines: []int{7}, Rows: [][]float64{{0, 0, 0, 0, 0, 0, 0, 9}}}}}}, "t.csv:7: gripper is 9: wrist goes from -2 to 2"},
		{RobotDrive{Robot: "r", Target: &PoseTable{ToolFrame: ToolFrame{Link: "hand"}, FollowSpec: FollowSpec{Follow: "position"}, tableOf: tableOf{&Table{Path: "p.csv", Columns: []string{"time_s", "x", "y", "z"}, Lines: []int{2}, Rows: [][]float64{{0, 0.5, 0, 1.2}}}}}}, "p.csv:2: the robot starts"},
		{RobotDrive{Robot: "r", Target: &PoseTable{ToolFrame: ToolFrame{Link: "hand"}, tableOf: tableOf{&Table{Path: "p.csv", Columns: []string{"time_s", "x", "y", "z"}, Rows: [][]float64{{0, 0.5, 0, 1.2}}}}}}, "there are no rotations"},
		{RobotDrive{Robot: "r", Target: &PoseTable{ToolFrame: ToolFrame{Link: "hand"}, tableOf: tableOf{&Table{Path: "p.csv", Columns: []string{"time_s", "x", "y", "z", "qw", "qx", "qy", "qz"}, Lines: []int{3}, Rows: [][]float64{{0, 0.5, 0, 1.2, 1, 1, 0, 0}}}}}}, "p.csv:3: the quaternion has length 1.41421"},
	} {
		b := planarArm(false)
		b.AddDrive("d", &c.d)
		if _, err := b.Build(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q in it", err, c.want)
		}
	}
}
