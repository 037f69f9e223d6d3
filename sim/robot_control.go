package sim

// A controller of a robot makes one term of one equation for each joint, which adds to the diagonal of H
// alone. A coupled one (robot_coupled.go) makes one term of all joints with its first joint. The
// setpoints q_d, q̇_d and the feed forward, (1) to (3) of drive_robot.go, are computed once a step, from the placed
// links: before the free motion, which gets the feed forward that the step will apply.

import (
	"slices"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/r3"
	"github.com/curlfree/curlfree/rigid"
)

// robotControl is the controller of a robot: immutable, of the model.
type robotControl struct {
	name           string
	first          int       // constraint of its first joint; the others follow
	dofs           []int     // velocities of the model, in the order of the joints
	kp, kd, effort []float64 // of each joint; effort +Inf: no bound
	velocity       []float64 // bound of the velocity that is commanded, where joints are not coupled; +Inf: none
	trees          []int     // that have the joints
	known          []bool    // links that the controller includes
	payload        *rigid.Payload
	gravity        bool
	inverse        bool
	inertial       bool        // the inertia multiplies kp and kd
	frame          *robotFrame // nil: no spring of a frame
	trajectory     Trajectory
	teleop         int               // number of its teleoperation, where trajectory is one
	frictions      []plannedFriction // of the joints that it includes
	dependents     *dependents       // what moves with its joints, nil: nothing but what they carry
}

// robotFrame is the spring and damper of a frame, rotations first.
type robotFrame struct {
	link int
	X_BF r3.Pose
	k, d [6]float64
}

// coupled reports whether efforts of joints depend on the motion of others.
func (c *robotControl) coupled() bool { return c.inertial || c.frame != nil }

// robotSetpoint is what a controller wants in one step: scratch of a stepper.
type robotSetpoint struct {
	q, v, a     []float64 // of its joints
	rest        []float64 // zeros of its joints
	vAll, aAll  []float64 // of all velocities of the model, zero but for its joints
	feedForward []float64 // likewise
	all         []float64 // efforts of all velocities
	friction    []float64 // of each friction of the controller, N or N m
	dependents  *dependentMotion

	// of a coupled controller
	law     constraints.CoupledControl
	target  *rigid.Data // links where the target puts them
	qAll    []float64   // their positions
	columns []int       // joint of each velocity of the model, or −1
	J       []float64   // Jacobian of the frame
	inertia []float64   // a column of the inertia
}

// robots is the planner of the robots of a model.
type robots struct {
	list      []*robotControl
	setpoints []robotSetpoint
	expected  []float64 // feed forward of all robots, N or N m, by velocity
}

// robotsOf returns the controllers of the robots of a model, in the order of their constraints.
func robotsOf(m *Model) (list []*robotControl) {
	for _, c := range m.Constraints {
		if j, ok := c.(robotJoint); ok && j.joint == 0 {
			list = append(list, j.control)
		}
	}
	return list
}

// newRobots returns the robots of a stepper, with memory of full size, so that steps allocate nothing.
func newRobots(s *Stepper, all []*robotControl) *robots {
	m := s.Model
	list := make([]robotSetpoint, len(all))
	for i, c := range all {
		n, nv := len(c.dofs), m.Rigid.NumV()
		list[i] = robotSetpoint{
			q: make([]float64, n), v: make([]float64, n), a: make([]float64, n), rest: make([]float64, n),
			vAll: make([]float64, nv), aAll: make([]float64, nv), feedForward: make([]float64, nv),
			friction: make([]float64, len(c.frictions)),
		}
		if c.dependents != nil {
			list[i].all, list[i].dependents = make([]float64, nv), newDependentMotion(s, c)
		}
		if at := &list[i]; c.coupled() {
			at.law.Resize(n)
			at.target, at.qAll = m.Rigid.NewData(), make([]float64, m.Rigid.NumQ())
			at.J, at.inertia, at.columns = make([]float64, 6*n), make([]float64, nv), make([]int, nv)
			for k := range at.columns {
				at.columns[k] = -1
			}
			for k, dof := range c.dofs {
				at.columns[dof] = k
			}
		}
	}
	return &robots{list: all, setpoints: list, expected: make([]float64, m.Rigid.NumV())}
}

// plan implements planner: it computes what the controllers of robots want at the end of the step, and gives the free
// motion which efforts it may expect of them.
func (r *robots) plan(s *Stepper, x *State) {
	clear(r.expected)
	// the drive is implicit: its targets are those of the end of the step
	t := s.Problem.Time + s.Problem.H
	for i, c := range r.list {
		at := &r.setpoints[i]
		if _, operated := c.trajectory.(*teleoperation); operated && actorOf[*operator](s).teleops[c.teleop].numbers != nil {
			actorOf[*operator](s).teleops[c.teleop].plan(t, at)
		} else {
			c.trajectory.At(t, at.q, at.v, at.a)
		}
		at.takeTargets(s, c)
		if c.dependents != nil {
			at.dependents.placeDependents(s, c)
		}
		// the inertia takes the feed forward as scratch, so that it comes first
		if c.inertial {
			at.inertialLaw(s, c, x)
		}
		if c.gravity || c.inverse {
			at.plannedEfforts(s, c, x, r.expected)
		}
		at.addInputs(s, c)
		if c.coupled() {
			at.coupledLaw(s, c, x)
		}
	}
	s.rigid.ExpectEfforts(r.expected)
}

// takeTargets replaces setpoints by the targets that are commanded to joints of a robot.
func (at *robotSetpoint) takeTargets(s *Stepper, c *robotControl) {
	for k := range c.dofs {
		for _, command := range s.inputs.constraints[c.first+k].(robotJoint).commands {
			if command.Given&constraints.TargetCommand != 0 {
				// a command has no acceleration that inverse dynamics could plan
				at.q[k], at.v[k], at.a[k] = command.Position, command.Velocity, 0
			}
		}
	}
}

// addInputs adds the inputs that are commanded to joints of a robot to what it compensates, which was computed in this
// step.
func (at *robotSetpoint) addInputs(s *Stepper, c *robotControl) {
	for k, dof := range c.dofs {
		input := 0.0
		for _, command := range s.inputs.constraints[c.first+k].(robotJoint).commands {
			if command.Given&constraints.InputCommands != 0 {
				input = command.Input
			}
		}
		if !c.gravity && !c.inverse {
			at.feedForward[dof] = 0
		}
		if input != 0 {
			at.feedForward[dof] += input
		}
	}
}

// plannedEfforts writes the feed forward, and what the free motion may expect of it.
func (at *robotSetpoint) plannedEfforts(s *Stepper, c *robotControl, x *State, expected []float64) {
	if w := at.dependents; w != nil {
		v, a := at.v, at.a
		if !c.inverse {
			v, a = nil, at.rest
		}
		at.ledEfforts(s, c, x, v, a, false, at.feedForward)
		w.expectDependents(c, at.feedForward, expected)
		at.addFriction(c, -1, expected)
		return
	}
	at.setPlan(c, c.inverse)
	for _, tree := range c.trees {
		s.rigid.PlannedEfforts(tree, c.known, s.Model.Gravity, at.vAll, at.aAll, c.payload, at.feedForward)
	}
	at.planFriction(s, c, at.vAll, at.aAll)
	at.addFriction(c, 1, at.feedForward)
	for k, dof := range c.dofs {
		expected[dof] += min(max(at.feedForward[dof], -c.effort[k]), c.effort[k])
	}
	at.addFriction(c, -1, expected) // which friction takes
}

// setPlan writes the planned velocities and accelerations of all joints of the model, zero where
// nothing is planned.
func (at *robotSetpoint) setPlan(c *robotControl, planned bool) {
	for k, dof := range c.dofs {
		at.vAll[dof], at.aAll[dof] = 0, 0
		if planned {
			at.vAll[dof], at.aAll[dof] = at.v[k], at.a[k]
		}
	}
}

// robotJoint is the controller of one joint of a robot. The first joint of a coupled controller
// appends the term of all of them.
type robotJoint struct {
	control           *robotControl
	robot, joint, dof int                    // robot among those of the model, joint among its own
	commands          []*constraints.Command // to which it is bound; the last one that gives a target or input counts
}

var _ constraints.Commanded = robotJoint{}

// Actuation implements constraints.Commanded. Inputs add to what the robot compensates.
func (j robotJoint) Actuation() constraints.Actuation {
	return constraints.Actuation{
		Takes: constraints.TargetCommand | constraints.EffortCommand,
		Along: constraints.JointSum{Dofs: []int{j.dof}, Coefficients: []float64{1}}, Gain: 1,
	}
}

// Bind implements constraints.Commanded.
func (j robotJoint) Bind(c *constraints.Command) constraints.Constraint {
	j.commands = append(slices.Clip(j.commands), c)
	return j
}

// Append implements constraints.Constraint with one term of one equation, or of one for each joint
// of a coupled controller. The setpoints belong to the stepper whose kinematics these are.
func (j robotJoint) Append(k constraints.Kinematics, p *cliques.Problem) int {
	s := k.(kinematics).s
	c, at := j.control, &s.planner.(*robots).setpoints[j.robot]
	if c.coupled() {
		// the other joints have rows in the term of the first one
		if j.joint > 0 {
			return 0
		}
		p.AddConstraint(&at.law)
		for i, dof := range c.dofs {
			k.DofRow(p, i, dof, 1)
		}
		return 1
	}
	dof, most := c.dofs[j.joint], c.effort[j.joint]
	set := constraints.Setpoint{
		Dof: dof, Kp: c.kp[j.joint], Kd: c.kd[j.joint], Q: at.q[j.joint], V: at.v[j.joint],
		FeedForward: at.feedForward[dof], Min: -most, Max: most,
		VelocityLimit: c.velocity[j.joint],
	}
	return set.Append(k, p)
}

// effortRow implements sharedConstraint: a coupled controller has the efforts of all its joints in the constraint of
// the first one.
func (j robotJoint) effortRow(i int) (constraint, row int) {
	if j.control.coupled() {
		return i - j.joint, j.joint
	}
	return i, 0
}
