package rigid

import "github.com/curlfree/curlfree/r3"

// Derivatives of the inverse dynamics of a tree whose joints have one axis each. With all spatial vectors in
// world axes about one fixed point, S the axis of a dof, V and 𝒜 velocity and acceleration (weight included) of its
// link and λ the parent's,
//
//	ψ' = V_λ × S,  ψ'' = 𝒜_λ × S + V_λ × ψ'                                   (1)
//
// and 𝓜ᶜ, Bᶜ, fᶜ the sums of inertias 𝓜, of B and of forces f = 𝓜 𝒜 + V ×* 𝓜 V over all links that the dof carries,
//
//	B = ½ [(V×*) 𝓜 − 𝓜 (V×) + (𝓜 V) ×̄*]                                        (2)
//
// the effort τ_i = S_iᵀ fᶜ changes, for i that carries j or is j, by
//
//	∂τ_i/∂q_j = S_iᵀ (2 Bᶜ_j ψ'_j + 𝓜ᶜ_j ψ''_j + S_j ×* fᶜ_j)                    (3)
//	∂τ_j/∂q_i = S_jᵀ (2 Bᶜ_j ψ'_i + 𝓜ᶜ_j ψ''_i)                                 (4)
//	∂τ_i/∂q̇_j = S_iᵀ (2 Bᶜ_j S_j + 2 𝓜ᶜ_j ψ'_j),  ∂τ_j/∂q̇_i = S_jᵀ (2 Bᶜ_j S_i + 2 𝓜ᶜ_j ψ'_i)   (5)
//
// Worked out, 2 B is zero for translations and takes a rotation a to
//
//	2 B a = (−2 ω×(P a) − 2 m c×(v×a); 2 a×l),  P = ½ tr(I) 1 − I                (6)
//
// with l the linear momentum. Carried weight, weight_compensation.go, is a force 𝓛 (0; g) of masses 𝓛 without inertia,
// which is part of f and adds 𝓛ᶜ_j (0; g × ω of S_j) to the bracket of (3), and with S_i that of (4). Source: Singh,
// Russell, Wensing, "Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector Algebra", 2022; (6)
// is worked out here.

// inverseDynamicsTangent has the derivatives of one tree.
type inverseDynamicsTangent struct {
	dq, dv []float64 // ∂τ_i/∂q_j and ∂τ_i/∂q̇_j (n×n)
	// of each link of the model, about the fixed point
	vel, acc, force []spatial
	inertia         []inertia
	turn            []r3.Mat // upper half of 2 B by rotations
	momentum        []r3.Vec // l
	carried         []carriedMass
	// of each dof of the tree: S, ψ' and ψ''
	S, rate, rate2 []spatial
	// of a step
	v, a, change []float64
	LD, dv0      []float64
}

// resize makes room for the trees of a model, of up to n dofs.
func (s *inverseDynamicsTangent) resize(m *Model, n int) {
	links := len(m.links)
	s.dq, s.dv, s.dv0, s.LD = make([]float64, n*n), make([]float64, n*n), make([]float64, 2*n*n), make([]float64, n*n)
	s.vel, s.acc, s.force = make([]spatial, links), make([]spatial, links), make([]spatial, links)
	s.inertia, s.turn, s.momentum = make([]inertia, links), make([]r3.Mat, links), make([]r3.Vec, links)
	s.carried = make([]carriedMass, links)
	s.S, s.rate, s.rate2 = make([]spatial, n), make([]spatial, n), make([]spatial, n)
	s.v, s.a, s.change = make([]float64, n), make([]float64, n), make([]float64, n)
}

// hasOneAxisJoints reports whether (1) to (6) are valid for a tree: its joints have one axis each, and nothing
// that it is hung on moves.
func (m *Model) hasOneAxisJoints(t int) bool {
	for _, i := range m.linksOfTree[t] {
		if l := &m.placing[i]; l.kind != axial || l.prescribed {
			return false
		}
	}
	return true
}

// crossMotion returns V × a of two motions.
func crossMotion(V, a *spatial) spatial {
	return spatial{V.w.Cross(a.w), V.w.Cross(a.v).Add(V.v.Cross(a.w))}
}

// crossForce returns V ×* f of a motion and a force.
func crossForce(V, f *spatial) spatial {
	return spatial{V.w.Cross(f.w).Add(V.v.Cross(f.v)), V.w.Cross(f.v)}
}

// addCrossMotion adds V × a of two motions.
func addCrossMotion(V, a, to *spatial) {
	to.w.IncCross(&V.w, &a.w)
	to.v.IncCross(&V.w, &a.v)
	to.v.IncCross(&V.v, &a.w)
}

// compute sets dq and dv for joint velocities v and accelerations a (n) of a placed tree.
func (s *inverseDynamicsTangent) compute(d *Data, t int, gravity r3.Vec, v, a []float64) {
	m, n := d.m, len(v)
	first, links := m.treeStart[t], m.linksOfTree[t]
	o := d.x_WB[links[0]].P // the fixed point, so that trees far from the origin lose no digits
	for _, i := range links {
		l, V, A := &m.placing[i], &s.vel[i], &s.acc[i]
		if l.parent != World && m.tree[l.parent] == t {
			*V, *A = s.vel[l.parent], s.acc[l.parent]
		} else {
			*V, *A = spatial{}, spatial{v: gravity.Neg()} // weight is an upward acceleration of the world
		}
		var x r3.Vec
		x.SetSub(&d.x_WB[i].P, &o)
		if l.nv == 1 {
			k := l.v0 - first
			S, rate, rate2 := &s.S[k], &s.rate[k], &s.rate2[k]
			*S = d.subspace[l.v0]
			S.v.IncCross(&x, &S.w)
			// (1)
			*rate, *rate2 = spatial{}, spatial{}
			addCrossMotion(V, S, rate)
			addCrossMotion(A, S, rate2)
			addCrossMotion(V, rate, rate2)
			A.incScale(a[k], S)
			A.incScale(v[k], rate)
			V.incScale(v[k], S)
		}
		s.placeInertia(i, &d.bodyInertia[i], &x)
		if m.carriedTree[t] {
			own := d.carriedOf(i)
			s.carried[i] = carriedMass{}
			s.carried[i].add(&own, &x)
			s.carried[i].addForce(&gravity, &s.force[i])
		}
	}
	// sums over what each link carries, from the tips to the world
	for k := len(links) - 1; k >= 0; k-- {
		i := links[k]
		if p := m.placing[i].parent; p != World && m.tree[p] == t {
			s.carry(p, i)
			if m.carriedTree[t] {
				s.carried[p].add(&s.carried[i], &r3.Vec{})
			}
		}
	}
	clear(s.dq[:n*n])
	clear(s.dv[:n*n])
	for j := range n {
		s.addColumn(d, first, n, j)
		if m.carriedTree[t] {
			s.addCarried(d, &gravity, first, n, j)
		}
	}
}

// placeInertia sets inertia, force, 2 B and momentum of a link whose origin is at x from the fixed point.
func (s *inverseDynamicsTangent) placeInertia(i int, own *inertia, x *r3.Vec) {
	at, V, f := &s.inertia[i], &s.vel[i], &s.force[i]
	*at = inertia{}
	at.add(own, x)
	var h spatial
	at.apply(V, &h)
	at.apply(&s.acc[i], f)
	addCrossForce(V, &h, f)
	s.momentum[i] = h.v
	// (6), with [m c][v] = v m cᵀ − (m c·v) 1 and the columns of P, which is symmetric
	half, along, T := 0.5*at.I.Trace(), at.mc.DotOf(&V.v), &s.turn[i]
	for k := range 3 {
		var P, c r3.Vec
		P[0], P[1], P[2] = -at.I[k], -at.I[3+k], -at.I[6+k]
		P[k] += half
		c.SetCross(&V.w, &P)
		c.IncScale(at.mc[k], &V.v)
		c[k] -= along
		T[k], T[3+k], T[6+k] = -2*c[0], -2*c[1], -2*c[2]
	}
}

// carry adds what link i carries to its parent p.
func (s *inverseDynamicsTangent) carry(p, i int) {
	s.inertia[p].add(&s.inertia[i], &r3.Vec{}) // both are about the same point
	s.force[p].incScale(1, &s.force[i])
	to, from := &s.turn[p], &s.turn[i]
	for k := range to {
		to[k] += from[k]
	}
	s.momentum[p].IncScale(1, &s.momentum[i])
}

// addCrossForce adds V ×* f of a motion and a force.
func addCrossForce(V, f, to *spatial) {
	to.w.IncCross(&V.w, &f.w)
	to.w.IncCross(&V.v, &f.v)
	to.v.IncCross(&V.w, &f.v)
}

// addColumn writes the entries of (3) to (5) of dof j and all that carry it.
func (s *inverseDynamicsTangent) addColumn(d *Data, first, n, j int) {
	link := d.m.dofs[first+j]
	at, turn, S := &s.inertia[link], &s.turn[link], &s.S[j]
	var l, SB r3.Vec // 2 l, and S_jᵀ 2 B
	l.SetScale(2, &s.momentum[link])
	var byQ, byV, SM, x spatial
	// 2 B of (6), then 𝓜
	at.apply(&s.rate2[j], &byQ)
	x.w.SetMul(turn, &s.rate[j].w)
	byQ.w.IncScale(1, &x.w)
	byQ.v.IncCross(&s.rate[j].w, &l)
	addCrossForce(S, &s.force[link], &byQ)
	at.apply(&s.rate[j], &byV)
	byV.incScale(1, &byV)
	x.w.SetMul(turn, &S.w)
	byV.w.IncScale(1, &x.w)
	byV.v.IncCross(&S.w, &l)
	at.apply(S, &SM)
	SB.SetTMul(turn, &S.w)
	SB.IncCross(&l, &S.v)
	for i := link; i != World; i = d.m.placing[i].nextInboard {
		if d.m.placing[i].nv == 0 {
			continue
		}
		k := d.m.placing[i].v0 - first
		s.dq[k*n+j] = s.S[k].dotOf(&byQ) // (3)
		s.dv[k*n+j] = s.S[k].dotOf(&byV) // (5)
		if k != j {
			s.dq[j*n+k] = SB.DotOf(&s.rate[k].w) + SM.dotOf(&s.rate2[k]) // (4)
			s.dv[j*n+k] = SB.DotOf(&s.S[k].w) + 2*SM.dotOf(&s.rate[k])   // (5)
		}
	}
}

// handTangent adds the derivatives of (1) of free_tangent.go of a tree at its placed state, with the bias taken at
// v½ = v0 + ½ dv, dv = A⁻¹ p₀ of midpoint.go:
//
//	A δdv = −(h ∂ID(q, v0, dv/h) + h k δq + D δv0)                               (7)
//	δr = h ∂_q ID(q, v½, w/h) δq + h ∂_v ID(q, v½) (δv0 + ½ δdv) + h k δq + (D − A) δv0,  w = v⁺ − v0   (8)
//
// with springs k, dampers d and D = h d + h² k. A (n×n) is the tree's.
func (d *Data) handTangent(t int, gravity r3.Vec, vNext, A []float64, s *inverseDynamicsTangent, c columns) {
	m, n, h := d.m, len(vNext), d.h
	first := m.treeStart[t]
	v0 := d.v[first : first+n]
	LD, dv0 := s.LD[:n*n], s.dv0[:2*n*n]
	copy(LD, A)
	eliminate(LD, n)
	v, a, change := s.v[:n], s.a[:n], s.change[:n]
	if n > 1 {
		copy(change, d.gains[0][first:]) // dv
	} else {
		clear(change) // the bias of one axis does not depend on v
	}
	for k := range a {
		a[k] = change[k] / h
	}
	// δdv by each direction, a row of dv0 each
	s.compute(d, t, gravity, v0, a)
	for k := range n {
		stiffness, D := m.drivetrainOf(first+k, h)
		for side, by := range [2][]float64{s.dq, s.dv} {
			row := dv0[(side*n+k)*n:][:n]
			for i := range v {
				v[i] = -h * by[i*n+k]
			}
			v[k] -= [2]float64{h * stiffness, D}[side]
			m.fold(t, v)
			solve(LD, v, row) // (7)
		}
	}
	for k := range v {
		v[k], a[k] = v0[k]+0.5*change[k], (vNext[k]-v0[k])/h
	}
	s.compute(d, t, gravity, v, a)
	// (8)
	for k := range n {
		stiffness, D := m.drivetrainOf(first+k, h)
		for side, col := range [2][]float64{c.position(k, n), c.velocity(k, n)} {
			row := dv0[(side*n+k)*n:][:n]
			for i := range col {
				sum := 0.0
				for j, x := range row {
					sum += s.dv[i*n+j] * x
				}
				col[i] += 0.5 * h * sum
				if side == 0 {
					col[i] += h * s.dq[i*n+k]
				} else {
					col[i] += h*s.dv[i*n+k] - A[i*n+k]
				}
			}
			col[k] += [2]float64{h * stiffness, D}[side]
		}
	}
}

// addCarried adds what carried weight adds to (3) and (4) of dof j.
func (s *inverseDynamicsTangent) addCarried(d *Data, gravity *r3.Vec, first, n, j int) {
	link := d.m.dofs[first+j]
	at := &s.carried[link]
	// the force by a turn of S
	by := func(S *spatial) (f spatial) {
		var u r3.Vec
		u.SetCross(gravity, &S.w)
		f.w.SetCross(&at.mc, &u)
		f.v.SetScale(at.mass, &u)
		return f
	}
	own := by(&s.S[j])
	for i := link; i != World; i = d.m.placing[i].nextInboard {
		if d.m.placing[i].nv == 0 {
			continue
		}
		k := d.m.placing[i].v0 - first
		s.dq[k*n+j] += s.S[k].dotOf(&own)
		if k != j {
			f := by(&s.S[k])
			s.dq[j*n+k] += s.S[j].dotOf(&f)
		}
	}
}

// drivetrainOf returns the spring k and D = h d + h² k of a dof.
func (m *Model) drivetrainOf(dof int, h float64) (stiffness, D float64) {
	l := &m.links[m.dofs[dof]]
	return l.Stiffness, h*l.Damping + h*h*l.Stiffness
}
