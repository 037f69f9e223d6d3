package sim

// Teleoperation: an operator commands the twist (ω, v) of a tool frame, and the joints follow by differential inverse
// kinematics, step by step. The command is bounded and turns into a twist that changes at a bounded rate; the pose of
// the frame that it asks for then moves by
//
//	u ← u + clamp(u_cmd − u),   R ← exp(ω h) R,   p ← p + v h                      (1)
//
// and stays within a leash of the frame, as in robot_target_twists.go. Only while the operator holds the dead-man
// switch is u_cmd not zero; without it the frame slows down and the joints then hold their positions, and no inverse
// kinematics is solved. Positions in a step that ends at t₁ are
//
//	q(t) = q₁ + v₁ (t − t₁),   v₁ = (q₁ − q₀)/h,   a = (v₁ − v₀)/h                  (2)
//
// Twist, pose and joints are part of the state: a step is a function of it and of the command.

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/curlfree/curlfree/ik"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// Bounds of teleoperation that are not given, of hands that work with care.
const (
	defaultTeleopTurn         = 1    // rad/s
	defaultTeleopAcceleration = 2    // m/s²
	defaultGripperSpeed       = 0.05 // m/s or rad/s
)

var _ = RobotTargets.Register(kinds.Kind[RobotTarget]{
	Name: "teleop",
	Doc:  "An operator moves a frame of the robot while the scene runs: by keys, gamepad or 6-dof mouse in curlfree live.",
	About: "The joints hold their positions until the operator holds the dead-man switch and commands a velocity of the frame. They follow by inverse " +
		"kinematics, within their limits, step by step. Without an operator the robot stands still.",
	New: func() RobotTarget {
		return &Teleop{Speed: defaultSpeed, Turn: defaultTeleopTurn, Acceleration: defaultTeleopAcceleration, GripperSpeed: defaultGripperSpeed}
	},
	Samples: func() []RobotTarget {
		return []RobotTarget{&Teleop{Link: "cart", FollowSpec: FollowSpec{Follow: "position"}, Speed: 0.1, Turn: 1, Acceleration: 1, GripperSpeed: 0.1}}
	},
})

// Teleop is a frame of a robot that an operator moves during the run.
type Teleop struct {
	// Link is the name of the link in the robot's file.
	Link string `key:"teleop,required" doc:"link of the robot that carries the frame"`
	// Tool is the pose of the tool frame in the link's frame; nil: the link's frame itself.
	Tool *r3.Pose `key:"tool" doc:"frame on the link, such as the point between the fingers" default:"that of the link"`
	FollowSpec
	// Speed bounds the speed of the frame's origin, m/s; 0: 0.25.
	Speed float64 `key:"speed" unit:"m/s" doc:"bound of the speed of the frame" above:"0"`
	// Turn bounds the angular speed of the frame, rad/s; 0: 1.
	Turn float64 `key:"turn_speed" unit:"rad/s" doc:"bound of the angular speed of the frame" above:"0"`
	// Acceleration bounds the change of the frame's velocity, m/s²; turns change by as many times more as
	// Turn is more than Speed. 0: 2.
	Acceleration float64 `key:"acceleration" unit:"m/s²" doc:"bound of the acceleration of the frame" above:"0"`
	// Gripper are the driven joints of the gripper.
	Gripper []string `key:"gripper" doc:"joints of the gripper, which open and close together" default:"none"`
	// GripperSpeed bounds the speed of the joints of the gripper, m/s or rad/s; 0: 0.05.
	GripperSpeed float64 `key:"gripper_speed" unit:"m/s or rad/s" doc:"speed of the joints of the gripper" above:"0"`
}

// teleoperation is a Teleop of a model: immutable.
type teleoperation struct {
	spec    Teleop
	robot   *DrivenRobot
	fingers []int // joints of the gripper, by their places among those driven
	drive   string
	offset  int // of its numbers in State.Operator
}

var _ Trajectory = (*teleoperation)(nil)

// At implements Trajectory by the start: steps have (2).
func (t *teleoperation) At(_ float64, q, v, a []float64) {
	copy(q, t.robot.Start)
	clear(v)
	clear(a)
}

// Make implements RobotTarget.
func (t *Teleop) Make(d *DrivenRobot) (Trajectory, error) {
	made := &teleoperation{spec: *t, robot: d}
	for _, b := range [4]struct {
		at    *float64
		other float64
	}{{&made.spec.Speed, defaultSpeed}, {&made.spec.Turn, defaultTeleopTurn}, {&made.spec.Acceleration, defaultTeleopAcceleration}, {&made.spec.GripperSpeed, defaultGripperSpeed}} {
		if *b.at == 0 {
			*b.at = b.other
		}
		if !(*b.at > 0) || math.IsInf(*b.at, 1) {
			return nil, errors.New("teleop: speeds and acceleration must be finite and positive")
		}
	}
	for _, name := range t.Gripper {
		i, err := d.index(name)
		if err != nil {
			return nil, fmt.Errorf("gripper: %w", err)
		}
		// a gripper closes at one limit and opens at the other: pages send both
		if math.IsInf(d.Lower[i], 0) || math.IsInf(d.Upper[i], 0) {
			return nil, fmt.Errorf("gripper: joint %q has no limits: give it lower and upper, between which it closes and opens", name)
		}
		made.fingers = append(made.fingers, i)
	}
	// faults of the frame, of joints and of bodies to avoid
	_, err := made.data()
	return made, err
}

// TeleopInput is what an operator commands a robot.
type TeleopInput struct {
	// Drive is the name of the drive of the robot.
	Drive string `json:"drive"`
	// Hold is the dead-man switch: without it the frame stops.
	Hold bool `json:"hold,omitempty"`
	// Linear is the velocity of the frame's origin, m/s, bounded by the drive's speed.
	Linear r3.Vec `json:"linear,omitzero"`
	// Angular is its angular velocity, rad/s.
	Angular r3.Vec `json:"angular,omitzero"`
	// Tool says that both are in the axes of the frame, else in those of the world.
	Tool bool `json:"tool,omitempty"`
	// Gripper is the position to which the joints of the gripper go, m or rad; nil: as it was commanded before.
	Gripper *float64 `json:"gripper,omitempty"`
}

// Numbers of a teleoperation in State.Operator; positions and velocities of its joints follow.
const (
	teleopHold    = iota
	teleopTool                        // 1: axes of the frame
	teleopLinear                      // 3, m/s
	teleopAngular = teleopLinear + 3  // 3, rad/s
	teleopGrip    = teleopAngular + 3 // where the gripper shall go, m or rad
	teleopTwist   = teleopGrip + 1    // 6: v, ω as they are
	teleopPose    = teleopTwist + 6   // 7: quaternion, p
	teleopNumbers = teleopPose + 7
)

// TeleopDescription describes a robot that an operator can move.
type TeleopDescription struct {
	// Drive is the name of its drive.
	Drive string
	// Body is the number of the link that carries the frame.
	Body int
	// X_BF is the pose of the frame in the link.
	X_BF r3.Pose
	// Speed and Turn bound the velocity of the frame, m/s and rad/s.
	Speed, Turn float64
	// Grip are the positions between which the joints of the gripper go, m or rad; equal: there is none.
	Grip [2]float64
}

// Teleops describes the robots that an operator can move, in the order of their drives.
func (m *Model) Teleops() []TeleopDescription {
	var list []TeleopDescription
	for _, t := range teleopsOf(m) {
		d := TeleopDescription{Drive: t.drive, X_BF: r3.PoseIdentity(), Speed: t.spec.Speed, Turn: t.spec.Turn}
		d.Body, _ = t.robot.link(t.spec.Link) // it was found when the model was built
		if t.spec.Tool != nil {
			d.X_BF = t.spec.Tool.OrIdentity()
		}
		d.Grip[0], d.Grip[1] = t.opening()
		list = append(list, d)
	}
	return list
}

// opening returns the positions between which the gripper goes.
func (t *teleoperation) opening() (lo, hi float64) {
	if len(t.fingers) == 0 {
		return 0, 0
	}
	lo, hi = math.Inf(-1), math.Inf(1)
	for _, i := range t.fingers {
		lo, hi = math.Max(lo, t.robot.Lower[i]), math.Min(hi, t.robot.Upper[i])
	}
	return lo, hi
}

// steerRobot writes a command into a state.
func (o *operator) steerRobot(x *State, in *TeleopInput) error {
	var names []string
	for i := range o.teleops {
		t := o.teleops[i].t
		if t.drive != in.Drive {
			names = append(names, t.drive)
			continue
		}
		for _, u := range [2]r3.Vec{in.Linear, in.Angular} {
			if !(u.Norm() <= maxTwist) {
				return fmt.Errorf("input: %s: a velocity of %g: it must be finite", in.Drive, u)
			}
		}
		at := x.Operator[t.offset:]
		if g := in.Gripper; g != nil {
			lo, hi := t.opening()
			if !(*g >= lo && *g <= hi) || len(t.fingers) == 0 {
				return fmt.Errorf("input: %s: the gripper goes from %g to %g, not to %g", in.Drive, lo, hi, *g)
			}
			at[teleopGrip] = *g
		}
		at[teleopHold], at[teleopTool] = number(in.Hold), number(in.Tool)
		copy(at[teleopLinear:], in.Linear[:])
		copy(at[teleopAngular:], in.Angular[:])
		return nil
	}
	return unknownOperated("drive with teleoperation", in.Drive, names)
}

// maxTwist bounds commands before the bounds of the drive apply, m/s and rad/s: numbers of inputs come from outside.
const maxTwist = 1e6

// number is a switch as a number.
func number(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// teleopsOf returns the teleoperations of a model, in the order of their drives.
func teleopsOf(m *Model) (list []*teleoperation) {
	for _, c := range robotsOf(m) {
		if t, ok := c.trajectory.(*teleoperation); ok {
			list = append(list, t)
		}
	}
	return list
}

// size returns how many numbers of State.Operator it has.
func (t *teleoperation) size() int { return teleopNumbers + 2*len(t.robot.Joints) }

// start appends the numbers of a robot at rest.
func (t *teleoperation) start(numbers []float64) []float64 {
	at := make([]float64, t.size())
	if len(t.fingers) > 0 {
		at[teleopGrip] = t.robot.Start[t.fingers[0]]
	}
	// no pose: it is that of the frame when the operator begins
	copy(at[teleopNumbers:], t.robot.Start)
	return append(numbers, at...)
}

// teleopData is the working memory of a teleoperation.
type teleopData struct {
	t       *teleoperation
	ik      *ik.Solver
	v0      []float64 // velocities in the step before
	q0      []float64 // positions at the start of the step
	t1, h   float64   // end and length of the step, s
	numbers []float64 // in State.Operator, of the step at hand
}

// data returns the working memory of a teleoperation.
func (t *teleoperation) data() (teleopData, error) {
	frame := ToolFrame{Link: t.spec.Link, Tool: t.spec.Tool}
	solver, err := t.robot.solver(&frame, calmSpeed)
	if err == nil {
		err = t.spec.FollowSpec.apply(solver, t.robot)
	}
	n := len(t.robot.Joints)
	return teleopData{t: t, ik: solver, v0: make([]float64, n), q0: make([]float64, n)}, err
}

// advance moves the joints by a step of h as the operator wants.
func (d *teleopData) advance(x *State, h float64, m *Model) {
	t, n := d.t, len(d.q0)
	at := x.Operator[t.offset:][:teleopNumbers+2*n]
	q, v := at[teleopNumbers:][:n], at[teleopNumbers+n:]
	copy(d.q0, q)
	copy(d.v0, v)
	d.t1, d.h, d.numbers = x.Time+h, h, at
	nq, _ := m.RigidSize()
	d.ik.SetPositions(x.Q[:nq])
	X := poseOf(at[teleopPose:])
	held := at[teleopHold] != 0
	twist := at[teleopTwist:][:6]
	if !held && !slices.ContainsFunc(twist, func(u float64) bool { return u != 0 }) {
		// at rest; the next command begins where the frame is then
		clear(v)
		at[teleopPose], at[teleopPose+1], at[teleopPose+2], at[teleopPose+3] = 0, 0, 0, 0
		return
	}
	if at[teleopPose] == 0 && at[teleopPose+1] == 0 && at[teleopPose+2] == 0 && at[teleopPose+3] == 0 {
		X = d.ik.Pose(0, q)
	}
	d.ramp(at, X, held, h)
	u, w := r3.Vec(twist[0:3]), r3.Vec(twist[3:6])
	X = r3.Pose{R: r3.RotExp(w.Scale(h)).Mul(X.R), P: X.P.AddScaled(h, u)} // (1)
	d.ik.Frames[0].X_WF = X
	if _, err := d.ik.Follow(h, q, v, 0); err != nil {
		copy(q, d.q0) // a robot that cannot follow stands still
	}
	writePose(hold(X, d.ik.Pose(0, q)), at[teleopPose:])
	d.grip(at, q, held, h)
	for i := range q {
		v[i] = (q[i] - d.q0[i]) / h // (2)
	}
}

// ramp changes the twist towards what the operator commands, in the axes of the world, as far as the bounds of its
// change let it.
func (d *teleopData) ramp(at []float64, X r3.Pose, held bool, h float64) {
	spec := &d.t.spec
	u, w := r3.Vec(at[teleopLinear:]), r3.Vec(at[teleopAngular:])
	if !held {
		u, w = r3.Vec{}, r3.Vec{}
	}
	if at[teleopTool] != 0 {
		u, w = X.R.MulVec(u), X.R.MulVec(w)
	}
	approach := func(now []float64, wanted r3.Vec, speed, change float64) {
		if n := wanted.Norm(); n > speed {
			wanted = wanted.Scale(speed / n)
		}
		way := wanted.Sub(r3.Vec(now))
		if n := way.Norm(); n > change {
			wanted = r3.Vec(now).AddScaled(change/n, way)
		}
		copy(now, wanted[:])
	}
	approach(at[teleopTwist:][:3], u, spec.Speed, spec.Acceleration*h)
	approach(at[teleopTwist+3:][:3], w, spec.Turn, spec.Acceleration*spec.Turn/spec.Speed*h)
}

// grip moves the joints of the gripper while the switch is held. Inverse kinematics leaves them to the operator.
func (d *teleopData) grip(at, q []float64, held bool, h float64) {
	most := d.t.spec.GripperSpeed * h
	for _, i := range d.t.fingers {
		q[i] = d.q0[i]
		if held {
			q[i] += math.Max(-most, math.Min(at[teleopGrip]-d.q0[i], most))
		}
	}
}

// plan writes the setpoints (2) of the joints at time t (s).
func (d *teleopData) plan(t float64, at *robotSetpoint) {
	n := len(d.q0)
	q1, v1 := d.numbers[teleopNumbers:][:n], d.numbers[teleopNumbers+n:]
	for i := range n {
		at.q[i], at.v[i], at.a[i] = q1[i]+v1[i]*(t-d.t1), v1[i], (v1[i]-d.v0[i])/d.h
	}
}

// poseOf reads a pose from seven numbers: a quaternion and a position.
func poseOf(at []float64) r3.Pose {
	return r3.Pose{R: r3.Quat(at[:4]).Mat(), P: r3.Vec(at[4:])}
}

// writePose is the inverse of poseOf.
func writePose(X r3.Pose, at []float64) {
	Q := X.R.Quat()
	at[0], at[1], at[2], at[3] = Q[0], Q[1], Q[2], Q[3]
	copy(at[4:7], X.P[:])
}
