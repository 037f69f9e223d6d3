package constraints

// Lagged friction: Coulomb's law made convex by holding the normal impulse in
// the friction bound at its value n0 of the start of the step. With tangential
// velocity vt, normal velocity vn, ρ = √(|vt|² + ε²), s = vt/ρ and a normal law
// p = P' (see NormalLaw):
//
//	n0 = h f(φ0, vn0)                                                   (1)
//	ε  = max(v_s, μ σ w_t n0)                                           (2)
//	ℓ  = μ n0 |vt|²/(ρ + ε) − P(vn)                                     (3)
//	γ  = (−μ n0 s, p(vn))                                               (4)
//	G  = ⎡ μ n0 (I − s sᵀ)/ρ        ⎤                                   (5)
//	     ⎣                    −p'(vn)⎦
//
// n0 comes from the present geometry and velocity: contacts need no identity
// over steps. Normal and tangential rows do not couple, so that sliding does
// not lift bodies. The plain law has σ = 0 in (2).
// Source: Castro et al., "Irrotational Contact Fields", section on the lagged
// model.

import (
	"math"

	"curlfree/cliques"
	"curlfree/geometry"
)

// Lagged is the contact model with lagged friction. The zero value is the
// default model with the default stiction tolerance.
type Lagged struct {
	StictionTolerance float64     // v_s, m/s; 0: DefaultStictionTolerance
	Sigma             float64     // σ ≥ 0: 0 keeps ε = v_s, DefaultSigma bounds the conditioning of strong impacts
	Normal            NormalModel // nil: HuntCrossley
}

var _ ContactModel = Lagged{}

func init() {
	RegisterContactModel("lagged", func(c ContactParams) ContactModel {
		return Lagged{StictionTolerance: c.StictionTolerance}
	})
	RegisterContactModel("lagged_regularized", func(c ContactParams) ContactModel {
		return Lagged{StictionTolerance: c.StictionTolerance, Sigma: c.Sigma}
	})
}

type lagged struct {
	normal NormalLaw
	mu, n0 float64
	sigma  float64
	eps    float64
}

// Append implements ContactModel.
func (m Lagged) Append(c *geometry.Contact, pair *Pair, k Kinematics, p *cliques.Problem) cliques.Handle {
	law := cliques.New[lagged](p)
	law.normal = normalOr(m.Normal).New(c, pair, p)
	law.mu, law.sigma, law.eps = pair.Friction, m.Sigma, m.StictionTolerance
	if law.eps == 0 {
		law.eps = DefaultStictionTolerance
	}
	h := appendContact(c, law, k, p)
	law.n0 = law.normal.Lag(p.StartVelocity(h, 2)) // (1)
	return h
}

// Dim implements cliques.Law.
func (l *lagged) Dim() int { return 3 }

// Prepare implements cliques.Law.
func (l *lagged) Prepare(h float64, w []float64) {
	l.eps = math.Max(l.eps, l.mu*l.sigma*0.5*(w[0]+w[1])*l.n0) // (2)
}

// Eval implements cliques.Law.
func (l *lagged) Eval(vc, gamma, G []float64) float64 {
	x, y := vc[0], vc[1]
	P, p, dp := l.normal.Eval(vc[2])
	xx, yy, ee := x*x, y*y, l.eps*l.eps
	rho2 := xx + yy + ee
	rho := math.Sqrt(rho2)
	sx, sy := x/rho, y/rho
	mun := l.mu * l.n0
	gamma[0], gamma[1], gamma[2] = -mun*sx, -mun*sy, p // (4)

	// (5), with 1 − sx² = (y² + ε²)/ρ², which does not cancel.
	a := mun / rho
	G[0], G[1], G[2] = a*((yy+ee)/rho2), -a*sx*sy, 0
	G[3], G[4], G[5] = G[1], a*((xx+ee)/rho2), 0
	G[6], G[7], G[8] = 0, 0, -dp
	return mun*(x*sx+y*sy)*(rho/(rho+l.eps)) - P // (3)
}
