package rigid

import "github.com/curlfree/curlfree/r3"

// localErrors are the errors that a step adds to the displacements of links, see Step.LocalError of package timestep:
// those of joints, moved to links by their axes at the start of the step.
type localErrors struct {
	w      []float64 // displacement velocities of joints at the start
	joints []float64 // of each velocity, m or rad
	links  []spatial // of each link, rad and m
}

// FindLocalErrors computes the errors of displacements in a step from the velocities v (nv) with the solved
// displacement velocities w (nv). Prescribed joints have none. It allocates nothing but in the first call.
func (d *Data) FindLocalErrors(w, v []float64) {
	e := &d.errors
	if e.links == nil {
		e.w, e.joints, e.links = make([]float64, len(d.m.dofs)), make([]float64, len(d.m.dofs)), make([]spatial, len(d.m.links))
	}
	copy(e.w, w)
	d.m.FollowVelocities(e.w)
	if d.rule.Midpoint {
		d.toStart(e.w)
	}
	for i := range e.joints {
		before := 0.0
		if len(d.rule.W) > 0 {
			before = d.rule.W[i]
		}
		e.joints[i] = d.rule.LocalError(e.w[i], v[i], before)
	}
	for i := range d.m.placing {
		l, V := &d.m.placing[i], &e.links[i]
		*V = spatial{}
		if l.parent != World {
			*V = e.links[l.parent].shiftMotion(d.p_PB[i])
		}
		for j := range l.nv {
			V.incScale(e.joints[l.v0+j], &d.subspace[l.v0+j])
		}
	}
}

// LocalError returns the error of the last FindLocalErrors of a link: of its rotation (rad) and of the place of its
// origin (m), world axes.
func (d *Data) LocalError(link int) (turn, shift r3.Vec) {
	V := &d.errors.links[link]
	return V.w, V.v
}
