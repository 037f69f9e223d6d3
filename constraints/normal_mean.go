package constraints

// The normal law of the mean force, which contacts have under the midpoint rule (package timestep). With the potential
// U of the elastic force f = −U'(φ), the gap φ⁺ = φ0 + h c of the end of the step and the factor (1 − d c)₊ of Hunt and
// Crossley, the impulse is
//
//	p(c) = h [(1 − η) f̄ + η f(φ⁺)] (1 − d c)₊,   f̄ = (U(φ0) − U(φ⁺))/(φ⁺ − φ0)         (1)
//	η    = η0 X/(1 + X),   η0 = 0.2,   X = h² k w,   w = n·M_A⁻¹n + n·M_B⁻¹n             (2)
//
// The work of f̄ in the step is the change of U, so that an elastic contact that the step resolves gives back what it
// took, and is of second order. The share η of the force at the end damps contacts that the step does not resolve, X ≫
// 1; η = 1 is the law of the end, of Euler's rule. The secant f̄ of a convex U is monotone: p' ≤ 0 for any η, which is
// constant over the step, and the problem stays convex. w is the inverse mass of the contact along its normal n,
// without what is implicit in A. With u = v̂ − c the potential is
//
//	P = −∫_c^v̂ p                                                                       (3)
//
// where v̂ is the velocity at which the contact opens, or that of 1/d if it is less. A contact that opens within the
// step acts for a part of it: for c > v̂ there remains
//
//	p = (1 − η) U0 (1/c − d),   P = (1 − η) U0 [ln(c/v̂) − d (c − v̂)],   U0 = U(φ0)      (4)
//
// up to c = 1/d, and without damping for any c: P > 0 there. Faces of contact surfaces
// that are found ahead share η of all their stiffness; faces that are found at the start have the law of the end
// (Pair.EndForce), since with their areas the mean force would give more than it took. Source: Simo and Tarnow 1992 and
// Gonzalez 1996 for f̄, the discrete gradient of U; (2) and the damping are this program's.

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/r3"
)

// meanEndShare is η0 of (2).
const meanEndShare = 0.2

// newNormalLaw returns the law of a contact in a step: that of the mean force under the midpoint rule, else that of the
// end.
func newNormalLaw(m NormalModel, c *geometry.Contact, pair *Pair, k Kinematics, p *cliques.Problem) NormalLaw {
	end := orHuntCrossley(m).New(c, pair, p)
	law, ok := end.(SecantLaw)
	if !ok || !p.Midpoint || pair.EndForce {
		return end
	}
	if pair.EndShare != nil {
		return newMeanForce(law, *pair.EndShare, p)
	}
	return newMeanForce(law, EndShare(p.H, law.SteepestAtStart(), ContactInverseMass(c, k)), p)
}

// EndShare returns η of (2) of a contact of stiffness k (N/m) and inverse mass w (1/kg) in a step of h (s).
func EndShare(h, k, w float64) float64 {
	X := h * k * h * w
	if !(X > 0) {
		return 0
	}
	return meanEndShare / (1 + 1/X)
}

// ContactInverseMass returns w of (2), 1/kg. It panics where the kinematics have no masses (InverseMasses).
func ContactInverseMass(c *geometry.Contact, k Kinematics) float64 {
	return InverseMassAlong(c, &c.Normal_W, k)
}

// InverseMassAlong is ContactInverseMass along any direction.
func InverseMassAlong(c *geometry.Contact, dir_W *r3.Vec, k Kinematics) (w float64) {
	masses, ok := k.(InverseMasses)
	if !ok {
		panic(fmt.Sprintf("constraints: %T has no masses, which contacts need under the midpoint rule: implement InverseMasses", k))
	}
	for _, side := range [2]*geometry.MaterialPoint{&c.A, &c.B} {
		if side.Body != geometry.World {
			w += masses.InverseMass(*side, c.Pos_W, *dir_W)
		}
	}
	return w
}

// newMeanForce returns the law (1) of a contact with the law end under Euler's rule, and the share η, in memory of the
// problem.
func newMeanForce(end SecantLaw, share float64, p *cliques.Problem) NormalLaw {
	n := cliques.New[meanForce](p)
	n.SecantLaw, n.share = end, share
	return n
}

// meanForce is the law (1) of one contact in one step.
type meanForce struct {
	SecantLaw         // of the end
	share     float64 // η
}

var _ slopeCapper = (*meanForce)(nil)

// Eval implements NormalLaw.
func (n *meanForce) Eval(vn float64) (P, p, dp float64) {
	if P, p, dp = n.Secant(vn); n.share == 0 {
		return P, p, dp
	}
	Pe, pe, dpe := n.SecantLaw.Eval(vn)
	e, s := n.share, 1-n.share
	return s*P + e*Pe, s*p + e*pe, s*dp + e*dpe
}

// capSlope implements slopeCapper.
func (n *meanForce) capSlope(kappa float64) bool {
	s, ok := n.SecantLaw.(slopeCapper)
	return ok && s.capSlope(kappa)
}

// opening returns (4) with η = 0 for c > v̂ > 0, and its slope, for the energy U0 (J).
func opening(U0, c, vBreak, d float64) (P, p, dp float64) {
	if U0 == 0 {
		return 0, 0, 0
	}
	end := c
	if d > 0 && c >= 1/d {
		if end = 1 / d; !(end > vBreak) { // damping ends it before
			return 0, 0, 0
		}
	} else {
		p, dp = U0*(1/c-d), -(U0/c)/c
	}
	return U0 * (math.Log1p((end-vBreak)/vBreak) - d*(end-vBreak)), math.Max(0, p), dp
}

// lessLog returns t − ln(1 + t) for t ≥ 0, which cancels for small t: there it is t²/2 − t³/3 + ….
func lessLog(t float64) float64 {
	if t > seriesBelow {
		return t - math.Log1p(t)
	}
	sum := 0.0
	for k := lastOfSeries; k >= 2; k-- {
		sum = 1/float64(k) - t*sum
	}
	return t * t * sum
}

// Series of logarithms are alternating: the first term that is left out is below round-off.
const (
	seriesBelow  = 0.2
	lastOfSeries = 24
)
