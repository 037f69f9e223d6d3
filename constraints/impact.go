package constraints

// Inelastic impacts that a step of the midpoint rule does not resolve. A body that meets another within the step is
// stopped at the surface, at the displacement velocity w ≈ f c0 with the share f of the step that passes before touch,
// and would leave at v⁺ = v0 + (w − v0)/θ: at θ = ½ it rebounds with up to its whole speed, by where in the step the
// touch falls. With the θ at which it leaves with the rebound wanted, -e c0,
//
//	f = max(φ0, 0)/(−h c0),   θ_i = (1 − f)/(1 + e)   of contacts with c0 < 0, φ0 + h c0 < 0          (1)
//	θ = z + (min(1, max(z, θ_i)) − z) X/(1 + X),   X = h² k w                                       (2)
//
// in the step of the impact. z = ½ + δ is the θ of other steps, c0 the normal velocity at v0, w the inverse mass of
// the contact and k its stiffness, the secant of its force over the step: that of a dissipation d is (1 + d |c0|) times
// that of the spring, since a step that does not resolve the damping rebounds from it as well. The body takes the
// largest θ of its contacts, and e = δ = θ − ½ without memory. It loses (θ − ½) |Δv|² by masses more: no impact gains.
// Contacts that the step resolves, X ≪ 1, stay at z. The coefficient of restitution e is
//
//	1/(1 + ⅔ d |c0|)                                    of Hunt and Crossley's damping                 (3)
//	exp(−2 ζ a/√(1 − ζ²)),  cos a = ζ = ½ τ √(k w)      of Kelvin and Voigt's, up to ζ = 1              (4)
//	exp(−2 ζ a/√(ζ² − 1)),  cosh a = ζ                  beyond
//
// 1 of elastic laws, and 0 of limits. A deformable of modulus E, density ρ and size L gives way by itself: with s = h²
// E/(ρ L²), the squared way of waves in the step over its size,
//
//	X ← min(X, s X/(1 + X))                                                                       (5)
//
// Source: (3) after Hunt and Crossley 1975, (4) Schwager and Pöschel 2007; (1), (2) and (5) are this program's.

import (
	"math"

	"github.com/curlfree/curlfree/geometry"
)

// Impact is what a contact has before the solve of an impact that may come within the step.
type Impact struct {
	// Gap is φ0, m or rad.
	Gap float64
	// Approach is the normal velocity c0 at the start of the step, m/s or rad/s; negative where it closes.
	Approach float64
	// Restitution is e.
	Restitution float64
	// Stiffness is k, N/m or N m/rad; +Inf: rigid.
	Stiffness float64
	// InverseMass is w, 1/kg or 1/(kg m²).
	InverseMass float64
}

// Theta returns θ (2) that the impact wants in a step of h (s) of a body that has least = z in other steps; give is s
// (5) of a deformable, +Inf of a rigid body.
func (i *Impact) Theta(h, least, give float64) float64 {
	if !(i.Approach < 0) || !(i.Gap+h*i.Approach < 0) || !(i.InverseMass > 0) || !(i.Stiffness > 0) || !(give > 0) {
		return least
	}
	f := math.Max(i.Gap, 0) / (-h * i.Approach)
	theta := math.Min(1, math.Max(least, (1-f)/(1+i.Restitution))) // (1)
	X := h * i.Stiffness * h * i.InverseMass
	X = math.Min(X, give/(1+1/X)) // (5)
	return least + (theta-least)/(1+1/X)
}

// ContactImpact returns the impact of a contact, with its pair of materials, its normal velocity at the start of the
// step (m/s, negative where it closes) and its inverse mass (1/kg).
func ContactImpact(m ContactModel, c *geometry.Contact, pair *Pair, approach, inverseMass float64) Impact {
	e, k := 1.0, pair.Stiffness
	switch m.Facts().Normal.Dissipation() {
	case HuntCrossleyDissipation:
		x := pair.Dissipation * math.Abs(approach)
		e, k = 1/(1+2.0/3*x), k*(1+x) // (3)
	case KelvinVoigtDissipation:
		e = kelvinVoigtRestitution(0.5 * pair.RelaxationTime * math.Sqrt(pair.Stiffness*inverseMass)) // (4)
	}
	return Impact{Gap: c.Phi, Approach: approach, Restitution: e, Stiffness: k, InverseMass: inverseMass}
}

// kelvinVoigtRestitution returns (4) for the damping ratio ζ.
func kelvinVoigtRestitution(zeta float64) float64 {
	switch s := math.Sqrt(math.Abs(1-zeta) * (1 + zeta)); {
	case s < 1e-6: // both tend to e⁻²
		return math.Exp(-2 * zeta)
	case zeta < 1:
		return math.Exp(-2 * zeta * math.Acos(zeta) / s)
	default:
		return math.Exp(-2 * zeta * math.Acosh(zeta) / s)
	}
}

// Impact returns the impact of a joint on the limit that it reaches within the step, where it reaches one from between
// its limits; w is the inverse inertia of the joint, 1/kg or 1/(kg m²). A joint that rests on its limit has none.
func (c *Limit) Impact(k Kinematics, h, w float64) (i Impact, ok bool) {
	q, v := k.Dof(c.Dof)
	return c.impact(q-c.Lower, c.Upper-q, v, h, w)
}

// Impact is Limit.Impact of a sum of joints.
func (c *JointSumLimit) Impact(k Kinematics, h, w float64) (i Impact, ok bool) {
	if c.Lower == c.Upper {
		return i, false
	}
	l, rate := c.At(k)
	return c.impact(l-c.Lower, c.Upper-l, rate, h, w)
}

// impact returns the impact of a position with gaps to its lower and upper end, which moves at a rate.
func (s Spring) impact(below, above, rate, h, w float64) (i Impact, ok bool) {
	i = Impact{Gap: below, Approach: rate, Stiffness: s.Stiffness, InverseMass: w}
	if rate > 0 {
		i.Gap, i.Approach = above, -rate
	}
	if s.rigid() {
		i.Stiffness = math.Inf(1)
	}
	return i, i.Gap > 0 && i.Gap+h*i.Approach < 0
}
