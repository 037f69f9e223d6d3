package sim

// An actuator pulls along a sum l of joint positions, as motors, servos and fixed tendons of MuJoCo do:
//
//	f = (g₀ + g₁ l + g₂ l̇) u + b₀ + b₁ l + b₂ l̇,   l = Σ c_i q_i                 (1)
//
// It is implicit in the step, see constraints.Actuator. Control u(t) is in its range, or is the
// integral of a rate that the control states,
//
//	u(t) = clamp(u_0 + ∫ w dt, u_lo, u_hi)                                       (2)
//
// which a servo of speed follows. The range bounds the integral, not what was integrated beyond it: for a
// rate that changes its sign there, MuJoCo turns back at once.

import (
	"errors"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/constraints"
	"github.com/curlfree/curlfree/motion"
)

// Actuator is a drive that applies a force along a weighted sum of joint positions, as MuJoCo's
// actuators do. It comes from robot files and is not a kind that scenes may name.
type Actuator struct {
	// Joints are names of joints with one degree of freedom.
	Joints []string
	// Coefficients are the factors c_i of the joints in l, as many as Joints.
	Coefficients []float64
	// Gain is g of (1), which multiplies the control: N or N m per unit of u, of u l and of u
	// l̇.
	Gain [3]float64
	// Bias is b of (1): N or N m, per unit of l and per unit of its rate.
	Bias [3]float64
	// Force bounds the force, N or N m; nil: none.
	Force *[2]float64
	// Control is u, or its rate w, over time; nil: 0.
	Control motion.Motion
	// ControlRange bounds u, or the rate; nil: none.
	ControlRange *[2]float64
	// Integral makes u the time integral of Control; nil: u is Control itself.
	Integral *ControlIntegral
}

// ControlIntegral is the start and range of a control that is integrated.
type ControlIntegral struct {
	// Start is u at the time 0.
	Start float64
	// Range bounds u; nil: none.
	Range *[2]float64
}

// AddTo implements Drive.
func (d *Actuator) AddTo(b *Builder, name string) { b.AddDriveConstraint(name, d) }

// Make implements DriveConstraintSpec.
func (d *Actuator) Make(r *Resolver) (constraints.Constraint, error) {
	c := &constraints.Actuator{Gain: d.Gain, Bias: d.Bias, Min: math.Inf(-1), Max: math.Inf(1)}
	c.Coefficients = d.Coefficients
	for _, name := range d.Joints {
		dof, err := r.Joint(name)
		if err != nil {
			return nil, err
		}
		c.Dofs = append(c.Dofs, dof)
	}
	if d.Force != nil {
		c.Min, c.Max = d.Force[0], d.Force[1]
	}
	u, err := d.control()
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	c.Control = u
	return c, nil
}

// control returns u over time.
func (d *Actuator) control() (func(t float64) float64, error) {
	m := d.Control
	if m == nil {
		m = motion.Constant(0)
	}
	if d.Integral == nil {
		return bounded(valueOf(m), d.ControlRange), nil
	}
	// a constant rate in its range stays the same motion; of others the range would change the integral
	if x, ok := motion.ConstantValue(m); ok {
		m = motion.Constant(clampTo(x, d.ControlRange))
	}
	integral, ok := m.(motion.Integrable)
	if !ok {
		return nil, errors.New("the rate of this actuator is integrated: give a number, or a table of times and values")
	}
	start, before := d.Integral.Start, integral.Integral(0)
	return bounded(func(t float64) float64 { return start + integral.Integral(t) - before }, d.Integral.Range), nil
}

// bounded returns a function in a range; nil: without bounds.
func bounded(f func(t float64) float64, span *[2]float64) func(t float64) float64 {
	if span == nil {
		return f
	}
	return func(t float64) float64 { return clampTo(f(t), span) }
}

// clampTo returns x in a range; nil: without bounds.
func clampTo(x float64, span *[2]float64) float64 {
	if span == nil {
		return x
	}
	return math.Max(span[0], math.Min(x, span[1]))
}
