package rigid

import (
	"github.com/curlfree/curlfree/cliques"
	"github.com/curlfree/curlfree/r3"
)

// Computed torque (inverse dynamics control) with gravity compensation: a controller that includes
// the robot's model computes the efforts of a planned motion from the robot's present
// positions, but not from its present velocities: at the placed positions, with the planned
// velocities v and accelerations v̇,
//
//	τ = M(q) v̇ + bias(q, v) + I_r v̇ + d v + k (q + h v − q_r)                       (1)
//
// with the rotors I_r, the dampers d and the springs k of its joints, slack at q_r, as those act over a step of h. It
// may include only some links, and a payload that one of them carries. With v = v̇ = 0 these are the efforts that
// balance weight and springs.

// Payload is a point mass on a link, which a controller compensates.
type Payload struct {
	// Link is the number of the link that carries the mass.
	Link int
	// Mass is the mass, kg.
	Mass float64
	// Com_B is the position of the mass in the link's frame, m.
	Com_B r3.Vec
}

// PlannedEfforts writes to tau (NumV; N or N m) the efforts (1) of the dofs of a tree at
// velocities v and accelerations vdot (NumV). Links count where known (NumLinks) is true, and
// the payload where it is not nil. gravity is in m/s². Mimic joints move as their leaders, which carry their efforts.
func (d *Data) PlannedEfforts(tree int, known []bool, gravity r3.Vec, v, vdot []float64, payload *Payload, tau []float64) {
	m, links := d.m, d.m.linksOfTree[tree]
	v, vdot = d.expand(v, vdot)
	d.plannedVelocities(links, v)
	for _, i := range m.articulatedLinks {
		if m.tree[i] < 0 { // with prescribed motion, may carry the tree
			d.accelerate(i, &gravity, &d.velocities, nil)
		}
	}
	for _, i := range links {
		d.accelerate(i, &gravity, &d.midpoint, vdot)
		F, w := &d.force[i], d.midpoint.vel[i].w
		*F = spatial{}
		if known[i] {
			own := &d.bodyInertia[i]
			own.apply(&d.acc[i], F)
			F.v = F.v.Add(w.Cross(w.Cross(own.mc)))
			F.w = F.w.Add(w.Cross(own.I.MulVec(w)))
			lift := d.carriedOf(i)
			lift.addForce(&gravity, F)
		}
		if payload != nil && payload.Link == i {
			c := d.x_WB[i].R.MulVec(payload.Com_B)
			a := d.acc[i].shiftMotion(c).v.Add(w.Cross(w.Cross(c)))
			*F = F.add(spatial{v: a.Scale(payload.Mass)}.shiftForce(c))
		}
	}
	// forces of carried links, from the tips to the world
	for k := len(links) - 1; k >= 0; k-- {
		i := links[k]
		if p := m.placing[i].parent; p != World {
			d.force[p].incScale(1, &d.force[i])
			d.force[p].w.IncCross(&d.p_PB[i], &d.force[i].v)
		}
	}
	for k := m.treeStart[tree]; k < m.treeStart[tree+1]; k++ {
		tau[k] = d.effort(k)
		if l := &m.links[m.dofs[k]]; known[m.dofs[k]] {
			tau[k] += l.RotorInertia*vdot[k] + l.Damping*v[k] // (1)
			if l.Stiffness > 0 {
				tau[k] += l.Stiffness * (d.q[m.q0[m.dofs[k]]] + d.h*v[k] - l.Rest)
			}
		}
	}
	m.fold(tree, tau[m.treeStart[tree]:m.treeStart[tree+1]])
}

// plannedVelocities computes the velocities of a tree's links at joint velocities v, with those
// that prescribed joints have now, into the midpoint's.
func (d *Data) plannedVelocities(links []int, v []float64) {
	for _, i := range links {
		l, V, rel := &d.m.placing[i], &d.midpoint.vel[i], &d.midpoint.rel[i]
		*rel = spatial{}
		if _, ok := d.m.links[i].Joint.(Prescribed); ok {
			*rel = d.rel[i]
		}
		for k := l.v0; k < l.v0+l.nv; k++ {
			rel.incScale(v[k], &d.subspace[k])
		}
		if l.biased != nil {
			d.midpoint.bias[i] = d.jointBias(i, l, v[l.v0:l.v0+l.nv])
		}
		*V = *rel
		if l.parent == World {
			continue
		}
		P := &d.midpoint.vel[l.parent]
		if d.m.tree[l.parent] < 0 {
			P = &d.vel[l.parent]
		}
		V.incScale(1, P)
		V.v.IncCross(&P.w, &d.p_PB[i])
	}
}

// AddNodes appends to a problem that is to have rows of Jacobians alone an empty clique for each tree of a list. Rows
// of points and dofs of these trees then go to it.
func (d *Data) AddNodes(trees []int, p *cliques.Problem) {
	for _, t := range trees {
		d.node[t], _, _, _ = p.AddDense(d.m.treeStart[t+1] - d.m.treeStart[t])
	}
}

// FloatingBase returns the velocities first to end of the free joint that carries a tree; none where it hangs on
// another joint.
func (m *Model) FloatingBase(t int) (first, end int) {
	root := m.linksOfTree[t][0]
	if _, free := m.links[root].Joint.(Floating); !free {
		return 0, 0
	}
	return m.v0[root], m.v0[root] + m.nv[root]
}

// TreeOf returns the tree of a link, −1 where no velocity moves it.
func (m *Model) TreeOf(link int) int { return m.tree[link] }

// TreeOfDof returns the tree to which a degree of freedom belongs.
func (m *Model) TreeOfDof(dof int) int { return m.tree[m.dofs[dof]] }
