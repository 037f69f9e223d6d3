package constraints

// Restitution. Two rigid bodies that approach each other at a point with the velocity c0 < 0 along the normal and touch
// within the step separate at its end with
//
//	v⁺ = −e c0                                                                                    (1)
//
// which is Newton's law, whatever the stiffness of the contact. Velocities at the end follow from the unknown w of the
// step as v⁺ = c0 + (w − c0)/θ, with θ = 1 under Euler's rule. So w ≥ w* with
//
//	w* = (θ (1 + e) − 1) |c0|,   θ ≥ 1/(1 + e)                                                      (2)
//
// is all that the step has to know: the contact has the gap −h w* in place of its own, is as stiff as the step
// resolves, k = 10⁴/(h² w_n) with the inverse mass w_n, and has no dissipation. With one e for all impacts of a step the
// kinetic energy never grows without friction, also where many bodies are in touch: impulses γ ≥ 0 act where
// v⁺ + e c0 = 0 alone, and 2 ΔT = γ·(v⁺ + c0) = (1 − e) γ·c0, which is not positive (Moreau 1988).
//
// Slower impacts than 4 g h take the law of the contact: a step cannot tell them from the fall within it.
//
// Source: J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988, for (1) in a time step.

import (
	"errors"
	"math"

	"github.com/curlfree/curlfree/geometry"
)

// reboundStiffness is h² k w of a contact that rebounds: bodies leave with the speed (1) to 2·10⁻⁴.
const reboundStiffness = 1e4

// RestitutionThreshold is the speed of approach below which contacts do not rebound, over gravity times the step.
const RestitutionThreshold = 4

var errRestitutionOfSurfaces = errors.New("restitution is of point contacts of rigid bodies: contact surfaces, of pressure fields and deformables, rebound by dissipation; leave out one of them")

// Rebounds reports whether bodies of a pair of materials rebound by restitution.
func (s *ContactMaterials) Rebounds() bool { return s.rebounds }

// CanRebound reports whether contacts of a model may have a restitution: of laws whose force is linear in the overlap.
func CanRebound(m ContactModel) bool {
	n := m.Facts().Normal
	f, slope := n.StaticForce(2, 0.25)
	return n.Range() == 0 && f == 0.5 && slope == 2
}

// Rebound changes a contact and its pair, copies, to those of an impact (2) in a step of h (s) with the velocity c0 at
// the start of the step (m/s), θ, and the inverse mass w (1/kg).
func (pair *Pair) Rebound(c *geometry.Contact, h, c0, theta, w float64) {
	c.Phi = -h * math.Max(0, theta*(1+pair.Restitution)-1) * -c0
	pair.Stiffness = math.Max(pair.Stiffness, reboundStiffness/(h*h*w))
	pair.EndForce, pair.Impact, pair.LaggedImpulse = true, true, nil
	pair.DropDissipation()
}
