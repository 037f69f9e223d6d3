package rigid

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// A tree's mass matrix is positive definite unless some motion of its joints moves
// no inertia: the first articulated inertia that vanishes, from the tips, names the
// link. It is looked at in a configuration without symmetry, as those that are
// singular by accident are no fault of the model.

// vanishing is the articulated inertia that counts as zero, relative to that of
// what the joint carries, at arm's length: below, a step has lost all its digits.
const vanishing = 1e-12

// checkMoving finds velocities that would move nothing.
func (m *Model) checkMoving() error {
	d := m.NewData()
	q, v := m.Start()
	for i := range m.links {
		if nq, nv := m.links[i].Joint.Size(); nv > 0 {
			for j := range nq {
				q[m.q0[i]+j] += 0.3 * math.Sin(float64(1+i+j))
			}
		}
	}
	d.Place(0, 1, q, v)
	d.composite(m.every)
	for t := range m.Trees() {
		first, n := m.first[t], m.first[t+1]-m.first[t]
		M := make([]float64, n*n)
		d.massMatrix(t, M)
		eliminate(M, n)
		for k := n - 1; k >= 0; k-- {
			dof := first + k
			if least := vanishing * d.reach(dof); !(1/M[k*n+k] > least) {
				return m.complain(dof, d.column[dof].w, d.inertiaAlong(dof) > least)
			}
		}
	}
	return nil
}

// reach bounds what a velocity could move if all that its link carries lay at
// right angles to it.
func (d *Data) reach(dof int) float64 {
	i, c := d.m.dofs[dof], d.column[dof]
	return c.w.Norm2()*d.comp[i].I.Trace() + c.v.Norm2()*d.comp[i].mass + d.m.links[i].RotorInertia
}

// inertiaAlong returns what a velocity moves when all that its link carries is
// stiff.
func (d *Data) inertiaAlong(dof int) float64 {
	i, c := d.m.dofs[dof], d.column[dof]
	return 2*d.comp[i].energy(c) + d.m.links[i].RotorInertia
}

func (m *Model) complain(dof int, w r3.Vec, stiff bool) error {
	i := m.dofs[dof]
	name := m.links[i].Name
	mass := 0.0
	for j := range m.links {
		for k := j; k != World; k = m.links[k].Parent {
			if k == i {
				mass += m.links[j].Mass
			}
		}
	}
	switch {
	case mass == 0:
		return fmt.Errorf("link %q moves but has no mass, nor has anything it carries: give it a mass and an inertia", name)
	case m.nv[i] > 1 && w.Norm2() > 0:
		return fmt.Errorf("link %q turns freely, but all that it carries lies on one line, with no rotational inertia about it: give it an inertia, or shapes", name)
	case stiff:
		return fmt.Errorf("link %q moves without inertia where the joints of what it carries give way: give it a mass and an inertia, or merge the joints that do the same", name)
	case w.Norm2() == 0:
		return fmt.Errorf("link %q has too little mass to move: give it a mass", name)
	}
	return fmt.Errorf("link %q turns about an axis on which all its mass lies, with no rotational inertia: give it an inertia about that axis, shapes, or a rotor inertia", name)
}
