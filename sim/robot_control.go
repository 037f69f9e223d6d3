package sim

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/rigid"
)

// robotControl is the controller of a robot: immutable, of the model.
type robotControl struct {
	dofs           []int
	kp, kd, effort []float64 // of each joint; effort +Inf: no bound
	trees          []int     // that have the joints
	known          []bool    // links that the controller knows
	payload        *rigid.Payload
	gravity        bool
	inverse        bool
	trajectory     Trajectory
}

// robotSetpoint is what a controller wants in one step: scratch of a stepper.
type robotSetpoint struct {
	q, v, a     []float64 // of its joints
	vAll, aAll  []float64 // of all velocities of the model, zero but for its joints
	feedForward []float64 // likewise
}

// newSetpoints returns the scratch of the model's robots.
func newSetpoints(m *Model) []robotSetpoint {
	list := make([]robotSetpoint, len(m.robots))
	for i, c := range m.robots {
		n, nv := len(c.dofs), m.Rigid.NumV()
		list[i] = robotSetpoint{
			q: make([]float64, n), v: make([]float64, n), a: make([]float64, n),
			vAll: make([]float64, nv), aAll: make([]float64, nv), feedForward: make([]float64, nv),
		}
	}
	return list
}

// control computes what the controllers of robots want at the end of the step, after the free
// motion, whose placed links it reads.
func (s *Stepper) control() {
	t := s.Problem.Time + s.Problem.H
	for i, c := range s.Model.robots {
		at := &s.setpoints[i]
		c.trajectory.At(t, at.q, at.v, at.a)
		if !c.gravity && !c.inverse {
			continue
		}
		if c.inverse {
			for k, dof := range c.dofs {
				at.vAll[dof], at.aAll[dof] = at.v[k], at.a[k]
			}
		}
		gravity := s.Model.Gravity
		for _, tree := range c.trees {
			s.rigid.PlannedEfforts(tree, c.known, gravity, at.vAll, at.aAll, c.payload, at.feedForward)
		}
	}
}

// robotJoint is the controller of one joint of a robot.
type robotJoint struct {
	robot, joint int
}

var _ constraints.Constraint = robotJoint{}

// Append implements constraints.Constraint with one term of one equation. The setpoints belong to
// the stepper whose kinematics these are.
func (j robotJoint) Append(k constraints.Kinematics, p *cliques.Problem) int {
	s := k.(kinematics).s
	c, at := s.Model.robots[j.robot], &s.setpoints[j.robot]
	dof, most := c.dofs[j.joint], c.effort[j.joint]
	set := constraints.Setpoint{
		Dof: dof, Kp: c.kp[j.joint], Kd: c.kd[j.joint], Q: at.q[j.joint], V: at.v[j.joint],
		FeedForward: at.feedForward[dof], Min: -most, Max: most,
	}
	return set.Append(k, p)
}
