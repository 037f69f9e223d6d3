package constraints

// The SAP law: linear compliance with Kelvin–Voigt damping, friction by
// projection on Coulomb's friction cone in the metric of the regularization R. With
//
//	R_n = max(β²/(4π²) w_n, 1/(h k (h + τ))),   R_t = σ w_t              (1)
//	v̂   = −φ0/(h + τ)
//	y   = (−vt/R_t, (v̂ − vn)/R_n),  y_r = |y_t|,  t = y_t/y_r           (2)
//	μ̂   = μ R_t/R_n,  μ̃² = μ μ̂
//
// the impulse is
//
//	stick  y_r ≤ μ y_n:                γ = y                             (3)
//	slip   −μ̂ y_r < y_n < y_r/μ:       γ_n = (y_n + μ̂ y_r)/(1 + μ̃²),
//	                                   γ_t = μ γ_n t                     (4)
//	open   otherwise:                  γ = 0
//	ℓ = ½ (R_t |γ_t|² + R_n γ_n²)                                        (5)
//
// and in slip, with ω = (μ t, 1),
//
//	G = ω ωᵀ/(R_n (1 + μ̃²)) + μ γ_n/(R_t y_r) (I − t tᵀ).                (6)
//
// The cost is continuously differentiable, its Hessian jumps. Source: Castro, Permenter, Han,
// "An Unconstrained Convex Formulation of Compliant Contact", 2022.
//
// As published, the damper acts across a gap φ0 > 0 from an approach of −vn (h + τ) > φ0 on,
// and sliding lifts by μ (h + τ)|vt|: with a τ of 0.2 s a part that falls between open fingers
// is carried across centimetres of air. A damper that starts with touch acts for the share s of
// the step in which the surfaces overlap. With the overlap x = −(φ0 + h vn) at its end,
//
//	s = x/(−h vn),   f = k (x − s τ vn) = k x (h + τ)/h,
//	γ_n = h f = (v̂ − vn)/R_n   with   v̂ = −φ0/h                          (7)
//
// which has the form of (2) and is as convex. It joins (1) at φ0 = 0, where both v̂ are 0, and
// acts on what closes within the step: −vn h > φ0 in approach, μ h|vt| > φ0 in sliding. The
// limit of β lets a body overshoot the surface that it meets within a step by β²/(4π²) of the
// way that it is kept from going, 2.5 % for β = 1, and so through thin plates. An open gap
// does not oscillate, so that there β is at most that of other constraints,
//
//	R_n = max(min(β, 0.1)²/(4π²) w_n, 1/(h k (h + τ)))   for φ0 > 0.      (8)
//
// Under the midpoint rule a contact that overlaps at the start has the mean force of the step, normal_mean.go: h in v̂
// and in the sum with τ is ½ (1 + η) h. Others have the law of the end.
//
// Source of (7) and (8): this program.

import (
	"cmp"
	"fmt"
	"math"

	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/geometry"
	"github.com/curlfree/curlfree/kinds"
)

// SAP is the contact model with linear compliance and cone projection. Its friction is
// isotropic: where materials have a friction direction, the geometric mean of both
// coefficients applies.
type SAP struct {
	Beta  float64 // β ≥ 0: contacts are no stiffer than a period of β steps; DefaultBeta is usual, 0 sets no limit
	Sigma float64 // σ > 0; 0: DefaultSigma

	StaticFriction   bool    // friction falls from the static to the dynamic coefficient with slip, see Stribeck; else it is the dynamic one
	SlidingTolerance float64 // ε_s, m/s, the unit of that slip; 0: DefaultSlidingTolerance
	// StictionTolerance is v_s, which friction of joints alone has, rad/s or m/s; 0: DefaultStictionTolerance.
	StictionTolerance float64

	DampingFromTouch bool // damping starts with touch (7); else it acts ahead, as published
}

var _ ContactModel = SAP{}

// slipTolerances implements slipModel.
func (m SAP) slipTolerances() (stiction, sliding float64) {
	return tolerances(m.StictionTolerance, m.SlidingTolerance)
}

// atRest implements restingModel. The tolerances are those of joints: friction of contacts is that of Sigma.
func (m SAP) atRest(factor float64) ContactModel {
	stiction, _ := m.slipTolerances()
	m.StictionTolerance, m.SlidingTolerance = factor*stiction, factor*stiction
	m.Beta = 0
	return m
}

var _ = ContactModels.Register(kinds.Kind[ContactSpec]{
	Name: "sap",
	Doc:  "Linear compliance with a relaxation time and friction by projection on Coulomb's cone; sliding lifts bodies.",
	New: func() ContactSpec {
		return &SAPSpec{defaultStiction(), Regularization{DefaultSigma}, DefaultBeta, true}
	},
	Samples: func() []ContactSpec {
		return []ContactSpec{
			&SAPSpec{defaultStiction(), Regularization{DefaultSigma}, DefaultBeta, true},
			&SAPSpec{defaultStiction(), Regularization{0.01}, 0, false},
		}
	},
})

// SAPSpec are the parameters of the contact law sap.
type SAPSpec struct {
	Stiction
	Regularization
	// Beta is the near-rigid parameter β: the least period of a contact's oscillation, in steps.
	Beta float64 `key:"beta" doc:"near-rigid parameter β: no contact oscillates faster than once in β steps; 0 sets no limit" min:"0"`
	// DampingFromTouch chooses damping that starts with touch; else it acts across the gap,
	// too, as published.
	DampingFromTouch bool `key:"damping_from_touch" doc:"damping starts with touch: contact acts across no more than what closes within the step; false: as published, it acts across (h + τ)/h times that"`
}

// Make implements ContactSpec. The model has a linear normal law of its own.
func (s *SAPSpec) Make(normal NormalModel) (ContactModel, error) {
	switch normal.(type) {
	case nil, HuntCrossley: // linear in the overlap, as that of SAP
		return SAP{
			Beta: s.Beta, Sigma: s.Sigma, StaticFriction: s.StaticFriction, DampingFromTouch: s.DampingFromTouch,
			StictionTolerance: s.StictionTolerance, SlidingTolerance: max(s.StictionTolerance, s.SlidingTolerance),
		}, nil
	}
	return nil, fmt.Errorf("constraints: contact model sap has its own, linear normal law: use lagged or similar with %T", normal)
}

// Facts implements ContactModel. The static force is that of the material: where β caps
// the stiffness, a load sinks deeper.
func (m SAP) Facts() ContactFacts {
	facts := ContactFacts{Normal: kelvinVoigt{}, AlphaMax: coupledAlphaMax, SlidingLift: m.lift, LiftKey: "relaxation_time"}
	if m.Beta > 0 {
		facts.NearRigid = m.nearRigid
	}
	return facts
}

// nearRigid returns the stiffness (N/m) at rest of a contact whose R_n is that of β (1): its
// force −φ/(h (h + τ) R_n) over its overlap.
func (m SAP) nearRigid(h float64, pair *Pair, w float64) float64 {
	return 4 * math.Pi * math.Pi / (m.Beta * m.Beta * w * h * (h + pair.RelaxationTime))
}

// lift returns the time (s) by which sliding lifts.
func (m SAP) lift(h float64, pair *Pair) float64 { return m.ahead(h, pair.RelaxationTime) }

// kelvinVoigt are the facts of the normal law of SAP.
type kelvinVoigt struct{ linear }

// Dissipation implements NormalFacts.
func (kelvinVoigt) Dissipation() Dissipation { return KelvinVoigtDissipation }

// sap is the law of one contact in one step.
type sap struct {
	SAP
	mu, k, tau, phi float64
	meanShare       float64 // 1 − η of the mean force; 0: the force of the end
	rt, rn, vBreak  float64 // R_t, R_n, v̂
}

// Law implements ContactModel.
func (m SAP) Law(c *geometry.Contact, pair *Pair, k Kinematics, p *cliques.Problem) ContactLaw {
	l := cliques.New[sap](p)
	l.SAP = m
	if l.Sigma == 0 {
		l.Sigma = DefaultSigma
	}
	if pair.Impact {
		l.Beta = 0 // as stiff as the pair says
	}
	l.k, l.tau, l.phi = pair.Stiffness, pair.RelaxationTime, c.Phi
	if p.Midpoint && !pair.EndForce && c.Phi <= 0 {
		l.meanShare = 1 - EndShare(p.H, l.k, ContactInverseMass(c, k))
	}
	return l
}

// Start implements ContactLaw.
func (l *sap) Start(pair *Pair, at StartVelocities) {
	l.mu = pair.Friction
	if l.StaticFriction {
		l.mu = Stribeck(pair.StaticFriction, pair.Friction, math.Hypot(at.Slip[0], at.Slip[1])/cmp.Or(l.SlidingTolerance, DefaultSlidingTolerance))
	}
}

// ahead returns the time (s) over which the approach of a contact with an open gap counts:
// h by (7), else h + τ.
func (m SAP) ahead(h, tau float64) float64 {
	if m.DampingFromTouch {
		return h
	}
	return h + tau
}

// speculativeFactor implements speculative: a contact acts where vn − μ|vt| < −φ/ahead. A
// relaxation time of many steps would make that a large gap, so the factor is bounded.
func (m SAP) speculativeFactor(h float64, s *ContactMaterials) float64 {
	return math.Hypot(1, s.mostFriction) * math.Min(m.ahead(h, s.mostRelaxation)/h, maxSpeculativeFactor)
}

// maxSpeculativeFactor bounds the speculative factor of SAP.
const maxSpeculativeFactor = 4

// Dim implements cliques.Law.
func (l *sap) Dim() int { return 3 }

// Prepare implements cliques.Law.
func (l *sap) Prepare(h float64, w []float64) {
	floor := delassusFloor * math.Max(w[0], math.Max(w[1], w[2]))
	wt, wn := math.Max(0.5*(w[0]+w[1]), floor), math.Max(w[2], floor)
	l.rt = l.Sigma * wt // (1)
	beta := l.Beta
	mean := (1 - 0.5*l.meanShare) * h
	l.vBreak = -l.phi / (mean + l.tau)
	if l.DampingFromTouch && l.phi > 0 {
		beta, l.vBreak = math.Min(beta, rigidBeta), -l.phi/h // (8), (7)
	}
	l.rn = math.Max(beta*beta/(4*math.Pi*math.Pi)*wn, 1/(h*l.k*(mean+l.tau)))
	if l.rt == 0 { // nothing here can move: compliance sets the scale
		l.rt = l.Sigma * l.rn
	}
}

// Eval implements cliques.Law.
func (l *sap) Eval(vc, gamma, G []float64) float64 {
	clear(gamma)
	clear(G)
	if math.IsInf(l.rn, 1) {
		return 0
	}
	yn := (l.vBreak - vc[2]) / l.rn // (2)
	if l.mu == 0 {
		if yn > 0 {
			gamma[2], G[8] = yn, 1/l.rn
		}
		return 0.5 * l.rn * gamma[2] * gamma[2]
	}
	yx, yy := -vc[0]/l.rt, -vc[1]/l.rt
	yr := math.Hypot(yx, yy)
	muHat := l.mu * l.rt / l.rn
	switch {
	case yn > 0 && yr <= l.mu*yn: // stick (3)
		gamma[0], gamma[1], gamma[2] = yx, yy, yn
		G[0], G[4], G[8] = 1/l.rt, 1/l.rt, 1/l.rn
	case yn > -muHat*yr: // slip (4), (6)
		tx, ty := yx/yr, yy/yr
		soft := 1 + l.mu*muHat
		gn := (yn + muHat*yr) / soft
		gamma[0], gamma[1], gamma[2] = l.mu*gn*tx, l.mu*gn*ty, gn

		a, b := 1/(l.rn*soft), l.mu*gn/(l.rt*yr)
		m := l.mu
		G[0], G[1], G[2] = a*m*m*tx*tx+b*ty*ty, (a*m*m-b)*tx*ty, a*m*tx
		G[3], G[4], G[5] = G[1], a*m*m*ty*ty+b*tx*tx, a*m*ty
		G[6], G[7], G[8] = G[2], G[5], a
	}
	return 0.5 * (l.rt*(gamma[0]*gamma[0]+gamma[1]*gamma[1]) + l.rn*gamma[2]*gamma[2]) // (5)
}
