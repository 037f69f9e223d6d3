package rigid

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// The free motion of a tree over a step of h, with joint springs k, dampers d and
// rotors I_r implicit:
//
//	A = M + diag(I_r + h d + h² k)                                        (1)
//	A (v* − v0) = h [τ − bias(q, v½) − k (q + h v0 − q_r) − d v0]         (2)
//
// at velocities v½ half a step on, see halfway.go. M by composite inertias 𝓜ᶜ (CRBA), bias by recursive Newton–Euler (RNEA) at
// v̇ = 0. Going up, with ω_r, v_r, α_r, a_r a link's motion against its parent,
//
//	ω̇_B = ω̇_P + ω_P×ω_r + α_r                                             (3)
//	a_B = a_P + ω̇_P×r + ω_P×(ω_P×r) + 2 ω_P×v_r + a_r                     (4)
//	(α_r; a_r) = H v̇ + Ḣ v + (0; ω_r×(ω_r×r_MB))                          (5)
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
	m := d.m
	d.composite(m.every)
	d.rnea(m.jointed, gravity, &d.velocities, nil)
	for t := range m.Trees() {
		first, n := m.first[t], m.first[t+1]-m.first[t]
		node, A, v0, mom := p.AddDense(n)
		d.node[t] = node
		copy(v0, d.v[first:first+n])
		flier := m.flier[t]
		if flier != World {
			d.fly(t, flier, gravity, A, mom)
		} else {
			d.massMatrix(t, A)
		}
		for k := range mom {
			dof := first + k
			l := &m.links[m.dofs[dof]]
			A[k*n+k] += d.h*l.Damping + d.h*d.h*l.Stiffness // (1)
			f := -l.Damping * v0[k]                         // (2)
			if l.Stiffness > 0 {
				f -= l.Stiffness * (d.q[m.q0[m.dofs[dof]]] + d.h*v0[k] - l.Rest)
			}
			if tau != nil {
				f += tau[dof]
			}
			mom[k] += d.h * f
		}
		if flier == World {
			d.gain(t, gravity, A, mom, tau)
		}
	}
}

// composite computes the inertia of each of some links with all it carries; as
// for rnea.
func (d *Data) composite(links []int) {
	for _, i := range links {
		d.comp[i] = d.own[i]
	}
	for k := len(links) - 1; k >= 0; k-- {
		i := links[k]
		if p := d.m.placing[i].parent; p != World {
			d.comp[p].add(&d.comp[i], &d.p_PB[i])
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
		var f spatial
		d.comp[i].apply(&d.column[first+a], &f)
		t0, t1, t2, f0, f1, f2 := f.w[0], f.w[1], f.w[2], f.v[0], f.v[1], f.v[2]
		p := &d.x_WB[i].P
		for j := i; j != World; j = m.placing[j].above {
			l, o := &m.placing[j], &d.x_WB[j].P
			x, y, z := p[0]-o[0], p[1]-o[1], p[2]-o[2]
			x, y, z = t0+y*f2-z*f1, t1+z*f0-x*f2, t2+x*f1-y*f0 // moment at j
			b := l.v0 - first
			for k := b; k < b+l.nv && k <= a; k++ { // of the same joint: the other way round
				H := &d.column[first+k]
				s := x*H.w[0] + y*H.w[1] + z*H.w[2] + f0*H.v[0] + f1*H.v[1] + f2*H.v[2]
				M[a*n+k], M[k*n+a] = s, s
			}
		}
		M[a*n+a] += m.links[i].RotorInertia
	}
}

// rnea computes the force that each of some links with all it carries needs for
// joint accelerations vdot (nv; nil: zero), weight included, where links move as
// at says. Links ascend, with all that hang on
// them; accelerations of what carries them are known.
func (d *Data) rnea(links []int, gravity r3.Vec, at *velocities, vdot []float64) {
	for _, i := range links {
		d.accelerate(i, &gravity, at, vdot)
		a, w, own, F := &d.acc[i], &at.vel[i].w, &d.own[i], &d.force[i]
		var wc, wI r3.Vec
		wc.SetCross(w, &own.mc)
		wI.SetMul(&own.I, w)
		own.apply(a, F) // (6)
		F.v.IncCross(w, &wc)
		F.w.IncCross(w, &wI)
	}
	for k := len(links) - 1; k >= 0; k-- {
		i := links[k]
		if p := d.m.placing[i].parent; p != World {
			d.force[p].incScale(1, &d.force[i]) // (7)
			d.force[p].w.IncCross(&d.p_PB[i], &d.force[i].v)
		}
	}
}

// accelerate computes the acceleration of a link from its parent's.
func (d *Data) accelerate(i int, gravity *r3.Vec, at *velocities, vdot []float64) {
	l, a, rel := &d.m.placing[i], &d.acc[i], &at.rel[i]
	if l.parent == World {
		// the world accelerates upwards: weight
		a.w = r3.Vec{}
		a.v.SetScale(-1, gravity)
	} else {
		P, w, r := &d.acc[l.parent], &at.vel[l.parent].w, &d.p_PB[i]
		var u r3.Vec
		u.SetCross(w, r)
		u.IncScale(2, &rel.v)
		a.w.SetCross(w, &rel.w)
		a.w.IncScale(1, &P.w) // (3)
		a.v.SetCross(&P.w, r)
		a.v.IncScale(1, &P.v)
		a.v.IncCross(w, &u) // (4)
	}
	if l.offset {
		var u r3.Vec
		u.SetCross(&rel.w, &d.p_MB[i])
		a.v.IncCross(&rel.w, &u) // (5)
	}
	if l.biased != nil {
		a.incScale(1, &at.bias[i]) // (5)
	}
	if l.driven {
		a.incScale(1, &d.pushed[i])
	}
	if vdot != nil {
		for k := l.v0; k < l.v0+l.nv; k++ {
			a.incScale(vdot[k], &d.column[k]) // (5)
		}
	}
}

// effort returns the part along a dof of the force that its link and all it
// carries need.
func (d *Data) effort(dof int) float64 { return d.force[d.m.dofs[dof]].dotOf(&d.column[dof]) } // (7)

// InverseDynamics writes the joint efforts tau (nv) that give the accelerations
// vdot (nv) at the placed state: M v̇ + bias, rotors included, springs and dampers
// not.
func (d *Data) InverseDynamics(gravity r3.Vec, vdot, tau []float64) {
	d.rnea(d.m.every, gravity, &d.velocities, vdot)
	for k := range tau {
		tau[k] = d.effort(k) + d.m.links[d.m.dofs[k]].RotorInertia*vdot[k]
	}
}
