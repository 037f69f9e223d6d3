package sim

// The controller of a joint with position q and velocity v applies the effort
//
//	u = Kp (q_d − q) + Kd (q̇_d − v) + u_ff,  |u| ≤ u_max                     (1)
//
// at the end of the step, with the target q_d(t), the feed forward u_ff(t) and the bound
// u_max(t). The velocity that it commands, q̇_d + Kp/Kd (q_d − q), keeps within a limit, as that of a servo
// (constraints/velocity_limit.go). It is implicit in the step, so that stiff gains are stable; see
// constraints.PD. A drive of velocity has Kp = 0 and q̇_d(t) given.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/kinds"
	"github.com/curlfree/curlfree/motion"
)

var _ = Drives.Register(kinds.Kind[Drive]{
	Name: "joint",
	Doc:  "Controller of a joint with one degree of freedom: a spring and a damper to a target, with bounded effort.",
	New:  func() Drive { return &JointDrive{} },
	Samples: func() []Drive {
		return []Drive{
			&JointDrive{Joint: "arm", Kp: 20, Kd: 1, Target: motion.Constant(0.5), Effort: motion.Constant(5)},
			&JointDrive{Joint: "cart", Kd: 50, Velocity: motion.Constant(0.1), FeedForward: motion.Constant(1)},
		}
	},
})

// JointDrive is the PD controller (servo) of a joint with one degree of freedom.
type JointDrive struct {
	// Joint is the name of the joint.
	Joint string `key:"joint,required" doc:"joint with one degree of freedom" ref:"joint"`
	// Kp is the position gain, N/m or N m/rad.
	Kp float64 `key:"kp" unit:"N m/rad or N/m" doc:"position gain" min:"0"`
	// Kd is the velocity gain, N s/m or N m s/rad.
	Kd float64 `key:"kd" unit:"N m s/rad or N s/m" doc:"velocity gain" min:"0"`
	// Target is the target position over time, m or rad; nil: zero.
	Target motion.Motion `key:"target" unit:"rad or m" doc:"position over time" default:"0"`
	// Velocity is the target velocity over time, m/s or rad/s, in place of Target and without
	// Kp.
	Velocity motion.Motion `key:"velocity" unit:"rad/s or m/s" doc:"velocity over time, in place of target and without kp"`
	// FeedForward is an effort that is added, N or N m; nil: none.
	FeedForward motion.Motion `key:"feed_forward" unit:"N m or N" doc:"effort that is added" default:"0"`
	// Effort bounds the magnitude of the effort, N or N m; nil: JointSpec.Effort.
	Effort motion.Motion `key:"effort,inf" unit:"N m or N" doc:"bound of the effort's magnitude" default:"as a robot's file says, else none"`
	// VelocityLimit bounds the velocity that the drive commands, m/s or rad/s; 0: JointSpec.Velocity.
	VelocityLimit float64 `key:"velocity_limit,inf" unit:"rad/s or m/s" doc:"bound of the velocity that position error and target command together; it takes a kd" min:"0" default:"as a robot's file says, else none"`
}

// AddTo implements Drive.
func (d *JointDrive) AddTo(b *Builder, name string) { b.AddDriveConstraint(name, d) }

// Reference returns the target motion of the joint: Target, or the integral of
// Velocity; nil for none.
func (d *JointDrive) Reference() motion.Motion {
	if d.Target == nil && d.Velocity != nil {
		return velocityTarget{d.Velocity}
	}
	return d.Target
}

// Make implements DriveConstraintSpec.
func (d *JointDrive) Make(r *Resolver) (constraints.Constraint, error) {
	// what cannot go together
	dof, err := r.Joint(d.Joint)
	switch {
	case err != nil:
		return nil, err
	case d.Target != nil && d.Velocity != nil:
		return nil, errors.New("target and velocity exclude each other")
	case d.Velocity != nil && d.Kp != 0:
		return nil, errors.New("a drive with a target velocity uses kd only: leave out kp")
	case d.VelocityLimit > 0 && !math.IsInf(d.VelocityLimit, 1) && d.Kd == 0:
		return nil, errors.New("velocity_limit takes a kd, the gain of the velocity that it bounds: give kd, or leave the limit out")
	}
	c := &constraints.PD{Dof: dof, Kp: d.Kp, Kd: d.Kd, VelocityLimit: d.VelocityLimit}
	if c.VelocityLimit == 0 {
		c.VelocityLimit = r.limits[d.Joint].velocity
	}
	// target over time; none holds zero position
	if m := d.Reference(); m != nil {
		c.Target = m
	}
	if d.FeedForward != nil {
		c.FeedForward = valueOf(d.FeedForward)
	}
	return c, d.limit(c, r.limits[d.Joint].effort)
}

// limit sets the bound of the effort; bound is that of the joint, 0 for none.
func (d *JointDrive) limit(c *constraints.PD, bound float64) error {
	constant, ok := motion.ConstantValue(d.Effort)
	switch {
	case d.Effort == nil:
	case ok:
		if bound = constant; !(bound > 0) {
			return fmt.Errorf("effort is %g: a limit must be positive", bound)
		}
	default:
		if p, ok := d.Effort.(*motion.Piecewise); ok {
			for _, v := range p.Values {
				if v < 0 {
					return fmt.Errorf("effort: %g in its values: a limit must not be negative", v)
				}
			}
			// a table is meant to act: a bound of no effort is a mistake
			if d.Kp == 0 && d.Kd == 0 && d.FeedForward == nil {
				return errors.New("effort bounds an effort that this drive does not have: write feed_forward: {times: …} to apply one over time, or give kp or kd; where a controller commands the effort, feed_forward: 0")
			}
		}
		c.Limit = valueOf(d.Effort)
		return nil
	}
	if bound > 0 && !math.IsInf(bound, 1) {
		c.Min, c.Max = -bound, bound
	}
	return nil
}

// valueOf returns a motion without its rate.
func valueOf(m motion.Motion) func(t float64) float64 {
	return func(t float64) float64 {
		x, _ := m.At(t)
		return x
	}
}

// velocityTarget is the target of a drive of velocity.
type velocityTarget struct{ v motion.Motion }

// At implements constraints.Target: the position is not used, because Kp is zero.
func (t velocityTarget) At(time float64) (x, dx float64) {
	v, _ := t.v.At(time)
	return 0, v
}
