package rigid

import (
	"fmt"
	"math"

	"github.com/curlfree/curlfree/r3"
)

// A tree's mass matrix is positive definite unless some motion of its joints moves no
// inertia. In factor.go's elimination from the tips the first articulated inertia D_k that
// vanishes names the joint at fault. The test configuration has no symmetry, because a
// mass matrix that is singular at one configuration only (gimbal lock) is no fault of the
// model.

// leastInertia is the articulated inertia that counts as zero, relative to the bound of
// inertiaBound: below, a step would have lost all its digits.
const leastInertia = 1e-12

// checkInertias returns an error that names a link whose joint moves no inertia.
func (m *Model) checkInertias() error {
	d := m.NewData()
	q, v := m.Start()
	// a configuration without symmetry
	for i := range m.links {
		if nq, nv := m.links[i].Joint.Size(); nv > 0 {
			for j := range nq {
				q[m.q0[i]+j] += 0.3 * math.Sin(float64(1+i+j))
			}
		}
	}
	d.Place(0, 1, q, v)
	d.computeComposites(m.allLinks)
	// articulated inertias from the tips
	for t := range m.Trees() {
		first, n := m.treeStart[t], m.treeStart[t+1]-m.treeStart[t]
		M := make([]float64, n*n)
		d.massMatrix(t, M)
		m.foldMatrix(t, M, n)
		eliminate(M, n)
		for k := n - 1; k >= 0; k-- {
			dof := first + k
			if least := leastInertia * d.inertiaBound(dof); !(1/M[k*n+k] > least) {
				return m.inertiaError(dof, d.subspace[dof].w, d.inertiaAlong(dof) > least)
			}
		}
	}
	return nil
}

// inertiaBound returns an upper bound of the inertia along a dof: that of the carried links
// if all their mass lay at right angles to the dof's axis.
func (d *Data) inertiaBound(dof int) float64 {
	i, c := d.m.dofs[dof], d.subspace[dof]
	return c.w.Norm2()*d.compositeInertia[i].I.Trace() + c.v.Norm2()*d.compositeInertia[i].mass + d.m.links[i].RotorInertia
}

// inertiaAlong returns the inertia along a dof when all joints that its link carries are
// locked.
func (d *Data) inertiaAlong(dof int) float64 {
	i, c := d.m.dofs[dof], d.subspace[dof]
	return 2*d.compositeInertia[i].energy(c) + d.m.links[i].RotorInertia
}

func (m *Model) inertiaError(dof int, w r3.Vec, stiff bool) error {
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
		return fmt.Errorf("link %q has no inertia of its own while the joints of the links that it carries are free: give it a mass and an inertia, or merge the joints that do the same", name)
	case w.Norm2() == 0:
		return fmt.Errorf("link %q has too little mass to move: give it a mass", name)
	}
	return fmt.Errorf("link %q turns about an axis on which all its mass lies, with no rotational inertia: give it an inertia about that axis, shapes, or a rotor inertia", name)
}
