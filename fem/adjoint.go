package fem

// The adjoint of the free motion of a body (reverse mode): derivatives of
//
//	Φ = yᵀ[A (v⁺ − v0) − p]                                                   (1)
//
// by the positions x and velocities v of the start, at fixed v⁺ and y. A and p together are one evaluation of the
// forces at the end of the step, so that no derivative of A is needed. With z = x + (h + ζ) v⁺ − S (x − c), S = (Q − E)
// + ζ/h (Q − I) of rigid_rotation.go, and forces f(z) of elements with their frames R(x),
//
//	Φ = (1 + hα) yᵀM (v⁺ − v0) + hα yᵀM v0 + h yᵀf(R(x), z) − h yᵀ(m g + loads)          (2)
//
// Elements give ∂Φ/∂z and what x changes by their frames, element_adjoint.go. This file adds the rest: z by x, and S by
// the angular momentum and inertia from which it is predicted. All sums go over vertices or elements once, in their
// order.
// Source: this program's; formulas for frames follow from Rᵀ δR = [ω], (tr U I − U) ω = ax(Rᵀ δF) with F = R U, where
// ax(M) = (M₂₁ − M₁₂, M₀₂ − M₂₀, M₁₀ − M₀₁).

import (
	"math"

	"github.com/curlfree/curlfree/r3"
)

// adjointPass is the working memory of FreeMotionAdjoint. Bars are derivatives of Φ by what stands below them.
type adjointPass struct {
	*freeMotion
	y, z []r3.Vec // of all vertices; y is zero where they are fixed
	zBar []r3.Vec // ∂Φ/∂z
	xBar []r3.Vec // ∂Φ/∂x at fixed z
	// cotangents of blocks of A of each node, and the factor h (h + ζ) of K in A
	diagonal []r3.Mat
	stiff    float64
	mobile   []bool // vertices that have one of these
	lanes    adjointLanes
	law      kernelLaw
}

// FreeMotionAdjoint adds to dx and dv (3·NumVerts) the derivatives of (1) by the state x, v of the start of a step of h
// seconds; vNext and y (Dofs) are v⁺ and y. diagonal are further cotangents of the blocks of A on its diagonal, one for
// each node, symmetric, as of laws that read the mobility of vertices; nil: none. Loads on the vertices must not depend
// on positions. It is false, and dx and dv are undefined, for nonlinear laws, steps of the midpoint rule
// (MidpointAdjoint), flat elements, and bodies whose rotation in the step is not resolved.
func (d *Data) FreeMotionAdjoint(h float64, x, v, vNext, y []float64, diagonal []r3.Mat, dx, dv []float64) bool {
	if d.newton != nil || d.step.Midpoint {
		return false
	}
	a, m := d.adjointMemory(), d.model
	zeta := m.spec.StiffnessDamping
	f := a.freeMotion
	f.h, f.pass, f.step = h, 0, d.step
	a.diagonal, a.stiff = diagonal, h*(h+zeta)
	// positions and S of the start, as Linearize takes them
	f.predict(h, zeta, x, v)
	if f.rotation.unresolved {
		return false
	}
	S := f.rotation.removed.Add(f.rotation.full.Scale(zeta / h))
	for i, n := range m.node {
		a.y[i], a.z[i], a.zBar[i], a.xBar[i] = r3.Vec{}, f.pos[i], r3.Vec{}, r3.Vec{}
		if f.rotation.rotates {
			a.z[i] = a.z[i].Sub(S.MulVec(f.pos[i].Sub(f.rotation.center)))
		}
		if n >= 0 {
			a.y[i] = r3.Vec(y[3*n : 3*n+3])
			a.z[i] = a.z[i].AddScaled(h+zeta, r3.Vec(vNext[3*n:3*n+3]))
		}
	}
	if !m.set.adjoint(a) {
		return false
	}
	a.addMass(dv)
	return a.addPositions(&S, x, v, dx, dv)
}

// adjointMemory returns the working memory of adjoints.
func (d *Data) adjointMemory() *adjointPass {
	if d.adjoint == nil {
		n := d.model.NumVerts()
		vecs := make([]r3.Vec, 4*n)
		d.adjoint = &adjointPass{
			freeMotion: &d.free, y: vecs[:n], z: vecs[n : 2*n], zBar: vecs[2*n : 3*n], xBar: vecs[3*n:],
			mobile: make([]bool, n), law: d.model.kernelConstants(),
		}
	}
	return d.adjoint
}

// diagonalOf returns the cotangent of the block of A of a vertex, times the factor of K; false: zero.
func (a *adjointPass) diagonalOf(v int32) (D r3.Mat, ok bool) {
	n := a.model.node[v]
	if a.diagonal == nil || n < 0 || a.diagonal[n] == (r3.Mat{}) {
		return D, false
	}
	return a.diagonal[n].Scale(a.stiff), true
}

// addMass adds the derivative −M y of the terms of M in (2) by v0.
func (a *adjointPass) addMass(dv []float64) {
	m := a.model
	for j := range m.pattern.N {
		u := m.vertex[j]
		for k := m.pattern.Ptr[j]; k < m.pattern.Ptr[j+1]; k++ {
			w, mass := m.vertex[m.pattern.Row[k]], m.blocks[k].mass
			for c := range 3 {
				dv[3*int(w)+c] -= mass * a.y[u][c]
				// the upper triangle
				if u != w {
					dv[3*int(u)+c] -= mass * a.y[w][c]
				}
			}
		}
	}
}

// addPositions adds ∂Φ/∂x, and ∂Φ/∂v by the rotation.
func (a *adjointPass) addPositions(S *r3.Mat, x, v, dx, dv []float64) bool {
	t := &a.rotation
	var SBar r3.Mat
	var sum r3.Vec
	for i := range a.zBar {
		b := a.xBar[i].Add(a.zBar[i])
		// z has −S (x − c)
		b = b.Sub(S.TMulVec(a.zBar[i]))
		sum = sum.Add(a.zBar[i])
		SBar = SBar.Sub(r3.Outer(a.zBar[i], a.pos[i].Sub(t.center)))
		for c := range 3 {
			dx[3*i+c] += b[c]
		}
	}
	m := a.model
	if len(m.vertex) < len(m.node) || m.class == Linear {
		return true // nothing rotates
	}
	// c is the centre of mass
	sum = S.TMulVec(sum)
	for i, mass := range m.nodalMass {
		for c := range 3 {
			dx[3*i+c] += mass / m.mass * sum[c]
		}
	}
	return a.addRotation(SBar.Scale(1+m.spec.StiffnessDamping/a.h), x, v, dx, dv)
}

// addRotation adds what x and v change by Q of the mean rotation, whose bar is given. With r = x − c, w = v − v̄, r' =
// r − h w/2,
//
//	L = Σ m r × w,  I = Σ m (r·r E − r rᵀ),  I' = Σ m (r'·r' E − r' r'ᵀ)                    (3)
//	u = I'⁻¹L,  n = u/|u|,  s = h n·L/(n·I n),  θ = n χ(s),  Q = Exp θ                         (4)
//
// It is false where u has no direction although vertices move: (4) has a kink there.
func (a *adjointPass) addRotation(QBar r3.Mat, x, v, dx, dv []float64) bool {
	m, h := a.model, a.h
	var mv r3.Vec
	for i, mass := range m.nodalMass {
		mv = mv.AddScaled(mass/m.mass, r3.Vec(v[3*i:3*i+3]))
	}
	// (3), with masses of the vertices
	arms := func(i int) (r, w r3.Vec) {
		return r3.Vec(x[3*i : 3*i+3]).Sub(a.center()), r3.Vec(v[3*i : 3*i+3]).Sub(mv)
	}
	var L r3.Vec
	var at, mid massMoments
	moving := 0.0
	for i, mass := range m.nodalMass {
		r, w := arms(i)
		L = L.AddScaled(mass, r.Cross(w))
		at.add(mass, &r)
		r = r.AddScaled(-0.5*h, w)
		mid.add(mass, &r)
		moving = max(moving, w.Norm2())
	}
	inverse, det, trace := mid.inertia(m.mass)
	if !(det > slender*math.Pow(trace/3, 3)) {
		return true // bodies on a line have no rotation
	}
	I := at.tensor(m.mass)
	g := rotationBars{}
	u := inverse.MulVec(L)
	switch {
	case u.Norm2() > 0:
		g.fill(h, u, L, &I, &inverse, &QBar)
	case moving > 0:
		return false
	default:
		// at rest θ = h I⁻¹L, Q = E
		g.L = inverse.MulVec(axial(QBar)).Scale(h)
	}
	for i, mass := range m.nodalMass {
		r, w := arms(i)
		half := r.AddScaled(-0.5*h, w)
		late := g.mid.MulVec(half)
		rBar := w.Cross(g.L).Add(g.at.MulVec(r)).Add(late)
		wBar := g.L.Cross(r).AddScaled(-0.5*h, late)
		for c := range 3 {
			dx[3*i+c] += mass * rBar[c]
			dv[3*i+c] += mass * wBar[c]
		}
	}
	return true
}

// center returns c, which predict computes where the body can rotate.
func (a *adjointPass) center() r3.Vec { return a.rotation.center }

// rotationBars are the bars of (3): of L, and of both inertias as the matrices B with r̄ = m B r.
type rotationBars struct {
	L       r3.Vec
	at, mid r3.Mat
}

// fill computes them by (4), from the bar of Q.
func (g *rotationBars) fill(h float64, u, L r3.Vec, I, inverse, QBar *r3.Mat) {
	n := u.Unit()
	In := I.MulVec(n)
	along, about := n.Dot(L), n.Dot(In)
	s := h * along / about
	angle := chordAngle(s)
	slope := 1.0 // of χ
	if s < lastChord {
		slope = 1 / math.Sqrt(1-s*s)
	}
	// δQ = [J δθ] Q with the left Jacobian J of the exponential
	theta := n.Scale(angle)
	thetaBar := leftJacobian(theta).TMulVec(axial(QBar.Mul(r3.RotExp(theta).T())))
	// θ = n χ(s)
	sBar := slope * n.Dot(thetaBar)
	nBar := thetaBar.Scale(angle).AddScaled(sBar*h/about, L).AddScaled(-2*sBar*s/about, In)
	IBar := r3.Outer(n, n).Scale(-sBar * s / about)
	// n = u/|u|, u = I'⁻¹L
	uBar := nBar.AddScaled(-n.Dot(nBar), n).Scale(1 / u.Norm())
	w := inverse.MulVec(uBar)
	g.L = w.AddScaled(sBar*h/about, n)
	g.at = inertiaBar(IBar)
	g.mid = inertiaBar(r3.Outer(w, u).Scale(-1))
}

// inertiaBar returns B of r̄ = m B r for I = Σ m (r·r E − r rᵀ).
func inertiaBar(I r3.Mat) r3.Mat {
	return r3.Identity().Scale(2 * I.Trace()).Sub(I).Sub(I.T())
}

// axial returns ax(M).
func axial(M r3.Mat) r3.Vec { return r3.Vec{M[7] - M[5], M[2] - M[6], M[3] - M[1]} }

// leftJacobian returns J of δ Exp(θ) = [J δθ] Exp(θ).
func leftJacobian(theta r3.Vec) r3.Mat {
	t2 := theta.Norm2()
	// series below, where the closed forms cancel
	b, c := 0.5-t2/24, 1.0/6-t2/120
	if t2 > 1e-6 {
		t := math.Sqrt(t2)
		b, c = (1-math.Cos(t))/t2, (t-math.Sin(t))/(t2*t)
	}
	K := r3.Skew(theta)
	return r3.Identity().Add(K.Scale(b)).Add(K.Mul(K).Scale(c))
}
