package constraints

// Similar friction: a convex law that couples friction to the normal impulse of
// the same step. With the regularized norm η of the tangential velocity (see
// friction.go: η ≈ μ|vt|) and a normal law p = P' (see NormalLaw):
//
//	z = vn − η,  ω = ∂z/∂vc = (−∇η, 1)                                  (1)
//	ℓ = −P(z)                                                           (2)
//	γ = p(z) ω                                                          (3)
//	G = −p'(z) ω ωᵀ + p(z) ⎡ ∇²η   ⎤                                    (4)
//	                       ⎣      0⎦
//
// Friction stays in Coulomb's cone of the normal impulse solved for, also in the
// first step of an impact. The price is that sliding acts like closing at
// μ|vt|: a contact is stiffer, k (1 + μ d |vt|), and glides μ h |vt| higher. Where
// curved surfaces slide fast on each other, as teeth of gears, this may lock. The
// cost has narrow curved valleys when k is large (≥ 1e9 N/m): expect many Newton
// iterations, most of them in the solver's continuation over softer contact, see
// continuation.go: up to some hundred from 1e9 N/m and 10 m/s on.
// Source: Castro et al., "Irrotational Contact Fields", section on the similar
// model; its printed tangential Hessian lacks a factor μ.

import (
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
)

// Similar is the contact model with friction coupled through z. The zero value
// has the default stiction tolerance.
type Similar struct {
	StictionTolerance float64     // v_s, m/s; 0: DefaultStictionTolerance
	SlidingTolerance  float64     // ε_s, the same of contacts that slide, m/s, see friction_sliding.go; 0: DefaultSlidingTolerance if both are 0, else v_s
	Sigma             float64     // σ ≥ 0: 0 keeps ε = v_s, DefaultSigma bounds the conditioning of strong impacts
	Normal            NormalModel // nil: HuntCrossley
	StaticFriction    bool        // friction falls from the static to the dynamic coefficient with slip, see Stribeck; else it is the dynamic one
}

var _ ContactModel = Similar{}

// slipTolerances implements slipModel.
func (m Similar) slipTolerances() (stiction, sliding float64) {
	return tolerances(m.StictionTolerance, m.SlidingTolerance)
}

// atRest implements restingModel.
func (m Similar) atRest(factor float64) ContactModel {
	stiction, _ := tolerances(m.StictionTolerance, m.SlidingTolerance)
	m.StictionTolerance, m.SlidingTolerance = factor*stiction, factor*stiction
	return m
}

var _ = ContactModels.Register(kinds.Kind[ContactSpec]{
	Name:    "similar",
	Doc:     "Coulomb friction bounded by the normal impulse of the same step; fast sliding lifts bodies.",
	New:     func() ContactSpec { return &SimilarSpec{defaultStiction()} },
	Samples: func() []ContactSpec { return []ContactSpec{&SimilarSpec{defaultStiction()}} },
})

// SimilarSpec are the parameters of the contact law similar.
type SimilarSpec struct{ Stiction }

// Make implements ContactSpec.
func (s *SimilarSpec) Make(normal NormalModel) (ContactModel, error) {
	return Similar{StictionTolerance: s.StictionTolerance, SlidingTolerance: s.SlidingTolerance, Normal: normal, StaticFriction: s.StaticFriction}, nil
}

var _ = ContactModels.Register(kinds.Kind[ContactSpec]{
	Name: "similar_regularized",
	Doc:  "Coulomb friction bounded by the normal impulse of the same step, regularized for strong impacts.",
	New:  func() ContactSpec { return &SimilarRegularizedSpec{defaultStiction(), Regularization{DefaultSigma}} },
	Samples: func() []ContactSpec {
		return []ContactSpec{&SimilarRegularizedSpec{defaultStiction(), Regularization{DefaultSigma}}}
	},
})

// SimilarRegularizedSpec are the parameters of the contact law similar_regularized.
type SimilarRegularizedSpec struct {
	Stiction
	Regularization
}

// Make implements ContactSpec.
func (s *SimilarRegularizedSpec) Make(normal NormalModel) (ContactModel, error) {
	return Similar{s.StictionTolerance, s.SlidingTolerance, s.Sigma, normal, s.StaticFriction}, nil
}

// Facts implements ContactModel.
func (m Similar) Facts() ContactFacts {
	return ContactFacts{Normal: orHuntCrossley(m.Normal), DirectionalFriction: true, AlphaMax: coupledAlphaMax,
		SlidingLift: func(h float64, _ *Pair) float64 { return h }}
}

// similar is the law of one contact in one step.
type similar struct {
	normal        NormalLaw
	stepStiffness float64 // k_h, N/m, of continuation.go
	friction
}

// Law implements ContactModel.
func (m Similar) Law(c *geometry.Contact, pair *Pair, k Kinematics, p *cliques.Problem) ContactLaw {
	l := cliques.New[similar](p)
	l.normal = newNormalLaw(m.Normal, c, pair, k, p)
	l.vs, l.sliding, l.sigma, l.static = m.StictionTolerance, m.SlidingTolerance, m.Sigma, m.StaticFriction
	l.init(c, pair, k)
	return l
}

// Start implements ContactLaw.
func (l *similar) Start(pair *Pair, at StartVelocities) { l.start(pair, l.normal, at) }

// speculativeFactor implements speculative: contacts act where z < −φ/h, and −z ≤ √(1+μ²)|v|.
func (Similar) speculativeFactor(_ float64, s *ContactMaterials) float64 {
	return math.Hypot(1, s.mostFriction)
}

// Dim implements cliques.Law.
func (l *similar) Dim() int { return 3 }

// Prepare implements cliques.Law.
func (l *similar) Prepare(h float64, w []float64) {
	l.prepare(w)
	l.stepStiffness = stepStiffness(h, w[2])
}

// Eval implements cliques.Law.
func (l *similar) Eval(vc, gamma, G []float64) float64 {
	f := l.eval(vc[0], vc[1])
	P, p, dp := l.normal.Eval(vc[2] - f.eta) // (1)
	f.couple(p, dp, gamma, G)
	return -P // (2)
}

// couple writes (3) and (4) of a normal impulse p with the slope dp.
func (n *softNorm) couple(p, dp float64, gamma, G []float64) {
	gamma[0], gamma[1], gamma[2] = -p*n.gx, -p*n.gy, p // (3)

	G[0], G[1], G[2] = -dp*n.gx*n.gx+p*n.hxx, -dp*n.gx*n.gy+p*n.hxy, dp*n.gx // (4)
	G[3], G[4], G[5] = G[1], -dp*n.gy*n.gy+p*n.hyy, dp*n.gy
	G[6], G[7], G[8] = G[2], G[5], -dp
}
