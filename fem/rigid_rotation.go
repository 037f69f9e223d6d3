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
// and Q the rotation about ω = I⁻¹L, from the angular momentum L about c, by the angle θ,
//
//	y(v) = x + h v − (Q − I)(x − c),   sin θ = h |ω|                       (1)
//
// θ is not h |ω|: vertices move along the chords of their circles, with velocities (Q − I)x/h
// whose angular momentum is I sin θ/h. So steady spin is y = x, and a body that rotates without
// strain starts so: with θ = h |ω| its forces at y would turn it back by θ − sin θ in each step.
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

// chordAngle returns θ of (1), and continues it with slope 1 beyond what steps resolve.
func chordAngle(s float64) float64 {
	const last = 0.8
	return math.Asin(min(s, last)) + max(0, s-last)
}

// meanRotation returns the rotation that the state predicts for the step: none for bodies
// with fixed vertices and for linear laws.
func (m *Model) meanRotation(h float64, x, v []float64) rigidRotation {
	t := rigidRotation{excess: r3.Identity()}
	if len(m.vertex) < len(m.node) || m.class == Linear {
		return t
	}
	// Sums relative to the first vertex and its velocity, so that pure translation has no
	// round-off. Masses are lumped: the same error in I and L leaves ω exact for rigid
	// motion. Written in scalars, which stay in registers.
	o, u := r3.Vec(x[:3]), r3.Vec(v[:3])
	var mr, mv, L r3.Vec
	var xx, yy, zz, xy, xz, yz float64
	for i, mass := range m.nodalMass {
		p, q := (*[3]float64)(x[3*i:]), (*[3]float64)(v[3*i:])
		r0, r1, r2 := p[0]-o[0], p[1]-o[1], p[2]-o[2]
		v0, v1, v2 := mass*(q[0]-u[0]), mass*(q[1]-u[1]), mass*(q[2]-u[2])
		m0, m1, m2 := mass*r0, mass*r1, mass*r2
		mr[0], mr[1], mr[2] = mr[0]+m0, mr[1]+m1, mr[2]+m2
		mv[0], mv[1], mv[2] = mv[0]+v0, mv[1]+v1, mv[2]+v2
		L[0], L[1], L[2] = L[0]+(r1*v2-r2*v1), L[1]+(r2*v0-r0*v2), L[2]+(r0*v1-r1*v0)
		xx, yy, zz = xx+m0*r0, yy+m1*r1, zz+m2*r2
		xy, xz, yz = xy+m0*r1, xz+m0*r2, yz+m1*r2
	}
	// shift the sums to the centre of mass
	c := mr.Scale(1 / m.mass)
	t.center = o.Add(c)
	L = L.Sub(c.Cross(mv))
	xx, yy, zz = xx-c[0]*mr[0], yy-c[1]*mr[1], zz-c[2]*mr[2]
	xy, xz, yz = xy-c[0]*mr[1], xz-c[0]*mr[2], yz-c[1]*mr[2]
	I := r3.Mat{yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy}
	// ω = I⁻¹L; a body on a line has none
	inverse, det := I.Inv()
	if !(det > slender*math.Pow(I.Trace()/3, 3)) {
		return t
	}
	theta := inverse.MulVec(L).Scale(h)
	if s := theta.Norm(); s > 0 {
		theta = theta.Scale(chordAngle(s) / s)
	}
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
