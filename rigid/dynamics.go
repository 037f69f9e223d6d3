package rigid

import (
	"curlfree/cliques"
	"curlfree/r3"
)

// The free motion of a tree over a step of h, with joint springs k, dampers d and
// rotors I_r implicit:
//
//	A = M + diag(I_r + h d + h² k)                                  (1)
//	A (v* − v0) = h [τ − bias(q, v0) − k (q + h v0 − q_r) − d v0]   (2)
//
// M by composite inertias (Featherstone, Rigid Body Dynamics Algorithms, CRBA),
// bias by recursive Newton–Euler at v̇ = 0. A prescribed joint contributes the
// acceleration (its velocity in this step − until now)/h to the bias.

// FreeMotion appends one dense clique for every tree that moves. tau are applied
// joint efforts (nv; N or N m), nil for none.
func (d *Data) FreeMotion(gravity r3.Vec, tau []float64, p *cliques.Problem) {
	d.composite()
	d.bias(gravity, nil)
	m := d.m
	for t := range m.Trees() {
		first, n := m.first[t], m.first[t+1]-m.first[t]
		node, A, v0, mom := p.AddDense(n)
		d.node[t] = node
		d.massMatrix(t, A)
		for k := range n {
			dof := first + k
			i := m.dofs[dof]
			l := &m.links[i]
			v0[k] = d.v[dof]
			A[k*n+k] += l.RotorInertia + d.h*l.Damping + d.h*d.h*l.Stiffness // (1)
			f := -d.project(dof) - l.Damping*d.v[dof]                        // (2)
			if l.Stiffness > 0 {
				f -= l.Stiffness * (d.q[m.q0[i]] + d.h*d.v[dof] - l.Rest)
			}
			if tau != nil {
				f += tau[dof]
			}
			mom[k] = d.h * f
		}
	}
}

// composite computes the inertia of each link with all it carries.
func (d *Data) composite() {
	copy(d.comp, d.own)
	for i := len(d.comp) - 1; i >= 0; i-- {
		if p := d.m.links[i].Parent; p != World {
			d.comp[p].add(&d.comp[i], d.X_WB[i].P.Sub(d.X_WB[p].P))
		}
	}
}

// massMatrix writes M of a tree (n×n) from composite inertias.
func (d *Data) massMatrix(t int, A []float64) {
	m := d.m
	first, n := m.first[t], m.first[t+1]-m.first[t]
	for a := range n {
		i := m.dofs[first+a]
		f := d.comp[i].times(d.column[first+a])
		at := i
		for j := i; j != World; j = m.links[j].Parent {
			// the force moves down to j's origin
			r := d.X_WB[at].P.Sub(d.X_WB[j].P)
			f.w = f.w.Add(r.Cross(f.v))
			at = j
			_, nv := m.links[j].Joint.Size()
			for k := range nv {
				b := m.v0[j] + k - first
				c := &d.column[first+b]
				if x := c.w.Dot(f.w) + c.v.Dot(f.v); j != i || b <= a {
					A[a*n+b], A[b*n+a] = x, x
				}
			}
		}
	}
}

// bias computes the forces at each joint for joint accelerations vdot (nv; nil:
// zero), gravity included: RNEA.
func (d *Data) bias(gravity r3.Vec, vdot []float64) {
	for i := range d.m.links {
		d.accelerate(i, gravity, vdot)
	}
	for i := range d.m.links {
		a, V, own := &d.acc[i], &d.V_WB[i], &d.own[i]
		c := own.mc
		f := a.v.Scale(own.mass).Add(a.w.Cross(c)).Add(V.w.Cross(V.w.Cross(c)))
		t := own.I.MulVec(a.w).Add(V.w.Cross(own.I.MulVec(V.w))).Add(c.Cross(a.v))
		d.force[i] = motionVec{t, f}
	}
	for i := len(d.force) - 1; i >= 0; i-- {
		if p := d.m.links[i].Parent; p != World {
			f, r := d.force[i], d.X_WB[i].P.Sub(d.X_WB[p].P)
			d.force[p].v = d.force[p].v.Add(f.v)
			d.force[p].w = d.force[p].w.Add(f.w).Add(r.Cross(f.v))
		}
	}
}

// accelerate propagates the acceleration of a link's origin from its parent's.
func (d *Data) accelerate(i int, gravity r3.Vec, vdot []float64) {
	l := &d.m.links[i]
	// the world accelerates upwards: weight
	P, V, pos := motionVec{v: gravity.Neg()}, motionVec{}, r3.Vec{}
	if l.Parent != World {
		P, V, pos = d.acc[l.Parent], d.V_WB[l.Parent], d.X_WB[l.Parent].P
	}
	r := d.X_WB[i].P.Sub(pos)
	a := motionVec{P.w, P.v.Add(P.w.Cross(r)).Add(V.w.Cross(V.w.Cross(r)))}

	// relative motion of the joint, at the link's origin
	rel := motionVec{d.V_WB[i].w.Sub(V.w), d.V_WB[i].v.Sub(V.v).Sub(V.w.Cross(r))}
	_, nv := l.Joint.Size()
	p_MB := d.p_MB[i]
	var alpha, accM r3.Vec // relative acceleration of M in F
	if _, ok := l.Joint.(Prescribed); ok {
		alpha = d.next[i].w.Sub(d.past[i].w).Scale(1 / d.h)
		accM = d.next[i].v.Sub(d.past[i].v).Scale(1 / d.h)
	}
	a.w = a.w.Add(V.w.Cross(rel.w)).Add(alpha)
	a.v = a.v.Add(V.w.Cross(rel.v).Scale(2)).Add(accM).Add(alpha.Cross(p_MB)).Add(rel.w.Cross(rel.w.Cross(p_MB)))
	if vdot != nil {
		for j := range nv {
			k := d.m.v0[i] + j
			a.w = a.w.AddScaled(vdot[k], d.column[k].w)
			a.v = a.v.AddScaled(vdot[k], d.column[k].v)
		}
	}
	d.acc[i] = a
}

// project returns the effort at a dof of the force that its link and all it
// carries need.
func (d *Data) project(dof int) float64 {
	f, c := &d.force[d.m.dofs[dof]], &d.column[dof]
	return c.w.Dot(f.w) + c.v.Dot(f.v)
}

// InverseDynamics returns the joint efforts (nv) that give the accelerations vdot
// (nv) at the placed state: M v̇ + bias, rotors included.
func (d *Data) InverseDynamics(gravity r3.Vec, vdot, tau []float64) {
	d.bias(gravity, vdot)
	for k := range tau {
		tau[k] = d.project(k) + d.m.links[d.m.dofs[k]].RotorInertia*vdot[k]
	}
}

// KineticEnergy returns the kinetic energy of all links, J, without rotors.
func (d *Data) KineticEnergy() float64 {
	e := 0.0
	for i := range d.own {
		f, V := d.own[i].times(d.V_WB[i]), d.V_WB[i]
		e += 0.5 * (f.w.Dot(V.w) + f.v.Dot(V.v))
	}
	return e
}

// PotentialEnergy returns −Σ m g·p of all links, J.
func (d *Data) PotentialEnergy(gravity r3.Vec) float64 {
	e := 0.0
	for i := range d.own {
		e -= gravity.Dot(d.X_WB[i].P.Scale(d.own[i].mass).Add(d.own[i].mc))
	}
	return e
}

// SpringEnergy returns the energy in the joints' springs, J.
func (d *Data) SpringEnergy() float64 {
	e := 0.0
	for i := range d.m.links {
		if l := &d.m.links[i]; l.Stiffness > 0 {
			x := d.q[d.m.q0[i]] - l.Rest
			e += 0.5 * l.Stiffness * x * x
		}
	}
	return e
}

// Momentum returns the linear momentum of all links, N s.
func (d *Data) Momentum() r3.Vec {
	var p r3.Vec
	for i := range d.own {
		p = p.Add(d.own[i].times(d.V_WB[i]).v)
	}
	return p
}

// AngularMomentum returns the angular momentum of all links about a point, N m s.
func (d *Data) AngularMomentum(about r3.Vec) r3.Vec {
	var L r3.Vec
	for i := range d.own {
		f := d.own[i].times(d.V_WB[i])
		L = L.Add(f.w).Add(d.X_WB[i].P.Sub(about).Cross(f.v))
	}
	return L
}
