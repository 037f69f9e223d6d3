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

// Dissipation returns the energy (J) that the damping of changes takes in a step with the displacement velocities w
// (nv), negative where it gives back what it stored, and what dampers of joints take, after FreeMotion or MotionAt and
// before Advance: with δ of the step of each tree, θ − ½ in impacts, and the dampers D
//
//	δ (Δv − r Δv₋)·MΔv + e h² (w − r w₋)·K w,   h |w|²_D                       (2)
//
// Both are zero under Euler, whose losses follow from differences of energies alone.
func (d *Data) Dissipation(w []float64) (numerical, viscous float64) {
	if !d.rule.Midpoint {
		return 0, 0
	}
	m, s, rule := d.m, d.damped, &d.rule
	d.finish(w)
	for t, link := range m.singleBody {
		first, end := m.treeStart[t], m.treeStart[t+1]
		if link != World {
			f := &s.flights[t]
			V := f.toWorld(s.w[first:end])
			_, change, touched := f.end(&V)
			if delta := f.theta - 0.5; touched {
				numerical += change.w.Scale(delta).Sub(f.lagW).Dot(f.I.MulVec(change.w))
				numerical += f.mass * change.v.Scale(delta).Sub(f.lagV).Dot(change.v)
			}
		} else {
			numerical += d.treeDissipation(t, s.w[first:end])
		}
	}
	for k, l := range s.w {
		joint := &m.links[m.dofs[k]]
		viscous += d.h * joint.Damping * l * l
		if rule.E > 0 && joint.Stiffness > 0 {
			numerical += rule.E * d.h * d.h * joint.Stiffness * (l - rule.Ratio*rule.W[k]) * l
		}
	}
	return numerical, viscous
}

// treeDissipation returns the first term of (2) of a tree with joints that moves with w (n).
func (d *Data) treeDissipation(t int, w []float64) float64 {
	s, first := d.damped, d.m.treeStart[t]
	theta, _ := d.inertialRule(t)
	if s.flies[t] {
		theta = d.rule.Theta
	}
	// with a = δ Δv − lag and b = Δv: a·M b = ½ (|a + b|² − |a − b|²)/2
	start := d.startVelocities(t)
	for k, x := range w {
		change := (x - start[k] + s.lag[first+k]) / theta
		a := (theta-0.5)*change - s.lag[first+k]
		s.sum[first+k], s.difference[first+k] = a+change, a-change
	}
	return 0.5 * (s.middle.kineticAlong(t, s.sum) - s.middle.kineticAlong(t, s.difference))
}
