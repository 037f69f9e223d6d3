package constraints

// Facts of contact and normal laws, which replace comparisons of names or types in callers:
// the range ahead of touch, the depth of a static load, the kind of dissipation, and the
// line-search step that the solver needs.

// Dissipation is the way in which a normal law loses energy.
type Dissipation int

const (
	// NoDissipation means an elastic law, which uses neither dissipation nor relaxation time of
	// the pair.
	NoDissipation Dissipation = iota
	// HuntCrossleyDissipation means f = f_e (1 − d vn) with Pair.Dissipation d, s/m.
	HuntCrossleyDissipation
	// KelvinVoigtDissipation means f = k (δ − τ vn) with Pair.RelaxationTime τ, s.
	KelvinVoigtDissipation
)

// NormalFacts describes a normal law at rest. Forces and stiffnesses may be per unit of
// area where the pair's stiffness k is: N and N/m, or Pa and Pa/m.
type NormalFacts interface {
	// Range returns the gap (m) below which the law acts, 0 for one that acts on overlap.
	Range() float64
	// Dissipation returns the way in which the law loses energy.
	Dissipation() Dissipation
	// StaticForce returns the force f(δ) (N) and its slope df/dδ (N/m) at rest at an
	// overlap δ (m; negative: a gap), of a pair of stiffness k (N/m).
	StaticForce(k, overlap float64) (force, slope float64)
	// StaticDepth returns the overlap δ (m) at which f(δ) = load (N), for a pair of stiffness
	// k (N/m); it is negative where a law carries the load ahead of touch. Without a load it
	// is −Range.
	StaticDepth(k, load float64) float64
}

// ContactFacts describes a contact model, whatever the pair.
type ContactFacts struct {
	// Normal is the law of its normal force.
	Normal NormalFacts
	// LaggedFriction reports that friction is bounded by a normal impulse known before
	// the solve, which Pair.LaggedImpulse and UpdateNormalBound replace.
	LaggedFriction bool
	// DirectionalFriction reports that the model supports anisotropic friction
	// (friction directions of materials). If false, the geometric mean of both
	// coefficients applies in all directions.
	DirectionalFriction bool
	// AlphaMax is the longest line-search step, in units of the Newton step, that serves
	// problems of the model. Where friction and normal force couple it is above 1: the
	// quadratic model of the cost is too steep, and longer steps save iterations.
	AlphaMax float64
	// SlidingLift returns, in a step of h (s), the time T (s) by which sliding lifts: a body that slides
	// at the speed v rides up to μ T v above the surface. Nil: sliding lifts nothing.
	SlidingLift func(h float64, pair *Pair) float64
	// LiftKey is the key in scenes of the contact parameter (s) whose sum with the step is the time of SlidingLift
	// where that is longer than the step; empty: none is.
	LiftKey string
	// NearRigid returns the largest stiffness (N/m) that a contact of inverse effective mass
	// w (1/kg) has at rest, in a step of h (s), whatever the stiffness of the pair. Nil: no limit.
	NearRigid func(h float64, pair *Pair, w float64) float64
}

// coupledAlphaMax is AlphaMax of laws that couple normal and tangential rows.
const coupledAlphaMax = 1.5

// AlphaMax returns the longest line-search step of a contact model; see ContactFacts.
func AlphaMax(m ContactModel) float64 { return m.Facts().AlphaMax }

// IsLagged reports whether a model's friction is lagged; see ContactFacts.
func IsLagged(m ContactModel) bool { return m.Facts().LaggedFriction }

// ContactRange returns the gap (m) below which contacts of a model transmit force: collisions
// must be reported up to there, or they begin with a jump. It is 0 for all laws but
// barriers.
func ContactRange(m ContactModel) float64 { return m.Facts().Normal.Range() }

// onOverlap are facts of laws that act on overlap only.
type onOverlap struct{}

// Range implements NormalFacts.
func (onOverlap) Range() float64 { return 0 }

// linear are facts of laws whose force at rest is k δ.
type linear struct{ onOverlap }

// StaticForce implements NormalFacts.
func (linear) StaticForce(k, overlap float64) (force, slope float64) {
	if overlap <= 0 {
		return 0, 0
	}
	return k * overlap, k
}

// StaticDepth implements NormalFacts.
func (linear) StaticDepth(k, load float64) float64 { return load / k }
