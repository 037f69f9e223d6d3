package rigid

import (
	"curlfree/cliques"
	"curlfree/r3"
)

// The free motion of a tree over a step of h, with joint springs k, dampers d and
// rotors I_r implicit:
//
//	A = M + diag(I_r + h d + h² k)                                        (1)
//	A (v* − v0) = h [τ − bias(q, v0) − k (q + h v0 − q_r) − d v0]         (2)
//
// M by composite inertias 𝓜ᶜ (CRBA), bias by recursive Newton–Euler (RNEA) at
// v̇ = 0. Going up, with ω_r, v_r, α_r, a_r a link's motion against its parent,
//
//	ω̇_B = ω̇_P + ω_P×ω_r + α_r                                             (3)
//	a_B = a_P + ω̇_P×r + ω_P×(ω_P×r) + 2 ω_P×v_r + a_r                     (4)
//	a_r = H v̇ + ω_r×(ω_r×r_MB)                                            (5)
//
// and going down, c from a link's origin to its centre of mass,
//
//	f_B = m (a_B + ω̇×c + ω×(ω×c)),  t_B = I ω̇ + ω×I ω + m c×a_B          (6)
//	F_P += X(r)ᵀ F_B,  τ = Hᵀ F                                            (7)
//
// A prescribed joint adds (its velocity in this step − until now)/h to α_r and
// a_r. Source: Featherstone, Rigid Body Dynamics Algorithms, 5 and 6, here in
// world axes at each link's origin.

// FreeMotion appends one dense clique for every tree that moves. tau are applied
// joint efforts (nv; N or N m), nil for none.
func (d *Data) FreeMotion(gravity r3.Vec, tau []float64, p *cliques.Problem) {
	d.composite()
	d.rnea(gravity, nil)
	m := d.m
	for t := range m.Trees() {
		first, n := m.first[t], m.first[t+1]-m.first[t]
		node, A, v0, mom := p.AddDense(n)
		d.node[t] = node
		d.massMatrix(t, A)
		var gain spatial
		flier := m.flier[t]
		if flier != World {
			gain = d.fly(flier, gravity)
		}
		for k := range n {
			dof := first + k
			l := &m.links[m.dofs[dof]]
			v0[k] = d.v[dof]
			A[k*n+k] += d.h*l.Damping + d.h*d.h*l.Stiffness // (1)
			f := -l.Damping * d.v[dof]                      // (2)
			if l.Stiffness > 0 {
				f -= l.Stiffness * (d.q[m.q0[m.dofs[dof]]] + d.h*d.v[dof] - l.Rest)
			}
			if tau != nil {
				f += tau[dof]
			}
			if flier != World {
				mom[k] = d.h*f + gain.dot(d.column[dof])
			} else {
				mom[k] = d.h * (f - d.effort(dof))
			}
		}
	}
}

// composite computes the inertia of each link with all it carries.
func (d *Data) composite() {
	copy(d.comp, d.own)
	for i := len(d.comp) - 1; i >= 0; i-- {
		if p := d.m.links[i].Parent; p != World {
			d.comp[p].add(&d.comp[i], d.x_WB[i].P.Sub(d.x_WB[p].P))
		}
	}
}

// massMatrix writes M with rotors of a tree (n×n, zero before) from composite
// inertias: the force that moves column a, carried down to every joint that it
// loads.
func (d *Data) massMatrix(t int, M []float64) {
	m := d.m
	first, n := m.first[t], m.first[t+1]-m.first[t]
	for a := range n {
		i := m.dofs[first+a]
		f := d.comp[i].times(d.column[first+a])
		for j := i; j != World; j = m.above(j) {
			at := f.carried(d.x_WB[i].P.Sub(d.x_WB[j].P))
			for k := range m.nv[j] {
				b := m.v0[j] + k - first
				if b > a { // of the same joint: the other way round
					break
				}
				x := at.dot(d.column[first+b])
				M[a*n+b], M[b*n+a] = x, x
			}
		}
		M[a*n+a] += m.links[i].RotorInertia
	}
}

// rnea computes the force that each link with all it carries needs for joint
// accelerations vdot (nv; nil: zero), weight included.
func (d *Data) rnea(gravity r3.Vec, vdot []float64) {
	for i := range d.m.links {
		d.accelerate(i, gravity, vdot)
		a, w, own := &d.acc[i], d.vel[i].w, &d.own[i]
		f := a.v.Scale(own.mass).Add(a.w.Cross(own.mc)).Add(w.Cross(w.Cross(own.mc)))
		t := own.I.MulVec(a.w).Add(w.Cross(own.I.MulVec(w))).Add(own.mc.Cross(a.v))
		d.force[i] = spatial{t, f} // (6)
	}
	for i := len(d.force) - 1; i >= 0; i-- {
		if p := d.m.links[i].Parent; p != World {
			d.force[p] = d.force[p].add(d.force[i].carried(d.x_WB[i].P.Sub(d.x_WB[p].P))) // (7)
		}
	}
}

// accelerate computes the acceleration of a link from its parent's.
func (d *Data) accelerate(i int, gravity r3.Vec, vdot []float64) {
	// the world accelerates upwards: weight
	P, w, r := spatial{v: gravity.Neg()}, r3.Vec{}, d.x_WB[i].P
	if p := d.m.links[i].Parent; p != World {
		P, w, r = d.acc[p], d.vel[p].w, r.Sub(d.x_WB[p].P)
	}
	rel := d.rel[i]
	a := spatial{
		P.w.Add(w.Cross(rel.w)), // (3)
		P.v.Add(P.w.Cross(r)).Add(w.Cross(w.Cross(r).AddScaled(2, rel.v))). // (4)
											Add(rel.w.Cross(rel.w.Cross(d.p_MB[i]))), // (5)
	}
	a = a.add(d.pushed[i])
	if vdot != nil {
		for j := range d.m.nv[i] {
			k := d.m.v0[i] + j
			a = a.addScaled(vdot[k], d.column[k]) // (5)
		}
	}
	d.acc[i] = a
}

// effort returns the part along a dof of the force that its link and all it
// carries need.
func (d *Data) effort(dof int) float64 { return d.force[d.m.dofs[dof]].dot(d.column[dof]) } // (7)

// InverseDynamics writes the joint efforts tau (nv) that give the accelerations
// vdot (nv) at the placed state: M v̇ + bias, rotors included, springs and dampers
// not.
func (d *Data) InverseDynamics(gravity r3.Vec, vdot, tau []float64) {
	d.rnea(gravity, vdot)
	for k := range tau {
		tau[k] = d.effort(k) + d.m.links[d.m.dofs[k]].RotorInertia*vdot[k]
	}
}
