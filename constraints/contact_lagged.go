package constraints

// Lagged friction: Coulomb's law made convex by keeping the normal impulse in
// the friction bound at its value n0 of the start of the step. With the regularized norm
// η of the tangential velocity vt (see friction.go: η ≈ μ|vt|), the normal
// velocity vn and a normal law p = P' (see NormalLaw):
//
//	n0 = h f(φ0, vn0)                                                   (1)
//	ℓ  = n0 η − P(vn)                                                   (2)
//	γ  = (−n0 ∇η, p(vn))                                                (3)
//	G  = ⎡ n0 ∇²η        ⎤                                              (4)
//	     ⎣         −p'(vn)⎦
//
// n0 follows from the present gap and velocity, so that contacts need no identity over
// steps, or is given by the caller: see Pair.LaggedImpulse and UpdateNormalBound. Normal and
// tangential rows do not couple, so that sliding does not lift bodies. In the first step of
// an impact (1) is zero, and so is friction. The law "lagged" has σ = 0: ε = v_s;
// "lagged_regularized" has σ > 0.
// Source: Castro et al., "Irrotational Contact Fields", section on the lagged
// model.

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
)

// Lagged is the contact model with lagged friction. The zero value is the
// default model with the default stiction tolerance.
type Lagged struct {
	StictionTolerance float64     // v_s, slip speed below which friction sticks, m/s; 0: DefaultStictionTolerance
	SlidingTolerance  float64     // ε_s, the same of contacts that slide, m/s, see friction_sliding.go; 0: DefaultSlidingTolerance if both are 0, else v_s
	Sigma             float64     // σ ≥ 0: 0 keeps ε = v_s, DefaultSigma bounds the conditioning of strong impacts
	Normal            NormalModel // nil: HuntCrossley
	StaticFriction    bool        // friction falls from the static to the dynamic coefficient with slip, see Stribeck; else it is the dynamic one
}

var _ ContactModel = Lagged{}

// slipTolerances implements slipModel.
func (m Lagged) slipTolerances() (stiction, sliding float64) {
	return tolerances(m.StictionTolerance, m.SlidingTolerance)
}

// atRest implements restingModel.
func (m Lagged) atRest(factor float64) ContactModel {
	stiction, _ := tolerances(m.StictionTolerance, m.SlidingTolerance)
	m.StictionTolerance, m.SlidingTolerance = factor*stiction, factor*stiction
	return m
}

var _ = ContactModels.Register(kinds.Kind[ContactSpec]{
	Name:    "lagged",
	Doc:     "Coulomb friction bounded by the normal impulse at the start of the step.",
	New:     func() ContactSpec { return &LaggedSpec{defaultStiction()} },
	Samples: func() []ContactSpec { return []ContactSpec{&LaggedSpec{defaultStiction()}} },
})

// LaggedSpec are the parameters of the contact law lagged.
type LaggedSpec struct{ Stiction }

// Make implements ContactSpec.
func (s *LaggedSpec) Make(normal NormalModel) (ContactModel, error) {
	return Lagged{StictionTolerance: s.StictionTolerance, SlidingTolerance: s.SlidingTolerance, Normal: normal, StaticFriction: s.StaticFriction}, nil
}

var _ = ContactModels.Register(kinds.Kind[ContactSpec]{
	Name: "lagged_regularized",
	Doc:  "Coulomb friction bounded by the normal impulse at the start of the step, regularized for strong impacts.",
	New:  func() ContactSpec { return &LaggedRegularizedSpec{defaultStiction(), Regularization{DefaultSigma}} },
	Samples: func() []ContactSpec {
		return []ContactSpec{&LaggedRegularizedSpec{defaultStiction(), Regularization{DefaultSigma}}}
	},
})

// LaggedRegularizedSpec are the parameters of the contact law lagged_regularized.
type LaggedRegularizedSpec struct {
	Stiction
	Regularization
}

// Make implements ContactSpec.
func (s *LaggedRegularizedSpec) Make(normal NormalModel) (ContactModel, error) {
	return Lagged{s.StictionTolerance, s.SlidingTolerance, s.Sigma, normal, s.StaticFriction}, nil
}

// Facts implements ContactModel.
func (m Lagged) Facts() ContactFacts {
	return ContactFacts{Normal: orHuntCrossley(m.Normal), DirectionalFriction: true, LaggedFriction: true, AlphaMax: 1}
}

// lagged is the law of one contact in one step.
type lagged struct {
	normal NormalLaw
	friction
	bound         boundIteration
	stepStiffness float64 // k_h, N/m, of continuation.go
	// the law of slip_offset.go, with s in m/s
	coupled bool
	offset  float64
}

// Law implements ContactModel.
func (m Lagged) Law(c *geometry.Contact, pair *Pair, k Kinematics, p *cliques.Problem) ContactLaw {
	l := cliques.New[lagged](p)
	l.normal = newNormalLaw(m.Normal, c, pair, k, p)
	l.vs, l.sliding, l.sigma, l.static = m.StictionTolerance, m.SlidingTolerance, m.Sigma, m.StaticFriction
	l.init(c, pair, k)
	return l
}

// Start implements ContactLaw.
func (l *lagged) Start(pair *Pair, at StartVelocities) { l.start(pair, l.normal, at) } // (1)

// LaggedImpulse returns the normal impulse n0 (N s) that bounds the friction of
// a contact, and whether its law is lagged.
func LaggedImpulse(p *cliques.Problem, h cliques.Handle) (n0 float64, ok bool) {
	l, ok := p.Constraints[h].Law.(laggedLaw)
	if !ok {
		return 0, false
	}
	return l.laggedImpulse(), true
}

// laggedLaw is the law of a contact point with lagged friction.
type laggedLaw interface {
	// laggedImpulse returns the normal impulse n0 (N s) that bounds friction.
	laggedImpulse() float64
}

// laggedImpulse implements laggedLaw.
func (l *lagged) laggedImpulse() float64 { return l.n0 }

// Dim implements cliques.Law.
func (l *lagged) Dim() int { return 3 }

// Prepare implements cliques.Law.
func (l *lagged) Prepare(h float64, w []float64) {
	l.prepare(w)
	l.stepStiffness = stepStiffness(h, w[2])
}

// Eval implements cliques.Law.
func (l *lagged) Eval(vc, gamma, G []float64) float64 {
	if l.coupled {
		return l.evalCoupled(vc, gamma, G)
	}
	P, p, dp := l.normal.Eval(vc[2])
	if l.n0 == 0 { // no friction, as for open gaps
		clear(gamma)
		clear(G)
		gamma[2], G[8] = p, -dp
		return -P
	}
	f := l.eval(vc[0], vc[1])
	gamma[0], gamma[1], gamma[2] = -l.n0*f.gx, -l.n0*f.gy, p // (3)

	G[0], G[1], G[2] = l.n0*f.hxx, l.n0*f.hxy, 0 // (4)
	G[3], G[4], G[5] = G[1], l.n0*f.hyy, 0
	G[6], G[7], G[8] = 0, 0, -dp
	return l.n0*f.eta - P // (2)
}
