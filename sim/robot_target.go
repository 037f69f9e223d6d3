package sim

import (
	"fmt"
	"math"
	"strings"

	"github.com/curlfree/curlfree/ik"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/r3"
)

// RobotTargets are the registered kinds of targets of robots.
var RobotTargets = kinds.NewRegistry[RobotTarget]("robot target", "Where the joints of a robot drive go over time.").In(kinds.Keyed)

// RobotTarget is the parameters of a target motion of the joints of a robot. It is computed before the
// first step, so that a run needs no inverse kinematics and a state no memory of it: runs of different
// step lengths follow the same motion, and a pose out of reach is a fault of the scene, not of a step.
type RobotTarget interface {
	// Make returns the trajectory of the driven joints.
	Make(r *DrivenRobot) (Trajectory, error)
}

// DrivenRobot describes the joints that a robot drive moves, each with one degree of freedom. Lists
// have a number for each joint, in the order of the drive, which is that of gains, targets and
// trajectories.
type DrivenRobot struct {
	// Joints are their names, without that of the robot.
	Joints []string
	// Dofs are their degrees of freedom.
	Dofs []int
	// Start are their initial positions, m or rad.
	Start []float64
	// Lower and Upper are their limits, m or rad.
	Lower, Upper []float64
	// Velocity and Acceleration bound planned motions, m/s or rad/s and per second; +Inf: no bound.
	Velocity, Acceleration []float64

	robot string    // name, with which names of its links begin; empty: names in full
	r     *Resolver // names of bodies, for frames and for what to keep away from
}

// index returns the place of a joint in the lists, by its name.
func (d *DrivenRobot) index(joint string) (int, error) {
	for i, name := range d.Joints {
		if name == joint {
			return i, nil
		}
	}
	return 0, fmt.Errorf("the drive moves no joint %q%s", joint, kinds.Suggest(joint, d.Joints))
}

// checkPositions returns an error unless positions (m or rad) are within the limits.
func (d *DrivenRobot) checkPositions(q []float64) error {
	if len(q) != len(d.Joints) {
		return fmt.Errorf("%d positions for the %d joints of the drive (%s): give one for each", len(q), len(d.Joints), strings.Join(d.Joints, ", "))
	}
	for i, x := range q {
		switch {
		case math.IsNaN(x - x):
			return fmt.Errorf("%s: %g is no position", d.Joints[i], x)
		case x < d.Lower[i]-limitSlack || x > d.Upper[i]+limitSlack:
			return fmt.Errorf("%s: %g is beyond its limits, %g to %g", d.Joints[i], x, d.Lower[i], d.Upper[i])
		}
	}
	return nil
}

// checkSpeed returns an error where a trajectory is faster than the bounds of velocity, at any of some
// times (s). Trajectories whose extremes are known in closed form need none of this.
func (d *DrivenRobot) checkSpeed(tr Trajectory, times func(yield func(t float64) bool)) error {
	n := len(d.Joints)
	q, v, a := make([]float64, n), make([]float64, n), make([]float64, n)
	for t := range times {
		tr.At(t, q, v, a)
		for i, x := range v {
			if math.Abs(x) > d.Velocity[i]*(1+speedSlack) {
				return fmt.Errorf("at %.4g s %s moves at %.4g, above its velocity limit %g", t, d.Joints[i], x, d.Velocity[i])
			}
		}
	}
	return nil
}

// speedSlack is the share by which a table may exceed a bound of velocity: numbers of files are rounded, and
// a motion that another program planned at the bound should pass.
const speedSlack = 1e-3

// limitSlack is by how much a position may be beyond a limit that a file rounds, m or rad.
const limitSlack = 1e-6

// ToolFrame is a frame of a robot (end effector) that follows poses: that of a link, or of a
// tool on it.
type ToolFrame struct {
	// Link is the name of the link in the robot's file.
	Link string `key:"link,required" doc:"link of the robot that carries the frame"`
	// Tool is the pose of the tool frame in the link's frame; nil: the link's frame itself.
	Tool *r3.Pose `key:"tool" doc:"frame on the link, such as the point between the fingers" default:"that of the link"`
}

// link returns the number of a link, by its name in the robot's file.
func (d *DrivenRobot) link(name string) (int, error) {
	if d.robot != "" {
		name = d.robot + "." + name
	}
	link, err := d.r.RigidBody(name)
	if err == nil && link < 0 {
		err = fmt.Errorf("link: a link of the robot is expected, not the world")
	}
	return link, err
}

// solver returns inverse kinematics of the driven joints for a frame, with the joints at the
// start of the model. Joints that the drive does not move are taken to stay where the model starts: the
// frame misses its poses where they move in the run. The velocity (rad/s or m/s) bounds joints without a limit; 0:
// none.
func (d *DrivenRobot) solver(f *ToolFrame, velocity float64) (*ik.Solver, error) {
	link, err := d.link(f.Link)
	if err != nil {
		return nil, err
	}
	m := d.r.model
	robot := ik.Robot{Rigid: m.Rigid, Geometry: m.Geometry}
	for i, dof := range d.Dofs {
		// DrivenRobot has +Inf for no bound, ik.Joint 0
		joint := ik.Joint{Dof: dof, Lower: d.Lower[i], Upper: d.Upper[i]}
		if joint.Velocity = d.Velocity[i]; math.IsInf(joint.Velocity, 1) {
			joint.Velocity = velocity
		}
		if !math.IsInf(d.Acceleration[i], 1) {
			joint.Acceleration = d.Acceleration[i]
		}
		robot.Joints = append(robot.Joints, joint)
	}
	s, err := ik.NewSolver(robot)
	if err != nil {
		return nil, err
	}
	nq, _ := m.RigidSize()
	s.SetPositions(m.Start.Q[:nq])
	// weights, s²/m² and s²/rad²: 1 rad/s counts as 1 m/s
	frame := ik.Frame{Link: link, X_BF: r3.PoseIdentity(), Position: 1, Rotation: 1}
	if f.Tool != nil {
		frame.X_BF = f.Tool.OrIdentity()
	}
	frame.X_WF = r3.PoseIdentity()
	s.Frames = []ik.Frame{frame}
	return s, nil
}
