package rigid

import "github.com/curlfree/curlfree/r3"

// Spatial vector algebra: spatial velocities (twists), spatial forces (wrenches) and
// spatial inertias in world axes at each body's origin, not at the world's, so that bodies
// far from the world's origin lose no digits. From an origin P to an origin B at r from it,
// motions V, forces F and inertias 𝓜 change by
//
//	V_B = X(r) V_P = (ω_P; v_P + ω_P×r)                                  (1)
//	F_P = X(r)ᵀ F_B = (t_B + r×f_B; f_B)                                 (2)
//	𝓜 = [I, m[c]×; −m[c]×, m 1],  𝓜_P = X(r)ᵀ 𝓜_B X(r)                   (3)

// spatial is a spatial velocity, acceleration or force: angular part or moment w,
// linear part or force v.
type spatial struct{ w, v r3.Vec }

func (a spatial) add(b spatial) spatial { return spatial{a.w.Add(b.w), a.v.Add(b.v)} }

func (a spatial) addScaled(s float64, b spatial) spatial {
	return spatial{a.w.AddScaled(s, b.w), a.v.AddScaled(s, b.v)}
}

func (a spatial) sub(b spatial) spatial { return spatial{a.w.Sub(b.w), a.v.Sub(b.v)} }

func (a spatial) scale(s float64) spatial { return spatial{a.w.Scale(s), a.v.Scale(s)} }

// dot returns the power of a force on a motion.
func (a spatial) dot(b spatial) float64 { return a.w.Dot(b.w) + a.v.Dot(b.v) }

// rotated returns R a, both parts.
func (a spatial) rotated(R r3.Mat) spatial { return spatial{R.MulVec(a.w), R.MulVec(a.v)} }

// shiftMotion returns the motion at the point r from the origin of the motion a.
func (a spatial) shiftMotion(r r3.Vec) spatial { return spatial{a.w, a.v.Add(a.w.Cross(r))} } // (1)

// shiftForce returns the equivalent at an origin of the force a that acts at r from it.
func (a spatial) shiftForce(r r3.Vec) spatial { return spatial{a.w.Add(r.Cross(a.v)), a.v} } // (2)

// The recursions of a step use the in-place variants of package r3, which avoid copies.

// incScale adds s·b to a.
func (a *spatial) incScale(s float64, b *spatial) {
	a.w.IncScale(s, &b.w)
	a.v.IncScale(s, &b.v)
}

// dotOf is dot by pointers.
func (a *spatial) dotOf(b *spatial) float64 { return a.w.DotOf(&b.w) + a.v.DotOf(&b.v) }

// inertia is a spatial inertia 𝓜.
type inertia struct {
	mass float64
	// mc is mass times the centre of mass from the origin, kg m.
	mc r3.Vec
	// I is the rotational inertia about the origin, kg m².
	I r3.Mat
}

// times returns the momentum 𝓜 V of a motion.
func (a *inertia) times(V spatial) (f spatial) {
	a.apply(&V, &f)
	return f
}

// apply writes the momentum f = 𝓜 V of a motion.
func (a *inertia) apply(V, f *spatial) {
	f.w.SetMul(&a.I, &V.w)
	f.w.IncCross(&a.mc, &V.v)
	f.v.SetScale(a.mass, &V.v)
	f.v.IncCross(&V.w, &a.mc)
}

// add adds the inertia b of a body whose origin is at r from a's.
func (a *inertia) add(b *inertia, r *r3.Vec) {
	// (3): I + m (|r|² 1 − r rᵀ) + 2 (r·mc) 1 − r mcᵀ − mc rᵀ
	x, y, z, m := r[0], r[1], r[2], 0.5*b.mass
	p, q, s := b.mc[0]+m*x, b.mc[1]+m*y, b.mc[2]+m*z
	xp, yq, zs := x*p, y*q, z*s
	xy, xz, yz := x*q+y*p, x*s+z*p, y*s+z*q
	I, J := &a.I, &b.I
	I[0] += J[0] + 2*(yq+zs)
	I[4] += J[4] + 2*(xp+zs)
	I[8] += J[8] + 2*(xp+yq)
	I[1] += J[1] - xy
	I[2] += J[2] - xz
	I[5] += J[5] - yz
	I[3], I[6], I[7] = I[1], I[2], I[5]
	a.mc[0] += b.mc[0] + b.mass*x
	a.mc[1] += b.mc[1] + b.mass*y
	a.mc[2] += b.mc[2] + b.mass*z
	a.mass += b.mass
}

// energy returns the kinetic energy of a motion, J.
func (a *inertia) energy(V spatial) float64 { return 0.5 * a.times(V).dot(V) }

// addPoint adds the inertia (3) of a point at r of moment mr to a tensor about the
// origin.
func addPoint(I *r3.Mat, r, mr *r3.Vec) {
	x, y, z := r[0], r[1], r[2]
	p, q, s := mr[0], mr[1], mr[2]
	I[0] += y*q + z*s
	I[4] += x*p + z*s
	I[8] += x*p + y*q
	I[1] -= x * q
	I[2] -= x * s
	I[5] -= y * s
	I[3], I[6], I[7] = I[1], I[2], I[5]
}

// rotateTensor writes R I Rᵀ of a symmetric I.
func rotateTensor(dst, R, I *r3.Mat) {
	var T r3.Mat
	T.SetMul(R, I)
	dst[0] = T[0]*R[0] + T[1]*R[1] + T[2]*R[2]
	dst[1] = T[0]*R[3] + T[1]*R[4] + T[2]*R[5]
	dst[2] = T[0]*R[6] + T[1]*R[7] + T[2]*R[8]
	dst[4] = T[3]*R[3] + T[4]*R[4] + T[5]*R[5]
	dst[5] = T[3]*R[6] + T[4]*R[7] + T[5]*R[8]
	dst[8] = T[6]*R[6] + T[7]*R[7] + T[8]*R[8]
	dst[3], dst[6], dst[7] = dst[1], dst[2], dst[5]
}
