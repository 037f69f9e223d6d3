package constraints

// A PD controller with effort limits, implicit in the step:
//
//	u = clamp(−Kp (q0 + h v − q_d) − Kd (v − v_d) + u_ff, u_lo, u_hi),  γ = h u,
//
// with q_d and v_d at the end of the step. Under the midpoint rule the force is the mean of the step (6 of
// compliant.go), and q_d and v_d are those of its middle. It is the compliant row of error
// q0 − q_d, with its gains as given: at rest a load τ deflects the joint by τ/Kp for
// any step and inertia. Without gains it is a clamped feed-forward; with Kp = 0 a
// motor that holds a velocity.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Target is a set point (reference) as a function of time.
type Target interface {
	// At returns the wanted position (m or rad) and velocity (m/s or rad/s) at time
	// t (s).
	At(t float64) (x, dx float64)
}

// PD is a proportional-derivative controller, which drives a joint with one degree of freedom
// to a target.
type PD struct {
	// Dof is the degree of freedom of the joint, a number as Kinematics.Dof takes it.
	Dof int
	// Kp is the proportional gain, N/m or N m/rad.
	Kp float64
	// Kd is the derivative gain, N s/m or N m s/rad.
	Kd float64
	// Min and Max bound the effort, N or N m; both 0: no bounds.
	Min, Max float64
	// VelocityLimit bounds the velocity that position error and target command together, m/s or
	// rad/s, see velocity_limit.go; 0 or +Inf: no bound. It takes a Kd.
	VelocityLimit float64
	// Target is the set point; nil: zero.
	Target Target
	// Limit bounds the effort's magnitude over time (s), N or N m; nil: Min and Max alone.
	Limit func(t float64) float64
	// FeedForward is added to the effort, N or N m; nil: none.
	FeedForward func(t float64) float64
}

var _ Commanded = (*PD)(nil)

// Check implements Checker.
func (c *PD) Check() error {
	switch {
	case !(c.Kp >= 0) || math.IsInf(c.Kp, 1):
		return fmt.Errorf("constraints: controller of dof %d: Kp is %g, want a finite number ≥ 0", c.Dof, c.Kp)
	case !(c.Kd >= 0) || math.IsInf(c.Kd, 1):
		return fmt.Errorf("constraints: controller of dof %d: Kd is %g, want a finite number ≥ 0", c.Dof, c.Kd)
	case !(c.VelocityLimit >= 0):
		return fmt.Errorf("constraints: controller of dof %d: velocity limit %g, want a number ≥ 0 (0: none)", c.Dof, c.VelocityLimit)
	case !(c.Min <= c.Max):
		return fmt.Errorf("constraints: controller of dof %d: effort limits %g to %g, want the lower first", c.Dof, c.Min, c.Max)
	}
	return nil
}

// Actuation implements Commanded.
func (c *PD) Actuation() Actuation {
	return Actuation{TargetCommand | EffortCommand, JointSum{[]int{c.Dof}, []float64{1}}, 1}
}

// TargetAt implements Following.
func (c *PD) TargetAt(t float64) (x, dx float64, ok bool) {
	if c.Target == nil {
		return 0, 0, false
	}
	x, dx = c.Target.At(t)
	return x, dx, true
}

var _ Following = (*PD)(nil)

// Bind implements Commanded.
func (c *PD) Bind(command *Command) Constraint { return new(c.bound(command)) }

// bound returns the controller under a command.
func (c *PD) bound(command *Command) PD {
	pd := *c
	pd.Target, pd.FeedForward = boundTarget{command, c.Target}, boundInput(command, c.FeedForward)
	return pd
}

// Append implements Constraint with one term of one equation; its effort is
// γ/h, see Effort.
func (c *PD) Append(k Kinematics, p *cliques.Problem) int {
	end := p.H
	if p.Midpoint {
		end *= 0.5
	}
	at := c.setpoint(p.Time + end)
	return at.Append(k, p)
}

// setpoint returns the input of the controller at the end t of a step, s.
func (c *PD) setpoint(t float64) Setpoint {
	at := Setpoint{Dof: c.Dof, Kp: c.Kp, Kd: c.Kd, Min: math.Inf(-1), Max: math.Inf(1), VelocityLimit: c.VelocityLimit}
	if c.Target != nil {
		at.Q, at.V = c.Target.At(t)
	}
	if c.FeedForward != nil {
		at.FeedForward = c.FeedForward(t)
	}
	if c.Min != 0 || c.Max != 0 {
		at.Min, at.Max = c.Min, c.Max
	}
	if c.Limit != nil {
		m := math.Max(0, c.Limit(t))
		at.Min, at.Max = math.Max(at.Min, -m), math.Min(at.Max, m)
	}
	return at
}

// Setpoint is the input of a joint's PD controller in one step: target, gains, feed-forward
// effort and bounds.
type Setpoint struct {
	// Dof is the degree of freedom of the joint.
	Dof int
	// Kp and Kd are the gains, as of a PD.
	Kp, Kd float64
	// Q and V are the wanted position (m or rad) and velocity (m/s or rad/s) at the end of
	// the step.
	Q, V float64
	// FeedForward is added to the effort, N or N m.
	FeedForward float64
	// Min and Max bound the effort, N or N m; ∓Inf: no bound.
	Min, Max float64
	// VelocityLimit bounds the velocity that is commanded, as of a PD.
	VelocityLimit float64
}

// Append adds the term of the controller in this step, and returns 1 as Constraint.Append does.
func (c *Setpoint) Append(k Kinematics, p *cliques.Problem) int {
	q, _ := k.Dof(c.Dof)
	law := newCompliant(p, 1)
	law.rows[0] = row{
		g0: q - c.Q, k: c.Kp, d: c.Kd, vd: c.V, f: c.FeedForward, vmax: math.Inf(1),
		lo: p.H * c.Min, hi: p.H * c.Max, single: true,
		limit: velocityLimit{most: c.VelocityLimit},
	}
	p.AddConstraint(law)
	k.DofRow(p, 0, c.Dof, 1)
	return 1
}
