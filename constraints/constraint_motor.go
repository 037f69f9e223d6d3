package constraints

// A motor gives less effort the faster it turns: at the voltage that its driver has, it reaches from the stall effort
// τ_s to the no-load speed ω_0 along the torque-speed line
//
//	|u| in the range  −τ_s (1 + v/ω_0) … τ_s (1 − v/ω_0),   and  |u| ≤ u_max                 (1)
//
// with the bound u_max of its current. Within these limits it is the spring, damper and feed forward u of a PD,
//
//	γ = max(L(v), min(U(v), h u(v)))                                                          (2)
//	U = min(h u_max, h τ_s (1 − v/ω_0)),   L = max(−h u_max, −h τ_s (1 + v/ω_0))
//
// at the end of the step. Beyond ω_0 the back-EMF brakes. All parts fall with v, so that (2) has a convex potential; it
// is linear between the velocities at which two of the lines meet, and ℓ is its area from the velocity at which γ = 0.
// Source: permanent-magnet motors, e.g. Siciliano et al., "Robotics", 2009, ch. 5.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
)

// Motor is a PD controller whose effort is limited by the torque-speed line of a motor.
type Motor struct {
	PD
	// Stall is τ_s, the effort at rest, N m or N, and NoLoad is ω_0, rad/s or m/s, both at the joint.
	Stall, NoLoad float64
}

var _ Commanded = (*Motor)(nil)

// Check implements Checker.
func (c *Motor) Check() error {
	if !(c.Stall > 0) || math.IsInf(c.Stall, 1) || !(c.NoLoad > 0) || math.IsInf(c.NoLoad, 1) {
		return fmt.Errorf("constraints: motor of dof %d: stall effort %g and no-load speed %g, want finite positive numbers", c.Dof, c.Stall, c.NoLoad)
	}
	if c.VelocityLimit != 0 {
		return fmt.Errorf("constraints: motor of dof %d: it has a no-load speed in place of a velocity limit", c.Dof)
	}
	return c.PD.Check()
}

// Bind implements Commanded.
func (c *Motor) Bind(command *Command) Constraint {
	return &Motor{c.PD.bound(command), c.Stall, c.NoLoad}
}

// Append implements Constraint with one term of one equation, whose effort is γ/h, see Effort.
func (c *Motor) Append(k Kinematics, p *cliques.Problem) int {
	at := c.setpoint(p.Time + p.H)
	q, _ := k.Dof(c.Dof)
	law := cliques.New[motorLaw](p)
	*law = motorLaw{stall: p.H * c.Stall, noLoad: c.NoLoad, lo: p.H * at.Min, hi: p.H * at.Max}
	law.row = row{g0: q - at.Q, k: at.Kp, d: at.Kd, vd: at.V, f: at.FeedForward, vmax: math.Inf(1), lo: math.Inf(-1), hi: math.Inf(1), single: true}
	p.AddConstraint(law)
	k.DofRow(p, 0, c.Dof, 1)
	return 1
}

// motorLaw is (2) in one step.
type motorLaw struct {
	row                   row     // spring, damper and feed forward, without bounds
	stall, noLoad, lo, hi float64 // h τ_s, ω_0 and ∓h u_max

	ends [motorEnds]float64 // velocities at which two lines meet, ascending; +Inf: they do not
	zero float64            // velocity at which γ = 0
}

// motorEnds is the number of pairs of lines that may bound a piece.
const motorEnds = 9

// Dim implements cliques.Law.
func (l *motorLaw) Dim() int { return 1 }

// line is γ = a − b v.
type line struct{ a, b float64 }

// meet returns the velocity at which two lines meet, +Inf where they do not.
func (l line) meet(m line) float64 {
	if v := (l.a - m.a) / (l.b - m.b); !math.IsNaN(v) {
		return v
	}
	return math.Inf(1)
}

// Prepare implements cliques.Law.
func (l *motorLaw) Prepare(h float64, w []float64) {
	l.row.prepare(h, w[0])
	s := l.stall / l.noLoad
	u, up, down, hi, lo := l.control(), line{l.stall, s}, line{-l.stall, s}, line{l.hi, 0}, line{l.lo, 0}
	l.ends = [motorEnds]float64{u.meet(up), u.meet(down), u.meet(hi), u.meet(lo), up.meet(hi), up.meet(lo), down.meet(hi), down.meet(lo), 0}
	for i := 1; i < motorEnds; i++ { // by insertion
		for k := i; k > 0 && l.ends[k] < l.ends[k-1]; k-- {
			l.ends[k], l.ends[k-1] = l.ends[k-1], l.ends[k]
		}
	}
	// γ falls from above 0 at −2 ω_0 to below it at 2 ω_0: the piece on which it passes 0
	from := -2 * l.noLoad
	for i := 0; ; i++ {
		to := 2 * l.noLoad
		if i < motorEnds {
			to = math.Max(from, math.Min(l.ends[i], to))
		}
		if b, _ := l.impulse(to); b <= 0 || i == motorEnds {
			a, _ := l.impulse(from)
			if l.zero = to; a > b {
				l.zero = from + (to-from)*math.Min(1, math.Max(0, a/(a-b)))
			}
			return
		}
		from = to
	}
}

// control returns the line of the spring, damper and feed forward.
func (l *motorLaw) control() line {
	if math.IsInf(l.row.r, 1) {
		return line{l.row.v, 0}
	}
	return line{l.row.v / l.row.r, 1 / l.row.r}
}

// impulse returns γ and its slope −∂γ/∂v.
func (l *motorLaw) impulse(v float64) (gamma, G float64) {
	s := l.stall / l.noLoad
	u := l.control()
	gamma, G = u.a-u.b*v, u.b
	if math.Abs(u.b) > 0 {
		gamma = (l.row.v - v) / l.row.r // a difference of velocities keeps its digits
	}
	upper, slopeUp := l.hi, 0.0
	if x := s * (l.noLoad - v); x < upper {
		upper, slopeUp = x, s
	}
	lower, slopeDown := l.lo, 0.0
	if x := -s * (l.noLoad + v); x > lower {
		lower, slopeDown = x, s
	}
	if gamma > upper {
		gamma, G = upper, slopeUp
	}
	if gamma < lower {
		gamma, G = lower, slopeDown
	}
	return gamma, G
}

// Eval implements cliques.Law.
func (l *motorLaw) Eval(v, gamma, G []float64) (cost float64) {
	gamma[0], G[0] = l.impulse(v[0])
	// the area between the velocity of γ = 0 and v, piece by piece: all parts have one sign
	from, before := l.zero, 0.0
	if v[0] >= l.zero {
		for _, end := range l.ends {
			if end > from && end < v[0] {
				g, _ := l.impulse(end)
				cost, from, before = cost-0.5*(before+g)*(end-from), end, g
			}
		}
		return cost - 0.5*(before+gamma[0])*(v[0]-from)
	}
	for i := motorEnds - 1; i >= 0; i-- {
		if end := l.ends[i]; end < from && end > v[0] {
			g, _ := l.impulse(end)
			cost, from, before = cost+0.5*(before+g)*(from-end), end, g
		}
	}
	return cost + 0.5*(before+gamma[0])*(from-v[0])
}
