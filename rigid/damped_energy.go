package rigid

import "github.com/curlfree/curlfree/r3"

// Energies under the midpoint rule. The damping of the rule stores, with changes Δv₋ of the step before,
//
//	Π = ½ δ |Δv₋|²_M + ½ e h² |w₋|²_K                                       (1)
//
// by which E may rise. Where flight.go takes the changes of flight, a body has no Π.

// dampedBalance returns the terms of the balance of energy of a tree at the start of the step.
func (d *Data) dampedBalance(t int) (b treeBalance) {
	m := d.m
	for _, i := range m.linksOfTree[t] {
		b.twiceKinetic += 2 * d.bodyInertia[i].energy(d.vel[i])
	}
	for k := m.treeStart[t]; k < m.treeStart[t+1]; k++ {
		b.twiceKinetic += m.links[m.dofs[k]].RotorInertia * d.v[k] * d.v[k]
	}
	if link := m.singleBody[t]; link != World && d.rule.Delta > 0 {
		f, last := &d.damped.flights[t], d.rule.DV[m.v0[link]:]
		if turn := r3.Vec(last[:3]); turn != (r3.Vec{}) {
			turn = d.x_WB[link].R.MulVec(turn)
			b.stored = 0.5 * d.rule.Delta * (turn.Dot(f.I.MulVec(turn)) + f.mass*r3.Vec(last[3:6]).Norm2())
		}
	}
	if m.singleBody[t] == World {
		b.stored = d.storedEnergy(t)
	}
	return b
}

// storedEnergy returns Π of a tree with joints by the memory, J.
func (d *Data) storedEnergy(t int) (stored float64) {
	rule, first, end := &d.rule, d.m.treeStart[t], d.m.treeStart[t+1]
	if rule.Delta > 0 {
		stored = rule.Delta * d.damped.middle.kineticAlong(t, d.damped.dv)
	}
	if rule.E > 0 {
		for k := first; k < end; k++ {
			w := rule.Ratio * d.h * rule.W[k]
			stored += 0.5 * rule.E * d.m.links[d.m.dofs[k]].Stiffness * w * w
		}
	}
	return stored
}

// storedAtEnd returns Π that the step leaves of a tree with joints, of the last endTree, J.
func (d *Data) storedAtEnd(t int, w []float64) (stored float64) {
	rule, first := &d.rule, d.m.treeStart[t]
	if rule.Delta > 0 {
		stored = rule.Delta * d.damped.middle.kineticAlong(t, d.damped.change)
	}
	for k, x := range w {
		stored += 0.5 * rule.E * d.m.links[d.m.dofs[first+k]].Stiffness * d.h * d.h * x * x
	}
	return stored
}

// kineticAlong returns the kinetic energy, with rotors, of a tree in its placed poses at the velocities v (nv), J,
// without those of prescribed joints.
func (d *Data) kineticAlong(t int, v []float64) (e float64) {
	m := d.m
	for _, i := range m.linksOfTree[t] {
		l, V := &m.placing[i], &d.predicted[i]
		*V = spatial{}
		if l.parent != World && m.tree[l.parent] == t {
			*V = d.predicted[l.parent].shiftMotion(d.p_PB[i])
		}
		for k := l.v0; k < l.v0+l.nv; k++ {
			V.incScale(v[k], &d.subspace[k])
			e += 0.5 * m.links[i].RotorInertia * v[k] * v[k]
		}
		e += d.bodyInertia[i].energy(*V)
	}
	return e
}
