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

// straightArm is a serial arm that is straight along z of its base at the start: joint i turns about its axis, and the
// next one is lengths[i] farther.
type straightArm struct {
	base    r3.Pose
	axes    []r3.Vec
	lengths []float64
	limits  [][2]float64
}

// tool returns the pose of the tip at joint positions, by the product of rotations.
func (a *straightArm) tool(q []float64) r3.Pose {
	X := a.base
	for i, x := range q {
		R := X.R.Mul(r3.RotExp(a.axes[i].Scale(x)))
		X = r3.Pose{R: R, P: X.P.Add(R.MulVec(r3.Vec{0, 0, a.lengths[i]}))}
	}
	return X
}

// trajectory builds the arm and a target of poses, and returns the motion of its joints.
func (a *straightArm) trajectory(w *PoseWaypoints) (tr Trajectory, err error) {
	w.ToolFrame.Link, w.ToolFrame.Tool = a.tip()
	b := a.builder()
	b.AddDrive("d", &RobotDrive{Robot: "r", Kp: kinds.Numbers{1}, Target: w})
	m, err := b.Build()
	if err != nil {
		return nil, err
	}
	return robotsOf(m)[0].trajectory, nil
}

// tip returns the tool frame.
func (a *straightArm) tip() (link string, tool *r3.Pose) {
	last := len(a.axes) - 1
	X := at(0, 0, a.lengths[last])
	return fmt.Sprintf("l%d", last), &X
}

// builder returns the arm without a drive.
func (a *straightArm) builder() *Builder {
	b := NewBuilder()
	b.Gravity = r3.Vec{}
	parent := ""
	for i, axis := range a.axes {
		name := fmt.Sprintf("r.l%d", i)
		spec := BodySpec{Mass: 1, Com_B: &r3.Vec{}, Inertia: &r3.Mat{0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01}, Joint: &JointSpec{
			Name: fmt.Sprintf("r.j%d", i), Parent: parent, Joint: rigid.Revolute{Axis: axis}, Limits: &a.limits[i],
			Frames: &JointFrames{X_PF: a.base, X_BM: r3.PoseIdentity()}, Q: []float64{0},
		}}
		if i > 0 {
			spec.Joint.Frames.X_PF = at(0, 0, a.lengths[i-1])
		}
		b.AddBody(name, spec)
		parent = name
	}
	return b
}

// randomStraightArm draws an arm: planar, with rolls and bends in turn, or with the axes of an iiwa.
func randomStraightArm(rng *rand.Rand, kind int) *straightArm {
	a := &straightArm{base: r3.Pose{R: r3.RotExp(randomDirection(rng).Scale(3 * rng.Float64())), P: randomDirection(rng)}}
	n := 2 + rng.IntN(6)
	if kind == 1 {
		n = 4 + rng.IntN(4)
	}
	if kind == 2 {
		n = 7
	}
	// a direction across the arm
	turn := 2 * math.Pi * rng.Float64()
	across := r3.Vec{math.Cos(turn), math.Sin(turn), 0}
	for i := range n {
		axis := across
		if rng.IntN(2) == 0 {
			axis = axis.Scale(-1)
		}
		if kind > 0 && i%2 == 0 {
			axis = r3.Vec{0, 0, 1}
		}
		a.axes = append(a.axes, axis)
		a.lengths = append(a.lengths, 0.4*(0.8+0.4*rng.Float64()))
		a.limits = append(a.limits, [2]float64{-3, 3})
	}
	switch kind {
	case 0:
		// two links of unlike length would leave a hole about the base
		a.lengths[1] = a.lengths[0]
		// elbows that bend to one side only
		if i := rng.IntN(n); rng.IntN(2) == 0 && i > 0 {
			a.limits[i][rng.IntN(2)] = 0
		}
	case 1:
		// rolls carry no length of their own, so that bends have as much to both sides
		for i := 0; i < n; i += 2 {
			a.lengths[i] = 0.05
		}
		if n < 6 {
			a.lengths[1], a.lengths[3] = 0.4, 0.4 // two bends of unlike links would leave a hole
		}
	case 2:
		a.lengths = []float64{0.2, 0.2, 0.2, 0.2, 0.2, 0.126, 0}
	}
	return a
}

// Arms leave the straight pose, in which they are singular, on straight ways to random poses that they reach, along
// these ways and with finite speeds. Where the only bends of an arm lie in another plane than the way, a roll has to
// turn first, by up to half a turn in a sample where no limit bounds it.
func TestStraightArmsLeaveTheirHomePoses(t *testing.T) {
	seed, n := shots(t, 60)
	refused := map[int]int{}
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		kind := i % 3
		a := randomStraightArm(rng, kind)
		joints := len(a.axes)
		home := make([]float64, joints)
		from := a.tool(home)
		// a pose of random joint positions, the way to which keeps clear of the base
		var q []float64
		var to r3.Pose
		for {
			q = q[:0]
			for k := range joints {
				lo, hi := max(a.limits[k][0], -1.4), min(a.limits[k][1], 1.4)
				if kind == 2 {
					lo, hi = max(lo, -1), min(hi, 1)
				}
				q = append(q, lo+(hi-lo)*rng.Float64())
			}
			to = a.tool(q)
			way := to.P.Sub(from.P)
			arm := from.P.Sub(a.base.P)
			s := min(max(-arm.Dot(way)/way.Dot(way), 0), 1)
			if way.Norm() > 0.05 && arm.AddScaled(s, way).Norm() > 0.4*arm.Norm() {
				break
			}
		}
		w := &PoseWaypoints{FollowSpec: FollowSpec{Follow: "position"}, Timing: []string{"minimum_jerk", "trapezoidal"}[rng.IntN(2)], Poses: []PoseWaypoint{{Pose: to}}}
		if kind == 2 {
			w.Follow = "pose"
		}
		tr, err := a.trajectory(w)
		if err != nil {
			t.Logf("REF %d %v", i, err)
			if refused[kind]++; kind < 2 || !strings.Contains(err.Error(), "give a posture") {
				t.Errorf("shot %d, kind %d, %d joints: %v", i, kind, joints, err)
			}
			continue
		}
		v, acc := make([]float64, joints), make([]float64, joints)
		at := make([]float64, joints)
		worst, fastest := 0.0, 0.0
		end := tr.(*spline).times[len(tr.(*spline).times)-1]
		for k := range int(end / 0.005) {
			tr.At(float64(k)*0.005, at, v, acc)
			X := a.tool(at)
			// off the straight way
			way := to.P.Sub(from.P)
			s := min(max(X.P.Sub(from.P).Dot(way)/way.Dot(way), 0), 1)
			worst = max(worst, X.P.Sub(from.P).AddScaled(-s, way).Norm())
			for j, x := range v {
				// later ways may pass other singular positions, with what speed these take
				if k < 40 {
					fastest = max(fastest, math.Abs(x))
				}
				// cubics pass a limit by a little where the joint turns back at it
				if at[j] < a.limits[j][0]-2e-3 || at[j] > a.limits[j][1]+2e-3 {
					t.Errorf("shot %d: joint %d at %g, beyond %v", i, j, at[j], a.limits[j])
				}
			}
		}
		tr.At(end, at, v, acc)
		if d := a.tool(at).P.Sub(to.P).Norm(); d > 1e-6 {
			t.Errorf("shot %d: the tip ends %g m away from its pose", i, d)
		}
		if kind == 2 {
			if d := to.R.T().Mul(a.tool(at).R).Quat().Log().Norm(); d > 1e-5 {
				t.Errorf("shot %d: the tip ends %g rad away from its pose", i, d)
			}
		}
		if worst > 1.5e-3 || fastest > []float64{60, 320, 320}[kind] {
			t.Errorf("shot %d, kind %d, %d joints: %g m off the way, up to %g rad/s", i, kind, joints, worst, fastest)
		}
	}
	// with the rotation some ways end at limits of the rolls
	if refused[0]+refused[1] > 0 || refused[2] > 1+n/3/20 {
		t.Errorf("refused of each kind of arm: %v, of %d", refused, n/3)
	}
	t.Logf("refused of each kind of arm: %v, of %d", refused, n/3)
}

// The elbow of a planar arm that leaves the straight pose follows the law of cosines, on the side that its limits
// leave.
func TestElbowsBendByTheLawOfCosines(t *testing.T) {
	for _, limits := range [][2]float64{{-3, 3}, {0, 3}, {-3, 0}} {
		a := &straightArm{base: r3.PoseIdentity(), axes: []r3.Vec{{0, 1, 0}, {0, 1, 0}}, lengths: []float64{0.5, 0.4}, limits: [][2]float64{{-3, 3}, limits}}
		tr, err := a.trajectory(&PoseWaypoints{FollowSpec: FollowSpec{Follow: "position"}, Timing: "minimum_jerk", Speed: 0.1, Poses: []PoseWaypoint{{Pose: at(0, 0, 0.6)}}})
		if err != nil {
			t.Errorf("limits %v: %v", limits, err)
			continue
		}
		q, v, acc := make([]float64, 2), make([]float64, 2), make([]float64, 2)
		for time := 0.1; time < 7; time += 0.1 {
			tr.At(time, q, v, acc)
			r := a.tool(q).P[2]
			cos := (r*r - 0.25 - 0.16) / (2 * 0.5 * 0.4)
			if want := math.Acos(min(cos, 1)); math.Abs(math.Abs(q[1])-want) > 1e-5 || q[1] < limits[0] || q[1] > limits[1] {
				t.Fatalf("limits %v, at %g s: elbow at %g, want ±%g", limits, time, q[1], want)
			}
		}
		near(t, "end", a.tool(q).P[2], 0.6, 1e-9)
	}
}

// A hand that pulls a straight arm inwards, along the direction in which it is singular, moves its tip by v T, with
// what speed its joints have: as a table of twists and as an operator in the run. Joints that are slow let the tip come
// late, by no more than its leash.
func TestStraightArmsFollowTwists(t *testing.T) {
	seed, n := shots(t, 12)
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, uint64(i)))
		a := randomStraightArm(rng, i%3)
		joints := len(a.axes)
		home := make([]float64, joints)
		from := a.tool(home)
		bound := []float64{0, 1.5}[rng.IntN(2)]
		const speed, T = 0.08, 1.5
		in := from.R.MulVec(r3.Vec{0, 0, -speed})
		follow := "position"
		if i%3 == 2 {
			follow = "pose"
		}
		drive := func(target RobotTarget) (*Builder, *RobotDrive) {
			d := &RobotDrive{Robot: "r", Kp: kinds.Numbers{4e4}, Kd: kinds.Numbers{400}, InverseDynamics: true, Target: target}
			if bound > 0 {
				d.Velocity = kinds.Numbers{bound}
			}
			b := a.builder()
			b.AddDrive("d", d)
			return b, d
		}
		frame := ToolFrame{}
		frame.Link, frame.Tool = a.tip()
		check := func(what string, tip r3.Pose) {
			t.Helper()
			way := tip.P.Sub(from.P)
			along := way.Dot(in) / speed
			if off := way.AddScaled(-along/speed, in).Norm(); math.Abs(along-speed*T) > 1e-3 || off > 1e-3 {
				t.Errorf("shot %d, %d joints, bound %g: %s: %g m inwards and %g m off, want %g", i, joints, bound, what, along, off, speed*T)
			}
		}
		table := &Table{Path: "t.csv", Columns: []string{"time_s", "vx", "vy", "vz", "wx", "wy", "wz"}, Rows: [][]float64{
			{0, 0, 0, 0, 0, 0, 0}, {0.5, in[0], in[1], in[2], 0, 0, 0}, {T, in[0], in[1], in[2], 0, 0, 0}, {T + 0.5, 0, 0, 0, 0, 0, 0},
		}}
		b, _ := drive(&TwistTable{ToolFrame: frame, FollowSpec: FollowSpec{Follow: follow}, tableOf: tableOf{table}})
		tr := robotsOf(b.MustBuild())[0].trajectory
		q, v, acc := make([]float64, joints), make([]float64, joints), make([]float64, joints)
		before := make([]float64, joints)
		most := bound
		if most == 0 {
			most = calmSpeed
		}
		for k := range 250 {
			tr.At(0.01*float64(k), q, v, acc)
			for j := range q {
				if u := math.Abs(q[j]-before[j]) / 0.01; u > most*(1+1e-9) {
					t.Errorf("shot %d, at %g s: joint %d at %g rad/s", i, 0.01*float64(k), j, u)
				}
			}
			copy(before, q)
		}
		check("a table", a.tool(q))
		b, _ = drive(&Teleop{Link: frame.Link, Tool: frame.Tool, FollowSpec: FollowSpec{Follow: follow}, Speed: 0.25, Acceleration: speed / 0.5})
		s, x := start(t, b.MustBuild(), 1)
		operate(t, s, x, OperatorInput{Teleop: &TeleopInput{Drive: "d", Hold: true, Linear: in}})
		run(t, s, x, 2e-3, int(T/2e-3))
		operate(t, s, x, OperatorInput{Teleop: &TeleopInput{Drive: "d"}})
		run(t, s, x, 2e-3, 400)
		check("an operator", a.tool(x.Operator[teleopNumbers:][:joints]))
	}
}
