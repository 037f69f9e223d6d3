package geometry

// Motion of rigid bodies within a step of h: the linear model of contacts, and the exact
// motion. With T = h v and Θ = h ω at the start, a point at r from the body's origin P
// moves
//
//	by T + Θ × r                            in the linear model             (1)
//	from P₀ + r₀ to P₁ + r₁, r₁ = R₁ R₀ᵀ r₀  in truth                       (2)
//
// For a body that turns by Θ about an axis whose direction is constant, (1) at the mean
// lever over the step
//
//	r̄ = ∫₀¹ exp(sΘ) r₀ ds = r∥ + sinc(θ/2) exp(Θ/2) r⊥                      (3)
//
// is the displacement (2) of the point r₀ exactly, however large θ = |Θ| is, if the
// origin moves by T. Where it moves by T + δ, as the origin of a link away from its
// centre of mass does, the lever grows by the part of δ that rotation can make,
//
//	r̄ + δ × Θ/θ²                                                            (4)

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// RigidMotion is the motion of a body in a step.
type RigidMotion struct {
	// X0 and X1 are the poses of the body at the start and at the end.
	X0, X1 r3.Pose
	// Translation is T of (1), m, and Rotation is Θ, rad: h times the velocities at the
	// body's origin that the solution gives in the pose of the start.
	Translation, Rotation r3.Vec
}

// resting is the motion of the world.
var resting = RigidMotion{X0: r3.PoseIdentity(), X1: r3.PoseIdentity()}

// At returns the pose at the fraction t of the step: the origin moves along a straight
// line, the rotation by a constant rate. Both ends are exact.
func (m *RigidMotion) At(t float64) r3.Pose {
	switch t {
	case 0:
		return m.X0
	case 1:
		return m.X1
	}
	X := r3.Pose{R: m.X0.R, P: m.X0.P.Lerp(m.X1.P, t)}
	if m.Rotation == (r3.Vec{}) && m.X0.R == m.X1.R {
		return X
	}
	// what the rotation at constant rate misses at the end, small
	rest := m.X1.R.Mul(r3.RotExp(m.Rotation).Mul(m.X0.R).T()).Quat().Log()
	X.R = r3.RotExp(rest.Scale(t)).Mul(r3.RotExp(m.Rotation.Scale(t))).Mul(m.X0.R)
	return X
}

// start returns where a point that is at p1 at the end was at the start.
func (m *RigidMotion) start(p1 r3.Vec) r3.Vec { return m.X0.Point(m.X1.InvPoint(p1)) }

// linear returns the displacement (1) of the point that is at p at the start.
func (m *RigidMotion) linear(p r3.Vec) r3.Vec {
	return m.Translation.Add(m.Rotation.Cross(p.Sub(m.X0.P)))
}

// lever returns the place (4), in the world, at which the linear model moves as the point
// that is at p at the start does.
func (m *RigidMotion) lever(p r3.Vec) r3.Vec {
	theta := m.Rotation.Norm()
	if theta < leastRotation {
		return p
	}
	u, r := m.Rotation.Scale(1/theta), p.Sub(m.X0.P)
	sin, cos := math.Sincos(theta / 2)
	along := u.Scale(u.Dot(r))
	across := r.Sub(along)
	mean := across.Scale(cos).Add(u.Cross(across).Scale(sin)).Scale(2 * sin / theta) // (3)
	beyond := m.X1.P.Sub(m.X0.P).Sub(m.Translation)
	return m.X0.P.Add(along).Add(mean).Add(beyond.Cross(u).Scale(1 / theta)) // (4)
}

// leastRotation is the rotation below which arcs are straight to round-off, rad.
const leastRotation = 1e-8

// beyondLinear bounds by how much gaps of a shape, whose points lie within radius of the
// body's origin and whose radius of rolling is given, differ from linear ones, m.
func (m *RigidMotion) beyondLinear(radius, rolling float64) float64 {
	theta := m.Rotation.Norm()
	return min(theta*theta/2*(radius+rolling), 2*theta*radius) + m.X1.P.Sub(m.X0.P).Sub(m.Translation).Norm()
}
