package constraints

// An actuator, as MuJoCo defines it, acts along a sum l of joint positions with a force that is linear
// in l, its rate, and a control u:
//
//	f = clamp((g₀ + g₁ l + g₂ l̇) u + b₀ + b₁ l + b₂ l̇, f_lo, f_hi)            (1)
//
// at the end of the step, with the gains g and biases b. Collected it is a spring and a damper,
//
//	f = −k l − d l̇ + f₀,   k = −(b₁ + g₁ u),  d = −(b₂ + g₂ u),  f₀ = g₀ u + b₀    (2)
//
// that is, implicit in the step, the compliant row of error l. Potentials are convex where k ≥ 0 and
// d ≥ 0; what pushes away (k < 0 or d < 0) acts with its force at the start of the step. Source: MuJoCo,
// Computation, Force generation.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Actuator applies a force along a weighted sum of joint positions (its transmission length l),
// as MuJoCo's actuators do. The force is linear in l, in its rate and in a control.
type Actuator struct {
	JointSum
	// Gain g multiplies the control u: the terms constant in l, per unit of l and per unit of
	// its rate, in N or N m per unit of u.
	Gain [3]float64
	// Bias b is the force without control: constant (N or N m), per unit of l and per unit of
	// its rate.
	Bias [3]float64
	// Min and Max bound the force, N or N m; ∓Inf: no bounds.
	Min, Max float64
	// Control is the control signal u as a function of time (s); nil: zero.
	Control func(t float64) float64
}

var _ Commanded = (*Actuator)(nil)

// Check implements Checker.
func (c *Actuator) Check() error {
	errs := []error{c.JointSum.Check()}
	for i := range 3 {
		errs = append(errs, checkFinite("gain", c.Gain[i]), checkFinite("bias", c.Bias[i]))
	}
	if !(c.Min <= c.Max) {
		errs = append(errs, fmt.Errorf("constraints: the force of an actuator is limited to %g to %g, want the lower first", c.Min, c.Max))
	}
	return errors.Join(errs...)
}

// Actuation implements Commanded. Where the gain follows l and l̇ these count as 1.
func (c *Actuator) Actuation() Actuation {
	gain := math.Abs(c.Gain[0]) + math.Abs(c.Gain[1]) + math.Abs(c.Gain[2])
	if gain == 0 {
		gain = 1 // any: the control has no effect
	}
	return Actuation{ControlCommand, c.JointSum, gain}
}

// Bind implements Commanded.
func (c *Actuator) Bind(command *Command) Constraint {
	a := *c
	a.Control = boundInput(command, c.Control)
	return &a
}

// Append implements Constraint with one term of one equation; its effort, see Effort, is f of (1).
func (c *Actuator) Append(k Kinematics, p *cliques.Problem) int {
	u := 0.0
	if c.Control != nil {
		u = c.Control(p.Time + p.H)
	}
	l, rate := c.At(k)
	// (2)
	e := row{g0: l, k: -(c.Bias[1] + c.Gain[1]*u), d: -(c.Bias[2] + c.Gain[2]*u), f: c.Bias[0] + c.Gain[0]*u}
	if e.k < 0 {
		e.k, e.f = 0, e.f-e.k*l
	}
	if e.d < 0 {
		e.d, e.f = 0, e.f-e.d*rate
	}
	e.vmax, e.lo, e.hi = math.Inf(1), p.H*c.Min, p.H*c.Max
	c.row(k, p, e)
	return 1
}
