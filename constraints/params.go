package constraints

import "math"

// Defaults of contact laws. Source: the defaults of Drake v1.38, which the
// published experiments use.
const (
	// DefaultStictionTolerance is the slip speed v_s (m/s) below which friction is
	// viscous: a body that rests by friction against a tangential load T creeps at v_s
	// T/√((μN)²−T²), 0.035 mm in 5 s at 99 % of the limit. Contacts that slide have a larger one,
	// see friction_sliding.go.
	DefaultStictionTolerance = 1e-6
	// DefaultSlidingTolerance is the largest slip speed (m/s) below which friction of sliding contacts
	// is viscous, and the unit of slip in which friction falls from static to dynamic.
	DefaultSlidingTolerance = 1e-4
	// DefaultSigma scales regularized friction against the Delassus operator.
	// Larger creeps faster, smaller conditions worse.
	DefaultSigma = 1e-3
	// DefaultBeta is SAP's near-rigid parameter: no contact oscillates faster
	// than once in β steps.
	DefaultBeta = 1
	// DefaultHertzOverlap is the overlap δ, m, at which Hertz's law has the force
	// of the linear one. A body of 1 kg sinks as deep with both laws at the default
	// stiffness.
	DefaultHertzOverlap = 1e-5
	// DefaultBarrierRange is the gap d̂ at which barriers begin to act, m. The
	// usual values are 0.1 to 1 mm; bodies rest that far apart.
	DefaultBarrierRange = 1e-3
	// barrierFloor is the gap, in units of d̂, below which a barrier continues as a
	// spring: smaller is closer to the barrier and worse conditioned, by its
	// inverse square.
	barrierFloor = 1e-3
	// faceBarrierFloor is the same for faces of deformables. Their gap is a mean over the face,
	// which is cut again in every step: gaps of parts jump by as much as corners are nearer, and
	// what a steep law stores at the new gap nobody put in.
	faceBarrierFloor = 0.5
	// directionFloor is the sine of the angle between a friction direction and the contact's
	// normal below which friction is isotropic.
	directionFloor = 1e-3
	// stribeckCentre is the slip in units of ε_s at which friction has fallen
	// half way from static to dynamic.
	stribeckCentre = 10
)

// Parameters of joints' limits, loops and couplings.
const (
	// rigidBeta is their near-rigid parameter, smaller than that of contact
	// because they are to look rigid: 1 kg carried at h = 1 ms sags by 2.5 nm.
	rigidBeta = 0.1
	// loopBeta is that of loops of rigid bodies, which may carry many times the mass of the lightest one.
	loopBeta = 0.01
	// jointBeta is that of limits and couplings of joints, which carry the whole efforts of drives: a joint of inertia
	// I that carries the effort τ is 10⁻⁵ τ h²/I beyond its limit.
	jointBeta = 0.02
	// leastCompliance is that of springs and dampers between bodies, relative to the
	// near-rigid one: the digits that their common motion loses.
	leastCompliance = 1e-5
	// maxCorrection and maxTurn bound the speed (m/s and rad/s) at which a
	// near-rigid constraint removes an error, lest a large one eject bodies.
	maxCorrection = 1
	maxTurn       = math.Pi
	// returnScale, rad or m, leastReturn and brakedInertia are δ, θ0 and N of joints beyond their limits,
	// joint_return.go.
	returnScale   = 1e-4
	leastReturn   = 0.05
	brakedInertia = 100
	// delassusFloor is the least Delassus entry relative to the largest of the
	// same unit, so that equations no body can move (the out-of-plane rows of a
	// planar loop) stay finite.
	delassusFloor = 1e-9
	// jointSigma scales friction of joints against the Delassus operator, to bound its conditioning alone.
	jointSigma = 1e-9
)
