// Package timestep has the rules by which a step integrates the motion of bodies in time.
//
// The unknown of a step of h (s) is the displacement velocity w of each body (m/s, rad/s), which moves it from its
// positions x to
//
//	x⁺ = x ⊕ h w                                                            (1)
//
// Gaps, loops, drives and friction act on w under every rule, so that they agree with where bodies go. Rules differ in
// how the change of the velocity v at the ends of the step follows from w,
//
//	Δv = v⁺ − v0 = (w − v0 + δ r′ Δv₋)/θ                                      (2)
//
// and in where forces of springs and elements are taken. With masses M, damping D and stiffness K, both rules give the
// convex problem of the step
//
//	A = M/θ + h D + κ h² K                                                    (3)
//	A (w − v0) = h [f_ext + f_el(x + α h v0) − D v0] − e h² K (v0 − r w₋) − δ r′ M Δv₋/θ + Jᵀγ      (4)
//
//	rule       θ        κ        α
//	Euler      1        1        1        symplectic Euler; x⁺ = x ⊕ h v⁺, first order
//	Midpoint   ½ + δ    ½ + e    ½        damped midpoint rule, second order
//
// w₋ and Δv₋ are those of the step before, of length h₋, with r = min(1, h₋/h) and r′ = min(1, h/h₋): what they would
// be in a step of h of the same velocity and acceleration, as far as (5) permits. They damp what changes from step to
// step, by ζ = ½ e (ω h)³ at the frequency ω (rad/s), and at high frequencies to the spectral radius 0.57 for e = δ =
// 0.05. The energy
//
//	E + Π,  Π = ½ δ |Δv|²_M + ½ e h² |w|²_K                                  (5)
//
// does not rise by the rule, for linear K and steps of any lengths, since what remains of Π is r′² and r² (h/h₋)² of
// it, none above 1: see docs/theory.md. A fall is the parabola in steps that shrink; in those that grow, bodies that
// only weight moved take r′ = h/h₋ of its change, and others get ahead of it by δ h (h − h₋) g. In the
// first step, and after an edit of the state, e = δ = 0. Source: this program; e = δ = 0 is the midpoint rule of Simo
// and Tarnow, 1992.
package timestep

import (
	"fmt"
	"math"
)

// Rule is a rule of integration. The zero value is Euler.
type Rule struct {
	// Midpoint selects the damped midpoint rule.
	Midpoint bool
	// Damping is e = δ of the midpoint rule.
	Damping float64
}

// DefaultDamping is e = δ where a user chooses none.
const DefaultDamping = 0.05

// MostDamping bounds e and δ: the midpoint rule becomes that of Euler at ½.
const MostDamping = 0.5

// Check returns an error where the damping is out of range.
func (r Rule) Check() error {
	if !(r.Damping >= 0 && r.Damping <= MostDamping) {
		return fmt.Errorf("numerical damping is %g: a number from 0 to %g is required, such as %g", r.Damping, MostDamping, DefaultDamping)
	}
	return nil
}

// Memory is what a body remembers of its last step, in the order of its velocities: w₋ and Δv₋ (m/s, rad/s). Those of
// vertices are in world axes, turned about the centre of mass by the second half of the rotation of the body in that
// step. Rigid trees that no impulse changed have Δv₋ = 0, and single rigid bodies have that of their centre of mass,
// with the rotation in their own axes. Both are empty under Euler, and before the first step of the midpoint rule.
type Memory struct{ W, DV []float64 }

// Step is one step of one body.
type Step struct {
	H float64 // h, s

	Theta float64 // θ of (2)
	Kappa float64 // κ of (3)
	Alpha float64 // α of (4)
	// E and Delta are e and δ, 0 where there is no memory.
	E, Delta float64
	// Ratio is r and ChangeRatio is r′, of w₋ and Δv₋, and Before is h₋ (s); 0 where there is no memory.
	Ratio, ChangeRatio, Before float64
	// Midpoint reports that it is one of the midpoint rule.
	Midpoint bool
	// Forgets reports that the next step has Δv₋ = 0: what an impact takes at once is no change that persists, and
	// would throw a body back that rests against another by then.
	Forgets bool

	// Memory has w₋ and Δv₋; empty where E = Delta = 0.
	Memory
}

// Euler returns a step of h (s) of symplectic Euler.
func Euler(h float64) Step { return Step{H: h, Theta: 1, Kappa: 1, Alpha: 1} }

// Step returns the factors of a step of h (s) of a body with the memory of a step of before (s).
func (r Rule) Step(h float64, memory Memory, before float64) Step {
	if !r.Midpoint {
		return Euler(h)
	}
	s := Step{H: h, Theta: 0.5, Kappa: 0.5, Alpha: 0.5, Midpoint: true}
	if len(memory.W) > 0 {
		s.E, s.Delta, s.Before, s.Memory = r.Damping, r.Damping, before, memory
		s.Ratio, s.ChangeRatio = math.Min(1, before/h), math.Min(1, h/before)
		s.Theta, s.Kappa = 0.5+s.Delta, 0.5+s.E
	}
	return s
}

// Impact returns the step with another θ, e = δ = θ − ½ and without memory, of a body with an impact that the step does
// not resolve. It takes (θ − ½) |Δv|²_M, which is more than the Π of a memory.
func (s Step) Impact(theta float64) Step {
	s.Theta, s.Kappa, s.Delta, s.E, s.Ratio, s.ChangeRatio, s.Forgets = theta, theta, theta-0.5, theta-0.5, 0, 0, true
	return s
}

// Change returns Δv (2) of one velocity, v0 at the start, with Δv₋ of the step before.
func (s *Step) Change(w, v0, before float64) float64 {
	return (w - v0 + s.Delta*s.ChangeRatio*before) / s.Theta
}

// LocalError returns the error that the step adds to a displacement (m, rad), of a velocity that was v0 at the start
// and whose displacement velocity is w. With the velocity that the last step predicts for the middle of this one,
//
//	Midpoint   h² (w − v0 − (v0 − w₋) h/h₋)/(3 (h + h₋))   = h³ v″/12        (6)
//	           h (w − v0)/3 where there is no memory
//	Euler      ½ h (w − v0)                                  = ½ h² v′         (7)
//
// (6) takes nothing but the displacement velocities of both steps. Source: Taylor series, this program.
func (s *Step) LocalError(w, v0, before float64) float64 {
	switch {
	case !s.Midpoint:
		return 0.5 * s.H * (w - v0)
	case s.Before == 0:
		return s.H * (w - v0) / 3
	}
	return s.H * s.H * (w - v0 - (v0-before)*s.H/s.Before) / (3 * (s.H + s.Before))
}

// ErrorOrder returns the power of h by which LocalError falls.
func (r Rule) ErrorOrder() float64 {
	if r.Midpoint {
		return 3
	}
	return 2
}
