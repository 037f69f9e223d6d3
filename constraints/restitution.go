package constraints

// Restitution. Two rigid bodies that approach each other at a point with the velocity c0 < 0 along the normal and
// touch within the step separate at its end with
//
//	v⁺ = −e c0                                                                                    (1)
//
// which is Newton's law, whatever the stiffness of the contact: the contact has the gap h e c0 in place of its own,
// is as stiff as the step resolves, k = 10⁴/(h² w) with the inverse mass w, and has no dissipation. The body turns
// back where it is at the start of the step, up to h |c0| above the surface, and so has up to m g h |c0| more
// energy, which free flight under Euler's rule takes again. With one e for all impacts of a step and without
// friction the kinetic energy never grows, also where many bodies are in touch: impulses γ ≥ 0 act where v⁺ + e c0 =
// 0 alone, and 2 ΔT = γ·(v⁺ + c0) = (1 − e) γ·c0, which is not positive (Moreau 1988).
//
// Slower impacts than 4 g h, and than ten times the sliding tolerance, take the law of the contact: a step cannot
// distinguish them from the fall within it.
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

// RestitutionSlip is the least of gravity times the step in that, over the sliding tolerance: 1 mm/s by default.
const RestitutionSlip = 2.5

var errRestitutionOfSurfaces = errors.New("restitution is of point contacts of rigid bodies: contact surfaces, of pressure fields and deformables, rebound by dissipation; leave out one of them")

// Rebounds reports whether bodies of a pair of materials rebound by restitution.
func (s *ContactMaterials) Rebounds() bool { return s.rebounds }

// CanRebound reports whether contacts of a model may have a restitution: of laws whose force is linear in the overlap.
func CanRebound(m ContactModel) bool {
	n := m.Facts().Normal
	f, slope := n.StaticForce(2, 0.25)
	return n.Range() == 0 && f == 0.5 && slope == 2
}

// Rebound changes a contact and its pair, copies, to those of an impact (1) in a step of h (s) with the velocity c0 at
// the start of the step (m/s), and the inverse mass w (1/kg). impulse (N s) is where the normal impulse of the impact
// by itself is kept, which bounds lagged friction at first.
func (pair *Pair) Rebound(c *geometry.Contact, h, c0, w float64, impulse *float64) {
	c.Phi = h * pair.Restitution * c0
	pair.Stiffness = math.Max(pair.Stiffness, reboundStiffness/(h*h*w))
	*impulse = (1 + pair.Restitution) * -c0 / w
	pair.Impact, pair.LaggedImpulse = true, impulse
	pair.DropDissipation()
}
