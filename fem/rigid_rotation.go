package fem

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// The frame in which a step is taken. With element rotations frozen at the start of the step
// the free motion is one linear problem, but a body that rotates by θ in the step then
// has the spurious strain cos θ − 1. Freezing them at the predicted end is worse: spin
// decays at the rate hω², and where velocities are rough the prediction may invert elements
// and create energy. So only the mean rigid rotation of the body is predicted, which noise
// does not affect, and subtracted from the motion that strains it. With c the centre of mass
// and Q the rotation about the unit axis n by the angle θ, from the angular momentum L about c,
//
//	y(v) = x + h v − (Q − 1)(x − c),   sin θ = h n·L/(n·I n)               (1)
//
// θ is not h |I⁻¹L|: vertices move along the chords of their circles, with velocities (Q − 1)x/h
// whose angular momentum along n is n·I n sin θ/h. So steady spin is y = x, and a body that
// rotates without strain starts so; else forces at y would turn it back by θ − sin θ in each step.
// n is the direction of Iₘ⁻¹L with the moment of inertia Iₘ at the middle of the last step,
// x − h v/2, about which chords are a rigid motion: at x they have an outward part, whose moment
// would tilt n where lumped masses make other principal axes than the consistent ones.
// strains as x + h v does, but its internal forces are those at x: they have no moment
// about x, so that angular momentum is conserved and steady spin causes no strain or
// stress. A rotation by more than maxRotation in a step is not resolved; the excess E of Q
// over that rotation moves the frame along,
//
//	y(v) = x + h v − (Q − E)(x − c),  frames E·polar(F(x)),                 (2)
//
// which slows the spin, as backward Euler does, until the step resolves it.
// Source: this program's.

// rigidRotation is the mean rigid rotation of a body in a step.
type rigidRotation struct {
	center     r3.Vec // c, m
	full       r3.Mat // Q − I
	removed    r3.Mat // Q − E
	excess     r3.Mat // E
	rotates    bool   // Q is not the identity
	unresolved bool   // E is not the identity
}

const (
	maxRotation = 0.5   // rad, of one step; tests show growth of energy from about 1
	slender     = 1e-10 // det I/(tr I/3)³ below which a body is a line and has no ω
)

// massMoments are Σ m r (kg m) and Σ m r rᵀ (kg m²) of vertices, written in scalars, which stay
// in registers.
type massMoments struct {
	first                  r3.Vec
	xx, yy, zz, xy, xz, yz float64
}

// add adds a mass at r.
func (s *massMoments) add(mass float64, r *r3.Vec) {
	m0, m1, m2 := mass*r[0], mass*r[1], mass*r[2]
	s.first[0], s.first[1], s.first[2] = s.first[0]+m0, s.first[1]+m1, s.first[2]+m2
	s.xx, s.yy, s.zz = s.xx+m0*r[0], s.yy+m1*r[1], s.zz+m2*r[2]
	s.xy, s.xz, s.yz = s.xy+m0*r[1], s.xz+m0*r[2], s.yz+m1*r[2]
}

// tensor returns the moment of inertia about the centre of mass.
func (s *massMoments) tensor(mass float64) r3.Mat {
	f := s.first
	c := f.Scale(1 / mass)
	xx, yy, zz := s.xx-c[0]*f[0], s.yy-c[1]*f[1], s.zz-c[2]*f[2]
	xy, xz, yz := s.xy-c[0]*f[1], s.xz-c[0]*f[2], s.yz-c[1]*f[2]
	return r3.Mat{yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy}
}

// inertia returns the inverse of that moment, its determinant and its trace.
func (s *massMoments) inertia(mass float64) (inverse r3.Mat, det, trace float64) {
	I := s.tensor(mass)
	inverse, det = I.Inv()
	return inverse, det, I.Trace()
}

// about returns that moment about a unit axis.
func (s *massMoments) about(mass float64, axis r3.Vec) float64 {
	I := s.tensor(mass)
	return axis.Dot(I.MulVec(axis))
}

// chordAngle returns θ of (1), and continues it with slope 1 beyond what steps resolve.
func chordAngle(s float64) float64 { return math.Asin(min(s, lastChord)) + max(0, s-lastChord) }

// lastChord is the sine of the angle from which on chordAngle has slope 1.
const lastChord = 0.8

// meanRotation returns the rotation that the state predicts for the step: none for bodies
// with fixed vertices and for linear laws.
func (m *Model) meanRotation(h float64, x, v []float64) rigidRotation {
	t := rigidRotation{excess: r3.Identity()}
	s := m.meanSpin(0.5*h, x, v)
	t.center = s.center
	if !s.spins {
		return t
	}
	theta := s.axis.Scale(chordAngle(h * s.along / s.about))
	// the part of the rotation that the step does not resolve
	if angle := theta.Norm(); angle > maxRotation {
		t.unresolved = true
		t.excess = r3.RotExp(theta.Scale(1 - maxRotation/angle))
	}
	t.rotates = theta.Norm2() > 0
	Q := r3.RotExp(theta)
	t.full, t.removed = Q.Sub(r3.Identity()), Q.Sub(t.excess)
	return t
}

// meanSpin is the mean rotation of a body at a state: about the unit axis n through its centre of mass, with the
// component n·L of the angular momentum (kg m²/s) and the moment of inertia n·I n (kg m²).
type meanSpin struct {
	center       r3.Vec // m
	axis         r3.Vec
	along, about float64
	spins        bool // there is an axis
}

// meanSpin returns the mean rotation of a state; none for bodies with fixed vertices and for linear laws. n is the
// direction of I⁻¹L with the moment of inertia I at the positions x − back·v.
func (m *Model) meanSpin(back float64, x, v []float64) (t meanSpin) {
	if len(m.vertex) < len(m.node) || m.class == Linear {
		return t
	}
	// Sums relative to the first vertex and its velocity, so that pure translation has no
	// round-off. Masses are lumped: the same error in I and L leaves ω exact for rigid motion.
	o, u := r3.Vec(x[:3]), r3.Vec(v[:3])
	var at, mid massMoments
	var mv, L r3.Vec
	for i, mass := range m.nodalMass {
		p, q := (*[3]float64)(x[3*i:]), (*[3]float64)(v[3*i:])
		r := r3.Vec{p[0] - o[0], p[1] - o[1], p[2] - o[2]}
		w := r3.Vec{q[0] - u[0], q[1] - u[1], q[2] - u[2]}
		at.add(mass, &r)
		mv[0], mv[1], mv[2] = mv[0]+mass*w[0], mv[1]+mass*w[1], mv[2]+mass*w[2]
		L[0], L[1], L[2] = L[0]+mass*(r[1]*w[2]-r[2]*w[1]), L[1]+mass*(r[2]*w[0]-r[0]*w[2]), L[2]+mass*(r[0]*w[1]-r[1]*w[0])
		r[0], r[1], r[2] = r[0]-back*w[0], r[1]-back*w[1], r[2]-back*w[2]
		mid.add(mass, &r)
	}
	// shift the sums to the centre of mass
	c := at.first.Scale(1 / m.mass)
	t.center = o.Add(c)
	L = L.Sub(c.Cross(mv))
	// the axis; a body on a line has none
	inverse, det, trace := mid.inertia(m.mass)
	if !(det > slender*math.Pow(trace/3, 3)) {
		return t
	}
	axis := inverse.MulVec(L)
	if axis.Norm2() == 0 {
		return t
	}
	t.axis, t.spins = axis.Unit(), true
	t.along, t.about = t.axis.Dot(L), at.about(m.mass, t.axis)
	return t
}
