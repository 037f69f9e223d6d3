package sim

// The controller of a robot applies to each joint j the effort
//
//	u_j = Kp_j (q_d − q) + Kd_j (q̇_d − v) + u_ff,   |u_j| ≤ u_max                       (1)
//
// at the end of the step, which is implicit in the step as that of a single joint is
// (drive_joint.go). The targets q_d, q̇_d are those of the end of the step. The feed forward is
// the effort of rigid.PlannedEfforts at the positions q0 of the start of the step,
//
//	u_ff = g(q0)                        gravity compensation                           (2)
//	u_ff = M(q0) q̈_d + C(q0, q̇_d) q̇_d + g(q0)    inverse dynamics                      (3)
//
// each with the springs of joints, (3) with their dampers and dry friction (robot_friction.go), and
// what moves with the joints and is not carried by them, such as followers and loops, by (2) of robot_dependents.go,
// and with the base of a robot that floats, by (3) and (4) there. It is that of the robot's own links and of a given
// payload: what the controller is not given, such as objects in its hand, it does not feel. (3) takes the planned
// velocities in place of those measured, so that no velocity is fed back by an explicit force.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

var _ = Drives.Register(kinds.Kind[Drive]{
	Name: "robot",
	Doc:  "Controller of all joints of a robot, or of some: springs and dampers to a trajectory, with weight and inertia of the robot compensated.",
	About: "The effort of a joint is kp (target - position) + kd (target velocity - velocity) + feed forward. Feed forward is the effort " +
		"that carries the robot's own weight and the springs of its joints, and with inverse_dynamics the one that accelerates it as planned, against damping and dry friction too, with mimic joints, closed loops, " +
		"limits that joints without a drive rest on, a base that floats and the ground under its feet. Each joint has its own drive, called DRIVE.JOINT, for drive_effort.",
	New: func() Drive { return &RobotDrive{GravityCompensation: true} }, // arms carry their own weight by default
	Samples: func() []Drive {
		return []Drive{
			&RobotDrive{Joints: []string{"arm", "cart"}, Kp: kinds.Numbers{200}, Kd: kinds.Numbers{5, 20}, GravityCompensation: true,
				Target:   &JointWaypoints{Waypoints: []JointWaypoint{{Q: []float64{0.5, 0.05}}}, Timing: "minimum_jerk"},
				Velocity: kinds.Numbers{2}, InverseDynamics: true},
			&RobotDrive{Joints: []string{"arm", "cart"}, Kp: kinds.Numbers{100}, Kd: kinds.Numbers{20}, GravityCompensation: true, Gains: "acceleration"},
			&RobotDrive{Joints: []string{"cart"}, GravityCompensation: true, Cartesian: &CartesianSpec{ToolFrame: ToolFrame{Link: "cart"}, Stiffness: 1000, Damping: 50}},
			&RobotDrive{Joints: []string{"cart"}, Kp: kinds.Numbers{200}, Kd: kinds.Numbers{20}, Effort: kinds.Numbers{30},
				Payload: &PayloadSpec{Link: "cart", Mass: 0.1}},
		}
	},
})

// RobotDrive is the controller of the joints of a robot: PD control, gravity compensation,
// computed torque (inverse dynamics) and Cartesian impedance control.
type RobotDrive struct {
	// Robot is the name of the robot, the prefix of the names of its links and joints; empty:
	// Joints are full names.
	Robot string `key:"robot" doc:"robot whose joints are driven; empty: joints are named in full"`
	// Joints are the joints with one degree of freedom that are driven, in the order of gains and
	// targets; nil: all joints of the robot except mimic joints.
	Joints []string `key:"joints" doc:"joints that are driven, in the order of gains and targets" default:"all with one degree of freedom that follow no other"`
	// Kp are position gains, N m/rad or N/m.
	Kp kinds.Numbers `key:"kp" unit:"N m/rad or N/m" doc:"position gain of all joints, or of each" min:"0" default:"0"`
	// Kd are velocity gains, N m s/rad or N s/m.
	Kd kinds.Numbers `key:"kd" unit:"N m s/rad or N s/m" doc:"velocity gain of all joints, or of each" min:"0" default:"0"`
	// GravityCompensation adds the efforts that carry the weight of the robot's links and
	// payload.
	GravityCompensation bool `key:"gravity_compensation" doc:"carry the weight of the robot's own links and of its payload, and the springs of its joints"`
	// InverseDynamics adds the efforts of the planned accelerations (computed torque).
	InverseDynamics bool `key:"inverse_dynamics" doc:"add the efforts that accelerate the robot's own links and its payload as planned, against damping and dry friction of its joints (computed torque)"`
	// Payload is the mass carried by the robot that the controller compensates; nil: none.
	Payload *PayloadSpec `key:"payload" doc:"mass that the robot carries and the controller compensates" default:"none"`
	// Target is the target motion of the joints; nil: they keep their start positions.
	Target RobotTarget `key:"target" doc:"target motion of the joints" default:"their start positions"`
	// Cartesian is a spring and damper of a frame of the robot (impedance control); nil: none.
	Cartesian *CartesianSpec `key:"cartesian" doc:"spring and damper of a frame of the robot beside those of the joints" default:"none"`
	// Gains chooses whether Kp and Kd give efforts or accelerations, which the robot's mass
	// matrix multiplies.
	Gains string `key:"gains" doc:"meaning of kp and kd: efforts, or accelerations (1/s² and 1/s) that the inertia of the robot multiplies, as computed torque does" choice:"effort,acceleration" default:"effort"`
	// Effort bounds the magnitude of efforts, N m or N; nil: JointSpec.Effort.
	Effort kinds.Numbers `key:"effort,inf" unit:"N m or N" doc:"bound of the magnitude of efforts, of all joints or of each" above:"0" default:"as the robot's file says, else none"`
	// Velocity bounds planned motions, and the velocities that the drive commands where it does not
	// couple joints, rad/s or m/s; nil: JointSpec.Velocity.
	Velocity kinds.Numbers `key:"velocity,inf" unit:"rad/s or m/s" doc:"bound of the velocity of planned motions, and of what position error and target command together, of all joints or of each" above:"0" default:"as the robot's file says, else none"`
	// Acceleration bounds planned motions, rad/s² or m/s²; nil: none.
	Acceleration kinds.Numbers `key:"acceleration,inf" unit:"rad/s² or m/s²" doc:"bound of the acceleration of planned motions, of all joints or of each" above:"0" default:"none"`
}

// PayloadSpec is a point mass on a link, which a controller compensates.
type PayloadSpec struct {
	// Link is the name of the link that carries the mass.
	Link string `key:"link,required" doc:"link of the robot that carries it"`
	// Mass is the mass, kg.
	Mass float64 `key:"mass,required" unit:"kg" doc:"its mass" min:"0"`
	// Com is the position of the mass in the link's frame, m.
	Com r3.Vec `key:"com" unit:"m" doc:"its centre of mass in the frame of the link"`
}

// CartesianSpec is Cartesian impedance control: a spring and damper that pulls a frame of a
// robot to the pose that follows from the target of the joints, by efforts of the joints.
type CartesianSpec struct {
	ToolFrame
	// Stiffness is the translational stiffness of the frame's origin, N/m.
	Stiffness float64 `key:"stiffness" unit:"N/m" doc:"stiffness of the origin of the frame" min:"0"`
	// Damping is the translational damping of the frame's origin, N s/m.
	Damping float64 `key:"damping" unit:"N s/m" doc:"damping of the origin of the frame" min:"0"`
	// RotationalStiffness is the rotational stiffness of the frame, N m/rad.
	RotationalStiffness float64 `key:"rotational_stiffness" unit:"N m/rad" doc:"stiffness of the rotation of the frame" min:"0"`
	// RotationalDamping is the rotational damping of the frame, N m s/rad.
	RotationalDamping float64 `key:"rotational_damping" unit:"N m s/rad" doc:"damping of the rotation of the frame" min:"0"`
}

// AddTo implements Drive.
func (d *RobotDrive) AddTo(b *Builder, name string) {
	b.jointDrives = append(b.jointDrives, jointsItem{name, d})
}

// makeJoints implements jointsSpec. Each joint has a constraint of its own.
func (d *RobotDrive) makeJoints(r *Resolver, name string) (list []constraints.Constraint, joints []string, err error) {
	c, joints, err := d.make(r)
	if err != nil {
		return nil, nil, err
	}
	if t, ok := c.trajectory.(*teleoperation); ok {
		t.drive, c.teleop = name, len(teleopsOf(r.model))
	}
	c.name, c.first = name, len(r.model.Constraints)
	number := len(robotsOf(r.model))
	for i, dof := range c.dofs {
		list = append(list, robotJoint{control: c, robot: number, joint: i, dof: dof})
	}
	return list, joints, nil
}

// make returns the controller and the names of its joints.
func (d *RobotDrive) make(r *Resolver) (*robotControl, []string, error) {
	robot, err := d.find(r)
	if err != nil {
		return nil, nil, err
	}
	n := len(robot.Joints)
	c := &robotControl{dofs: robot.Dofs, velocity: robot.Velocity, gravity: d.GravityCompensation, inverse: d.InverseDynamics, known: d.known(r)}
	// Gains and bounds: zero where none is given. A bound of effort may be infinite, a gain may not.
	for _, g := range []struct {
		key   string
		given kinds.Numbers
		to    *[]float64
	}{{"kp", d.Kp, &c.kp}, {"kd", d.Kd, &c.kd}, {"effort", d.Effort, &c.effort}} {
		if *g.to, err = g.given.Of(n, 0); err != nil {
			return nil, nil, fmt.Errorf("%s %w (%s)", g.key, err, strings.Join(robot.Joints, ", "))
		}
		for i, x := range *g.to {
			if !(x >= 0) || math.IsInf(x, 1) && g.key != "effort" {
				return nil, nil, fmt.Errorf("%s of %s is %g: it must not be negative", g.key, robot.Joints[i], x)
			}
		}
	}
	// without a bound of its own the drive has that of the robot's file, where 0 says none
	for i := range c.effort {
		if d.Effort == nil {
			c.effort[i] = r.limits[d.full(robot.Joints[i])].effort
		}
		if c.effort[i] == 0 {
			c.effort[i] = math.Inf(1)
		}
	}
	// feed forward is computed tree by tree: the controller may drive joints of several trees
	for _, dof := range robot.Dofs {
		if tree := r.model.Rigid.TreeOfDof(dof); !slices.Contains(c.trees, tree) {
			c.trees = append(c.trees, tree)
		}
	}
	// links alone carry it: the world, number −1, has no joint that carries a weight
	if p := d.Payload; p != nil {
		link, err := d.link(r, p.Link)
		if err != nil {
			return nil, nil, fmt.Errorf("payload: link: %w", err)
		}
		c.payload = &rigid.Payload{Link: link, Mass: p.Mass, Com_B: p.Com}
	}
	if err := d.couple(r, c); err != nil {
		return nil, nil, err
	}
	// targets come last: inverse kinematics takes long, and faults of numbers are reported before
	c.trajectory = standing(robot.Start)
	if d.Target != nil {
		if c.trajectory, err = d.Target.Make(robot); err != nil {
			return nil, nil, fmt.Errorf("target: %w", err)
		}
	}
	return c, robot.Joints, nil
}

// link returns the number of a link. The world is none: no joint moves it.
func (d *RobotDrive) link(r *Resolver, name string) (int, error) {
	link, err := r.RigidBody(d.full(name))
	if err == nil && link < 0 {
		err = fmt.Errorf("%s is the world, which no joint moves: name a link of the robot", name)
	}
	return link, err
}

// couple sets what couples the joints of the controller: the inertia as a factor of gains, and the spring of
// a frame, equations (1) to (4) of robot_coupled.go.
func (d *RobotDrive) couple(r *Resolver, c *robotControl) error {
	if c.inertial = d.Gains == "acceleration"; c.inertial {
		// diag(kp) M is symmetric for equal gains only, and a force −S v has a potential for symmetric S
		for i := range c.kp {
			if c.kp[i] != c.kp[0] || c.kd[i] != c.kd[0] {
				return errors.New("gains: acceleration wants one kp and one kd for all joints: other gains have no potential with the inertia")
			}
		}
	}
	p := d.Cartesian
	if p == nil {
		return nil
	}
	link, err := d.link(r, p.Link)
	if err != nil {
		return fmt.Errorf("cartesian: link: %w", err)
	}
	c.frame = &robotFrame{link: link, X_BF: r3.PoseIdentity()}
	if p.Tool != nil {
		c.frame.X_BF = p.Tool.OrIdentity()
	}
	for _, g := range [4]struct {
		key   string
		value float64
	}{{"stiffness", p.Stiffness}, {"damping", p.Damping}, {"rotational_stiffness", p.RotationalStiffness}, {"rotational_damping", p.RotationalDamping}} {
		if !(g.value >= 0) || math.IsInf(g.value, 1) {
			return fmt.Errorf("cartesian: %s is %g: it must be finite and not negative", g.key, g.value)
		}
	}
	// order of a twist: rotations in rows 0 to 2, translations in rows 3 to 5
	for i := range 3 {
		c.frame.k[i], c.frame.d[i] = p.RotationalStiffness, p.RotationalDamping
		c.frame.k[3+i], c.frame.d[3+i] = p.Stiffness, p.Damping
	}
	return nil
}

// full returns the name of a link or joint in the model: ROBOT.NAME, as files of robots are loaded.
func (d *RobotDrive) full(name string) string {
	if d.Robot == "" {
		return name
	}
	return d.Robot + "." + name
}

// known marks the links of the robot: those whose names begin with its own. Objects in a hand, and a
// second robot that the first one carries, are none of them, so their weight is no feed forward. Without a
// name of the robot all links are its own.
func (d *RobotDrive) known(r *Resolver) []bool {
	m := r.model.Rigid
	known := make([]bool, m.NumLinks())
	for i := range known {
		known[i] = d.Robot == "" || strings.HasPrefix(m.LinkName(i), d.Robot+".")
	}
	return known
}

// find returns the joints that are driven, with limits (m or rad), start and bounds of planned motions.
func (d *RobotDrive) find(r *Resolver) (*DrivenRobot, error) {
	m := r.model
	robot := &DrivenRobot{robot: d.Robot, r: r, Joints: d.Joints}
	if d.Joints == nil {
		robot.Joints = d.ownJoints(r)
	}
	if len(robot.Joints) == 0 {
		return nil, fmt.Errorf("no robot with joints is called %q%s", d.Robot, kinds.Suggest(d.Robot, robotNames(m.Names)))
	}
	for i, name := range robot.Joints {
		dof, err := r.Joint(d.full(name))
		switch {
		case err != nil:
			return nil, err
		case slices.Contains(robot.Dofs, dof):
			return nil, fmt.Errorf("joints[%d]: %s is listed twice", i, name)
		}
		if leader, _, follows := m.Rigid.Leader(dof); follows {
			return nil, fmt.Errorf("joints[%d]: %s is a mimic joint and moves with %s: leave it out, or list that one", i, name, m.Names.joint(leader))
		}
		// what targets plan with, in the order of the joints
		limits := r.limits[d.full(name)]
		robot.Dofs = append(robot.Dofs, dof)
		robot.Lower, robot.Upper = append(robot.Lower, limits.lower), append(robot.Upper, limits.upper)
		robot.Start = append(robot.Start, m.Start.Q[m.Rigid.QStart(m.Rigid.LinkOfDof(dof))])
		robot.Velocity = append(robot.Velocity, limits.velocity)
	}
	return robot, d.plan(robot)
}

// plan sets the bounds of planned motions, +Inf where there is none: those of the drive go before those of
// the robot's file.
func (d *RobotDrive) plan(robot *DrivenRobot) (err error) {
	n := len(robot.Joints)
	if d.Velocity != nil {
		if robot.Velocity, err = d.Velocity.Of(n, 0); err != nil {
			return fmt.Errorf("velocity %w", err)
		}
	}
	// robot files state no bound of acceleration
	if robot.Acceleration, err = d.Acceleration.Of(n, math.Inf(1)); err != nil {
		return fmt.Errorf("acceleration %w", err)
	}
	for i := range n {
		if robot.Velocity[i] == 0 {
			robot.Velocity[i] = math.Inf(1)
		}
		if !(robot.Velocity[i] > 0) || !(robot.Acceleration[i] > 0) {
			return fmt.Errorf("velocity and acceleration of %s are %g and %g: they must be positive", robot.Joints[i], robot.Velocity[i], robot.Acceleration[i])
		}
	}
	return nil
}

// ownJoints returns the joints of the robot that follow no other, in the order of their dofs. Joints that
// follow are moved by the coupler that ties them to the joint that leads.
func (d *RobotDrive) ownJoints(r *Resolver) []string {
	var joints []string
	for name := range r.model.Names.Joints {
		if rest, ok := strings.CutPrefix(name, d.Robot+"."); ok && d.Robot != "" && !r.followers[name] {
			joints = append(joints, rest)
		}
	}
	// a map has no order, and gains and targets are given in that of the robot
	slices.SortFunc(joints, func(a, b string) int {
		return r.model.Names.Joints[d.full(a)] - r.model.Names.Joints[d.full(b)]
	})
	return joints
}

// robotNames returns the names before the first dot of joints, sorted: the robots that a message may suggest.
func robotNames(names *Names) []string {
	var list []string
	for name := range names.Joints {
		if robot, _, ok := strings.Cut(name, "."); ok && !slices.Contains(list, robot) {
			list = append(list, robot)
		}
	}
	slices.Sort(list)
	return list
}
