package rigid

import (
	"math"

	"curlfree/r3"
)

// Bodies that fly, alone or with what is welded to them. Their gyroscopic moment
// ω×I ω, taken from the start of the step, feeds energy into a body that does not
// spin about a principal axis, step by step until it flies apart. But momenta are
// constant while nothing touches the body, so v* is the velocity that has them
// where the step ends,
//
//	R I Rᵀ ω* = L,  R = Exp(h ω*)                                          (1)
//	v_c* = v_c + h g,  v_M* = v_c* − ω*×R r                                (2)
//
// with I and r, from the joint's M to the centre of mass c, at the start. As ω* is
// the axis of R, (1) is
//
//	I ω* = u = Exp(−h ω*) L                                                (3)
//
// which Newton's iteration solves with the derivative I − h [u]× J(−h ω*), J the
// left Jacobian of the rotations,
//
//	J(θ) = 1 + (1 − cos θ)/θ² [θ]× + (θ − sin θ)/θ³ [θ]×²                  (4)
//
// To first order in h this takes energy, as the rest of the step does and unlike
// the moment from its start: what tumbles settles about its axis of largest
// inertia. A stays as it is, and with it what impulses do.

const (
	spinIterations = 10    // four are usual at a radian a step; all end up to 1.5
	spinTol        = 4e-15 // of |L|: round-off
	seriesBelow    = 1e-3  // rad, where (4) loses digits; it is only a derivative
)

// fly returns the momentum, about the origin of a flying link, that it and all it
// carries gain in the step.
func (d *Data) fly(link int, gravity r3.Vec) spatial {
	comp, V, p_MB := &d.comp[link], d.vel[link], d.p_MB[link]
	c := comp.mc.Scale(1 / comp.mass)
	I := comp.I.Sub(r3.Diag(r3.Vec{1, 1, 1}).Scale(c.Dot(comp.mc))).Add(r3.Outer(c, comp.mc))
	w := spin(I, V.w, d.h)

	r := p_MB.Add(c)
	dv := gravity.Scale(d.h).Add(V.w.Cross(r)).Sub(w.Cross(r3.RotExp(w.Scale(d.h)).MulVec(r))) // (2)
	return comp.times(spatial{w.Sub(V.w), dv}.shifted(p_MB))
}

// spin returns ω* of a body that turns with w about its centre of mass. Faster
// than anyone can follow, it keeps w, and so its energy.
func spin(I r3.Mat, w r3.Vec, h float64) r3.Vec {
	L := I.MulVec(w)
	least := spinTol * L.Norm()
	x := w
	for range spinIterations {
		theta := x.Scale(h)
		u := r3.RotExp(theta.Neg()).MulVec(L)
		rest := I.MulVec(x).Sub(u) // (3)
		if rest.Norm() <= least {
			return x
		}
		inv, _ := I.Sub(r3.Skew(u).Mul(leftJacobian(theta.Neg())).Scale(h)).Inv()
		x = x.Sub(inv.MulVec(rest))
	}
	return w
}

// leftJacobian returns J(θ) of (4).
func leftJacobian(theta r3.Vec) r3.Mat {
	t := theta.Norm()
	a, b := 1./2, 1./6
	if t > seriesBelow {
		a, b = (1-math.Cos(t))/(t*t), (t-math.Sin(t))/(t*t*t)
	}
	S := r3.Skew(theta)
	return r3.Identity().Add(S.Scale(a)).Add(S.Mul(S).Scale(b))
}
