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
	return b
}
