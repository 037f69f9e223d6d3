package rigid

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// The free motion of a tree over a step of h, with joint springs k (slack at q_r), dampers
// d and rotors I_r implicit and joint efforts τ:
//
//	A = M + diag(I_r + h d + h² k)                                        (1)
//	A (v* − v0) = h [τ − bias(q, v½) − k (q + h v0 − q_r) − d v0]         (2)
//
// The mass matrix M follows from composite inertias 𝓜ᶜ: the
// composite rigid body algorithm (CRBA). The bias, the forces at v̇ = 0, follows from the
// recursive Newton-Euler algorithm (RNEA) at the midpoint velocity v½ of midpoint.go. From
// the world to the tips, with P the parent, r = p_PB, and ω_r, v_r, α_r, a_r the motion of
// link B relative to its parent's material,
//
//	ω̇_B = ω̇_P + ω_P×ω_r + α_r                                             (3)
//	a_B = a_P + ω̇_P×r + ω_P×(ω_P×r) + 2 ω_P×v_r + a_r                     (4)
//	(α_r; a_r) = H v̇ + Ḣ v + (0; ω_r×(ω_r×r_MB))                          (5)
//
// and from the tips to the world, with mass m, inertia I and centre of mass c from B's
// origin,
//
//	f_B = m (a_B + ω̇×c + ω×(ω×c)),  t_B = I ω̇ + ω×I ω + m c×a_B          (6)
//	F_P += X(r)ᵀ F_B,  τ = Hᵀ F                                            (7)
//
// A prescribed joint adds to (α_r; a_r) the change of its velocity from the past step to
// this one, divided by h. Source: Featherstone, Rigid Body Dynamics Algorithms, chapters 5
// and 6, here in world axes at each link's origin.

// FreeMotion appends one dense clique for each tree: A, v0 and p = A (v* − v0), (1) and
// (2). gravity is in m/s², tau are applied joint efforts (nv; N or N m), nil for none.
func (d *Data) FreeMotion(gravity r3.Vec, tau []float64, p *cliques.Problem) {
	m := d.m
	d.limited = false
	// forces at v0; the midpoint iteration replaces those of trees with several velocities
	d.computeComposites(m.allLinks)
	if d.rule.Midpoint {
		d.startMiddle(gravity)
	} else {
		d.rnea(m.articulatedLinks, gravity, &d.velocities, nil)
	}
	for t := range m.Trees() {
		n := m.treeStart[t+1] - m.treeStart[t]
		node, A, v0, mom := p.AddDense(n)
		p.Cliques[len(p.Cliques)-1].OneBody = m.singleBody[t] != World
		d.node[t] = node
		copy(v0, d.velocitiesOf(t))
		p.Cliques[len(p.Cliques)-1].Passed2 = d.treeMotion(t, gravity, tau, A, mom)
	}
}

// treeMotion writes A (n×n) and the momentum mom (n) that a tree gains in the step, both zero before, and returns
// cliques.Clique.Passed2. Composite inertias and forces at v0 of its links are known.
func (d *Data) treeMotion(t int, gravity r3.Vec, tau, A, mom []float64) (passed2 float64) {
	m, n := d.m, len(mom)
	first := m.treeStart[t]
	v0 := d.velocitiesOf(t)
	single := m.singleBody[t]
	// A = M, without springs, dampers and bias
	balance, rule := &d.balance[t], &d.rule
	at := d // has the forces
	switch {
	case single != World && rule.Midpoint:
		d.flightMotion(t, single, &gravity, A, mom)
		*balance = d.dampedBalance(t)
	case single != World:
		d.singleBodyMotion(t, single, gravity, A, mom)
		*balance = treeBalance{twiceKinetic: quadraticForm(A, v0)}
	case rule.Midpoint:
		at = d.damped.middle
		*balance = d.dampedBalance(t)
		d.dampedMass(t, A, mom)
	default:
		d.massMatrix(t, A)
		*balance = treeBalance{twiceKinetic: quadraticForm(A, v0)}
	}
	balance.kinetic = 0.5 * balance.twiceKinetic
	// springs, dampers and applied efforts
	for k := range mom {
		dof := first + k
		l := &m.links[m.dofs[dof]]
		extra := d.h*l.Damping + rule.Kappa*d.h*d.h*l.Stiffness // (1)
		f := -l.Damping * v0[k]                                 // (2)
		if l.Stiffness > 0 {
			x := d.q[m.q0[m.dofs[dof]]] - l.Rest
			f -= l.Stiffness * (x + rule.Alpha*d.h*v0[k])
			balance.spring += 0.5 * l.Stiffness * x * x
			if rule.E > 0 {
				f -= rule.E * d.h * l.Stiffness * (v0[k] - rule.Ratio*rule.W[dof])
			}
		}
		// for the balance of energy
		d.drivetrain[dof] = drivetrain{extra, d.h * f}
		balance.implicit += d.h * f * v0[k]
		A[k*n+k] += extra
		if tau != nil {
			f += tau[dof]
		}
		mom[k] += d.h * f
	}
	m.foldMatrix(t, A, n)
	for i := range m.followers[t] {
		f := &m.followers[t][i]
		l, k := f.leader-first, f.dof-first
		x := f.ratio * (mom[k] - d.h*at.effort(f.dof))
		passed2 += x * x / A[l*n+l]
	}
	m.fold(t, mom)
	if single != World {
		return passed2
	}
	ahead := d.predictTree(t, n)
	dv, w := at.addBiasMomentum(t, gravity, A, mom, ahead)
	switch {
	case rule.Midpoint:
		d.finishMotion(t, &gravity, tau, A, dv, ahead, mom, w)
	case m.floatingBase[t] != World:
		d.conserveMomenta(t, &gravity, A, dv, mom, tau)
	case w > 0:
		d.limitMotion(t, &gravity, A, dv, mom)
	}
	return passed2
}

// velocitiesOf returns v0 of a tree in its part of the problem: those of the placed state, of SteppedJoints under the
// midpoint rule at q_m.
func (d *Data) velocitiesOf(t int) []float64 {
	if d.rule.Midpoint && d.m.singleBody[t] == World {
		return d.startVelocities(t)
	}
	return d.v[d.m.treeStart[t]:d.m.treeStart[t+1]]
}

// quadraticForm returns vᵀ A v of a symmetric matrix (n×n).
func quadraticForm(A, v []float64) float64 {
	s, n := 0.0, len(v)
	for i, x := range v {
		row := A[i*n : i*n+i+1]
		// twice what stands left of the diagonal
		r := 0.0
		for j, a := range row[:i] {
			r += a * v[j]
		}
		s += x * (2*r + row[i]*x)
	}
	return s
}

// computeComposites computes the inertia of each link of a list together with all links
// it carries. The list ascends and has with each link all that it carries.
func (d *Data) computeComposites(links []int) {
	for _, i := range links {
		d.compositeInertia[i] = d.bodyInertia[i]
	}
	// from the tips to the world
	for k := len(links) - 1; k >= 0; k-- {
		i := links[k]
		if p := d.m.placing[i].parent; p != World {
			d.compositeInertia[p].add(&d.compositeInertia[i], &d.p_PB[i])
		}
	}
}

// massMatrix writes M with rotors of a tree (n×n, zero before): the force f = 𝓜ᶜ H_a that
// accelerates dof a is moved towards the world, and M_ak = H_kᵀ f for each dof k on the
// way.
func (d *Data) massMatrix(t int, M []float64) {
	m := d.m
	first, n := m.treeStart[t], m.treeStart[t+1]-m.treeStart[t]
	for a := range n {
		i := m.dofs[first+a]
		var f spatial
		d.compositeInertia[i].apply(&d.subspace[first+a], &f)
		t0, t1, t2, f0, f1, f2 := f.w[0], f.w[1], f.w[2], f.v[0], f.v[1], f.v[2]
		// move the force towards the world, link by link
		p := &d.x_WB[i].P
		for j := i; j != World; j = m.placing[j].nextInboard {
			l, o := &m.placing[j], &d.x_WB[j].P
			x, y, z := p[0]-o[0], p[1]-o[1], p[2]-o[2]
			x, y, z = t0+y*f2-z*f1, t1+z*f0-x*f2, t2+x*f1-y*f0 // moment at j
			b := l.v0 - first
			for k := b; k < b+l.nv && k <= a; k++ { // later dofs of the same joint follow by symmetry
				H := &d.subspace[first+k]
				s := x*H.w[0] + y*H.w[1] + z*H.w[2] + f0*H.v[0] + f1*H.v[1] + f2*H.v[2]
				M[a*n+k], M[k*n+a] = s, s
			}
		}
		M[a*n+a] += m.links[i].RotorInertia
	}
}

// rnea computes the force that each link of a list together with all links it carries
// needs at joint accelerations vdot (nv; nil: zero), weight that nothing carries included, for links that move
// with the velocities given. The list ascends and has with each link all that it
// carries; accelerations of links that carry them are known.
func (d *Data) rnea(links []int, gravity r3.Vec, at *velocities, vdot []float64) {
	for _, i := range links {
		// accelerations, and the forces that they need, from the world to the tips
		d.accelerate(i, &gravity, at, vdot)
		a, w, own, F := &d.acc[i], &at.vel[i].w, &d.bodyInertia[i], &d.force[i]
		var wc, wI r3.Vec
		wc.SetCross(w, &own.mc)
		wI.SetMul(&own.I, w)
		own.apply(a, F) // (6)
		F.v.IncCross(w, &wc)
		F.w.IncCross(w, &wI)
		if d.m.links[i].WeightCompensation != 0 {
			lift := d.carriedOf(i)
			lift.addForce(&gravity, F)
		}
	}
	// forces of carried links, from the tips to the world
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
		// weight is an upward acceleration of the world
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
	if l.biased != nil && (l.stepped == nil || vdot != nil) { // Step turns the velocities of the others
		a.incScale(1, &at.bias[i]) // (5)
	}
	if l.prescribed {
		a.incScale(1, &d.prescribedAcc[i])
	}
	if vdot != nil {
		for k := l.v0; k < l.v0+l.nv; k++ {
			a.incScale(vdot[k], &d.subspace[k]) // (5)
		}
	}
}

// effort returns the component along a dof of the force that its link with all it carries
// needs.
func (d *Data) effort(dof int) float64 { return d.force[d.m.dofs[dof]].dotOf(&d.subspace[dof]) } // (7)

// InverseDynamics writes the joint efforts tau (nv; N or N m) that cause the accelerations
// vdot (nv) at the placed state: tau = M v̇ + bias, with rotors, without springs and
// dampers. gravity is in m/s². Mimic joints are taken to have accelerations and efforts of their own; Model.FoldEfforts
// moves these to their leaders.
func (d *Data) InverseDynamics(gravity r3.Vec, vdot, tau []float64) {
	d.rnea(d.m.allLinks, gravity, &d.velocities, vdot)
	for k := range tau {
		tau[k] = d.effort(k) + d.m.links[d.m.dofs[k]].RotorInertia*vdot[k]
	}
}
