package geometry

// How far the bodies of a pair move relative to each other. Bounds of their approach before a solve
// are balls of displacements in the world, which a common rotation widens: a gripper that carries a
// part turns both, by more than its fingers yield. After the solve the ends of all points are
// known. Seen from any rigid motion C, the points of both bodies move by
//
//	d = max_{x∈A} |x₁ − C(x₀)| + max_{x∈B} |x₁ − C(x₀)|                              (1)
//
// together at most. C is the motion of A where A is rigid, so that its part is 0; of two
// deformables it is that of A as a whole, by its linear and angular momentum with equal masses.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// DeformablesMoveApart reports DeformablesMoveFar of the solved motion, by (1). Motions are those of
// the rigid bodies, end the vertices of each deformable at the end of the step.
func (s *Data) DeformablesMoveApart(motions []RigidMotion, end [][]r3.Vec) bool {
	for i := range s.pairs {
		if p := &s.pairs[i]; s.movesFar(p) && s.speculative(s.apart(p, motions, end))+s.slack > farMotion*s.thinner(p) {
			return true
		}
	}
	return false
}

// apart returns (1) of a pair with a deformable as B, m.
func (s *Data) apart(p *itemPair, motions []RigidMotion, end [][]r3.Vec) float64 {
	geoms := int32(len(s.geoms))
	b := p.b - geoms
	if p.a < geoms {
		m := motionOf(motions, int(p.bodyA))
		C := m.X1.Mul(m.X0.Inv())
		return farthest(&C, s.X_W[b], end[b])
	}
	a := p.a - geoms
	C := meanMotion(s.X_W[a], end[a])
	return farthest(&C, s.X_W[a], end[a]) + farthest(&C, s.X_W[b], end[b])
}

// farthest returns max |x₁ − C(x₀)| of a body's vertices, m.
func farthest(C *r3.Pose, start, end []r3.Vec) float64 {
	most := 0.0
	var d r3.Vec
	for i := range start {
		d.SetPoint(C, &start[i])
		d.SetSub(&end[i], &d)
		most = max(most, d.DotOf(&d))
	}
	return math.Sqrt(most)
}

// meanMotion returns the rigid motion of a body as a whole between two positions of its vertices.
func meanMotion(start, end []r3.Vec) r3.Pose {
	var from, to, L r3.Vec
	for i := range start {
		from.IncScale(1, &start[i])
		to.IncScale(1, &end[i])
	}
	from, to = from.Scale(1/float64(len(start))), to.Scale(1/float64(len(start)))
	// L = Σ r × u and Σ r rᵀ about the centre
	var r, u r3.Vec
	var xx, xy, xz, yy, yz, zz float64
	for i := range start {
		r.SetSub(&start[i], &from)
		u.SetSub(&end[i], &start[i])
		L.IncCross(&r, &u)
		xx, xy, xz = xx+r[0]*r[0], xy+r[0]*r[1], xz+r[0]*r[2]
		yy, yz, zz = yy+r[1]*r[1], yz+r[1]*r[2], zz+r[2]*r[2]
	}
	inertia := r3.Mat{yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy}
	R := r3.Identity()
	// any rotation serves (1): that of vertices in line, about which nothing is known, is left out
	if inverse, det := inertia.Inv(); det > 1e-9*math.Pow(inertia.Trace()/3, 3) {
		R = r3.RotExp(inverse.MulVec(L))
	}
	return r3.Pose{R: R, P: to.Sub(R.MulVec(from))}
}
