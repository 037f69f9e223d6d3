package rigid

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// A single floating body under the damped midpoint rule of package timestep. Its unknown is the displacement velocity
// (u, w_M) of its joint's frame M: R⁺ = Exp(h u) R and p_M⁺ = p_M + h w_M. With the inertia I about the centre of mass
// c, r from M to it and L = I ω0, all at the start, the moment Γ of impulses about c and impulses γ,
//
//	I (u − ω0 + δ r′ d₋) = θ [Exp(−h u) (L + Γ) − L]                        (1)
//	ω⁺ = I⁺⁻¹ (L + Γ),   I⁺ = Exp(h u) I Exp(−h u)                         (2)
//	m (u_c − v_c + δ r′ Δv₋)/θ = h m g + γ,   u_c = w_M + (Exp(h u) − 1) r/h      (3)
//	v_c⁺ = v_c + h g + γ/m
//
// (1) is the rule Δv = (w − v0 + δ r′ Δv₋)/θ with changes of the angular velocity in the axes of the body, d = Exp(−h
// u) ω⁺ − ω0. With (2) the angular momentum is exact for any u, and the kinetic energy of the rotation changes by
//
//	u·Γ − δ (d − r′ d₋)·I d                                                 (4)
//
// so that the energy of a free rotation is exact for δ = 0. A body that no impulse changed in the step before flies on
// so: in place of r′ d₋ and r′ Δv₋ are d and Δv of the flight of this step, d = 2 (u − ω0) and h g, by which flight is
// exact with any δ, and impulses that begin in it are damped.
//
// (1) times Exp(h u)/θ has Γ alone on one side. With A = I⁺(u_k)/θ it is, linear about u_k,
//
//	A (u − ω0) = p_k + Γ,   p_k = A [Exp(h u_k) (ω0 − δ r′ d₋) − ω0] − (Exp(h u_k) − 1) L      (5)
//
// which is exact at u = u_k. The first u_k is the motion of flight, later ones are solved. With the mean lever s = J(h
// u_k) r over the step, J of floating_body.go, u_c = w_M + u_k×s, and about M
//
//	A_M = (I⁺ + m [s]×ᵀ[s]×, m [s]×; −m [s]×, m)/θ                         (6)
//	p_M = h m g + m [ω0×(r − s) − δ r′ Δv₋]/θ,   p_ω = p_k + s×p_M
//
// The point of the body at x from M moves by h (u×J(h u) x + w_M): rows of points have the lever J(h u_k) x. Weight
// that acts beside the centre, with e of weight_compensation.go, has the moment h (J e)×g, which does the work of its
// potential. A rotor of a floating joint is a sphere at M without weight. Source: (1) to (6) are this program's; the
// mean of body axes is that of the midpoint rule of rotations, Simo and Wong 1991, whose other forms do not keep both
// energy and momentum.

// flight is the step of a single floating body. Vectors are in world axes.
type flight struct {
	link int
	// F: its v is not in the world's axes but in those of R_WF.
	turned bool
	R_WF   r3.Mat
	h      float64
	theta  float64

	// At the start: mass, inertia about the centre of mass, its place and that of M; r, v_c, ω0 and L of (1).
	mass         float64
	I            r3.Mat
	center, p_WM r3.Vec
	r, v, w, L   r3.Vec
	// g is the acceleration of the centre by weight, and e and gravity make its moment.
	g, e, gravity r3.Vec
	// lagW and lagV are δ r′ d₋ and δ r′ Δv₋.
	lagW, lagV r3.Vec

	// About (u_k, u_c): J(h u_k), s, A_M and (p_ω, p_M), and the moment of weight.
	u, uc, s, moment r3.Vec
	J                r3.Mat
	A                inertia
	p                spatial
}

// placeFlights gives rows of points of single floating bodies the lever arms of the placed state, until FreeMotion has
// those of the step.
func (d *Data) placeFlights() {
	for t, link := range d.m.singleBody {
		if link != World {
			f := &d.damped.flights[t]
			f.link, f.h, f.J, f.uc = link, d.h, r3.Identity(), r3.Vec{}
			f.p_WM.SetSub(&d.x_WB[link].P, &d.p_MB[link])
			f.center = f.p_WM
		}
	}
}

// startFlight reads the placed state of a single floating body, tree t, and linearizes its step about flight.
func (d *Data) startFlight(t, link int, gravity *r3.Vec) *flight {
	f, l := &d.damped.flights[t], &d.m.placing[link]
	f.link, f.h = link, d.h
	if f.turned = l.kind != freeFloating; f.turned {
		f.R_WF = d.m.links[link].X_PF.R
	}
	// inertia about M, with the rotor
	var at inertia
	if at = d.compositeInertia[link]; l.offset {
		at = inertia{}
		at.add(&d.compositeInertia[link], &d.p_MB[link])
	}
	f.p_WM.SetSub(&d.x_WB[link].P, &d.p_MB[link])
	lift := d.carriedOfTree(t, &f.p_WM)
	if rotor := d.m.links[link].RotorInertia; rotor > 0 {
		at.mass += rotor
		lift.mass += rotor
		for i := range 3 {
			at.I[4*i] += rotor
		}
	}
	f.mass = at.mass
	f.r.SetScale(1/at.mass, &at.mc)
	f.center.SetAdd(&f.p_WM, &f.r)
	if f.I = at.I; f.r != (r3.Vec{}) {
		f.I = f.I.Sub(r3.Diag(r3.Vec{1, 1, 1}).Scale(f.r.Dot(at.mc))).Add(r3.Outer(f.r, at.mc))
	}
	f.g.SetScale(1-lift.mass/at.mass, gravity)
	f.e, f.gravity = lift.eccentricity(&f.r), *gravity
	v0 := f.toWorld(d.v[l.v0 : l.v0+6])
	f.w, f.v = v0.w, v0.v
	f.v.IncCross(&v0.w, &f.r)
	f.L.SetMul(&f.I, &f.w)
	f.setLag(d, l.v0, d.damped.impact[t])
	u, uc, ok := d.predictFlight(f, l.v0)
	if !ok {
		u, uc = f.spin(f.theta, &f.lagW), f.v.AddScaled(f.theta*f.h, f.g).Sub(f.lagV)
	}
	f.about(&u, &uc)
	return f
}

// setLag sets θ and the lags from the memory of the step before of the velocities from first on; θ_b is that of
// SetImpact.
func (f *flight) setLag(d *Data, first int, impact float64) {
	rule := &d.rule
	f.theta, f.lagW, f.lagV = rule.Theta, r3.Vec{}, r3.Vec{}
	switch {
	case impact > rule.Theta:
		f.theta = impact
	case rule.Delta == 0:
	default:
		last := rule.DV[first : first+6]
		if d_B := r3.Vec(last[:3]); d_B != (r3.Vec{}) {
			if d_B[0] == leastMemory {
				d_B[0] = 0
			}
			f.lagW.SetMul(&d.x_WB[f.link].R, &d_B)
			f.lagW.SetScale(rule.Delta*rule.ChangeRatio, &f.lagW)
			f.lagV = r3.Vec(last[3:]).Scale(rule.Delta * rule.ChangeRatio)
			return
		}
		// it flies
		u := f.spin(0.5, &f.lagW)
		f.lagW = u.Sub(f.w).Scale(2 * rule.Delta)
		f.lagV.SetScale(rule.Delta*f.h, &f.g)
	}
}

const (
	// weightPasses are fixed-point iterations for the moment of weight, which contract by about h² m |g| |e|/I.
	weightPasses = 8
	// flightParts divides turns of radians a step, through which the solution of (1) is followed from that of short
	// steps.
	flightParts = 16
	// flightTol is the residual of (1) relative to its terms that is a solution.
	flightTol = 1e-9
)

// spin solves (1) with the moment of weight and the lag δ r′ d₋ for u. Where there is no solution next to ω0 it returns
// ω0.
func (f *flight) spin(theta float64, lag *r3.Vec) r3.Vec {
	var rel, L r3.Vec // I u + rel = Exp(−h u) L
	rel.SetSub(lag, &f.w)
	rel.SetMul(&f.I, &rel)
	rel.IncScale(theta, &f.L)
	solve := func(moment *r3.Vec) r3.Vec {
		L.SetAdd(&f.L, moment)
		L.SetScale(theta, &L)
		u := spinAtEnd(&f.I, &L, &rel, &f.w, f.h)
		for parts := 2; !f.spins(&u, &L, &rel); parts *= 2 {
			if parts > flightParts {
				return f.w
			}
			u = f.w
			for k := 1; k <= parts; k++ {
				u = spinAtEnd(&f.I, &L, &rel, &u, f.h*float64(k)/float64(parts))
			}
		}
		return u
	}
	u := solve(&r3.Vec{})
	if f.e == (r3.Vec{}) {
		return u
	}
	for range weightPasses {
		moment := f.momentOfWeight(&u)
		u = solve(&moment)
	}
	return u
}

// spins reports whether I u + rel = Exp(−h u) L.
func (f *flight) spins(u, L, rel *r3.Vec) bool {
	var x, Iu, theta r3.Vec
	theta.SetScale(-f.h, u)
	rotateExp(&x, &theta, L)
	Iu.SetMul(&f.I, u)
	size := Iu.Norm() + rel.Norm() + L.Norm()
	return Iu.Add(*rel).Sub(x).Norm() <= flightTol*size
}

// momentOfWeight returns h (J(h u) e)×g.
func (f *flight) momentOfWeight(u *r3.Vec) (T r3.Vec) {
	if f.e == (r3.Vec{}) {
		return T
	}
	lever := leftJacobian(u.Scale(f.h)).MulVec(f.e)
	T.SetCross(&lever, &f.gravity)
	T.SetScale(f.h, &T)
	return T
}

// about linearizes the step about the displacement velocities u of the rotation and uc of the centre, (5) and (6).
func (f *flight) about(u, uc *r3.Vec) {
	f.u, f.uc = *u, *uc
	theta := u.Scale(f.h)
	f.J = leftJacobian(theta)
	f.s.SetMul(&f.J, &f.r)
	f.moment = f.momentOfWeight(u)
	// A, about the centre first
	c, E, A := 1/f.theta, r3.RotExp(theta), &f.A
	rotateTensor(&A.I, &E, &f.I)
	A.I = A.I.Scale(c)
	// p_k
	start := f.w.Sub(f.lagW)
	change := turnBy(&theta, &start).Sub(f.lagW)
	f.p.w.SetMul(&A.I, &change)
	f.p.w = f.p.w.Sub(turnBy(&theta, &f.L)).Add(f.moment)
	A.mass = c * f.mass
	A.mc.SetScale(A.mass, &f.s)
	addPoint(&A.I, &f.s, &A.mc)
	// p_M
	arm := f.r.Sub(f.s)
	f.p.v.SetCross(&f.w, &arm)
	f.p.v.IncScale(-1, &f.lagV)
	f.p.v.SetScale(A.mass, &f.p.v)
	f.p.v.IncScale(f.h*f.mass, &f.g)
	f.p.w.IncCross(&f.s, &f.p.v)
}

// aboutMotion linearizes the step about the displacement velocity V of M.
func (f *flight) aboutMotion(V *spatial) {
	theta := V.w.Scale(f.h)
	uc := V.v.AddScaled(1/f.h, turnBy(&theta, &f.r)) // (3)
	f.about(&V.w, &uc)
}

// impulse returns the impulses about M of a step with the displacement velocity V of M, A (V − V0) − p; what is
// round-off is zero.
func (f *flight) impulse(V *spatial) (g spatial) {
	start := spatial{f.w, f.v}
	start.v = start.v.Sub(f.w.Cross(f.r))
	change := V.sub(start)
	f.A.apply(&change, &g)
	g = g.sub(f.p)
	// sizes of what cancels
	speed := V.w.Norm() + f.w.Norm()
	lever := f.s.Norm()
	slide := f.A.mass*(V.v.Norm()+f.v.Norm()+lever*speed) + f.p.v.Norm()
	turn := math.Sqrt(f.A.I.Norm2())*speed + f.p.w.Norm() + lever*slide
	if g.v.Norm() <= untouchedTol*slide && g.w.Norm() <= untouchedTol*turn {
		return spatial{}
	}
	return g
}

// untouchedTol is the share of a momentum that is round-off of a solve.
const untouchedTol = 1e-13

// end returns the angular velocity, the velocity of M and the changes d, in the axes of the start, and Δv_c of a step
// with the displacement velocity V of M, (2) and (3). touched reports impulses.
func (f *flight) end(V *spatial) (v1, change spatial, touched bool) {
	g := f.impulse(V)
	touched = g != spatial{}
	g.w = g.w.Sub(f.s.Cross(g.v)) // about the centre
	theta, back := V.w.Scale(f.h), V.w.Scale(-f.h)
	L := f.L.Add(g.w).Add(f.moment)
	var L_0, lever r3.Vec // in the axes of the start
	rotateExp(&L_0, &back, &L)
	inv, _ := f.I.Inv()
	w_0 := inv.MulVec(L_0)
	change.w = w_0.Sub(f.w)
	rotateExp(&v1.w, &theta, &w_0)
	change.v = f.g.Scale(f.h).AddScaled(1/f.mass, g.v)
	v1.v = f.v.Add(change.v)
	if f.r != (r3.Vec{}) {
		rotateExp(&lever, &theta, &f.r)
		v1.v = v1.v.Sub(v1.w.Cross(lever))
	}
	return v1, change, touched
}

// turnBy returns (Exp(θ) − 1) a.
func turnBy(theta, a *r3.Vec) (u r3.Vec) {
	s, b, _ := expTerms(theta.DotOf(theta))
	var t, tt r3.Vec
	t.SetCross(theta, a)
	tt.SetCross(theta, &t)
	for i := range u {
		u[i] = s*t[i] + b*tt[i]
	}
	return u
}

// toWorld returns velocities of the joint (6), or momenta, in world axes.
func (f *flight) toWorld(v []float64) spatial {
	V := spatial{r3.Vec(v[:3]), r3.Vec(v[3:6])}
	if f.turned {
		return V.rotated(f.R_WF)
	}
	return V
}

// fromWorld writes velocities of the joint (6), or momenta, from those in world axes.
func (f *flight) fromWorld(V spatial, v []float64) {
	if f.turned {
		V = V.rotated(f.R_WF.T())
	}
	copy(v, V.w[:])
	copy(v[3:6], V.v[:])
}

// write writes A (6×6) and the momentum (6) about the linearization.
func (f *flight) write(A, mom []float64) {
	at := f.A
	if f.turned {
		R := f.R_WF.T()
		at.mc.SetMul(&R, &f.A.mc)
		rotateTensor(&at.I, &R, &f.A.I)
	}
	clear(A[:36])
	floatingMassMatrix(&at, 0, A)
	f.fromWorld(f.p, mom)
}
