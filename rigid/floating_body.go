package rigid

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// A single floating body, with all that is welded to it. The gyroscopic moment ω×I ω of
// the step's start feeds energy into a body that does not spin about a principal axis, and
// the spin diverges. But a body that nothing touches keeps its momenta: v* is the velocity
// that has them in the orientation at the step's end,
//
//	R I Rᵀ ω* = L,  R = Exp(h ω*)                                          (1)
//	v_c* = v_c + h g,  v_M* = v_c* − ω*×R r                                (2)
//
// with I and r, from the joint's M to the centre of mass c, at the start. As ω* is the axis
// of R, (1) is
//
//	I ω* = u = Exp(−h ω*) L                                                (3)
//
// which Newton's iteration solves with the derivative I − h [u]× J(−h ω*), J the left
// Jacobian of rotations,
//
//	Exp(θ) = 1 + a [θ]× + b [θ]×²,  J(θ) = 1 + b [θ]× + c [θ]×²            (4)
//	a = sin θ/θ,  b = (1 − cos θ)/θ²,  c = (θ − sin θ)/θ³
//
// Of a tree with joints, L_rel is the angular momentum at ω = 0 and (3) reads
// I ω* + L_rel = u                                                          (5)
//
// With 𝓜 at M, A is [I, m[r]×; −m[r]×, m 1] in F's axes.
//
// With carried weight, m g is what is left of it, and h T of (2) of weight_compensation.go adds to L.
//
// To first order in h this loses energy, as the rest of the step does: a tumbling body
// settles into rotation about its axis of largest inertia. A is unchanged, so impulses act
// as on any body. Source of (4): Solà, "A micro Lie theory for state estimation in
// robotics", 2018; the scheme is this program's.

const (
	spinIterations = 10    // Newton's method takes four at a radian a step, and converges up to 1.5
	spinTol        = 4e-15 // residual of (3) relative to its terms: round-off
	seriesBelow    = 0.1   // rad: below, four terms of the series of a, b, c are exact
)

// singleBodyMotion writes A (6×6, zero before) of a tree that is a single floating body,
// and the momentum mom (6) that it gains in the step.
func (d *Data) singleBodyMotion(t, link int, gravity r3.Vec, A, mom []float64) {
	l, at, w0 := &d.m.placing[link], &d.compositeInertia[link], &d.vel[link].w
	if l.offset {
		var moved inertia
		moved.add(at, &d.p_MB[link])
		at = &moved
	}
	// centre of mass from M, and the inertia about it
	var r r3.Vec
	r.SetScale(1/at.mass, &at.mc)
	central := at.I
	eccentric := r != r3.Vec{}
	if eccentric {
		central = central.Sub(r3.Diag(r3.Vec{1, 1, 1}).Scale(r.Dot(at.mc))).Add(r3.Outer(r, at.mc))
	}
	// ω* by (3)
	var L r3.Vec
	L.SetMul(&central, w0)
	g, T := d.gravityOn(t, link, at, &gravity)
	L.IncScale(d.h, &T)
	w := spinAtEnd(&central, &L, &r3.Vec{}, w0, d.h)

	// v* − v0 at M, and the momentum that it needs
	var change, gain spatial
	change.w.SetSub(&w, w0)
	change.v.SetScale(d.h, &g)
	if eccentric { // (2)
		change.v.IncCross(w0, &r)
		var lever, theta r3.Vec
		theta.SetScale(d.h, &w)
		rotateExp(&lever, &theta, &r)
		change.v.IncCross(&lever, &w)
	}
	at.apply(&change, &gain)
	if l.kind == freeFloating {
		floatingMassMatrix(at, d.m.links[link].RotorInertia, A)
		copy(mom, gain.w[:])
		copy(mom[3:], gain.v[:])
		return
	}
	// a floating joint whose F is not the world's axes
	d.massMatrix(t, A)
	gain.w.IncCross(&gain.v, &d.p_MB[link]) // at B, as columns are
	for k := range mom {
		mom[k] = gain.dotOf(&d.subspace[l.v0+k])
	}
}

// floatingMassMatrix writes A (6×6) of an inertia about M, in the same axes.
func floatingMassMatrix(at *inertia, rotor float64, A []float64) {
	A = A[:36]
	x, y, z := at.mc[0], at.mc[1], at.mc[2]
	for i := range 3 {
		copy(A[6*i:6*i+3], at.I[3*i:3*i+3])
		A[7*i] += rotor
		A[21+7*i] = at.mass + rotor
	}
	A[4], A[5], A[9], A[11], A[15], A[16] = -z, y, z, -x, -y, x
	A[24], A[30], A[19], A[31], A[20], A[26] = -z, y, z, -x, -y, x
}

// spinAtEnd returns ω* of (5) for the inertia I and the angular momenta L and rel = L_rel
// about the centre of mass, starting from w. Where Newton's method does not converge, at
// more than 1.5 rad a step, it returns w, which keeps the energy of a single body.
func spinAtEnd(I *r3.Mat, L, rel, w *r3.Vec, h float64) r3.Vec {
	var u, rest, theta r3.Vec
	size, inertia := L.DotOf(L)+rel.DotOf(rel), I.Norm2()
	x := r3.Vec{w[0], w[1], w[2]}
	// Newton's method on the residual of (5)
	for range spinIterations {
		theta.SetScale(-h, &x)
		rotateExp(&u, &theta, L)
		rest.SetMul(I, &x)
		rest.SetSub(&rest, &u) // (3)
		rest.IncScale(1, rel)  // (5)
		// I ω of a long body cancels to a small L
		if rest.DotOf(&rest) <= spinTol*spinTol*(size+inertia*x.DotOf(&x)) {
			return x
		}
		inv, _ := I.Sub(r3.Skew(u).Mul(leftJacobian(theta)).Scale(h)).Inv()
		rest.SetMul(&inv, &rest)
		x.SetSub(&x, &rest)
	}
	return *w
}

// rotateExp writes u = Exp(θ) a (4). u must be neither θ nor a.
func rotateExp(u, theta, a *r3.Vec) {
	s, b, _ := expTerms(theta.DotOf(theta))
	var t, tt r3.Vec
	t.SetCross(theta, a)
	tt.SetCross(theta, &t)
	for i := range u {
		u[i] = a[i] + (s*t[i] + b*tt[i])
	}
}

// leftJacobian returns J(θ) of (4).
func leftJacobian(theta r3.Vec) r3.Mat {
	_, b, c := expTerms(theta.Norm2())
	S := r3.Skew(theta)
	return r3.Identity().Add(S.Scale(b)).Add(S.Mul(S).Scale(c))
}

// expTerms returns a, b and c of (4) at θ² = x.
func expTerms(x float64) (a, b, c float64) {
	if x < seriesBelow*seriesBelow {
		return 1 - x/6*(1-x/20*(1-x/42*(1-x/72))),
			0.5 - x/24*(1-x/30*(1-x/56*(1-x/90))),
			1./6 - x/120*(1-x/42*(1-x/72*(1-x/110)))
	}
	t := math.Sqrt(x)
	sin, cos := math.Sincos(t)
	return sin / t, (1 - cos) / x, (t - sin) / (t * x)
}
