package geometry

// Time of impact of two geoms whose bodies move, by conservative advancement (Mirtich
// 1996). At the fraction t of the step let the geoms be s apart along n. No direction
// separates them better, and along n they approach by at most
//
//	μ = n·(d_A − d_B) + θ_A r_A + θ_B r_B                                    (1)
//
// per step, with d the displacement of a body's origin in the step, θ its rotation and r
// the radius of its geom about that origin. They cannot touch before t + s/μ, and never
// if μ ≤ 0.

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// advancements bounds the rounds of conservative advancement. Rounds shorten the gap by a
// constant ratio; where they run out the impact counts as found.
const advancements = 100

// TimeOfImpact returns the time of impact of two geoms on bodies of the given motions, as a
// fraction t of the step: their gap is between near/2 and near (m, positive) at t, and not
// less before, with the normal from a to b at t; 0 where they begin closer. It returns ok =
// false if they do not come as close as near/2 within the step. Each goroutine is a worker
// with a number of its own.
func (s *Data) TimeOfImpact(worker, a, b int, A, B *RigidMotion, near float64) (t float64, n_W r3.Vec, ok bool) {
	dA, dB := A.X1.P.Sub(A.X0.P), B.X1.P.Sub(B.X0.P)
	turn := A.turn()*s.geoms[a].radius + B.turn()*s.geoms[b].radius
	reach := dA.Sub(dB).Norm() + turn + near
	for range advancements {
		X_A, X_B := s.poseOf(a, A, t), s.poseOf(b, B, t)
		phi, n, found := s.gap(worker, a, b, &X_A, &X_B, reach, false)
		if !found {
			return 0, r3.Vec{}, false
		}
		if n_W = n; phi <= near {
			_, n_W, _ = s.gap(worker, a, b, &X_A, &X_B, reach, true)
			return t, n_W, true
		}
		rate := n.Dot(dA.Sub(dB)) + turn // (1)
		if t += (phi - near/2) / rate; !(rate > 0) || t >= 1 {
			return 0, r3.Vec{}, false
		}
	}
	return t, n_W, true
}

// turn returns a bound on the rotation in the step, rad.
func (m *RigidMotion) turn() float64 {
	theta := m.Rotation.Norm()
	return theta + m.X1.R.Mul(r3.RotExp(m.Rotation).Mul(m.X0.R).T()).Quat().Log().Norm()
}

// poseOf returns the pose of a geom at the fraction t of the motion of its body.
func (s *Data) poseOf(geom int, m *RigidMotion, t float64) r3.Pose {
	return m.At(t).Mul(s.Model.Geoms[geom].X_BG)
}

// gap returns the signed distance of two geoms at the poses X_A and X_B and the normal
// from a to b there, to round-off if exact is set. It returns ok = false if they are farther
// apart than reach (m).
func (s *Data) gap(worker, a, b int, X_A, X_B *r3.Pose, reach float64, exact bool) (phi float64, n_W r3.Vec, ok bool) {
	ga, gb := &s.geoms[a], &s.geoms[b]
	switch {
	case isGeneral(ga.shape) || isGeneral(gb.shape):
		return s.generalGap(worker, a, b, X_A, X_B, reach)
	case isHalfSpace(ga.shape) && isHalfSpace(gb.shape):
		return 0, n_W, false
	case isHalfSpace(ga.shape):
		n_W = X_A.R.Col(2)
	case isHalfSpace(gb.shape):
		n_W = X_B.R.Col(2).Neg()
	default:
		k := cores{A: ga.shape.(SupportMap), B: gb.shape.(SupportMap), plain: !exact, nested: !exact}
		k.X_AB.SetInvMul(X_A, X_B)
		rounding := k.A.Rounding() + k.B.Rounding()
		c, ok := k.closest(reach + rounding)
		return c.s - rounding, X_A.R.MulVec(c.n), ok
	}
	phi, _, _ = s.separationAlong(a, b, X_A, X_B, n_W)
	return phi, n_W, phi <= reach
}

// generalGap is gap of shapes of which one is not convex.
func (s *Data) generalGap(worker, a, b int, X_A, X_B *r3.Pose, reach float64) (phi float64, n_W r3.Vec, ok bool) {
	ga, gb := s.geoms[a], s.geoms[b]
	ga.X_WG, gb.X_WG = *X_A, *X_B
	m := &s.mesh[worker]
	m.nearest = m.contacts(&ga, &gb, reach, m.nearest[:0])
	phi = math.Inf(1)
	for i := range m.nearest {
		if c := &m.nearest[i]; c.Phi < phi {
			phi, n_W, ok = c.Phi, c.Normal_W, true
		}
	}
	return phi, n_W, ok
}

// separationAlong returns the separation of two geoms along the unit normal n_W, from a
// to b, negative where they overlap along it, and the points of a and b that are foremost
// there. Of shapes that are not convex the hull counts. Along a normal that is not its
// own, a half-space separates nothing.
func (s *Data) separationAlong(a, b int, X_A, X_B *r3.Pose, n_W r3.Vec) (phi float64, x_A, x_B r3.Vec) {
	switch {
	case isHalfSpace(s.geoms[a].shape):
		if X_A.R.Col(2).Dot(n_W) < 1-1e-12 {
			return math.Inf(-1), X_A.P, X_A.P
		}
		x_B = s.geoms[b].foremost(X_B, n_W.Neg())
		phi = n_W.Dot(x_B.Sub(X_A.P))
		return phi, x_B.AddScaled(-phi, n_W), x_B
	case isHalfSpace(s.geoms[b].shape):
		phi, x_B, x_A = s.separationAlong(b, a, X_B, X_A, n_W.Neg())
		return phi, x_A, x_B
	}
	x_A, x_B = s.geoms[a].foremost(X_A, n_W), s.geoms[b].foremost(X_B, n_W.Neg())
	return n_W.Dot(x_B.Sub(x_A)), x_A, x_B
}

// foremost returns the point of the geom at the pose X that is farthest along n_W.
func (g *placedGeom) foremost(X *r3.Pose, n_W r3.Vec) r3.Vec {
	var n_G r3.Vec
	n_G.SetTMul(&X.R, &n_W)
	if convex, ok := g.shape.(SupportMap); ok {
		return X.Point(convex.Support(n_G)).AddScaled(convex.Rounding(), n_W)
	}
	best, far := r3.Vec{}, math.Inf(-1)
	f := g.features()
	for _, p := range f.verts {
		if d := p.Dot(n_G); d > far {
			best, far = p, d
		}
	}
	return X.Point(best).AddScaled(f.rounding, n_W)
}
