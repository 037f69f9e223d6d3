package fem

import "github.com/curlfree/curlfree/r3"

// Adjoint of the forces of one element in adjoint.go: bars of
//
//	Φ_e = h Σ_a y_a·f_a(R(x), z)                                              (1)
//
// by the positions z at which forces are taken, and by x, which sets the frames. A frame R of the gradient F(x) = R U
// whose turn Rᵀ δR = [ω] changes Φ_e by m·ω adds
//
//	F̄ = R [(tr U I − U)⁻¹ m]×,   x̄_a = F̄ g_a.                                 (2)

// frameBar returns F̄ of (2); false: the element is flat.
func frameBar(F, R *r3.Mat, m r3.Vec) (r3.Mat, bool) {
	inverse, _, ok := turning(F, R)
	if !ok {
		return r3.Mat{}, false
	}
	return R.Mul(r3.Skew(inverse.MulVec(m))), true
}

// turning returns (tr U I − U)⁻¹ and U = RᵀF.
func turning(F, R *r3.Mat) (inverse, U r3.Mat, ok bool) {
	U.SetTMul(R, F)
	t := U.Trace()
	inverse, det := r3.Diag(r3.Vec{t, t, t}).Sub(U).Inv()
	return inverse, U, det > flatCell*t*t*t && t > 0
}

// sym returns the symmetric part.
func sym(M r3.Mat) r3.Mat { return M.Add(M.T()).Scale(0.5) }

// hookeStress returns 2μ ε + p I.
func hookeStress(mu float64, eps r3.Mat, p float64) r3.Mat {
	return eps.Scale(2 * mu).Add(r3.Diag(r3.Vec{p, p, p}))
}

// tet4 adds the bars of a linear tet: f_a = V R σ g_a, σ = 2μ ε + λ tr ε I, ε = sym(RᵀF(z)) − I.
func (a *adjointPass) tet4(e *element) bool {
	m, s := a.model, a.h*e.volume
	R, F := r3.Identity(), e.gradient(a.pos)
	if m.class == Corotated {
		R = r3.Polar(F)
	}
	// G = RᵀF(z) and B = RᵀF(y), with stresses σ and T
	var G, B r3.Mat
	Fz, Fy := e.gradient(a.z), e.gradient(a.y)
	G.SetTMul(&R, &Fz)
	B.SetTMul(&R, &Fy)
	eps, tau := sym(G).Sub(r3.Identity()), sym(B)
	sigma, T := hookeStress(m.mu, eps, m.lambda*eps.Trace()), hookeStress(m.mu, tau, m.lambda*tau.Trace())
	zF, xF, ok := R.Mul(T).Scale(s), r3.Mat{}, true
	if m.class == Corotated {
		moment := axial(B.Mul(sigma).Sub(T.Mul(G.T()))).Scale(s)
		moment = moment.Add(a.diagonalMoment(e, &R))
		xF, ok = frameBar(&F, &R, moment)
	}
	for k, v := range e.verts {
		g := e.shape(k)
		a.zBar[v], a.xBar[v] = a.zBar[v].Add(zF.MulVec(g)), a.xBar[v].Add(xF.MulVec(g))
	}
	return ok
}

// diagonalMoment returns the moment on the frame of a linear tet of the cotangents of
//
//	K_aa = V (λ + μ) w wᵀ + …,   w = R g_a
func (a *adjointPass) diagonalMoment(e *element, R *r3.Mat) (moment r3.Vec) {
	for k, v := range e.verts {
		if D, ok := a.diagonalOf(v); ok {
			g := e.shape(k)
			moment = moment.Add(g.Cross(R.TMulVec(D.MulVec(R.MulVec(g)))).Scale(2 * e.volume * (a.model.lambda + a.model.mu)))
		}
	}
	return moment
}

// adjoint implements elementSet.
func (s *tet10Set) adjoint(a *adjointPass) bool {
	for i := range s.tets {
		if !a.tet10(s, &s.tets[i]) {
			return false
		}
	}
	return true
}

// tet10 adds the bars of a ten-node tet, whose four points have frames of their own; the mean dilatation couples them.
func (a *adjointPass) tet10(s *tet10Set, e *tet10) bool {
	x, z, y := e.at(a.pos), e.at(a.z), e.at(a.y)
	var F, R, G, B, eps, tau [tet10Points]r3.Mat
	mean, meanY := 0.0, 0.0
	for q := range F {
		F[q] = e.gradient(q, &x)
		R[q] = s.rotation(F[q])
		Fz, Fy := e.gradient(q, &z), e.gradient(q, &y)
		G[q].SetTMul(&R[q], &Fz)
		B[q].SetTMul(&R[q], &Fy)
		eps[q], tau[q] = sym(G[q]).Sub(r3.Identity()), sym(B[q])
		mean += eps[q].Trace() / tet10Points
		meanY += tau[q].Trace() / tet10Points
	}
	weight := a.h * e.weight()
	for q := range F {
		sigma := hookeStress(s.mu, eps[q], s.pointLambda*eps[q].Trace()+s.meanLambda*mean)
		T := hookeStress(s.mu, tau[q], s.pointLambda*tau[q].Trace()+s.meanLambda*meanY)
		zF, xF, ok := R[q].Mul(T).Scale(weight), r3.Mat{}, true
		if s.class == Corotated {
			moment := axial(B[q].Mul(sigma).Sub(T.Mul(G[q].T()))).Scale(weight)
			xF, ok = frameBar(&F[q], &R[q], moment.Add(a.tet10Diagonal(s, e, q, &R)))
		}
		if !ok {
			return false
		}
		for k, v := range e.verts {
			g := e.grad[q][k]
			a.zBar[v], a.xBar[v] = a.zBar[v].Add(zF.MulVec(g)), a.xBar[v].Add(xF.MulVec(g))
		}
	}
	return true
}

// tet10Diagonal returns the moment on the frame of point q of the cotangents of
//
//	K_aa = Σ_q W (λ_c + μ) w_qa w_qaᵀ + λ_m/V b_a b_aᵀ + …,   w_qa = R_q g_qa,   b_a = Σ_q W w_qa
func (a *adjointPass) tet10Diagonal(s *tet10Set, e *tet10, q int, R *[tet10Points]r3.Mat) (m r3.Vec) {
	for k, v := range e.verts {
		D, ok := a.diagonalOf(v)
		if !ok {
			continue
		}
		var b r3.Vec
		for i := range R {
			b = b.AddScaled(e.weight(), R[i].MulVec(e.grad[i][k]))
		}
		g := e.grad[q][k]
		along := R[q].MulVec(g).Scale(s.pointLambda+s.mu).AddScaled(s.meanLambda/e.volume, b)
		m = m.Add(g.Cross(R[q].TMulVec(D.MulVec(along))).Scale(2 * e.weight()))
	}
	return m
}

// adjoint implements elementSet.
func (s cellSet) adjoint(a *adjointPass) bool {
	for i := range s.cells {
		if !a.cell(&s.cells[i]) {
			return false
		}
	}
	return true
}

// cell adds the bars of an element with one frame. With Y = Rᵀy, u = u(z), U = RᵀF(x), D = tr U I − U, and of x itself
// X = Rᵀ(x − x̄) and k = K0 u(x),
//
//	Φ_e = h [Σ Y·K0 u − q·p],   p = Σ g × Y,   q = D⁻¹ Σ X × k,   s = D⁻¹ p                       (3)
//
// the turn ω of the frame and δX, δU change it by
//
//	m/h = Σ (K0 u) × Y − (u + rest) × K0 Y + Σ Y × (q × g) + Σ X × e − ax(W U)                   (4)
//	δΦ/h = −Σ e·δX + W:δU,   e = k × s + K0 (s × X),   W = (s·q) I − (s qᵀ + q sᵀ)/2               (5)
func (a *adjointPass) cell(c *cell) bool {
	var u, Y, Ku, KY, X, k [cellNodes]r3.Vec
	x, z, y := c.at(a.pos), c.at(a.z), c.at(a.y)
	R := r3.Identity()
	F := c.gradient(&x)
	if a.model.class != Linear {
		R = r3.Polar(F)
	}
	for i := range c.n {
		Y[i].SetTMul(&R, &y[i])
	}
	// as Linearize has it: no frame turns under a linear law
	c.multiply(&KY, &Y)
	for i, v := range c.verts[:c.n] {
		a.zBar[v] = a.zBar[v].AddScaled(a.h, R.MulVec(KY[i]))
	}
	if a.model.class == Linear {
		return true
	}
	inverse, U, ok := turning(&F, &R)
	if !ok {
		return false
	}
	c.displacements(&u, &z, &R)
	c.multiply(&Ku, &u)
	c.turnBack(&X, &x, &R)
	var ux, e, sX [cellNodes]r3.Vec
	for i := range c.n {
		ux[i] = X[i].Sub(c.rest[i])
	}
	c.multiply(&k, &ux)
	var moment, p r3.Vec
	for i := range c.n {
		moment.IncCross(&X[i], &k[i])
		p = p.Add(c.grad[i].Cross(Y[i]))
	}
	q, s := inverse.MulVec(moment), inverse.MulVec(p)
	for i := range c.n {
		sX[i] = s.Cross(X[i])
	}
	c.multiply(&e, &sX)
	var m, mean r3.Vec
	for i := range c.n {
		e[i] = e[i].Add(k[i].Cross(s))
		mean = mean.AddScaled(1/float64(c.n), e[i])
		m = m.Add(Ku[i].Cross(Y[i])).Sub(u[i].Add(c.rest[i]).Cross(KY[i])).Add(Y[i].Cross(q.Cross(c.grad[i]))).Add(X[i].Cross(e[i]))
	}
	W := r3.Identity().Scale(s.Dot(q)).Sub(sym(r3.Outer(s, q)))
	m = m.Sub(axial(W.Mul(U)))
	// the blocks R K0_aa Rᵀ of A
	for i, v := range c.verts[:c.n] {
		if D, ok := a.diagonalOf(v); ok {
			D, K := R.T().Mul(D).Mul(R), c.stiff[triangle(i, i)]
			m = m.AddScaled(1/a.h, axial(D.Mul(K).Sub(K.Mul(D))))
		}
	}
	FBar := R.Mul(W.Add(r3.Skew(inverse.MulVec(m)))).Scale(a.h)
	for i, v := range c.verts[:c.n] {
		own := R.MulVec(e[i].Sub(mean))
		a.xBar[v] = a.xBar[v].AddScaled(-a.h, own).Add(FBar.MulVec(c.grad[i]))
	}
	return true
}
